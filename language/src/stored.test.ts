import { afterEach, expect, test } from 'vitest';
import { setLanguageSource } from './language.ts';
import { translateStored } from './stored.ts';

afterEach(() => setLanguageSource(() => 'en'));

test('a stored sentence is shown in the current language where the catalogue has it', () => {
  const known = 'Your card was declined. Please use another card.';
  expect(translateStored(known)).toBe(known);
  setLanguageSource(() => 'es');
  expect(translateStored(known)).toBe('Su tarjeta fue rechazada. Use otra tarjeta.');
  expect(translateStored('The bank said {no}.')).toBe('The bank said {no}.');
  expect(translateStored('toString')).toBe('toString');
});
