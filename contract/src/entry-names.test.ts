import { setLanguageSource } from '@gatehouse/language/language';
import { afterEach, expect, test } from 'vitest';
import { entryName } from './entry-names.ts';

afterEach(() => setLanguageSource(() => 'en'));

test.each([
  ['Late fee', 'Cargo por mora'],
  ['Rent 11/5/2026 - 12/4/2026', 'Renta 5\u00a0nov\u00a02026 - 4\u00a0dic\u00a02026'],
  ['Not rented any more: Card fee', 'Ya no se alquila: Cargo por tarjeta'],
  [
    'Unused days 11/5/2026 - 12/4/2026: Protection plan',
    'Días sin usar 5\u00a0nov\u00a02026 - 4\u00a0dic\u00a02026: Plan de protección',
  ],
  ['Waived: Lock cut', 'Condonado: Lock cut'],
  [
    'Moved to unit B2 before it was taken back',
    'Transferido a la unidad B2 antes de que se anulara el pago',
  ],
  ['Returned by the bank: the account is closed', 'Devuelto por el banco: la cuenta está cerrada'],
  ['Visa ending in 4242', 'Visa terminada en 4242'],
  ['Check 1042', 'Cheque 1042'],
  ['Lock cut', 'Lock cut'],
  ['constructor', 'constructor'],
])('the books’ %s', (english, spanish) => {
  expect(entryName(english)).toBe(english);
  setLanguageSource(() => 'es');
  expect(entryName(english)).toBe(spanish);
});
