/**
 * The behaviour of a test token of Stripe when it is charged. `later` is the outcome of a bank
 * debit after it was accepted.
 */
export type Behaviour =
  | { does: 'approve' }
  | {
      does: 'decline';
      code: string;
      declineCode?: string;
      adviceCode?: string;
      when?: 'off_session';
    }
  | { does: 'ask for authentication' }
  | { does: 'charge and never answer' }
  | { does: 'answer 429' };

export type Later =
  | { comes: 'settled' }
  | { comes: 'failed'; code: string; networkCode: string }
  | { comes: 'disputed'; reason: string; networkCode: string };

export type MethodFacts = {
  type: 'card' | 'us_bank_account';
  card?: {
    brand: string;
    last4: string;
    funding: string;
    exp_month: number;
    exp_year: number;
    fingerprint: string;
  };
  us_bank_account?: {
    account_holder_type: string;
    account_type: string;
    last4: string;
    routing_number: string;
    fingerprint: string;
  };
  behaviour: Behaviour;
  later: Later;
  /** A bank account that was entered by hand, and so is not verified. */
  isUnverified?: boolean;
};

const approve: Behaviour = { does: 'approve' };
const settled: Later = { comes: 'settled' };

function card(
  last4: string,
  behaviour: Behaviour = approve,
  brand = 'visa',
  funding = 'credit',
): MethodFacts {
  const fingerprint = `card${last4}`;
  return {
    type: 'card',
    card: { brand, last4, funding, exp_month: 4, exp_year: 2034, fingerprint },
    behaviour,
    later: settled,
  };
}

function decline(code: string, declineCode?: string, adviceCode?: string): Behaviour {
  return {
    does: 'decline',
    code,
    ...(declineCode !== undefined && { declineCode }),
    ...(adviceCode !== undefined && { adviceCode }),
  };
}

function account(last4: string, later: Later = settled, routing_number = '110000000'): MethodFacts {
  const us_bank_account = {
    account_holder_type: 'individual',
    account_type: 'checking',
    last4,
    routing_number,
    fingerprint: `account${last4}`,
  };
  return { type: 'us_bank_account', us_bank_account, behaviour: approve, later };
}

/** Stripe's own test tokens (docs.stripe.com/testing), and below them a few of the stub's own. */
export const testMethods: Record<string, MethodFacts> = {
  pm_card_visa: card('4242'),
  pm_card_visa_debit: card('5556', approve, 'visa', 'debit'),
  pm_card_mastercard: card('4444', approve, 'mastercard'),
  pm_card_mastercard_prepaid: card('5100', approve, 'mastercard', 'prepaid'),
  pm_card_amex: card('8431', approve, 'amex'),
  pm_card_discover: card('1117', approve, 'discover'),
  pm_card_diners: card('0004', approve, 'diners'),
  pm_card_chargeDeclined: card('0002', decline('card_declined', 'generic_decline')),
  pm_card_chargeDeclinedInsufficientFunds: card(
    '9995',
    decline('card_declined', 'insufficient_funds'),
  ),
  pm_card_chargeDeclinedLostCard: card(
    '9987',
    decline('card_declined', 'lost_card', 'do_not_try_again'),
  ),
  pm_card_chargeDeclinedStolenCard: card(
    '9979',
    decline('card_declined', 'stolen_card', 'do_not_try_again'),
  ),
  pm_card_chargeDeclinedExpiredCard: card('0069', decline('expired_card')),
  pm_card_chargeDeclinedIncorrectCvc: card('0127', decline('incorrect_cvc')),
  pm_card_chargeDeclinedProcessingError: card('0119', decline('processing_error')),
  pm_card_chargeDeclinedFraudulent: card('0019', decline('card_declined', 'fraudulent')),
  pm_card_authenticationRequired: card('3184', { does: 'ask for authentication' }),
  pm_usBankAccount_success: account('6789'),
  pm_usBankAccount_accountClosed: account('1113', {
    comes: 'failed',
    code: 'account_closed',
    networkCode: 'R02',
  }),
  pm_usBankAccount_noAccount: account('1116', {
    comes: 'failed',
    code: 'no_account',
    networkCode: 'R03',
  }),
  pm_usBankAccount_insufficientFunds: account('2227', {
    comes: 'failed',
    code: 'insufficient_funds',
    networkCode: 'R01',
  }),
  pm_usBankAccount_debitNotAuthorized: account('3335', {
    comes: 'failed',
    code: 'debit_not_authorized',
    networkCode: 'R10',
  }),
  pm_usBankAccount_dispute: account('5551', {
    comes: 'disputed',
    reason: 'debit_not_authorized',
    networkCode: 'R10',
  }),
  // The stub's own.
  pm_usBankAccount_badCheckDigit: account('4320', settled, '123456789'),
  pm_usBankAccount_typedIn: { ...account('0007'), isUnverified: true },
  pm_card_declinedOffSession: card('0341', {
    does: 'decline',
    code: 'card_declined',
    declineCode: 'generic_decline',
    when: 'off_session',
  }),
  pm_card_notSent: card('0101', { does: 'answer 429' }),
  pm_card_noAnswer: card('0110', { does: 'charge and never answer' }),
};
