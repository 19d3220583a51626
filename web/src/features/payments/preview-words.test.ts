import { setLanguageSource } from '@gatehouse/language/language';
import { afterEach, expect, it } from 'vitest';
import { gateWords, previewWords } from './preview-words.ts';

afterEach(() => setLanguageSource(() => 'en'));

const preview = { amount: 100, pays: [], left: 64.5, credit: 0, paidThrough: null, gate: null };

const closed = { isOpened: false, more: 64.5, waitsForBank: false };

it('says that the gate stays closed for what is still due, and says that once', () => {
  const answer = { ...preview, gate: closed };
  expect(gateWords(answer)).toBe('The gate stays closed: $64.50 is still due.');
  expect(previewWords(answer)).toEqual([]);
  setLanguageSource(() => 'es');
  expect(gateWords(answer)).toBe('El portón sigue cerrado: aún se deben $64.50.');
});

it('says what more opens the gate where less than what is due does', () => {
  const answer = { ...preview, gate: { ...closed, more: 14.5 } };
  expect(gateWords(answer)).toBe('The gate stays closed. Pay $14.50 more to open it.');
  expect(previewWords(answer)).toEqual(['$64.50 is still due.']);
  setLanguageSource(() => 'es');
  expect(gateWords(answer)).toBe('El portón sigue cerrado. Pague $14.50 más para abrirlo.');
});

it('says what is still due where the gate is open', () => {
  expect(gateWords(preview)).toBeNull();
  expect(previewWords(preview)).toEqual(['$64.50 is still due.']);
  setLanguageSource(() => 'es');
  expect(previewWords(preview)).toEqual(['Aún se deben $64.50.']);
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
