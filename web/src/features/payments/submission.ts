import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';
import type { PaymentParams, PaymentReceipt } from '@gatehouse/contract/payments';
import { t } from '@gatehouse/language/t';
import { type OtherAmount, paymentLines } from './payment-requests.ts';

/**
 * What a call answers: its reply, or the status and the sentence the tenant reads (status 0: no
 * answer came).
 */
export type Answer<Reply> = { data: Reply } | { error: { status: number; message: string } };

/** The two calls of the flow, passed in so that its order can be tested without a store. */
export type Calls = {
  makePayment: (body: PaymentParams, isRepeat: boolean) => Promise<Answer<PaymentReceipt>>;
  updateAutopay: (ledgerId: string, body: PaymentMethodFields) => Promise<Answer<Autopay>>;
};

/**
 * How paying went. `nothingDue` and `paid` let autopay be saved; after `unconfirmed` the money may
 * have moved.
 */
export type PaymentOutcome =
  | { kind: 'nothingDue' }
  | { kind: 'paid'; receipt: PaymentReceipt }
  /** `isDeclined`: the bank said no to the method. */
  | { kind: 'refused'; message: string; isDeclined: boolean }
  | { kind: 'unconfirmed' };

/**
 * Pays every selected unit that owes, or another amount of the one selected unit, in one request.
 * `isRepeat`: the request is one that was sent before, without an answer.
 */
export async function paySelected(
  calls: Pick<Calls, 'makePayment'>,
  selected: Pick<Ledger, 'id' | 'unitId' | 'balance'>[],
  method: PaymentMethodFields,
  isRepeat = false,
  other: OtherAmount | null = null,
): Promise<PaymentOutcome> {
  const payments = paymentLines(selected, other);
  if (payments.length === 0) return { kind: 'nothingDue' };
  const { prepayMonths } = other ?? {};
  const ahead = prepayMonths === undefined ? {} : { prepayMonths };
  const answer = await calls.makePayment({ payments, ...ahead, ...method }, isRepeat);
  if ('data' in answer) return { kind: 'paid', receipt: answer.data };
  const { status, message } = answer.error;
  return isFinal(status, isRepeat)
    ? { kind: 'refused', message, isDeclined: status === 402 }
    : { kind: 'unconfirmed' };
}

/**
 * How saving autopay went: all of it, or what is left, what to save it with, and why it stopped.
 */
export type AutopayOutcome =
  | { kind: 'saved' }
  /** `isRefused`: the method itself was turned down, so the same one need not be tried again. */
  | {
      kind: 'unsaved';
      ledgerIds: string[];
      method: PaymentMethodFields;
      message: string;
      isRefused: boolean;
    };

/**
 * Saves autopay for every selected unit, one after the other. A new method is sent once: the first
 * answer's `paymentMethodId` stands for it from then on.
 */
export async function saveAutopay(
  calls: Pick<Calls, 'updateAutopay'>,
  ledgerIds: string[],
  method: PaymentMethodFields,
): Promise<AutopayOutcome> {
  let next = method;
  for (const [index, ledgerId] of ledgerIds.entries()) {
    const answer = await calls.updateAutopay(ledgerId, next);
    if ('error' in answer) {
      const { status, message } = answer.error;
      return {
        kind: 'unsaved',
        ledgerIds: ledgerIds.slice(index),
        method: next,
        message,
        isRefused: isFinal(status),
      };
    }
    next = savedFields(answer.data) ?? next;
  }
  return { kind: 'saved' };
}

/**
 * Whether a refusal settles the payment. No answer, a conflict or a broken server leave it open.
 * `isRepeat`: the same payment was sent before, without an answer. A refusal of the caller says
 * nothing of that one.
 */
export function isFinal(status: number, isRepeat = false): boolean {
  if (isRepeat && (status === 401 || status === 403 || status === 429)) return false;
  return status >= 400 && status < 500 && status !== 408 && status !== 409;
}

/** A payment that was taken, as an error page in place of its success says it. */
export function paidWords(sum: string, receipts: string, isPending: boolean): string {
  return isPending
    ? t('Your payment of {sum} was sent. Receipt {receipts}.', { sum, receipts })
    : t('Your payment of {sum} was received. Receipt {receipts}.', { sum, receipts });
}

/** The saved method of an autopay record in place of a new one. */
function savedFields({ creditCard, ach }: Autopay): PaymentMethodFields | null {
  if (creditCard) return { creditCard: { paymentMethodId: creditCard.paymentMethodId } };
  if (ach) return { ach: { paymentMethodId: ach.paymentMethodId } };
  return null;
}

/** Whether a method is known by its id only, with no card or bank field in it. */
export function isSaved({ creditCard, ach }: PaymentMethodFields): boolean {
  return 'paymentMethodId' in (creditCard ?? ach ?? {});
}

/**
 * Whether every unit that was paid owes less than it did: the sign that an unconfirmed payment was
 * taken.
 */
export function isTaken(
  paid: Pick<Ledger, 'id' | 'balance'>[],
  now: Pick<Ledger, 'id' | 'balance'>[],
): boolean {
  const balances = new Map(now.map(({ id, balance }) => [id, balance]));
  return paid.every(({ id, balance }) => (balances.get(id) ?? balance) < balance);
}

/** How long an unconfirmed payment is watched: every 3 seconds for a minute and a half. */
const PAUSE = 3000;
const MOST_LOOKS = 30;

type Watch = {
  /** The units that the payment is for, as they were when it was sent. */
  paid: Pick<Ledger, 'id' | 'balance'>[];
  listLedgers: () => Promise<Ledger[] | undefined>;
  /** Whether the tenant has left: nothing is asked any more. */
  hasLeft: () => boolean;
  wait?: (milliseconds: number) => Promise<void>;
};

/**
 * Watches the balances of an unconfirmed payment: `taken` once they have changed, `open` when the
 * end is reached first. Nothing is sent again here.
 */
export async function confirmPayment({
  paid,
  listLedgers,
  hasLeft,
  wait = pause,
}: Watch): Promise<'taken' | 'open'> {
  for (let look = 0; look < MOST_LOOKS && !hasLeft(); look++) {
    await wait(PAUSE);
    if (hasLeft()) return 'open';
    const ledgers = await listLedgers();
    if (ledgers && isTaken(paid, ledgers)) return 'taken';
  }
  return 'open';
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
