import { setTimeout as delay } from 'node:timers/promises';
import { openSmtpSink, type SmtpSink } from '@gatehouse/server/test/smtp.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import { AppPool } from '../harness/app-pool.ts';
import type { AppProcess } from '../harness/app-process.ts';
import { lookUp } from '../harness/calls.ts';
import { freePort } from '../harness/free-port.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { nextOrder } from '../harness/orders.ts';
import { untilNoneLeft } from '../harness/until.ts';
import { SteadyLoad } from '../harness/steady-load.ts';
import { randomOf } from '../harness/random.ts';
import { mustBe, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';

const SERVERS = 2;
/**
 * Requests that make a mail: half are payments, half are look-ups of somebody who wants to sign up.
 */
const PER_SECOND = 4;
/** One kill in so many comes when the mail server is back, while mails go out. */
const KILLS_OF_SENDERS_IN = 2;
/**
 * A mail that the mail server took is marked within so long on a quiet machine, or its server has
 * died.
 */
const WINDOW_MS = 5000;
/** From this long on, the queue's own lease brings back what a killed server had taken up. */
const LONG_SECONDS = 300;
const LEASE_MS = 240_000;

/**
 * R22: the mail server is away, servers are killed, and then the mail server comes back and more
 * are killed.
 */
export const mailOutage: Proof<{ seconds: number; kills: number }> = {
  name: 'R22',
  title: 'The mail server away, with kills',
  sizes: { small: { seconds: 20, kills: 2 }, full: { seconds: 600, kills: 20 } },
  async run({ seconds, kills }, seed, stage) {
    const random = randomOf(seed);
    const port = await freePort();
    const fixture = await openFixture(stage, {
      servers: SERVERS,
      world: { payers: 40 + seconds, rentals: 2, owedCents: () => 90_000_000 },
      env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Gatehouse <no-reply@example.com>' },
    });
    const { pool, driver, payers } = fixture;
    const desk = new Desk(pool);
    let failed = 0;
    driver.caller.onAnswer = ({ status }) => {
      if (status !== 200) failed += 1;
    };
    const load = new SteadyLoad(PER_SECOND, (number) =>
      desk.serve(({ address }) =>
        number % 2 === 0
          ? driver.send(address, nextOrder(random, payers, number / 2))
          : driver.caller.call(address, lookUp(random.pick(payers).email)),
      ),
    );

    const ofSenders = Math.floor(kills / KILLS_OF_SENDERS_IN);
    const inOutage = kills - ofSenders;
    const killed: Date[] = [];
    for (let kill = 0; kill < inOutage; kill += 1) {
      await delay((seconds * 1000) / (inOutage + 1));
      killed.push(await desk.kill());
    }
    await delay((seconds * 1000) / (inOutage + 1));
    const sink = await openSmtpSink(port);
    const waited = await sendNow(fixture);
    for (let kill = 0; kill < ofSenders; kill += 1) {
      const before = sink.received.length;
      while (sink.received.length === before) await delay(1);
      await delay(random.between(0, 20));
      killed.push(await desk.kill());
      await sendNow(fixture);
    }
    await load.stop();
    const unsent =
      seconds >= LONG_SECONDS ? await untilSent(fixture, LEASE_MS) : await sendRest(fixture);

    const twice = copiesOf(sink).filter(({ at }) => at.length > 1);
    const windowMs = seconds >= LONG_SECONDS ? WINDOW_MS : Infinity;
    const isExplained = (first: Date) =>
      killed.some((kill) => first <= kill && kill.getTime() - first.getTime() < windowMs);
    const figures = [
      mustBe('servers killed', killed.length, kills),
      mustBe('requests that failed', failed, 0),
      mustBe('mails that were not sent in the end', unsent, 0),
      mustBe('mails that are marked as sent and did not come', await missing(fixture, sink), 0),
      mustBeAtMost('mails that came twice, in all', twice.length, kills),
      mustBe(
        'mails that came twice without a kill just after the first',
        twice.filter(({ at }) => !isExplained(at[0]!)).length,
        0,
      ),
      mustBe('mails that came more than twice', twice.filter(({ at }) => at.length > 2).length, 0),
      ...(await fixture.check()),
      reported('mails', sink.received.length),
      reported('requests', load.sent),
      reported('seconds that the queue would have waited on with a mail', waited, 'max'),
    ];
    await fixture.close();
    await sink.close();
    return figures;
  },
};

/**
 * Sends requests to the servers in turn; a kill meets a server's background work, never a request.
 */
class Desk {
  readonly #pool: AppPool;
  readonly #busy = new Map<AppProcess, Set<Promise<unknown>>>();

  constructor(pool: AppPool) {
    this.#pool = pool;
  }

  async serve(ask: (app: AppProcess) => Promise<unknown>): Promise<void> {
    const app = await this.#pool.next();
    if (!this.#busy.has(app)) this.#busy.set(app, new Set());
    const asked = ask(app).finally(() => this.#busy.get(app)!.delete(asked));
    this.#busy.get(app)!.add(asked);
    await asked;
  }

  /**
   * Kills one as soon as another serves and its own requests are answered; answers when it was
   * gone.
   */
  async kill(): Promise<Date> {
    await this.#pool.serve(SERVERS);
    const victim = this.#pool.serving[0]!;
    victim.isReady = false;
    await Promise.all([...(this.#busy.get(victim) ?? [])]);
    await this.#pool.kill(victim);
    return testClock.now();
  }
}

/** Cuts short what the queue waits until it tries again; answers the longest wait in seconds. */
async function sendNow({ db }: Fixture): Promise<number> {
  const { rows } = await sql<{ waited: number | null }>`
    SELECT extract(epoch FROM max(start_after) - now())::float AS waited FROM pgboss.job
    WHERE name = 'deliver-mail' AND state = 'retry'`.execute(db.owner);
  await sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'deliver-mail' AND state = 'retry'`.execute(
    db.owner,
  );
  return Math.max(0, rows[0]!.waited ?? 0);
}

/**
 * Waits until every mail is marked as sent and every receipt is queued, while some are within so
 * long; answers how many are not.
 */
function untilSent(fixture: Fixture, patienceMs?: number): Promise<number> {
  return untilNoneLeft(
    async () => {
      await sendNow(fixture);
      const { rows } = await sql<{ unsent: number }>`
      SELECT (SELECT count(*) FROM mails WHERE sent_at IS NULL) +
        (SELECT count(*) FROM payment_intents WHERE told_at IS NULL) AS unsent`.execute(
        fixture.db.owner,
      );
      return rows[0]!.unsent;
    },
    { ...(patienceMs !== undefined && { patienceMs }) },
  );
}

/**
 * The same without waiting for the leases of killed servers: once no server runs, active jobs are
 * released. Returns how many mails a new server leaves unsent.
 */
async function sendRest(fixture: Fixture): Promise<number> {
  await fixture.pool.stop();
  await sql`UPDATE pgboss.job SET state = 'retry', start_after = now() WHERE name = 'deliver-mail' AND state = 'active'`.execute(
    fixture.db.owner,
  );
  const pool = new AppPool(fixture.settings);
  await pool.start(1);
  try {
    return await untilSent(fixture);
  } finally {
    await pool.stop();
  }
}

/** When each mail arrived; copies of a mail share their Message-ID. */
function copiesOf({ received }: SmtpSink): { id: string; at: Date[] }[] {
  const copies = new Map<string, Date[]>();
  for (const { raw, at } of received) {
    const id = /^Message-ID: <([^@]+)@/im.exec(raw)![1]!; // every mail has one
    copies.set(id, [...(copies.get(id) ?? []), at]);
  }
  return [...copies].map(([id, at]) => ({ id, at }));
}

/** How many mails the table calls sent that the mail server never had. */
async function missing({ db }: Fixture, sink: SmtpSink): Promise<number> {
  const came = new Set(copiesOf(sink).map(({ id }) => id));
  const sent = await db.owner
    .selectFrom('mails')
    .select('id')
    .where('sent_at', 'is not', null)
    .execute();
  return sent.filter(({ id }) => !came.has(id)).length;
}
