import type { Args, Reply } from '@gatehouse/contract/endpoint';
import { formatMoney } from '@gatehouse/contract/money';
import { getPayLink, payByLink, type PayLinkView } from '@gatehouse/contract/pay-links';
import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';
import { t } from '@gatehouse/language/t';
import { useEffect, useEffectEvent, useState } from 'react';
import { call, CallError } from '#api/call.ts';
import { newIdempotencyKey } from '#api/idempotency-key.ts';
import { notePayment } from '#api/sent-payment.ts';
import { readPhone } from '#features/link-page/facility-phone.tsx';
import type { MethodAnswer } from '#features/payments/method-form.ts';
import { isFinal, paidWords } from '#features/payments/submission.ts';

export type Receipt = Reply<typeof payByLink>;
type Body = Args<typeof payByLink>['body'];

/**
 * What the page shows. `confirming`: the money may have moved, and the same payment is asked for
 * again.
 */
export type Phase =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'dead'; message: string; phone: string | null }
  | { kind: 'fill'; view: PayLinkView; error: string | null }
  | { kind: 'paying'; view: PayLinkView }
  | { kind: 'confirming'; view: PayLinkView; isGivenUp: boolean }
  | { kind: 'paid'; view: PayLinkView; receipt: Receipt };

/** How often a payment without an answer is asked for again, and after how long each time. */
const MOST_TRIES = 20;
const PAUSE_MS = 3000;

/** One payment: all its attempts have one body and one key, so that it is taken once. */
type OpenPayment = { view: PayLinkView; body: Body; key: string; tries: number };

/** Reads what a pay link is for. `error` is why an attempt to pay has failed before. */
export async function readPayLink(token: string, error: string | null = null): Promise<Phase> {
  try {
    return { kind: 'fill', view: await call(getPayLink, { params: { token } }), error };
  } catch (failure) {
    const { status, message } = asCallError(failure);
    if (status !== 404) return { kind: 'failed', message };
    return { kind: 'dead', message, phone: await readPhone() };
  }
}

/** Pays by a link, one submission at a time; `first` is what was read of it. */
export function usePayLink(token: string, first: Phase) {
  const [phase, setPhase] = useState(first);
  const [open, setOpen] = useState<OpenPayment | null>(null);

  async function load(): Promise<void> {
    setPhase({ kind: 'loading' });
    setPhase(await readPayLink(token));
  }

  async function submit(view: PayLinkView, getMethod: () => Promise<MethodAnswer>): Promise<void> {
    if (phase.kind !== 'fill') return;
    setPhase({ kind: 'paying', view });
    const answer = await getMethod();
    if ('error' in answer) setPhase({ kind: 'fill', view, error: answer.error });
    else
      await attempt({
        view,
        body: bodyOf(view, answer.method),
        key: newIdempotencyKey(),
        tries: 1,
      });
  }

  async function attempt(payment: OpenPayment): Promise<void> {
    const { view, body, key: idempotencyKey, tries } = payment;
    notePayment(
      t(
        'Your payment is being confirmed. Open this link again in a few minutes before you pay again: once it is paid, it no longer works.',
      ),
    );
    try {
      const receipt = await call(payByLink, { params: { token }, body }, { idempotencyKey });
      const { amount, receiptNumber, status } = receipt;
      notePayment(paidWords(formatMoney(amount), receiptNumber, status === 'pending'));
      setOpen(null);
      setPhase({ kind: 'paid', view, receipt });
    } catch (failure) {
      const { status, message } = asCallError(failure);
      if (isFinal(status, tries > 1)) {
        notePayment(null);
        setOpen(null);
        // The sum may be another by now, or the link dead.
        setPhase(await readPayLink(token, message));
      } else {
        setOpen(payment);
        setPhase({ kind: 'confirming', view, isGivenUp: tries % MOST_TRIES === 0 });
      }
    }
  }

  const attemptAgain = (payment: OpenPayment) =>
    void attempt({ ...payment, tries: payment.tries + 1 });
  const again = useEffectEvent(attemptAgain);
  const isWaiting = phase.kind === 'confirming' && !phase.isGivenUp;
  useEffect(() => {
    if (open === null || !isWaiting) return undefined;
    const timer = setTimeout(() => again(open), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [open, isWaiting]);

  /** Asks for the same payment again, after it was given up. */
  function tryAgain(): void {
    if (open === null || phase.kind !== 'confirming') return;
    setPhase({ ...phase, isGivenUp: false });
    attemptAgain(open);
  }
  return { phase, load, submit, tryAgain };
}

/** The form offers no saved method, so that the method is a new one. */
function bodyOf({ amount }: PayLinkView, method: PaymentMethodFields): Body {
  return { amount, ...(method as Omit<Body, 'amount'>) };
}

function asCallError(failure: unknown): Pick<CallError, 'status' | 'message'> {
  if (failure instanceof CallError) return failure;
  throw failure;
}
