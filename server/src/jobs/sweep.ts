import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '#context.ts';

type Sweep = {
  /** Each finds its own work in the tables. */
  works: ((ctx: Context) => Promise<void>)[];
  pauseMs: number;
  /** What the log says where one fails. */
  fault: string;
};

/** Does the works at once and then again and again, with a pause between. Answers how to stop; nothing is cut short. */
export function startSweep(ctx: Context, sweep: Sweep): () => Promise<void> {
  const stopping = new AbortController();
  const ended = goOn(ctx, sweep, stopping.signal);
  return () => {
    stopping.abort();
    return ended;
  };
}

async function goOn(ctx: Context, { works, pauseMs, fault }: Sweep, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    for (const work of works)
      await work(ctx).catch((error: unknown) => ctx.log.error({ err: error, work: work.name }, fault));
    await pause(pauseMs, undefined, { signal: stopping }).catch(() => {});
  }
}
