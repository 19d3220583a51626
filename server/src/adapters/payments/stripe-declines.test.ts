import { describe, expect, test } from 'vitest';
import { declined, NO_RETURN_CODE, returnCode } from './stripe-declines.ts';

describe('a decline of Stripe', () => {
  test.each([
    [{ code: 'card_declined', decline_code: 'generic_decline' }, false],
    [{ code: 'card_declined', decline_code: 'insufficient_funds' }, false],
    [{ code: 'card_declined', decline_code: 'do_not_honor' }, false],
    [{ code: 'card_declined', decline_code: 'authentication_required' }, false],
    [
      { code: 'card_declined', decline_code: 'generic_decline', advice_code: 'do_not_try_again' },
      true,
    ],
    [{ code: 'card_declined', decline_code: 'lost_card' }, true],
    [{ code: 'card_declined', decline_code: 'stolen_card' }, true],
    [{ code: 'card_declined', decline_code: 'fraudulent' }, true],
    [{ code: 'card_declined', decline_code: 'revocation_of_authorization' }, true],
    [{ code: 'expired_card' }, true],
    [{ code: 'incorrect_cvc' }, false],
    [{ code: 'resource_missing' }, true],
    [{}, false],
  ])('%j is hard: %s', (fault, isHard) => {
    expect(declined('creditCard', fault)).toMatchObject({ outcome: 'declined', isHard });
  });

  test('says only that the card was declined where it was reported stolen or lost', () => {
    const plain = declined('creditCard', {}).message;
    for (const decline_code of ['lost_card', 'stolen_card', 'fraudulent', 'pickup_card'])
      expect(declined('creditCard', { code: 'card_declined', decline_code }).message).toBe(plain);
  });

  test('names the account where it is one', () => {
    expect(declined('ach', { code: 'insufficient_funds' }).message).toMatch(
      /^Your bank account has insufficient funds/,
    );
    expect(declined('ach', {}).message).toMatch(/^Your bank account/);
    expect(declined('creditCard', { decline_code: 'insufficient_funds' }).message).toMatch(
      /^Your card has insufficient/,
    );
  });
});

describe('a returned bank debit', () => {
  test.each([
    [['R29', 'debit_not_authorized'], 'R29'],
    [[null, 'R07', 'debit_not_authorized'], 'R07'],
    [['insufficient_funds'], 'R01'],
    [['account_closed'], 'R02'],
    [['no_account'], 'R03'],
    [['bank_account_restricted'], 'R16'],
    [['bank_account_unusable'], 'R20'],
    [['debit_not_authorized'], 'R10'],
    [['payment_intent_payment_attempt_failed', 'customer_initiated'], 'R10'],
    [['something new'], NO_RETURN_CODE],
    [[undefined, null], NO_RETURN_CODE],
  ])('for which Stripe says %j has the code %s', (words, code) => {
    expect(returnCode(...words)).toBe(code);
  });
});
