import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  allMigrations,
  migrate,
  migrationsFolder,
  openOwnerDatabase,
} from '@gatehouse/server/src/db/database.ts';
import { sql } from 'kysely';
import { addRentals } from '../harness/bulk.ts';
import type { CallResult } from '../harness/caller.ts';
import { lookUp, readLedgers } from '../harness/calls.ts';
import { openFixture } from '../harness/fixture.ts';
import { nextOrder } from '../harness/orders.ts';
import { SteadyLoad } from '../harness/steady-load.ts';
import { randomOf } from '../harness/random.ts';
import { judgedIf, mustBe, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';

const PAYMENT_IN = 5;
/** The load runs this long before and after the migrations, in milliseconds. */
const BESIDE_MS = 3000;
const LONGEST_LOCK_SECONDS = 1;
/** From this many ledgers on, the machine is assumed to be idle, and no request may be refused. */
const FULL_LEDGERS = 100_000;

/** What the migrations of a next version do: to tables that every call reads, and an index. */
const NEXT = {
  '9998_next': `
    ALTER TABLE ledgers ADD COLUMN next_note text NOT NULL DEFAULT '';
    ALTER TABLE payment_intents ADD COLUMN next_id uuid;
    CREATE TABLE next_things (ledger_id uuid PRIMARY KEY REFERENCES ledgers, note text NOT NULL);
    ALTER TABLE next_things ENABLE ROW LEVEL SECURITY;`,
  '9999_next_concurrently': `
    DROP INDEX CONCURRENTLY IF EXISTS entries_by_next;
    CREATE INDEX CONCURRENTLY entries_by_next ON entries (posted_on, ledger_id);`,
};

/** R24: the migrations of a next version run while this one serves, which then serves on. */
export const migrationsUnderLoad: Proof<{ ledgers: number; perSecond: number }> = {
  name: 'R24',
  title: 'Migrations under load',
  sizes: {
    small: { ledgers: 200, perSecond: 10 },
    full: { ledgers: FULL_LEDGERS, perSecond: 50 },
  },
  async run({ ledgers, perSecond }, seed, stage) {
    const random = randomOf(seed);
    await using fixture = await openFixture(stage, {
      servers: 1,
      world: { payers: 40, rentals: 4, owedCents: () => 90_000_000 },
    });
    const { db, pool, driver, payers } = fixture;
    await addRentals(db.owner, ledgers, 3);
    const answers: CallResult[] = [];
    driver.caller.onAnswer = (answer) => {
      answers.push(answer);
    };
    let unpaid = 0;
    const load = new SteadyLoad(
      perSecond,
      async (number) => {
        const { address } = await pool.next();
        if (number % PAYMENT_IN > 0)
          return driver.caller.call(address, readLedgers(random.pick(payers)));
        const { status } = await driver.send(
          address,
          nextOrder(random, payers, number / PAYMENT_IN),
        );
        if (status !== 200 && (ledgers >= FULL_LEDGERS || status !== 503)) unpaid += 1;
      },
      ledgers >= FULL_LEDGERS ? Infinity : perSecond,
    );
    const locks = watchLocks(db.url);
    await delay(BESIDE_MS);
    const begun = performance.now();
    const missing = await migrateToNext(join(stage.folder, 'migrations'), db.url);
    const seconds = (performance.now() - begun) / 1000;
    await delay(BESIDE_MS);
    const { address } = await pool.next();
    const looked = await driver.caller.call(address, lookUp('stranger@example.com'));
    await load.stop();
    // After the load, one of whose payments may be under way for the same rentals.
    const paid = await driver.send(address, nextOrder(random, payers, 3));
    const longest = await locks.stop();
    const bad = answers.filter(({ status }) => status === 0 || status >= 500);
    const turnedAway = bad.filter(
      ({ status, retryAfter }) => status === 503 && retryAfter !== null,
    );
    const isFull = ledgers >= FULL_LEDGERS;
    return [
      mustBe('migrations that have not run', missing, 0),
      mustBe(
        'answers of 500 and above, and connections that were lost',
        bad.length - turnedAway.length,
        0,
      ),
      judgedIf(isFull, mustBe('answers 503, come again', turnedAway.length, 0)),
      mustBe('payments that were not paid at once', unpaid, 0),
      mustBe('payments after the migrations that failed', paid.receipt === null ? 1 : 0, 0),
      mustBe('lookups after the migrations that failed', looked.status === 200 ? 0 : 1, 0),
      judgedIf(
        isFull,
        mustBeAtMost(
          'seconds that a statement waited for a lock of a table',
          longest,
          LONGEST_LOCK_SECONDS,
        ),
      ),
      ...(await fixture.check(isFull ? undefined : 503)),
      reported('requests', answers.length),
      reported(
        'milliseconds of the slowest answer',
        Math.max(...answers.map(({ ms }) => ms)),
        'max',
      ),
      reported('seconds that the migrations took', seconds, 'max'),
    ];
  },
};

/** Runs the migrations of a next version; returns how many of them have not run. */
async function migrateToNext(folder: string, url: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  await cp(migrationsFolder, folder, { recursive: true });
  for (const [name, text] of Object.entries(NEXT))
    await writeFile(join(folder, `${name}.sql`), text);
  const owner = openOwnerDatabase(url);
  try {
    await migrate(owner, { folder });
    const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(owner);
    const all = await allMigrations(folder);
    return all.filter((name) => !rows.some((row) => row.name === name)).length;
  } finally {
    await owner.destroy();
  }
}

/** Asks again and again how long a statement has been waiting for a lock of a table. */
function watchLocks(url: string): { stop: () => Promise<number> } {
  const owner = openOwnerDatabase(url);
  let longest = 0;
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const { rows } = await sql<{ seconds: number }>`
        SELECT coalesce(extract(epoch FROM max(clock_timestamp() - waitstart)), 0)::float AS seconds
        FROM pg_locks WHERE NOT granted AND locktype = 'relation'`.execute(owner);
      longest = Math.max(longest, rows[0]!.seconds);
      await delay(20);
    }
  };
  const watched = watch();
  return {
    async stop() {
      isOver = true;
      await watched;
      await owner.destroy();
      return longest;
    },
  };
}
