import type { Context } from '#context/context.ts';
import { pushToGates } from '#features/service/gate-controllers/push.ts';
import { startSweep } from './sweep.ts';

const PAUSE_MS = 5000;

/**
 * Pushes changes to the gates, in every serving process; each facility is claimed by one of them at
 * a time. Returns a function that stops it.
 */
export function sweepGates(ctx: Context): () => Promise<void> {
  return startSweep(ctx, {
    works: [pushToGates],
    pauseMs: PAUSE_MS,
    fault: 'some gates could not be looked after yet',
  });
}
