import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '#context.ts';
import { resolveOverduePayments } from '#features/payments/settle.ts';

const PAUSE_MS = 5000;

/**
 * The net under the queued look-ups, at the start and every few seconds: a worker that was killed leaves its job to be
 * handed out again only after a minute, a look-up that failed waits longer and longer, and a tenant stands at the gate.
 * Answers how to stop; nothing is cut short.
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
    await resolveOverduePayments(ctx).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'some payments could not be resolved yet'),
    );
    await pause(PAUSE_MS, undefined, { signal: stopping }).catch(() => {});
  }
}
