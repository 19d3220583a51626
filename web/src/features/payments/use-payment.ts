import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';
import { useEffect, useRef, useState } from 'react';
import { useUpdateAutopayMutation } from '#api/autopay-changes.ts';
import { isApiError } from '#api/base.ts';
import { newIdempotencyKey } from '#api/idempotency-key.ts';
import { useLazyListLedgersQuery } from '#api/ledgers.ts';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { useLazyListPaymentsQuery, useMakePaymentMutation } from '#api/payments.ts';
import { useRequester } from '#api/requester.ts';
import { notePayment } from '#api/sent-payment.ts';
import type { MethodAnswer } from './method-form.ts';
import {
  autopayNotice,
  createUpdateKeys,
  isSwitchingFromCcToAch,
  type OtherAmount,
  paidOf,
  paymentLines,
  paymentNotice,
} from './payment-requests.ts';
import {
  type Answer,
  type Calls,
  confirmPayment,
  isFinal,
  isSaved,
  paidWords,
  paySelected,
  saveAutopay,
} from './submission.ts';

/** What was paid of a unit, in dollars; without a receipt where that is not known. */
type PaidUnit = { ledgerId: string; amount: number; receiptNumber: string | null };

/** The payment that was taken. `isPending`: a bank payment that may still be returned. */
export type Paid = {
  /** In all, in dollars. */
  amount: number;
  units: PaidUnit[];
  isPending: boolean;
};

/** The state of the flow. */
export type Phase =
  | { kind: 'fill'; error: string | null }
  | { kind: 'confirming'; isGivenUp: boolean }
  /** The payment was taken, and autopay is being saved. */
  | { kind: 'saving' }
  /**
   * The units that are left without autopay, and the method to save if it is known by its id
   * already.
   */
  | { kind: 'unsaved'; left: string[]; saved: PaymentMethodFields | null; message: string }
  | { kind: 'done'; isSaved: boolean };

/** The rentals of the dialog's tenant record, their autopay, and the facility's today. */
type Rentals = { tenantId: string; ledgers: Ledger[]; autopays: Autopay[]; today: string };

/** `isOnce`: pays without saving autopay. `other`: another amount of the one selected unit. */
type Attempt = {
  selected: Ledger[];
  method: PaymentMethodFields;
  isOnce: boolean;
  other: OtherAmount | null;
};

/**
 * Pays and saves autopay for the selected units, one submit at a time, and reports the progress.
 */
export function usePayment(rentals: Rentals) {
  const [phase, setPhase] = useState<Phase>({ kind: 'fill', error: null });
  const [paid, setPaid] = useState<Paid | null>(null);
  const [isBusy, setBusy] = useState(false);
  const calls = useCalls(rentals);
  const attempt = useRef<Attempt | null>(null);
  const inFlight = useRef(false);
  const hasLeft = useHasLeft();

  /** What became of a payment is of no other page than the one that it was sent on. */
  function note(sentence: string | null) {
    if (!hasLeft()) notePayment(sentence);
  }

  /** Runs one step at a time; a repeat submit while one is in flight is ignored. */
  async function once(step: () => Promise<void>) {
    if (inFlight.current) return;
    inFlight.current = true;
    setBusy(true);
    try {
      await step();
    } finally {
      inFlight.current = false;
      setBusy(false);
    }
  }

  async function pay(attempted: Attempt, isRepeat: boolean) {
    const { selected, method, other } = attempted;
    if (!navigator.onLine) {
      setPhase(
        isRepeat
          ? { kind: 'confirming', isGivenUp: true }
          : {
              kind: 'fill',
              error: t(
                'You are offline. Nothing was paid, and what you typed is still here. Connect and try again.',
              ),
            },
      );
      return;
    }
    if (paymentLines(selected, other).length > 0)
      notePayment(t('Your payment is being confirmed. See Payment History before you pay again.'));
    const outcome = await paySelected(calls, selected, method, isRepeat, other);
    if (outcome.kind === 'unconfirmed') return confirm(attempted);
    if (outcome.kind === 'refused') {
      attempt.current = null;
      note(null);
      setPhase({ kind: 'fill', error: outcome.message });
      // The balance may have changed meanwhile, which is what some refusals are about.
      void calls.listLedgers();
      return;
    }
    if (outcome.kind === 'paid') {
      const { status, payments } = outcome.receipt;
      const amount = sumDollars(payments.map((one) => one.amount));
      return finish(attempted, { amount, units: payments, isPending: status === 'pending' });
    }
    await save(idsOf(selected), method);
  }

  /** The payment was taken: that is said at once, before autopay is saved. */
  async function finish({ selected, method, isOnce }: Attempt, taken: Paid) {
    attempt.current = null;
    note(wordsOf(taken));
    setPaid(taken);
    if (isOnce) {
      setPhase({ kind: 'done', isSaved: false });
      return;
    }
    setPhase({ kind: 'saving' });
    await save(idsOf(selected), method);
  }

  /** The payment may have been taken: watch the balances, never charge again with another key. */
  async function confirm(attempted: Attempt) {
    const { selected, method, other } = attempted;
    const units = paidOf(selected, other);
    attempt.current = attempted;
    setBusy(false);
    setPhase({ kind: 'confirming', isGivenUp: false });
    const end = await confirmPayment({ paid: units, listLedgers: calls.listLedgers, hasLeft });
    if (hasLeft()) return;
    if (end === 'open') {
      setPhase({ kind: 'confirming', isGivenUp: true });
      return;
    }
    calls.renewKey();
    setBusy(true);
    await finish(attempted, {
      amount: sumDollars(paymentLines(selected, other).map(({ amount }) => amount)),
      units: await calls.listPaidUnits(units, other),
      isPending: 'ach' in method,
    });
  }

  async function save(ledgerIds: string[], method: PaymentMethodFields) {
    attempt.current = null;
    const outcome = await saveAutopay(calls, ledgerIds, method);
    if (outcome.kind === 'saved') {
      setPhase({ kind: 'done', isSaved: true });
      return;
    }
    const saved = isSaved(outcome.method) && !outcome.isRefused ? outcome.method : null;
    setPhase({ kind: 'unsaved', left: outcome.ledgerIds, saved, message: outcome.message });
  }

  return {
    phase,
    paid,
    isBusy,
    /**
     * Pays what the selected units owe, unless that is done already, then saves autopay for them,
     * but not with `isOnce`; or pays another amount. The method is got as part of it: hosted fields
     * make one for each submission.
     */
    submit: (
      selected: Ledger[],
      getMethod: () => Promise<MethodAnswer>,
      isOnce: boolean,
      other: OtherAmount | null,
    ) =>
      once(async () => {
        setPhase(phase.kind === 'unsaved' ? phase : { kind: 'fill', error: null });
        const answer = await getMethod();
        if ('error' in answer) {
          setPhase(
            phase.kind === 'unsaved'
              ? { ...phase, message: answer.error }
              : { kind: 'fill', error: answer.error },
          );
          return;
        }
        const { method } = answer;
        setPhase(paid ? { kind: 'saving' } : { kind: 'fill', error: null });
        if (paid) await save(idsOf(selected), method);
        else await pay({ selected, method, isOnce, other }, false);
      }),
    /**
     * Sends an unconfirmed payment again under its own key: the server answers for the first one.
     */
    tryAgain: () =>
      once(async () => {
        if (attempt.current) await pay(attempt.current, true);
      }),
    /** Saves autopay for the units that are left, with the method that is saved already. */
    saveLeft: (left: string[], saved: PaymentMethodFields) => once(() => save(left, saved)),
  };
}

/** A payment that was taken, as an error page says it. */
function wordsOf({ amount, units, isPending }: Paid): string {
  const sum = formatMoney(amount);
  const receipts = units.flatMap(({ receiptNumber }) => receiptNumber ?? []);
  if (receipts.length < units.length)
    return t('Your payment of {sum} was received. The receipt is in Payment History.', { sum });
  return paidWords(sum, receipts.join(', '), isPending);
}

function idsOf(ledgers: Ledger[]): string[] {
  return ledgers.map(({ id }) => id);
}

type MoreCalls = Calls & {
  listLedgers: () => Promise<Ledger[] | undefined>;
  /**
   * The units that were paid, their receipts from their histories: the payment's own answer never
   * came.
   */
  listPaidUnits: (paid: Ledger[], other: OtherAmount | null) => Promise<PaidUnit[]>;
  renewKey: () => void;
};

/** A payment may be of 400 units. */
const READ_AT_ONCE = 20;

/**
 * The calls of the flow. One key stands for all attempts of one payment, or one saving, until its
 * final answer.
 */
function useCalls({ tenantId, ledgers, autopays, today }: Rentals) {
  const [makePayment] = useMakePaymentMutation();
  const [updateAutopay] = useUpdateAutopayMutation();
  const [listLedgers] = useLazyListLedgersQuery();
  const [listPayments] = useLazyListPaymentsQuery();
  const { firstName, lastName } = useRequester({ tenantId });
  const payer = { firstName, lastName };
  const key = useRef<string | null>(null);
  const [updateKeys] = useState(() => createUpdateKeys(newIdempotencyKey));

  const isSwitching = (ledgerId: string, method: PaymentMethodFields) =>
    isSwitchingFromCcToAch(
      autopays.find((record) => record.ledgerId === ledgerId),
      method,
    );

  const calls: MoreCalls = {
    async makePayment(body, isRepeat) {
      key.current ??= newIdempotencyKey();
      const notice = paymentNotice(body.payments, body, {
        payer,
        ledgers,
        isSwitching: body.payments.some(({ ledgerId }) => isSwitching(ledgerId, body)),
        today,
      });
      const answer = answerOf(
        await makePayment({ tenantId, body: { ...body, ...notice }, idempotencyKey: key.current }),
      );
      if ('data' in answer || isFinal(answer.error.status, isRepeat)) calls.renewKey();
      return answer;
    },
    async updateAutopay(ledgerId, method) {
      const unitName = ledgers.find(({ id }) => id === ledgerId)?.unitName;
      const body = { ...method, ...autopayNotice(unitName, isSwitching(ledgerId, method), payer) };
      const idempotencyKey = updateKeys.keyOf(ledgerId, method);
      const answer = answerOf(await updateAutopay({ ledgerId, body, idempotencyKey }));
      if ('data' in answer || isFinal(answer.error.status)) updateKeys.renew(ledgerId);
      return answer;
    },
    listLedgers: async () => (await listLedgers([tenantId])).data,
    async listPaidUnits(paid, other) {
      const units: PaidUnit[] = [];
      for (let from = 0; from < paid.length; from += READ_AT_ONCE)
        units.push(
          ...(await Promise.all(
            paid.slice(from, from + READ_AT_ONCE).map(async ({ id, balance }) => {
              const sum = other?.amount ?? balance;
              const history = (await listPayments(id)).data;
              const newest = history?.find(({ amount }) => amount === sum);
              return { ledgerId: id, amount: sum, receiptNumber: newest?.receiptNumber ?? null };
            }),
          )),
        );
      return units;
    },
    renewKey() {
      key.current = null;
    },
  };
  return calls;
}

/** Whether the dialog is closed, also for work that is still running. */
function useHasLeft(): () => boolean {
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => void (left.current = true);
  }, []);
  return () => left.current;
}

/**
 * A mutation's answer; what is no answer of the API is a bug, which the tenant meets as a call that
 * brought nothing.
 */
function answerOf<Reply>(result: { data?: Reply; error?: unknown }): Answer<Reply> {
  if (result.data !== undefined) return { data: result.data };
  if (isApiError(result.error)) return { error: result.error };
  return { error: { status: 0, message: t('Something went wrong. Please try again.') } };
}
