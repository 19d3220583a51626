import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { missingMigrations, openOwnerDatabase } from '@gatehouse/server/src/db/database.ts';
import { sql } from 'kysely';
import { startApp, type AppSettings } from '../harness/app-process.ts';
import { addRentals } from '../harness/bulk.ts';
import type { CallResult } from '../harness/caller.ts';
import { lookUp, readLedgers } from '../harness/calls.ts';
import { openFixture } from '../harness/fixture.ts';
import { takeOlderVersion } from '../harness/older-version.ts';
import { nextOrder } from '../harness/orders.ts';
import { SteadyLoad } from '../harness/steady-load.ts';
import { randomOf } from '../harness/random.ts';
import {
  judgedIf,
  mustBe,
  mustBeAtLeast,
  mustBeAtMost,
  reported,
  type Proof,
} from '../harness/proof.ts';

const PAYMENT_IN = 5;
/** The load runs this long before and after the migrations, in milliseconds. */
const BESIDE_MS = 3000;
const LONGEST_LOCK_SECONDS = 1;
/** From so many ledgers on, the machine is assumed to be idle, and no request may be refused. */
const FULL_LEDGERS = 100_000;

/**
 * R24: the newest migrations run while the version before them serves, and both serve side by side
 * afterwards.
 */
export const migrationsUnderOlderVersion: Proof<{
  ledgers: number;
  perSecond: number;
  back: number;
}> = {
  name: 'R24',
  title: 'Migrations under the version before them',
  sizes: {
    small: { ledgers: 200, perSecond: 10, back: 1 },
    full: { ledgers: FULL_LEDGERS, perSecond: 50, back: 1 },
  },
  async run({ ledgers, perSecond, back }, seed, stage) {
    const older = await takeOlderVersion(join(stage.folder, 'older'), back);
    if (older === null) {
      stage.say('  no history to take the older version from: nothing was proved');
      return [reported('older versions that could be taken', 0)];
    }
    const random = randomOf(seed);
    const db = await (await stage.cluster()).bareDatabase();
    await older.migrate(db.owner);
    const missing = await missingMigrations(db.owner);
    await using fixture = await openFixture(stage, {
      servers: 1,
      world: { payers: 40, rentals: 4, owedCents: () => 90_000_000 },
      older: { ...older, db },
    });
    const { pool, driver, payers, settings } = fixture;
    await addRentals(db.owner, ledgers, 3);
    stage.say(`  ${older.commit.slice(0, 7)} serves; to come: ${missing.join(', ')}`);
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
    const newer = startApp({ ...asThisVersion(settings), logName: `newer-${db.name}.log` });
    const serves = await newer.ready;
    const seconds = (performance.now() - begun) / 1000;
    // The older version continues while the newer one serves.
    const newReads: CallResult[] = [];
    for (const until = performance.now() + BESIDE_MS; performance.now() < until;) {
      newReads.push(await driver.caller.call(newer.address, readLedgers(random.pick(payers))));
      await delay(100);
    }
    const lookups = [];
    for (const { address } of [await pool.next(), newer])
      lookups.push(await driver.caller.call(address, lookUp('stranger@example.com')));
    await load.stop();
    // After the load, one of whose payments may be under way for the same rentals.
    const paidAtNewer = await driver.send(newer.address, nextOrder(random, payers, 3));
    const longest = await locks.stop();
    await newer.stop();
    const bad = answers.filter(({ status }) => status === 0 || status >= 500);
    const turnedAway = bad.filter(
      ({ status, retryAfter }) => status === 503 && retryAfter !== null,
    );
    const isFull = ledgers >= FULL_LEDGERS;
    return [
      reported('older versions that could be taken', 1),
      mustBe('servers of the newer version that did not start', serves ? 0 : 1, 0),
      mustBeAtLeast('migrations that ran under the older version', missing.length, 1),
      mustBe('migrations that have not run', (await missingMigrations(db.owner)).length, 0),
      mustBe(
        'answers of 500 and above, and connections that were lost',
        bad.length - turnedAway.length,
        0,
      ),
      judgedIf(isFull, mustBe('answers 503, come again', turnedAway.length, 0)),
      mustBe('payments that were not paid at once', unpaid, 0),
      mustBe(
        'payments at the newer version that were not paid',
        paidAtNewer.receipt === null ? 1 : 0,
        0,
      ),
      mustBe(
        'lookups at the older and the newer version that failed',
        lookups.filter(({ status }) => status !== 200).length,
        0,
      ),
      mustBe(
        'reads at the newer version that failed',
        newReads.filter(({ status }) => status !== 200).length,
        0,
      ),
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
      reported('seconds until the newer version served', seconds, 'max'),
    ];
  },
};

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

/** Without the older version's main file and names of limits. */
function asThisVersion({ main: _, env, ...settings }: AppSettings): AppSettings {
  const { LIMITS: _limits, ...others } = env ?? {};
  return { ...settings, env: others };
}
