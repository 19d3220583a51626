import { setLanguageSource } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod/mini';
import { emailAddress, optionalText, requiredText } from './text.ts';

afterEach(() => setLanguageSource(() => 'en'));

const check = (shape: z.ZodMiniType, value: unknown) => {
  const result = z.safeParse(shape, value);
  return result.success ? result.data : result.error.issues[0]!.message;
};

describe('a required text', () => {
  const name = requiredText('First name', 5);
  // asvs 1.3.3
  test.each([
    ['Dana', 'Dana'],
    ['  Dana ', 'Dana'],
    ['12345', '12345'],
    ['123456', 'First name is too long.'],
    ['', 'First name is required.'],
    ['   ', 'First name is required.'],
    // As it is stored: each letter one character, each space the usual one, nothing invisible.
    ['Jose\u0301', 'Jos\u00E9'],
    ['Da\u200Bna\uFEFF', 'Dana'],
    ['\u202EDana\u202C', 'Dana'],
    ['De\u00A0La', 'De La'],
    ['\u200B\u00AD', 'First name is required.'],
    [undefined, 'First name is required.'],
    [null, 'First name is required.'],
    [7, 'First name is required.'],
  ])('%j: %s', (value, expected) => expect(check(name, value)).toBe(expected));
});

describe('an optional text', () => {
  const street2 = optionalText('Street 2', 5);
  test.each([
    [undefined, undefined],
    ['', ''],
    [' Lot 4 ', 'Lot 4'],
    ['Lot\u2060\u202F4', 'Lot 4'],
    ['A\u2028B', 'A\nB'],
    ['123456', 'Street 2 is too long.'],
    [4, 'Street 2 must be text.'],
  ])('%j: %s', (value, expected) => expect(check(street2, value)).toBe(expected));
});

describe('an email address', () => {
  const email = emailAddress('Email Address');
  const wrong = 'Email Address must look like name@example.com.';
  test.each([
    ['dana@example.com', 'dana@example.com'],
    [' dana.reyes+rv@mail.example.co ', 'dana.reyes+rv@mail.example.co'],
    ["o'neil@example.com", "o'neil@example.com"],
    ['', 'Email Address is required.'],
    ['dana', wrong],
    ['dana@example', wrong],
    ['dana@@example.com', wrong],
    ['dana reyes@example.com', wrong],
    ['dana@example.com, lee@example.com', wrong],
    ['dana@example.com\r\nBcc: lee@example.com', wrong],
    ['Dana <dana@example.com>', wrong],
    [`${'x'.repeat(250)}@a.co`, 'Email Address is too long.'],
    // One letter in two characters is the same address as in one.
    ['jose\u0301@example.com', 'jos\u00E9@example.com'],
    // What a page has around a copied address.
    ['\u00A0dana@example.com\uFEFF', 'dana@example.com'],
  ])('%j: %s', (value, expected) => expect(check(email, value)).toBe(expected));

  // spec 5.65
  test.each([
    ['dana\u200B@example.com', 'U+200B'],
    ['dana@exam\u00ADple.com', 'U+00AD'],
    ['\u202Edana@example.com', 'U+202E'],
    ['dana@example.com\u2060', 'U+2060'],
    ['dana\u00A0reyes@example.com', 'U+00A0'],
  ])('names the invisible character of %j', (value, name) =>
    expect(check(email, value)).toBe(
      `Email Address contains an invisible character (${name}). Please type the address instead of pasting it.`,
    ),
  );
});

describe('in Spanish', () => {
  const email = emailAddress(() => t('Email'));
  test.each([
    ['', 'El campo Correo electrónico es obligatorio.'],
    ['dana', 'El campo Correo electrónico debe tener la forma nombre@ejemplo.com.'],
    [`${'x'.repeat(250)}@a.co`, 'El campo Correo electrónico es demasiado largo.'],
  ])('%j: %s', (value, expected) => {
    setLanguageSource(() => 'es');
    expect(check(email, value)).toBe(expected);
  });

  test('the language is that of the check, not of the shape', () => {
    setLanguageSource(() => 'es');
    const name = requiredText(() => t('First name'));
    setLanguageSource(() => 'en');
    expect(check(name, '')).toBe('First name is required.');
  });
});
