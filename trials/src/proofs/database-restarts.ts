import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import type { AppProcess } from '../harness/app-process.ts';
import { Caller, type CallResult } from '../harness/caller.ts';
import { readLedgers } from '../harness/calls.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { nextOrder } from '../harness/orders.ts';
import { untilNoneLeft } from '../harness/until.ts';
import { SteadyLoad } from '../harness/steady-load.ts';
import type { Payer } from '../harness/world.ts';
import { sql } from 'kysely';
import { randomOf } from '../harness/random.ts';
import { judgedIf, mustBe, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';

const SERVERS = 2;
/** One request in this many is a payment, the others are reads. */
const PAYMENT_IN = 5;
/** How long the load runs between two restarts, in milliseconds. */
const BETWEEN_MS = 3000;
/** The longest time for which the database is down, not counting its shutdown and recovery. */
const AWAY_MS = 3000;
/**
 * A server must be healthy again within this many seconds of the database, without answering 503.
 */
const HEALTHY_SECONDS = 5;
const SLOWEST_SECONDS = 15;

/** The most characters of an unexpected answer that are printed. */
const LONGEST_KIND = 200;

const FULL = 20;

/**
 * R7: the database is ended with all its connections and started again, while tenants read and pay.
 */
export const databaseRestarts: Proof<{ restarts: number; perSecond: number }> = {
  name: 'R7',
  title: 'Restarts of the database under load',
  sizes: { small: { restarts: 1, perSecond: 20 }, full: { restarts: FULL, perSecond: 100 } },
  async run({ restarts, perSecond }, seed, stage) {
    const random = randomOf(seed);
    await using fixture = await openFixture(stage, {
      servers: SERVERS,
      world: { payers: 40 * restarts, rentals: 5, owedCents: () => 90_000_000 },
    });
    const { pool, driver, payers, db } = fixture;
    const cluster = await stage.cluster();
    const answers: CallResult[] = [];
    driver.caller.onAnswer = (answer) => void answers.push(answer);
    let unpaid = 0;
    let payments = 0;
    const isFull = restarts >= FULL;
    const load = new SteadyLoad(
      perSecond,
      async (number) => {
        if (number % PAYMENT_IN > 0)
          return driver.caller.call((await pool.next()).address, readLedgers(random.pick(payers)));
        payments += 1;
        const { receipt } = await driver.sendUntilFinal(pool, nextOrder(random, payers, payments));
        if (receipt === null) unpaid += 1;
      },
      isFull ? Infinity : perSecond,
    );
    const outages: Outage[] = [];
    let restarted = testClock.now();
    for (let restart = 0; restart < restarts; restart += 1) {
      await delay(BETWEEN_MS);
      const from = performance.now();
      await cluster.breakDown(restarts === 1 ? AWAY_MS / 3 : random.next() * AWAY_MS);
      const back = performance.now();
      restarted = testClock.now();
      await Promise.all(pool.all.map((app) => untilHealthy(app, payers[0]!)));
      outages.push({ from, back, healthy: performance.now() });
      stage.say(
        `  restart ${restart + 1}: away ${back - from} ms, healthy ${performance.now() - back} ms later`,
      );
    }
    await delay(BETWEEN_MS);
    await load.stop();
    const unnotified = await untilNotified(fixture, restarted);
    const away = answers.filter(({ status }) => status === 503);
    // At its small size it runs next to others, on a machine that may be busy and shed load at any
    // time: no time is judged.
    const odd = answers.filter(
      (answer) =>
        !isGood(answer) &&
        !(isShedInWords(answer) && (!isFull || isDuring(answer, outages))) &&
        !(isCut(answer) && !isFull),
    );
    for (const [kind, some] of Map.groupBy(odd, ({ status, text }) => `${status} ${text}`))
      stage.say(`  ${some.length} answers ${kind.slice(0, LONGEST_KIND)}`);
    for (const answer of odd)
      await appendFile(join(stage.folder, `odd-${db.name}.jsonl`), `${JSON.stringify(answer)}\n`);
    return [
      mustBe('restarts', outages.length, restarts),
      mustBe(
        `answers other than good ones, and 503 with its sentence${isFull ? ' while the database was away' : ''}`,
        odd.length,
        0,
      ),
      mustBe('payments that did not end with a receipt', unpaid, 0),
      ...(await fixture.check(503)),
      mustBe('receipts of payments after the last restart that were not mailed', unnotified, 0),
      judgedIf(
        isFull,
        mustBeAtMost(
          'seconds from the database’s return until all servers were healthy',
          Math.max(...outages.map(({ back, healthy }) => healthy - back)) / 1000,
          HEALTHY_SECONDS,
        ),
      ),
      judgedIf(
        isFull,
        mustBeAtMost(
          'seconds of the slowest answer',
          Math.max(...answers.map(({ ms }) => ms)) / 1000,
          SLOWEST_SECONDS,
        ),
      ),
      reported(
        'seconds that the database was away',
        outages.reduce((sum, { from, back }) => sum + back - from, 0) / 1000,
      ),
      reported('requests', answers.length),
      reported('payments', payments),
      reported('answers 503', away.length),
      reported(
        'answers 409 (“being confirmed”)',
        answers.filter(({ status }) => status === 409).length,
      ),
    ];
  },
};

/** When the database was ended, when it answered again and when all servers were healthy. */
type Outage = { from: number; back: number; healthy: number };

function isGood({ status, method }: CallResult): boolean {
  return status === 200 || (method === 'POST' && status === 409);
}

/** Whether it is a 503 that says so in a sentence, and when to try again. */
function isShedInWords({ status, text, retryAfter }: CallResult): boolean {
  return status === 503 && Number(retryAfter) > 0 && /^\{"message":"[^"]{10,200}"\}$/.test(text);
}

/**
 * Whether the server ended the connection, which it does after twenty seconds without an answer: a
 * database that starts on a busy machine may be away for longer.
 */
function isCut({ status, ms }: CallResult): boolean {
  return status === 0 && ms >= 20_000;
}

/** Whether the call was in progress during an outage, or soon enough after one. */
function isDuring({ at, ms }: CallResult, outages: Outage[]): boolean {
  return outages.some(({ from, back }) => at + ms >= from && at <= back + HEALTHY_SECONDS * 1000);
}

/** Waits until a server says that it is ready and answers a read. */
async function untilHealthy({ address }: AppProcess, payer: Payer): Promise<void> {
  const caller = new Caller();
  try {
    for (const call of [{ method: 'GET', path: '/readyz' } as const, readLedgers(payer)])
      while ((await caller.call(address, call)).status !== 200) await delay(50);
  } finally {
    caller.close();
  }
}

/**
 * Waits until the sweeps and the queue have mailed the receipts of payments after `since`, for as
 * long as they go on; answers how many are missing.
 */
function untilNotified({ db }: Fixture, since: Date): Promise<number> {
  return untilNoneLeft(async () => {
    const { rows } = await sql<{ ofAll: number; ofThese: number }>`
      SELECT (SELECT count(*) FROM payment_intents WHERE told_at IS NULL) +
          (SELECT count(*) FROM mails WHERE sent_at IS NULL) AS "ofAll",
        (SELECT count(*) FROM payment_intents WHERE told_at IS NULL AND created_at > ${since}) +
          (SELECT count(*) FROM mails WHERE sent_at IS NULL AND created_at > ${since}) AS "ofThese"`.execute(
      db.owner,
    );
    const { ofAll, ofThese } = rows[0]!;
    return ofThese === 0 ? 0 : ofAll;
  });
}
