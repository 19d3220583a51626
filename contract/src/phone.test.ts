import { describe, expect, test } from 'vitest';
import { z } from 'zod/mini';
import { phoneNumber } from './phone-number.ts';
import { formatPhone, phoneHref } from './phone.ts';

const TEN = 'Phone must have 10 digits.';
const NONE = 'Phone must be a number in use, such as (817) 555-0142 or +45 32 12 34 56.';

describe('a phone number', () => {
  test.each([
    ['8175550142', '8175550142'],
    ['(817) 555-0142', '8175550142'],
    ['817.555.0142', '8175550142'],
    ['+1 817 555 0142', '8175550142'],
    [' 1-817-555-0142 ', '8175550142'],
    ['（８１７）５５５\u2013０１４２\u200B', '8175550142'],
    ['+1 416 555 0142', '4165550142'],
  ])('%s travels as its ten digits', (typed, expected) =>
    expect(z.parse(phoneNumber, typed)).toBe(expected),
  );

  test.each([
    ['817-555-0142 x12', '8175550142 ext. 12'],
    ['(817) 555-0142 ext. 12', '8175550142 ext. 12'],
    ['(817) 555-0142 Extension 0012', '8175550142 ext. 0012'],
    ['8175550142;ext=12', '8175550142 ext. 12'],
    ['817 555 0142 #12', '8175550142 ext. 12'],
    ['+45 32 12 34 56 x9', '+4532123456 ext. 9'],
  ])('%s keeps its extension', (typed, expected) =>
    expect(z.parse(phoneNumber, typed)).toBe(expected),
  );

  test.each([
    ['+45 32 12 34 56', '+4532123456'],
    ['011 45 32 12 34 56', '+4532123456'],
    ['+52 55 1234 5678', '+525512345678'],
    ['+49 (30) 90 18 20', '+4930901820'],
  ])('%s of another country travels with its country', (typed, expected) =>
    expect(z.parse(phoneNumber, typed)).toBe(expected),
  );

  test.each(['(817) 555-0142', '817-555-0142 x12', '+45 32 12 34 56', '+45 32 12 34 56 x9'])(
    '%s is the same when it is read again, shown or not',
    (typed) => {
      const kept = z.parse(phoneNumber, typed);
      expect([z.parse(phoneNumber, kept), z.parse(phoneNumber, formatPhone(kept))]).toEqual([
        kept,
        kept,
      ]);
    },
  );

  // spec 5.41
  test.each([
    ['', 'Phone is required.'],
    ['  ', 'Phone is required.'],
    [undefined, 'Phone is required.'],
    ['817555014', TEN],
    ['28175550142', TEN],
    ['817555014200', TEN],
    ['call 8175550142', TEN],
    ['8175550142 home', TEN],
    ['8'.repeat(5000), TEN],
    ['000-000-0000', NONE],
    ['(555) 555-5555', NONE],
    ['817 055 0142', NONE],
    // Ten digits as an American number has them, and no American number.
    ['45 12 34 56 78', NONE],
    // No Danish number begins with 1.
    ['+45 12 34 56 78', NONE],
    ['+999 555 0142', NONE],
  ])('%s is refused: %s', (typed, sentence) => {
    expect(z.safeParse(phoneNumber, typed).error?.issues[0]?.message).toBe(sentence);
  });

  // spec 2.19, 9.16
  test('is shown as (xxx) xxx-xxxx and dialled with its country', () => {
    expect(formatPhone('8175550142')).toBe('(817) 555-0142');
    expect(formatPhone('18175550142')).toBe('(817) 555-0142');
    expect(formatPhone('12345')).toBe('12345');
    expect(phoneHref('(817) 555-0142')).toBe('tel:+18175550142');
    expect(formatPhone('8175550142 ext. 12')).toBe('(817) 555-0142 ext. 12');
    expect(phoneHref('8175550142 ext. 12')).toBe('tel:+18175550142;ext=12');
    expect(formatPhone('+4532123456')).toBe('+4532123456');
    expect(phoneHref('+4532123456')).toBe('tel:+4532123456');
    // Ten digits with a + are another country's.
    expect([formatPhone('+4512345678'), phoneHref('+4512345678')]).toEqual([
      '+4512345678',
      'tel:+4512345678',
    ]);
  });
});
