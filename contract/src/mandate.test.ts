import { languages, setLanguageSource } from '@gatehouse/language/language';
import { afterEach, describe, expect, test } from 'vitest';
import { RETRY_DAYS } from './autopay.ts';
import { cardFeeDetails } from './payment-methods.ts';
import { MANDATE_VERSION, mandateText, RE_PRESENTMENTS, type Mandate } from './mandate.ts';

const card: Mandate = {
  unitName: 'A101',
  facilityName: 'Anchor & Axle Eagle Mountain',
  method: 'creditCard',
  lastFour: '4242',
  cardFee: 5,
};
/** Of the words in each language. */
const hashes = { en: [233, 70, 228, 104, 226, 18], es: [48, 101, 8, 114, 87, 209] };
const bank: Mandate = { ...card, method: 'ach', lastFour: '6789' };

afterEach(() => setLanguageSource(() => 'en'));

describe('the consent to autopay', () => {
  test('names the facility, the unit and the last four of what is charged, where they are known', () => {
    expect(mandateText(card)).toContain(
      'I authorize Anchor & Axle Eagle Mountain to charge my card ending in 4242 for unit A101',
    );
    expect(mandateText(bank)).toContain('to charge my bank account ending in 6789 for unit A101');
    const { lastFour: _, ...unknown } = card;
    expect(mandateText(unknown)).toContain('to charge my card for unit A101');
  });

  test('says when is charged, that the amount varies and how far ahead a change of rent is announced', () => {
    expect(mandateText(card)).toContain(
      "on each due date, after 4:00 a.m. by the facility's clock",
    );
    expect(mandateText(card)).toContain('The amount may vary');
    expect(mandateText(card)).toContain('at least 10 days before');
  });

  test('states the days on which a decline is tried again, the days of the run itself', () => {
    expect(RETRY_DAYS).toEqual([3, 5, 7]);
    expect(mandateText(card)).toContain('tried again 3, 5 and 7 days after the first attempt');
  });

  test('mentions returned bank payments for bank accounts only', () => {
    expect(RE_PRESENTMENTS).toBe(2);
    expect(mandateText(bank)).toContain('presented again 3 days later, at most twice');
    expect(mandateText(card)).not.toContain('presented again');
  });

  test('has the card fee as a line of its own with a card, and none with a bank account or where there is no fee', () => {
    expect(mandateText(card).split('\n')).toContainEqual(
      expect.stringMatching(/^With a credit card, a card fee of \$5\.00/),
    );
    expect(mandateText(bank)).not.toContain('card fee');
    expect(mandateText({ ...card, cardFee: 0 })).not.toContain('card fee');
  });

  // spec 9.12
  test('has the same words for the most that a card fee can be as the hint next to the card', () => {
    const limit = 'never more than 3% of its rent.';
    expect(mandateText(card)).toContain(limit);
    expect(cardFeeDetails('$5.00')).toContain(limit);
  });

  test('says how it is revoked and that what is owed stays owed', () => {
    expect(mandateText(card)).toContain(
      'switch autopay off at any time under Billing Info, until the minute before a charge',
    );
    expect(mandateText(card)).toContain('what is owed stays owed');
  });

  test('says the same in Spanish', () => {
    setLanguageSource(() => 'es');
    expect(mandateText(card)).toContain(
      'Autorizo a Anchor & Axle Eagle Mountain a cobrar con cargo a mi tarjeta terminada en 4242, por la unidad A101',
    );
    expect(mandateText(card)).toContain('a los 3, 5 y 7 días del primer intento');
    expect(mandateText(card)).toContain('un cargo por tarjeta de $5.00, nunca más del 3%');
    expect(mandateText(bank)).toContain('mi cuenta bancaria terminada en 6789');
    expect(mandateText(bank)).toContain('se presenta de nuevo 3 días después, dos veces como');
    expect(mandateText(bank).split('\n')).toHaveLength(4);
  });

  test.each(languages)(
    'its wording in %s is bound to its version: change both, and this test',
    async (language) => {
      setLanguageSource(() => language);
      const words = new TextEncoder().encode(mandateText(card) + mandateText(bank));
      const hash = Array.from(
        new Uint8Array(await crypto.subtle.digest('SHA-256', words)).slice(0, 6),
      );
      expect([MANDATE_VERSION, hash]).toEqual(['2026-11-23', hashes[language]]);
    },
  );
});
