import { setLanguageSource } from '@gatehouse/language/language';
import { afterEach, expect, it } from 'vitest';
import { monthName } from './month-name.ts';

afterEach(() => setLanguageSource(() => 'en'));

it('names a month with its year', () => {
  expect(monthName('2026-10')).toBe('October 2026');
  expect(monthName('2027-01')).toBe('January 2027');
  expect(monthName('2026-12')).toBe('December 2026');
});

it('names it in Spanish', () => {
  setLanguageSource(() => 'es');
  expect(monthName('2026-10')).toBe('octubre de 2026');
  expect(monthName('2027-01')).toBe('enero de 2027');
});
