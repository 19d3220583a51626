import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Context, Enqueue, Job } from '#context.ts';
import { APP_ROLE } from '#db/connection.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { chainAudit } from './chain-audit.ts';
import { facilityDay } from './facility-day.ts';
import { forgetOldLimits } from './forget-limits.ts';
import { forgetOld } from './forget-old-rows.ts';
import { handleGatewayEvent } from './handle-gateway-event.ts';
import type { JobKind } from './job.ts';
import { openFacilityDays } from './open-facility-days.ts';
import { reconcileDay } from './reconcile-day.ts';
import { reconcileOpenPayments } from './reconcile-open-payments.ts';
import { sendMail } from './send-mail.ts';
import { sweepFile } from './sweep-file.ts';
import { watchForDeclines } from './watch-declines.ts';

const SCHEMA = 'pgboss';
const POLLING_SECONDS = 1;
/** Jobs under way when the process stops get this long; other processes then take them up at once. */
const REST_MS = 10_000;

const jobs: JobKind[] = [
  chainAudit,
  openFacilityDays,
  facilityDay,
  forgetOldLimits,
  forgetOld,
  handleGatewayEvent,
  reconcileOpenPayments,
  reconcileDay,
  sendMail,
  sweepFile,
  watchForDeclines,
];

/** Makes the queue's tables and queues, as the owner; the app role may then use them and own nothing. */
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
  await sql`GRANT USAGE ON SCHEMA pgboss TO ${sql.ref(APP_ROLE)}`.execute(owner);
  await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO ${sql.ref(APP_ROLE)}`.execute(owner);
  await sql`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgboss TO ${sql.ref(APP_ROLE)}`.execute(owner);
}

/** The schedules of this version and no others. */
async function keepSchedules(boss: PgBoss): Promise<void> {
  for (const { name } of await boss.getSchedules())
    if (!jobs.some((job) => job.name === name && job.cron !== undefined)) await boss.unschedule(name);
  for (const { name, cron } of jobs) if (cron !== undefined) await boss.schedule(name, cron, {}, { tz: 'UTC' });
}

/**
 * The job queue of a serving process. `keepTime` begins to make the jobs that have a time of their own; `rest` takes up no
 * further job and waits for those under way, while new ones may still be put in; `stop` gives back what is not done by then.
 */
export type Queue = {
  enqueue: Enqueue;
  work(ctx: Context): Promise<void>;
  keepTime(): Promise<void>;
  rest(): Promise<void>;
  stop(): Promise<void>;
};

/** Opens the queue on the serving database; `onError` hears what goes wrong between jobs. */
export async function openQueue(db: Database, onError: (error: Error) => void): Promise<Queue> {
  const boss = new PgBoss({ db: onDatabase(db), schema: SCHEMA, migrate: false, createSchema: false, schedule: false });
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
    async enqueue(trx: DatabaseTransaction, { name, data, afterSeconds, singletonKey, priority = 0 }: Job) {
      await boss.send(name, data, { db: fromKysely(trx), startAfter: afterSeconds, singletonKey, priority });
    },
    async work(ctx) {
      for (const { name, options, run } of jobs) {
        const working = {
          pollingIntervalSeconds: POLLING_SECONDS,
          batchSize: options.batchSize,
          localConcurrency: options.workers ?? 1,
          burstWhenBatchFull: true,
        };
        // What comes out under a name is what `enqueue`, which knows the shape of each, put in.
        await boss.work<never>(name, working, (batch) =>
          run(
            ctx,
            batch.map(({ data }) => data),
          ),
        );
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

function onDatabase(db: Database) {
  return fromKysely(db);
}
