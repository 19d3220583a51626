import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Context, Enqueue, Job } from '#context.ts';
import { APP_ROLE, type Database, type DatabaseTransaction } from '#db/database.ts';
import type { JobKind } from './job.ts';
import { resolvePayment } from './resolve-payment.ts';
import { sendMail } from './send-mail.ts';
import { sweepFile } from './sweep-file.ts';

const SCHEMA = 'pgboss';
const POLLING_SECONDS = 1;

const jobs: JobKind[] = [resolvePayment, sendMail, sweepFile];

/** Makes the queue's tables and queues, as the owner; the app role may then use them and own nothing. */
export async function migrateQueue(owner: Database): Promise<void> {
  const boss = new PgBoss({ db: onDatabase(owner), schema: SCHEMA, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  for (const { name, options } of jobs) {
    const { batchSize: _, ...queue } = options;
    await boss.createQueue(name, queue);
  }
  await boss.stop({ graceful: false });
  await sql`GRANT USAGE ON SCHEMA pgboss TO ${sql.ref(APP_ROLE)}`.execute(owner);
  await sql`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO ${sql.ref(APP_ROLE)}`.execute(owner);
  await sql`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgboss TO ${sql.ref(APP_ROLE)}`.execute(owner);
}

/** The job queue of a serving process. */
export type Queue = { enqueue: Enqueue; work(ctx: Context): Promise<void>; stop(): Promise<void> };

/** Opens the queue on the serving database; `onError` hears what goes wrong between jobs. */
export async function openQueue(db: Database, onError: (error: Error) => void): Promise<Queue> {
  const boss = new PgBoss({ db: onDatabase(db), schema: SCHEMA, migrate: false, createSchema: false, schedule: false });
  boss.on('error', onError);
  await boss.start();
  return {
    async enqueue(trx: DatabaseTransaction, { name, data, afterSeconds }: Job) {
      await boss.send(name, data, { db: fromKysely(trx), startAfter: afterSeconds });
    },
    async work(ctx) {
      for (const { name, options, run } of jobs) {
        const working = {
          pollingIntervalSeconds: POLLING_SECONDS,
          batchSize: options.batchSize,
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
    async stop() {
      await boss.stop({ graceful: true, timeout: 10_000 });
    },
  };
}

function onDatabase(db: Database) {
  return fromKysely(db);
}
