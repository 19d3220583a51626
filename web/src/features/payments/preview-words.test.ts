import { setLanguageSource } from '@gatehouse/language/language';
import { afterEach, expect, it } from 'vitest';
import { previewWords } from './preview-words.ts';

afterEach(() => setLanguageSource(() => 'en'));

const preview = { amount: 100, pays: [], left: 64.5, credit: 0, paidThrough: null, gate: null };

it('says what is still due, and what more opens the gate', () => {
  const gate = { isOpened: false, more: 64.5, waitsForBank: false };
  expect(previewWords({ ...preview, gate })).toEqual([
    '$64.50 is still due.',
    'Pay $64.50 more to open the gate.',
  ]);
  setLanguageSource(() => 'es');
  expect(previewWords({ ...preview, gate })).toEqual([
    'Aún se deben $64.50.',
    'Pague $64.50 más para abrir el portón.',
  ]);
});

it('says until when a credit pays', () => {
  const ahead = { ...preview, left: 0, credit: 378, paidThrough: '2027-01-15' };
  expect(previewWords(ahead)).toEqual([
    '$378.00 stays as a credit and pays your bills through 1/15/2027 at today’s rates.',
  ]);
  setLanguageSource(() => 'es');
  expect(previewWords(ahead)).toEqual([
    '$378.00 quedan como saldo a favor y pagan sus facturas hasta el 15\u00a0ene\u00a02027 con las tarifas de hoy.',
  ]);
});
