import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '#context.ts';
import { resolveOpenRefunds } from '#features/payments/refunds.ts';
import { lookUpPendingPayments, resolveOverduePayments } from '#features/payments/resolve.ts';
import { tellOfPayments } from '#features/payments/tell.ts';
import { tellOfUnknown } from '#features/reconciliation/reconciliation.ts';

const PAUSE_MS = 5000;

/** What is done about payments behind their requests: each finds its own work in the intents' rows. */
const works = [resolveOverduePayments, tellOfUnknown, lookUpPendingPayments, resolveOpenRefunds, tellOfPayments];

/**
 * Looks after payments at the start and every few seconds, in every serving process: a tenant whose payment is being
 * confirmed stands at the gate. Answers how to stop; nothing is cut short.
 */
export function sweepOpenPayments(ctx: Context): () => Promise<void> {
  const stopping = new AbortController();
  const ended = sweep(ctx, stopping.signal);
  return () => {
    stopping.abort();
    return ended;
  };
}

async function sweep(ctx: Context, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    for (const work of works)
      await work(ctx).catch((error: unknown) =>
        ctx.log.error({ err: error, work: work.name }, 'some payments could not be looked after yet'),
      );
    await pause(PAUSE_MS, undefined, { signal: stopping }).catch(() => {});
  }
}
