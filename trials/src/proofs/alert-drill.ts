import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openReceiver } from '@gatehouse/server/test/receiver.ts';
import { openSmtpSink } from '@gatehouse/server/test/smtp.ts';
import { fromNow, testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import { lookUp, readLedgers } from '../harness/calls.ts';
import type { NewDatabase } from '../harness/cluster.ts';
import { openFixture } from '../harness/fixture.ts';
import { nextOrder } from '../harness/orders.ts';
import { SteadyLoad } from '../harness/steady-load.ts';
import { randomOf } from '../harness/random.ts';
import { mustBe, mustBeAtLeast, reported, type Proof } from '../harness/proof.ts';
import { hasPromtool, Recording, ruleCount } from '../harness/promtool.ts';

const PER_SECOND = 30;
const PAYMENT_IN = 10;
const CODE_EVERY = 25;
const SCRAPE_MS = 250;
const GATE_SECRET = 'the secret of the drill, which is long enough';
/**
 * What is read from the database is read again after this long (http/metrics.ts), and then a rule
 * may ask for patience.
 */
const MOST_WAIT_MS = 60_000;
const BURN = 'GatehouseErrorBudgetBurnsFast';
/** An alert about an unavailable database must fire within so many minutes. */
const ALARM_MINUTES = 5;

/** The failures of the second part, each with its alert. */
const furtherFailures: { alert: string; make: (db: NewDatabase) => Promise<unknown> }[] = [
  { alert: 'GatehousePaymentUnconfirmed', make: leavePaymentOpen },
  { alert: 'GatehousePaymentsDiffer', make: makeBooksDiffer },
  { alert: 'GatehouseCodeMailsWait', make: ageMails },
  { alert: 'GatehouseGateIsBehind', make: ageGates },
];

/**
 * R30: a drill of the alerts of docs/slo.md. A real server's metrics are recorded on an accelerated
 * clock, and promtool evaluates the rules of ops/watching/alerts.yml over them: none fires while
 * all is well, and each fires for its failure.
 */
export const alertDrill: Proof<{
  quietSeconds: number;
  outages: number;
  outageSeconds: number;
  timesFaster: number;
}> = {
  name: 'R30',
  title: 'The alarms of the promises, in a drill',
  sizes: {
    small: { quietSeconds: 6, outages: 1, outageSeconds: 2, timesFaster: 60 },
    full: { quietSeconds: 120, outages: 5, outageSeconds: 20, timesFaster: 10 },
  },
  async run({ quietSeconds, outages, outageSeconds, timesFaster }, seed, stage) {
    if (!hasPromtool()) {
      stage.say(
        '  promtool is not installed (Debian: apt-get install prometheus): nothing was proved',
      );
      return [reported('rules that were evaluated', 0)];
    }
    const random = randomOf(seed);
    const [mail, gate] = [await openSmtpSink(), await openReceiver(GATE_SECRET)];
    await using fixture = await openFixture(stage, {
      servers: 1,
      world: { payers: 30, rentals: 3, owedCents: () => 90_000_000 },
      env: { SMTP_URL: mail.url, GATE: gate.url, GATE_SECRET },
    });
    const { pool, driver, payers, db } = fixture;
    const cluster = await stage.cluster();
    const { recording, now, stop } = record(
      pool.all[0]!.operatorAddress,
      stage.folder,
      timesFaster,
    );
    let codes = 0;
    const load = new SteadyLoad(PER_SECOND, async (number) => {
      const { address } = await pool.next();
      if (number % CODE_EVERY === 0) {
        const { email } = payers[(codes += 1) % payers.length]!;
        return driver.caller.call(address, lookUp(email));
      }
      if (number % PAYMENT_IN > 0)
        return driver.caller.call(address, readLedgers(random.pick(payers)));
      return driver.send(address, nextOrder(random, payers, number));
    });

    await delay(quietSeconds * 1000);
    const isQuiet = !(await recording.fired(0, now()));

    let rang = 0;
    for (let outage = 0; outage < outages; outage += 1) {
      const begun = now();
      await cluster.breakDown(outageSeconds * 1000);
      const due = begun + ALARM_MINUTES * 60_000;
      await delay(Math.max(0, due - now()) / timesFaster);
      if (await recording.fired(begun, due, BURN)) rang += 1;
      if (!(await until(async () => !(await recording.fired(now(), now(), BURN))))) rang -= 1;
    }

    await mail.close();
    await gate.close();
    const begun = now();
    await driver.caller.call(pool.all[0]!.address, lookUp(payers[0]!.email));
    for (const { make } of furtherFailures) await make(db);
    const missing: string[] = [];
    for (const { alert } of furtherFailures)
      if (!(await until(() => recording.fired(begun, now(), alert)))) missing.push(alert);
    for (const alert of missing) stage.say(`  did not fire: ${alert}`);

    await load.stop();
    const scrapes = await stop();
    return [
      mustBe('alarms while all was well', isQuiet ? 0 : 1, 0),
      mustBe(
        `alarms within ${ALARM_MINUTES} minutes of a database’s end, which ended by themselves`,
        rang,
        outages,
      ),
      mustBe('failures without their alert', missing.length, 0),
      mustBeAtLeast('scrapes', scrapes, quietSeconds),
      mustBe('servers that ended by themselves', pool.deaths, 0),
      reported('rules that were evaluated', ruleCount),
      reported('mails that were taken', mail.received.length),
      reported('messages to the gate', gate.received.length),
    ];
  },
};

/** Scrapes a server, as if so many times as much time went by; `stop` answers how often it did. */
function record(address: string, folder: string, timesFaster: number) {
  const begun = performance.now();
  const recording = new Recording(
    folder,
    SCRAPE_MS * timesFaster,
    testClock.now().getTime() / 1000,
  );
  const now = () => (performance.now() - begun) * timesFaster;
  let scrapes = 0;
  const stopping = new AbortController();
  const goOn = async () => {
    while (!stopping.signal.aborted) {
      const scraped = await fetch(`${address}/metrics`).then(
        (answer) => answer.text(),
        () => null,
      );
      recording.add(now(), `${scraped ?? ''}\nup{job="gatehouse"} ${scraped === null ? 0 : 1}\n`);
      scrapes += 1;
      const due = SCRAPE_MS - ((performance.now() - begun) % SCRAPE_MS);
      await delay(due, undefined, { signal: stopping.signal }).catch(() => {});
    }
    return scrapes;
  };
  const ended = goOn();
  return {
    recording,
    now,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

/** Whether it comes true in time. */
async function until(isTrue: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + MOST_WAIT_MS;
  while (performance.now() < end) {
    if (await isTrue()) return true;
    await delay(SCRAPE_MS);
  }
  return isTrue();
}

/** A payment whose outcome the simulator never answers, begun 20 minutes ago. */
function leavePaymentOpen({ owner }: NewDatabase): Promise<unknown> {
  return sql`
    INSERT INTO payment_intents (tenant_id, type, method_description, amount_cents, state, debt_key, attempt, created_at,
      updated_at, looked_up_at)
    SELECT id, 'creditCard', 'Visa', 100, 'unknown', ${Buffer.from(randomUUID())}, 1, ${fromNow(-20 * 60_000)}, ${testClock.now()},
      ${fromNow(3_600_000)}
    FROM tenants LIMIT 1`.execute(owner);
}

async function makeBooksDiffer({ owner }: NewDatabase): Promise<void> {
  const now = testClock.now();
  await sql`
    WITH run AS (
      INSERT INTO reconciliations (kind, from_at, to_at, started_at, finished_at)
      VALUES ('daily', ${now}, ${now}, ${now}, ${now}) RETURNING id
    )
    INSERT INTO differences (reconciliation_id, class, reference, found_at)
    SELECT id, 'gateway_only', 'ch_of_the_drill', ${now} FROM run`.execute(owner);
}

/** The mail server is away: what waits has waited for long. */
async function ageMails({ owner }: NewDatabase): Promise<void> {
  await sql`UPDATE pgboss.job SET created_on = now() - interval '2 minutes'
    WHERE name = 'deliver-mail' AND state IN ('created', 'retry', 'active')`.execute(owner);
}

/** The gate is unavailable, and a change has been due there for some minutes. */
async function ageGates({ owner }: NewDatabase): Promise<void> {
  await sql`
    WITH changed AS (
      UPDATE ledgers SET gate_schedule_id = 2 WHERE id = (SELECT id FROM ledgers LIMIT 1)
    )
    UPDATE gate_controllers SET synced_at = ${fromNow(-10 * 60_000)}, next_at = ${testClock.now()}`.execute(
    owner,
  );
}
