import type { QueueOptions } from 'pg-boss';
import type { Context, Job } from '#context/context.ts';

type Name = Job['name'];
type DataOf<N extends Name> = Extract<Job, { name: N }>['data'];

/**
 * A kind of job. `options` are its queue's; `batchSize` is the number of jobs that `run` gets at
 * once, and `workers` the number of concurrent batches in a process, one by default; of them
 * `workersOfGroup` at most have jobs of one group. A batch that throws is retried as a whole, so
 * `run` skips what an earlier run has done.
 */
export type JobKind<N extends Name = Name> = {
  [K in N]: {
    name: K;
    options: QueueOptions & {
      policy?: 'exclusive';
      batchSize: number;
      workers?: number;
      workersOfGroup?: number;
    };
    /** The schedule of a job, queued once for all processes: a cron expression in UTC. */
    cron?: string;
    run: (ctx: Context, batch: DataOf<K>[]) => Promise<void>;
  };
}[N];

/** By one process at a time and not retried: its next time on the schedule does. */
export const once = {
  policy: 'exclusive',
  retryLimit: 0,
  batchSize: 1,
} as const;

/** Retried after seconds, then with growing delays, for about a day. */
export const forAboutADay = {
  retryLimit: 40,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 3600,
} satisfies QueueOptions;
