import type { QueueOptions } from 'pg-boss';
import type { Context, Job } from '#context.ts';

type Name = Job['name'];
type DataOf<N extends Name> = Extract<Job, { name: N }>['data'];

/**
 * A kind of job as a value. `options` are its queue's; `batchSize` is how many `run` is given at once, and `workers` how many
 * batches of it a process works on at a time, or one. A batch that throws is run again as a whole, so `run` leaves alone
 * what an earlier run has done.
 */
export type JobKind<N extends Name = Name> = {
  [K in N]: {
    name: K;
    options: QueueOptions & { policy?: 'exclusive'; batchSize: number; workers?: number };
    /** When a job is made by itself, by every process together once: a cron expression in UTC. */
    cron?: string;
    run: (ctx: Context, batch: DataOf<K>[]) => Promise<void>;
  };
}[N];

/** Tried again after seconds, then further and further apart, for about a day. */
export const forAboutADay = {
  retryLimit: 40,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 3600,
} satisfies QueueOptions;
