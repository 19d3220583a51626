import type { Message } from '@gatehouse/language/spanish';
import type { Declined } from './gateway.ts';

/** Stripe's reasons for a refusal, from an error, an intent or a charge. */
export type StripeFault = {
  code?: string | null | undefined;
  decline_code?: string | null | undefined;
  advice_code?: string | null | undefined;
  network_decline_code?: string | null | undefined;
  /** The parameter of the call that it concerns. */
  param?: string | null | undefined;
};

const ANOTHER_CARD = 'Please use another card.';
const ANOTHER_ACCOUNT = 'Please use another bank account or a card.';

/**
 * Codes with a sentence of their own. `hard` or `soft` says whether the same card or account can
 * work another day (docs.stripe.com/declines/codes); codes that are not listed are soft.
 */
const sentences: Record<string, ['hard' | 'soft', Message]> = {
  insufficient_funds: ['soft', `Your card has insufficient funds. ${ANOTHER_CARD}`],
  card_velocity_exceeded: ['soft', `Your card has reached its limit. ${ANOTHER_CARD}`],
  withdrawal_count_limit_exceeded: ['soft', `Your card has reached its limit. ${ANOTHER_CARD}`],
  processing_error: ['soft', 'Your card could not be reached. Please try again in a moment.'],
  issuer_not_available: ['soft', 'Your card could not be reached. Please try again in a moment.'],
  try_again_later: ['soft', 'Your card could not be reached. Please try again in a moment.'],
  incorrect_cvc: ['soft', 'Your card’s security code is not right. Please check it.'],
  invalid_cvc: ['soft', 'Your card’s security code is not right. Please check it.'],
  incorrect_zip: ['soft', 'Your card’s billing zip is not right. Please check it.'],
  incorrect_postal_code: ['soft', 'Your card’s billing zip is not right. Please check it.'],
  authentication_required: [
    'soft',
    `Your card’s bank asks for a confirmation that is not possible here. ${ANOTHER_CARD}`,
  ],
  amount_too_small: ['soft', 'The amount is too small for this card or bank account.'],
  amount_too_large: ['soft', 'The amount is too large for this card or bank account.'],
  token_already_used: ['soft', 'These card fields were used before. Please fill them in again.'],
  expired_card: ['hard', `Your card has expired. ${ANOTHER_CARD}`],
  incorrect_number: ['hard', 'Your card number is not right. Please check it.'],
  invalid_number: ['hard', 'Your card number is not right. Please check it.'],
  invalid_account: ['hard', `Your card’s account is not valid. ${ANOTHER_CARD}`],
  card_not_supported: ['hard', `Your card does not allow this payment. ${ANOTHER_CARD}`],
  transaction_not_allowed: ['hard', `Your card does not allow this payment. ${ANOTHER_CARD}`],
  currency_not_supported: ['hard', `Your card does not allow this payment. ${ANOTHER_CARD}`],
  resource_missing: [
    'hard',
    'This card or bank account is not known any more. Please enter it again.',
  ],
  bank_account_closed: ['hard', `Your bank account is closed. ${ANOTHER_ACCOUNT}`],
  account_closed: ['hard', `Your bank account is closed. ${ANOTHER_ACCOUNT}`],
  no_account: ['hard', `Your bank account was not found. ${ANOTHER_ACCOUNT}`],
  bank_account_unusable: ['hard', `Your bank account cannot be debited. ${ANOTHER_ACCOUNT}`],
  bank_account_restricted: ['hard', `Your bank account cannot be debited. ${ANOTHER_ACCOUNT}`],
  bank_account_unverified: ['hard', `Your bank account is not verified. ${ANOTHER_ACCOUNT}`],
  payment_method_bank_account_blocked: [
    'hard',
    `Your bank account cannot be debited. ${ANOTHER_ACCOUNT}`,
  ],
  debit_not_authorized: [
    'hard',
    `Your bank does not allow debits of this account. ${ANOTHER_ACCOUNT}`,
  ],
  payment_intent_mandate_invalid: [
    'hard',
    `Your consent to debit this account has ended. Please enter it again.`,
  ],
};

/**
 * Declines without a reason for the tenant: the card was reported, or its bank never wants to be
 * asked again.
 */
const silentHard = new Set([
  'lost_card',
  'stolen_card',
  'pickup_card',
  'restricted_card',
  'fraudulent',
  'merchant_blacklist',
  'security_violation',
  'do_not_try_again',
  'no_action_taken',
  'not_permitted',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'stop_payment_order',
  'invalid_amount',
  'testmode_decline',
]);

/** Whether a refusal is about the tenant's card or account, rather than about what we asked. */
export function isOfMethod({ code, decline_code, param }: StripeFault): boolean {
  // A customer removed at Stripe is no fault of the card.
  if (param === 'customer') return false;
  return [code, decline_code].some(
    (word) => word != null && (word in sentences || silentHard.has(word)),
  );
}

/** Whether a refusal concerns a payment method type that the Stripe account does not accept. */
export function isOfMethodType({ code, param }: StripeFault): boolean {
  return (
    code === 'payment_method_unactivated' ||
    code === 'payment_method_not_available' ||
    /(^|\[|_)payment_method_types/.test(param ?? '')
  );
}

/** A refusal as a sentence for the tenant, and whether a retry can succeed. */
export function declined(type: 'creditCard' | 'ach', fault: StripeFault): Declined {
  const code = fault.decline_code ?? fault.code ?? '';
  const [kind, said] = sentences[code] ?? sentences[fault.code ?? ''] ?? [];
  const isHard =
    kind === 'hard' || silentHard.has(code) || fault.advice_code === 'do_not_try_again';
  if (type === 'ach' && code === 'insufficient_funds')
    return {
      outcome: 'declined',
      message: `Your bank account has insufficient funds. ${ANOTHER_ACCOUNT}` satisfies Message,
      isHard,
    };
  const plain: Message =
    type === 'ach'
      ? `Your bank account could not be debited. ${ANOTHER_ACCOUNT}`
      : `Your bank declined this card. ${ANOTHER_CARD}`;
  return { outcome: 'declined', message: said ?? plain, isHard };
}

/**
 * Stripe's reasons for a returned bank debit, as NACHA codes. Used where Stripe does not pass the
 * code on (docs.stripe.com/declines/network-codes); of several codes the gravest.
 */
const returnCodes: Record<string, string> = {
  insufficient_funds: 'R01',
  account_closed: 'R02',
  bank_account_closed: 'R02',
  no_account: 'R03',
  bank_account_invalid_details: 'R03',
  incorrect_account_details: 'R03',
  bank_account_declined: 'R03',
  debit_not_authorized: 'R10',
  customer_initiated: 'R10',
  fraudulent: 'R10',
  unrecognized: 'R10',
  bank_account_frozen: 'R16',
  bank_account_restricted: 'R16',
  bank_account_unusable: 'R20',
};

/** Used for a missing reason. It is not a NACHA code, so autopay does not retry it. */
export const NO_RETURN_CODE = 'R00';

/** The NACHA code of a return, from the most to the least reliable of Stripe's fields. */
export function returnCode(...words: (string | null | undefined)[]): string {
  const raw = words.find((word) => word != null && /^R\d\d$/.test(word));
  if (raw != null) return raw;
  for (const word of words)
    if (word != null && returnCodes[word] !== undefined) return returnCodes[word];
  return NO_RETURN_CODE;
}
