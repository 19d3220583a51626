import { describe, expect, test } from 'vitest';
import { z } from 'zod/mini';
import { phoneNumber } from './phone-number.ts';
import { formatPhone, phoneHref } from './phone.ts';

describe('a phone number', () => {
  test.each([
    ['8175550142', '8175550142'],
    ['(817) 555-0142', '8175550142'],
    ['817.555.0142', '8175550142'],
    ['+1 817 555 0142', '8175550142'],
    [' 1-817-555-0142 ', '8175550142'],
    ['（８１７）５５５\u2013０１４２\u200B', '8175550142'],
  ])('%s travels as its ten digits', (typed, expected) =>
    expect(z.parse(phoneNumber, typed)).toBe(expected),
  );

  // spec 5.41
  test.each([
    ['', 'Phone is required.'],
    ['  ', 'Phone is required.'],
    [undefined, 'Phone is required.'],
    ['817555014', 'Phone must have 10 digits.'],
    ['28175550142', 'Phone must have 10 digits.'],
    ['817555014200', 'Phone must have 10 digits.'],
    ['call 8175550142', 'Phone must have 10 digits.'],
    ['8'.repeat(5000), 'Phone must have 10 digits.'],
  ])('%s is refused: %s', (typed, sentence) => {
    expect(z.safeParse(phoneNumber, typed).error?.issues[0]?.message).toBe(sentence);
  });

  // spec 2.19, 9.16
  test('is shown as (xxx) xxx-xxxx and dialled with its country', () => {
    expect(formatPhone('8175550142')).toBe('(817) 555-0142');
    expect(formatPhone('18175550142')).toBe('(817) 555-0142');
    expect(formatPhone('12345')).toBe('12345');
    expect(phoneHref('(817) 555-0142')).toBe('tel:+18175550142');
  });
});
