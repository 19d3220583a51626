import type { Context } from '#context/context.ts';
import { resolveOpenRefunds } from '#features/money/payments/refunds.ts';
import { lookUpPendingPayments, resolveOverduePayments } from '#features/money/payments/resolve.ts';
import { notifyOfPayments } from '#features/money/payments/notify.ts';
import { alarmOfUnknown } from '#features/money/reconciliation/reconciliation.ts';
import { startSweep } from './sweep.ts';

const PAUSE_MS = 5000;

/**
 * The tasks that settle payments after their requests; each finds its work in the intents' rows.
 */
const works = [
  resolveOverduePayments,
  alarmOfUnknown,
  lookUpPendingPayments,
  resolveOpenRefunds,
  notifyOfPayments,
];

/**
 * Sweeps open payments at the start and every few seconds, in every process that runs jobs, because
 * a tenant may wait at the gate for a confirmation. Returns a function that stops it after the
 * current round.
 */
export function sweepOpenPayments(ctx: Context): () => Promise<void> {
  return startSweep(ctx, {
    works,
    pauseMs: PAUSE_MS,
    fault: 'some payments could not be looked after yet',
  });
}
