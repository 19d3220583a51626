import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import { ofRequest, type Context, type Enqueue, type Job } from '#context/context.ts';
import { APP_ROLE, WORK_ROLE } from '#db/reach.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { checkBooks, reconcileDay } from './daily-checks.ts';
import { facilityDay } from './facility-day.ts';
import { noteFailure } from './failures.ts';
import { forgetOld } from './forget-old.ts';
import type { JobKind } from './job.ts';
import { openFacilityDays } from './open-facility-days.ts';
import * as queued from './queued.ts';
import * as scheduled from './scheduled.ts';

const SCHEMA = 'pgboss';
const POLLING_SECONDS = 1;
const DAY_SECONDS = 24 * 60 * 60;
/**
 * The time for running jobs to finish when the process stops; other processes then fetch the rest
 * at once.
 */
const REST_MS = 10_000;

const jobs: JobKind[] = [
  ...Object.values(queued),
  ...Object.values(scheduled),
  openFacilityDays,
  facilityDay,
  checkBooks,
  reconcileDay,
  forgetOld,
];

/**
 * Creates the queue's tables and queues, as the owner; the serving roles may then use them and own
 * nothing.
 */
export async function migrateQueue(owner: Database): Promise<void> {
  const boss = new PgBoss({
    db: onDatabase(owner),
    schema: SCHEMA,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => {});
  await boss.start();
  for (const { name, options } of jobs) {
    const { batchSize: _, workers: _workers, workersOfGroup: _ofGroup, ...queue } = options;
    await boss.createQueue(name, queue);
    // One that an earlier version created keeps its options; only the policy cannot change.
    const { policy: _policy, ...changeable } = queue;
    await boss.updateQueue(name, changeable);
  }
  await keepSchedules(boss);
  await boss.stop({ graceful: false });
  await grantQueue(owner);
}

/**
 * A tenant's request may insert jobs and read none; the other grants are for the rest of the
 * server. In one transaction, because other processes serve meanwhile, and at each start, because a
 * newer pg-boss may have created the tables.
 */
async function grantQueue(owner: Database): Promise<void> {
  const [app, work] = [sql.ref(APP_ROLE), sql.ref(WORK_ROLE)];
  await owner.transaction().execute(async (trx) => {
    for (const statement of [
      sql`REVOKE ALL ON ALL TABLES IN SCHEMA pgboss FROM ${app}`,
      sql`REVOKE ALL ON ALL FUNCTIONS IN SCHEMA pgboss FROM PUBLIC, ${app}`,
      sql`GRANT USAGE ON SCHEMA pgboss TO ${app}`,
      sql`GRANT SELECT ON pgboss.queue TO ${app}`,
      sql`GRANT INSERT, SELECT (id) ON pgboss.job_common TO ${app}`,
      sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO ${work}`,
      sql`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgboss TO ${work}`,
    ])
      await statement.execute(trx);
  });
}

/** Sets the schedules of this version and removes all others. */
async function keepSchedules(boss: PgBoss): Promise<void> {
  for (const { name } of await boss.getSchedules())
    if (!jobs.some((job) => job.name === name && job.cron !== undefined)) {
      await boss.unschedule(name);
      await boss.deleteQueuedJobs(name);
    }
  for (const { name, cron } of jobs)
    if (cron !== undefined) await boss.schedule(name, cron, {}, { tz: 'UTC' });
}

/**
 * The job queue of a process. `keepTime` starts the schedules; `rest` fetches no further jobs and
 * waits for the running ones, while new ones may still be queued; `stop` returns unfinished jobs to
 * the queue.
 */
export type Queue = {
  enqueue: Enqueue;
  work(ctx: Context): Promise<void>;
  keepTime(): Promise<void>;
  rest(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Opens the queue on the serving database; `onError` gets errors outside of jobs. A process that
 * only enqueues leaves maintenance (`hasUpkeep: false`) to others: returning the jobs of dead
 * processes and deleting old ones.
 */
export async function openQueue(
  db: Database,
  onError: (error: Error) => void,
  { hasUpkeep = true, ...more }: { hasUpkeep?: boolean; queueCacheIntervalSeconds?: number } = {},
): Promise<Queue> {
  const boss = new PgBoss({
    db: onDatabase(db),
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: hasUpkeep,
    ...more,
  });
  boss.on('error', onError);
  await boss.start();
  // Separate from opening, so that a test can run jobs without schedules adding more.
  const clock = new PgBoss({
    db: onDatabase(db),
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    supervise: false,
  });
  clock.on('error', onError);
  async function rest(): Promise<void> {
    const idle = jobs.map(({ name }) => boss.offWork(name));
    await Promise.race([
      Promise.all([...idle, clock.stop({ graceful: true, timeout: REST_MS })]),
      pause(REST_MS, undefined, { ref: false }),
    ]);
  }
  return {
    async enqueue(
      trx: DatabaseTransaction,
      { name, data, afterSeconds, singletonKey, group, priority = 0, requestId }: Job,
    ) {
      const carried = requestId === undefined ? data : { ...data, requestId };
      await boss.send(name, carried, {
        db: fromKysely(trx),
        startAfter: afterSeconds,
        singletonKey,
        ...(group !== undefined && { group: { id: group } }),
        priority,
      });
    },
    async work(ctx) {
      for (const kind of jobs)
        for (let nth = 0; nth < (kind.options.workers ?? 1); nth += 1)
          await startWorker(boss, kind, ctx);
    },
    async keepTime() {
      await clock.start();
    },
    rest,
    async stop() {
      await rest();
      await boss.stop({ graceful: false });
    },
  };
}

/**
 * The queue of a command or an import, which enqueues in its own transaction. Its one connection is
 * in that for minutes, in which pg-boss would try in vain to read the list of queues anew.
 */
export function openOwnersQueue(owner: Database, log: Context['log']): Promise<Queue> {
  const onError = (error: Error) => log.warn({ err: error }, 'the queue could not be read');
  return openQueue(owner, onError, { hasUpkeep: false, queueCacheIntervalSeconds: DAY_SECONDS });
}

/**
 * Starts a worker, which polls and, after each batch, fetches again at once: pg-boss by itself does
 * so only after a full batch of more than one.
 */
async function startWorker(
  boss: PgBoss,
  { name, options, run }: JobKind,
  ctx: Context,
): Promise<void> {
  const { batchSize, workersOfGroup } = options;
  const working = {
    pollingIntervalSeconds: POLLING_SECONDS,
    batchSize,
    ...(workersOfGroup !== undefined && { localGroupConcurrency: workersOfGroup }),
  };
  const id: string = await boss.work<Carried>(name, working, (batch) => {
    boss.notifyWorker(id);
    const each = batch.map(({ data }) => data);
    // The data under a name has the type that `enqueue` accepted for it.
    return watch(ctx, name, each, (mine) =>
      noteFailure(mine, name, batch[0]!.signal, () => run(mine, each as never[])),
    );
  });
}

/** The request id in a job's data; null where there is none. */
type Carried = { requestId?: string } | null;

/** Runs a batch whose log lines and further jobs carry the ids of the requests that caused it. */
async function watch(
  ctx: Context,
  job: string,
  batch: Carried[],
  run: (ctx: Context) => Promise<void>,
): Promise<void> {
  const [reqId, ...others] = new Set(batch.flatMap((data) => data?.requestId ?? []));
  const log = ctx.log.child(
    others.length === 0 ? { job, reqId } : { job, reqIds: [reqId, ...others] },
  );
  const begun = performance.now();
  const end = ctx.metrics.jobSeconds.startTimer({ name: job });
  try {
    await run(
      reqId === undefined || others.length > 0 ? { ...ctx, log } : ofRequest(ctx, reqId, log),
    );
    end({ outcome: 'done' });
    log.info({ ms: Math.round(performance.now() - begun) }, 'job');
  } catch (error) {
    end({ outcome: 'failed' });
    throw error;
  }
}

function onDatabase(db: Database) {
  return fromKysely(db);
}
