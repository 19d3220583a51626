import type { Context } from '#context.ts';
import { resolveOpenRefunds } from '#features/payments/refunds.ts';
import { lookUpPendingPayments, resolveOverduePayments } from '#features/payments/resolve.ts';
import { notifyOfPayments } from '#features/payments/notify.ts';
import { alarmOfUnknown } from '#features/reconciliation/reconciliation.ts';
import { startSweep } from './sweep.ts';

const PAUSE_MS = 5000;

/** What is done about payments behind their requests: each finds its own work in the intents' rows. */
const works = [resolveOverduePayments, alarmOfUnknown, lookUpPendingPayments, resolveOpenRefunds, notifyOfPayments];

/**
 * Looks after payments at the start and every few seconds, in every process that works: a tenant whose payment is being
 * confirmed stands at the gate. Answers how to stop; nothing is cut short.
 */
export function sweepOpenPayments(ctx: Context): () => Promise<void> {
  return startSweep(ctx, { works, pauseMs: PAUSE_MS, fault: 'some payments could not be looked after yet' });
}
