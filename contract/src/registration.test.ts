import { describe, expect, test } from 'vitest';
import { z } from 'zod/mini';
import { newPassword, passwordParams, registerParams, verifyParams } from './registration.ts';

const sentences = (shape: z.ZodMiniType, value: unknown) =>
  z.safeParse(shape, value).error?.issues.map(({ message }) => message) ?? [];

describe('a new password', () => {
  // spec 5.12, 5.14, 9.3
  test.each([
    ['12345678', undefined],
    ['a'.repeat(20), undefined],
    [' spaces are kept ', undefined],
    ['🔑'.repeat(20), undefined],
    ['', 'Password is required.'],
    [undefined, 'Password is required.'],
    ['1234567', 'Password must have at least 8 characters.'],
    ['🔑'.repeat(7), 'Password must have at least 8 characters.'],
    ['a'.repeat(21), 'Password must have at most 20 characters.'],
    ['🔑'.repeat(21), 'Password must have at most 20 characters.'],
  ])('%s: %s', (password, sentence) => expect(sentences(newPassword, password)[0]).toBe(sentence));

  test('is taken exactly as typed', () => {
    expect(z.parse(newPassword, ' Anchor  Axle ')).toBe(' Anchor  Axle ');
  });

  test('is counted and kept in NFC: a letter with its accent is one character', () => {
    expect(z.parse(newPassword, 'e\u0301'.repeat(8))).toBe('\u00E9'.repeat(8));
    expect(sentences(newPassword, 'e\u0301'.repeat(7))).toEqual([
      'Password must have at least 8 characters.',
    ]);
  });
});

describe('the fields of registration', () => {
  // spec 5.8, 5.9, 5.10, 5.11
  // asvs 6.4.2
  test('are required: email and location, verification code, password', () => {
    expect(sentences(registerParams, { corporationCode: 'ANCHOR' })).toEqual([
      'Email Address is required.',
      'Location is required.',
    ]);
    expect(sentences(verifyParams, { token: 't', code: '', corporationCode: 'ANCHOR' })).toEqual([
      'Verification Code is required.',
    ]);
    expect(sentences(passwordParams, { token: 't', corporationCode: 'ANCHOR' })).toEqual([
      'Password is required.',
    ]);
  });

  test.each([
    '1234-5678',
    ' 1234 5678 ',
    '1234\u200B5678',
    '１２３４５６７８',
    '1234\u2014\u00A05678',
  ])('the code %j is 12345678', (code) =>
    expect(z.parse(verifyParams, { token: 't', code, corporationCode: 'ANCHOR' }).code).toBe(
      '12345678',
    ),
  );

  test('neither code nor token has a format', () => {
    expect(
      sentences(verifyParams, { token: '', code: 'not a code at all', corporationCode: 'ANCHOR' }),
    ).toEqual([]);
  });
});
