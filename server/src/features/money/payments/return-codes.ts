import { entryName } from '@gatehouse/contract/entry-names';
import type { Message } from '@gatehouse/language/spanish';
import { translateStored } from '@gatehouse/language/stored';

/**
 * Why a bank takes a debit back: the codes of the ACH rules, in words that end "returned by the
 * bank: …". Codes that are not here come in words too, and stop like nearly all do.
 */
const reasons: Record<string, Message> = {
  R01: 'there was not enough money in the account',
  R02: 'the account is closed',
  R03: 'there is no such account',
  R04: 'the account number is not valid',
  R05: 'the debit was not authorized for this kind of account',
  R07: 'the authorization was revoked',
  R08: 'the payment was stopped',
  R09: 'the money in the account was not available yet',
  R10: 'the account holder did not authorize the debit',
  R11: 'the debit did not match the authorization',
  R16: 'the account is frozen',
  R20: 'the account does not take debits',
  R29: 'the business that holds the account did not authorize the debit',
};

/** After these the account may be charged again. */
const goingOn = new Set(['R01', 'R09', 'R11']);
/** These may be presented again, twice at most. */
const again = new Set(['R01', 'R09']);

const UNKNOWN_REASON = 'the bank gave no reason that we know' satisfies Message;

/** Why the bank returned a payment, as a clause in English without a capital and a full stop. */
export function returnReason(code: string): string {
  return reasons[code] ?? UNKNOWN_REASON;
}

/** The same as a sentence, in the current language. */
export function returnSentence(code: string): string {
  const clause = translateStored(returnReason(code));
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

/** What the books say of the return of a payment; `entryName` translates it. */
export function returnDescription(code: string): string {
  return `Returned by the bank: ${returnReason(code)}`;
}

/** What the books say of a return, as a sentence in the current language. */
export function returnText(description: string): string {
  return `${entryName(description)}.`;
}

/** Whether a return ends the mandate: the account is not charged again without a new consent. */
export function isStopping(code: string): boolean {
  return !goingOn.has(code);
}

/** Whether the same debit may be presented again. */
export function mayBePresentedAgain(code: string): boolean {
  return again.has(code);
}
