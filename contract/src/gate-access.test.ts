import { setLanguageSource } from '@gatehouse/language/language';
import { afterEach, expect, test } from 'vitest';
import { hoursLabel, keepAccessAdvice, lockedOutAdvice, settlementAdvice } from './gate-access.ts';

afterEach(() => setLanguageSource(() => 'en'));

test('whose unit staff have locked is asked to call', () => {
  expect(lockedOutAdvice(0, true)).toBe('Please call facility to resolve!');
});

test('a tenant who owes something and is not locked out yet reads until when to pay', () => {
  expect(keepAccessAdvice('$175.00', '11/30/2026')).toBe(
    'Pay $175.00 by 11/30/2026 to keep your gate access',
  );
});

test('a tenant who waits for a bank payment to settle reads about when the gate opens', () => {
  expect(settlementAdvice('2026-11-24')).toBe(
    'Your bank payment is on its way. The gate opens when it has settled, about Tuesday, November 24.',
  );
});

// spec 4.37, 4.38, 9.1, 9.2
test('from 14 days past due the tenant is asked to call, before that the balance is due', () => {
  expect(lockedOutAdvice(0)).toBe('Balance Due!');
  expect(lockedOutAdvice(13)).toBe('Balance Due!');
  expect(lockedOutAdvice(14)).toBe('Please call facility to resolve!');
});

// spec 4.41, 9.17
test('business hours show with their times', () => {
  expect(hoursLabel('Business Hours')).toBe('Business Hours (6am - 10pm)');
  expect(hoursLabel('24 Hours')).toBe('24 Hours');
});

test('in Spanish too', () => {
  setLanguageSource(() => 'es');
  expect(lockedOutAdvice(14)).toBe('¡Llame al centro para resolverlo!');
  expect(keepAccessAdvice('$175.00', '30 nov 2026')).toBe(
    'Pague $175.00 a más tardar el 30 nov 2026 para conservar su acceso al portón',
  );
  expect(settlementAdvice('2026-11-24')).toContain('hacia el martes, 24 de noviembre.');
  expect(hoursLabel('24 Hours')).toBe('24 horas');
});
