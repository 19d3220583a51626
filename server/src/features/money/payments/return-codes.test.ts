import { describe, expect, test } from 'vitest';
import { inLanguage } from '#context/language.ts';
import {
  isStopping,
  mayBePresentedAgain,
  returnDescription,
  returnReason,
  returnSentence,
  returnText,
} from './return-codes.ts';

describe('a return code', () => {
  test.each([
    ['R01', false, true],
    ['R02', true, false],
    ['R03', true, false],
    ['R04', true, false],
    ['R05', true, false],
    ['R07', true, false],
    ['R08', true, false],
    ['R09', false, true],
    ['R10', true, false],
    ['R11', false, false],
    ['R16', true, false],
    ['R20', true, false],
    ['R29', true, false],
    ['R99', true, false],
  ])('%s stops the mandate: %s; may be presented again: %s', (code, stops, again) => {
    expect([isStopping(code), mayBePresentedAgain(code)]).toEqual([stops, again]);
    expect(returnReason(code)).toMatch(/^[a-z].+[a-z]$/);
  });
});

test('a return is described in English in the books, and shown in the language of the call', () => {
  inLanguage('es', () => {
    const description = returnDescription('R02');
    expect(description).toBe('Returned by the bank: the account is closed');
    expect(returnText(description)).toBe('Devuelto por el banco: la cuenta está cerrada.');
    expect(returnSentence('R02')).toBe('La cuenta está cerrada.');
    expect(returnText('Sent back by the branch')).toBe('Sent back by the branch.');
  });
});
