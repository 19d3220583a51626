import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '#context/context.ts';

type Sweep = {
  /** A task that finds its own work in the tables. */
  works: ((ctx: Context) => Promise<void>)[];
  pauseMs: number;
  /** The log message of a failure. */
  fault: string;
};

/**
 * Runs the tasks at once and then again after a pause each time. Returns a function that stops them
 * after the current round.
 */
export function startSweep(ctx: Context, sweep: Sweep): () => Promise<void> {
  const stopping = new AbortController();
  const ended = goOn(ctx, sweep, stopping.signal);
  return () => {
    stopping.abort();
    return ended;
  };
}

async function goOn(
  ctx: Context,
  { works, pauseMs, fault }: Sweep,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    for (const work of works)
      await work(ctx).catch((error: unknown) =>
        ctx.log.error({ err: error, work: work.name }, fault),
      );
    await pause(pauseMs, undefined, { signal: stopping }).catch(() => {});
  }
}
