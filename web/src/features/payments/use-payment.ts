import type { PaymentMethodFields } from '@gatehouse/contract/payment-methods';
import { useEffect, useRef, useState } from 'react';
import type { MethodAnswer } from './method-form.ts';
import {
  type Attempt,
  type Flow,
  type Order,
  type Paid,
  pay,
  type Phase,
  save,
} from './payment-flow.ts';
import { type Rentals, useCalls } from './use-payment-calls.ts';

/**
 * Pays and saves autopay for the selected units, one submit at a time, and reports the progress.
 */
export function usePayment(rentals: Rentals) {
  const [phase, setPhase] = useState<Phase>({ kind: 'fill', failure: null });
  const [paid, setPaid] = useState<Paid | null>(null);
  const [isBusy, setBusy] = useState(false);
  const open = useRef<Attempt | null>(null);
  const inFlight = useRef(false);
  const flow: Flow = {
    calls: useCalls(rentals),
    hasLeft: useHasLeft(),
    setPhase,
    setPaid,
    setBusy,
    setOpen: (attempt) => void (open.current = attempt),
  };

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

  return {
    phase,
    paid,
    isBusy,
    /**
     * Does what is asked for, but pays nothing where that is done already. The method is got as
     * part of it: hosted fields make one for each submission.
     */
    submit: (order: Order, getMethod: () => Promise<MethodAnswer>) =>
      once(async () => {
        const isUnsaved = phase.kind === 'unsaved';
        setPhase(isUnsaved ? phase : { kind: 'fill', failure: null });
        const answer = await getMethod();
        if ('error' in answer) {
          const message = answer.error;
          setPhase(isUnsaved ? { ...phase, message } : { kind: 'fill', failure: { message } });
          return;
        }
        setPhase(paid ? { kind: 'saving' } : { kind: 'fill', failure: null });
        if (paid) await save(flow, order.autopayIds, answer.method);
        else await pay(flow, { ...order, method: answer.method }, false);
      }),
    /**
     * Sends an unconfirmed payment again under its own key: the server answers for the first one.
     */
    tryAgain: () =>
      once(async () => {
        if (open.current) await pay(flow, open.current, true);
      }),
    /** Saves autopay for the units that are left, with the method that is saved already. */
    saveLeft: (left: string[], saved: PaymentMethodFields) => once(() => save(flow, left, saved)),
  };
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
