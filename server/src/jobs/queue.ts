import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import { ofRequest, type Context, type Enqueue, type Job } from '#context.ts';
import { APP_ROLE, WORK_ROLE } from '#db/connection.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { chainAudit } from './chain-audit.ts';
import { checkBooks } from './check-books.ts';
import { deliverEvent } from './deliver-event.ts';
import { facilityDay } from './facility-day.ts';
import { noteFailure } from './failures.ts';
import { forgetOld } from './forget-old.ts';
import { handleGatewayEvent } from './handle-gateway-event.ts';
import type { JobKind } from './job.ts';
import { openFacilityDays } from './open-facility-days.ts';
import { reconcileDay } from './reconcile-day.ts';
import { reconcileGates } from './reconcile-gates.ts';
import { reconcileOpenPayments } from './reconcile-open-payments.ts';
import { resendEnvelopes } from './resend-envelopes.ts';
import { sendMail } from './send-mail.ts';
import { sweepFile } from './sweep-file.ts';
import { watchForDeclines } from './watch-declines.ts';

const SCHEMA = 'pgboss';
const POLLING_SECONDS = 1;
/** Jobs under way when the process stops get this long; other processes then take them up at once. */
const REST_MS = 10_000;

const jobs: JobKind[] = [
  chainAudit,
  checkBooks,
  deliverEvent,
  openFacilityDays,
  facilityDay,
  forgetOld,
  handleGatewayEvent,
  reconcileOpenPayments,
  reconcileDay,
  reconcileGates,
  resendEnvelopes,
  sendMail,
  sweepFile,
  watchForDeclines,
];

/** Makes the queue's tables and queues, as the owner; the serving roles may then use them and own nothing. */
export async function migrateQueue(owner: Database): Promise<void> {
  const boss = new PgBoss({ db: onDatabase(owner), schema: SCHEMA, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  for (const { name, options } of jobs) {
    const { batchSize: _, workers: _workers, ...queue } = options;
    await boss.createQueue(name, queue);
  }
  await keepSchedules(boss);
  await boss.stop({ graceful: false });
  await grantQueue(owner);
}

/**
 * A tenant's request puts jobs in and sees none (D35); the rest is for what else the server does. At once, because other
 * processes serve meanwhile; anew at each start, because the tables may be those of an older version or of a newer pg-boss.
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

/** The schedules of this version and no others. */
async function keepSchedules(boss: PgBoss): Promise<void> {
  for (const { name } of await boss.getSchedules())
    if (!jobs.some((job) => job.name === name && job.cron !== undefined)) {
      await boss.unschedule(name);
      await boss.deleteQueuedJobs(name);
    }
  for (const { name, cron } of jobs) if (cron !== undefined) await boss.schedule(name, cron, {}, { tz: 'UTC' });
}

/**
 * The job queue of a process. `keepTime` begins to make the jobs that have a time of their own; `rest` takes up no
 * further job and waits for those under way, while new ones may still be put in; `stop` gives back what is not done by then.
 */
export type Queue = {
  enqueue: Enqueue;
  work(ctx: Context): Promise<void>;
  keepTime(): Promise<void>;
  rest(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Opens the queue on the serving database; `onError` hears what goes wrong between jobs. Whoever only puts jobs in leaves the
 * upkeep (`hasUpkeep: false`) to others: to give back the jobs of who died, and to drop what is old.
 */
export async function openQueue(
  db: Database,
  onError: (error: Error) => void,
  { hasUpkeep = true } = {},
): Promise<Queue> {
  const boss = new PgBoss({
    db: onDatabase(db),
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: hasUpkeep,
  });
  boss.on('error', onError);
  await boss.start();
  // Apart from the queue itself, so that a test can work on jobs without the time of day making more of them.
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
    async enqueue(trx: DatabaseTransaction, { name, data, afterSeconds, singletonKey, priority = 0, requestId }: Job) {
      const carried = requestId === undefined ? data : { ...data, requestId };
      await boss.send(name, carried, { db: fromKysely(trx), startAfter: afterSeconds, singletonKey, priority });
    },
    async work(ctx) {
      for (const { name, options, run } of jobs) {
        const working = {
          pollingIntervalSeconds: POLLING_SECONDS,
          batchSize: options.batchSize,
          localConcurrency: options.workers ?? 1,
          ...withoutPause(options.batchSize),
        };
        await boss.work<Carried>(name, working, (batch) => {
          const each = batch.map(({ data }) => data);
          // What comes out under a name is what `enqueue`, which knows the shape of each, put in.
          return watch(ctx, name, each, (mine) =>
            noteFailure(mine, name, batch[0]!.signal, () => run(mine, each as never[])),
          );
        });
      }
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
 * A worker asks again at once after a full batch. A batch of one is always full: there the queue's last count must have found
 * more, which pg-boss makes once a minute and reads once a minute.
 */
function withoutPause(batchSize: number) {
  return batchSize > 1 ? { burstWhenBatchFull: true } : { burstWhenReadyExceeds: 1 };
}

/** What a job brings beside its own data; null where whoever put it in gave it none. */
type Carried = { requestId?: string } | null;

/** Runs a batch whose lines in the log, and whose own jobs, carry the ids of the requests that made it necessary. */
async function watch(ctx: Context, job: string, batch: Carried[], run: (ctx: Context) => Promise<void>): Promise<void> {
  const [reqId, ...others] = new Set(batch.flatMap((data) => data?.requestId ?? []));
  const log = ctx.log.child(others.length === 0 ? { job, reqId } : { job, reqIds: [reqId, ...others] });
  const begun = performance.now();
  const end = ctx.metrics.jobSeconds.startTimer({ name: job });
  try {
    await run(reqId === undefined || others.length > 0 ? { ...ctx, log } : ofRequest(ctx, reqId, log));
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
