import type { Context } from '#context.ts';
import { pushToGates } from '#features/gate-controllers/push.ts';
import { startSweep } from './sweep.ts';

const PAUSE_MS = 5000;

/** Tells the gates what changed, in every serving process: together they tell each facility's once. Answers how to stop. */
export function sweepGates(ctx: Context): () => Promise<void> {
  return startSweep(ctx, {
    works: [pushToGates],
    pauseMs: PAUSE_MS,
    fault: 'some gates could not be looked after yet',
  });
}
