import type { Ledger } from '@gatehouse/contract/ledgers';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';
import { t } from '@gatehouse/language/t';
import { notePayment } from '#api/sent-payment.ts';
import { type OtherAmount, paidOf, paymentLines } from './payment-requests.ts';
import {
  type Calls,
  confirmPayment,
  isSaved,
  paidWords,
  paySelected,
  saveAutopay,
} from './submission.ts';

/** What was paid of a unit, in dollars; without a receipt where that is not known. */
export type PaidUnit = { ledgerId: string; amount: number; receiptNumber: string | null };

/** The payment that was taken. `isPending`: a bank payment that may still be returned. */
export type Paid = {
  /** In all, in dollars. */
  amount: number;
  units: PaidUnit[];
  isPending: boolean;
};

/** Why nothing was paid. `declined`: what the bank said no to, so another method may do. */
export type Failure = { message: string; declined?: PaymentMethodFields };

/** The state of the flow. */
export type Phase =
  | { kind: 'fill'; failure: Failure | null }
  /** The answer has not come: `ids` of the units, and the sum in dollars. */
  | { kind: 'confirming'; isGivenUp: boolean; ids: string[]; amount: number }
  /** The payment was taken, and autopay is being saved. */
  | { kind: 'saving' }
  /**
   * The units that are left without autopay, and the method to save if it is known by its id
   * already.
   */
  | { kind: 'unsaved'; left: string[]; saved: PaymentMethodFields | null; message: string }
  | { kind: 'done'; isSaved: boolean };

/**
 * What is asked for: pay what the selected units owe, or another amount of the only one, then save
 * autopay for those of `autopayIds`.
 */
export type Order = { selected: Ledger[]; autopayIds: string[]; other: OtherAmount | null };
export type Attempt = Order & { method: PaymentMethodFields };

/** The calls of the flow, and what is read while a payment is confirmed. */
export type FlowCalls = Calls & {
  listLedgers: () => Promise<Ledger[] | undefined>;
  /**
   * The units that were paid, their receipts from their histories: the payment's own answer never
   * came.
   */
  listPaidUnits: (paid: Ledger[], other: OtherAmount | null) => Promise<PaidUnit[]>;
  renewKey: () => void;
};

/** What the steps of the flow work with, and report to. */
export type Flow = {
  calls: FlowCalls;
  /** Whether the dialog is closed, also for work that is still running. */
  hasLeft: () => boolean;
  setPhase: (phase: Phase) => void;
  setPaid: (paid: Paid) => void;
  setBusy: (isBusy: boolean) => void;
  /** The payment whose answer has not come, null where there is none. */
  setOpen: (attempt: Attempt | null) => void;
};

/** Pays, then saves autopay. `isRepeat`: the same payment was sent before, without an answer. */
export async function pay(flow: Flow, attempt: Attempt, isRepeat: boolean): Promise<void> {
  const { calls, setPhase, setOpen } = flow;
  const { selected, autopayIds, method, other } = attempt;
  if (!navigator.onLine) {
    const message = t(
      'You are offline. Nothing was paid, and what you typed is still here. Connect and try again.',
    );
    setPhase(isRepeat ? confirming(attempt, true) : { kind: 'fill', failure: { message } });
    return;
  }
  if (paymentLines(selected, other).length > 0)
    notePayment(t('Your payment is being confirmed. See Payment History before you pay again.'));
  const outcome = await paySelected(calls, selected, method, isRepeat, other);
  if (outcome.kind === 'unconfirmed') return confirm(flow, attempt);
  if (outcome.kind === 'refused') {
    const { message, isDeclined } = outcome;
    setOpen(null);
    note(flow, null);
    setPhase({
      kind: 'fill',
      failure: isDeclined ? { message, declined: method } : { message },
    });
    // The balance may have changed meanwhile, which is what some refusals are about.
    void calls.listLedgers();
    return;
  }
  if (outcome.kind === 'nothingDue') return save(flow, autopayIds, method);
  const { status, payments } = outcome.receipt;
  const amount = sumDollars(payments.map((one) => one.amount));
  await finish(flow, attempt, { amount, units: payments, isPending: status === 'pending' });
}

/** The payment was taken: that is said at once, before autopay is saved. */
async function finish(flow: Flow, { autopayIds, method }: Attempt, taken: Paid): Promise<void> {
  flow.setOpen(null);
  note(flow, wordsOf(taken));
  flow.setPaid(taken);
  if (autopayIds.length === 0) {
    flow.setPhase({ kind: 'done', isSaved: false });
    return;
  }
  flow.setPhase({ kind: 'saving' });
  await save(flow, autopayIds, method);
}

/** The payment may have been taken: watch the balances, never charge again with another key. */
async function confirm(flow: Flow, attempt: Attempt): Promise<void> {
  const { calls, hasLeft, setPhase, setBusy } = flow;
  const { selected, method, other } = attempt;
  const units = paidOf(selected, other);
  flow.setOpen(attempt);
  setBusy(false);
  setPhase(confirming(attempt, false));
  const end = await confirmPayment({ paid: units, listLedgers: calls.listLedgers, hasLeft });
  if (hasLeft()) return;
  if (end === 'open') {
    setPhase(confirming(attempt, true));
    return;
  }
  calls.renewKey();
  setBusy(true);
  await finish(flow, attempt, {
    amount: amountOf(attempt),
    units: await calls.listPaidUnits(units, other),
    isPending: 'ach' in method,
  });
}

/** What is asked for in all, in dollars. */
function amountOf({ selected, other }: Order): number {
  return sumDollars(paymentLines(selected, other).map(({ amount }) => amount));
}

function confirming(attempt: Attempt, isGivenUp: boolean): Phase {
  const ids = paidOf(attempt.selected, attempt.other).map(({ id }) => id);
  return { kind: 'confirming', isGivenUp, ids, amount: amountOf(attempt) };
}

/** Saves autopay for the units. */
export async function save(
  { calls, setPhase, setOpen }: Flow,
  ledgerIds: string[],
  method: PaymentMethodFields,
): Promise<void> {
  setOpen(null);
  const outcome = await saveAutopay(calls, ledgerIds, method);
  if (outcome.kind === 'saved') {
    setPhase({ kind: 'done', isSaved: true });
    return;
  }
  const saved = isSaved(outcome.method) && !outcome.isRefused ? outcome.method : null;
  setPhase({ kind: 'unsaved', left: outcome.ledgerIds, saved, message: outcome.message });
}

/** What became of a payment is of no other page than the one that it was sent on. */
function note({ hasLeft }: Flow, sentence: string | null): void {
  if (!hasLeft()) notePayment(sentence);
}

/** A payment that was taken, as an error page says it. */
function wordsOf({ amount, units, isPending }: Paid): string {
  const sum = formatMoney(amount);
  const receipts = units.flatMap(({ receiptNumber }) => receiptNumber ?? []);
  if (receipts.length < units.length)
    return t('Your payment of {sum} was received. The receipt is in Payment History.', { sum });
  return paidWords(sum, receipts.join(', '), isPending);
}
