import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { login } from '@gatehouse/contract/sign-in';
import type { DatabaseTransaction } from '@gatehouse/server/src/db/database.ts';
import { PASSWORD, type Person } from '../harness/actors.ts';
import { BEHIND_PROXY } from '../harness/app-process.ts';
import type { Call } from '../harness/client.ts';
import { floodUntil } from '../harness/lanes.ts';
import { newCard } from '../harness/orders.ts';
import { mustBe, mustBeAtLeast, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';
import type { Figure } from '../harness/proof.ts';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';
import { untilSome } from '../harness/until.ts';

/** Where the flood and all others call from, as a proxy of ours reports it. */
const FLOOD = { 'x-forwarded-for': '198.51.100.1' };
const OTHER = { 'x-forwarded-for': '203.0.113.7' };
/** More than the places and the queue of the usual calls, or of sign-ins, together. */
const READERS = 260;
const GUESSERS = 80;
/** As many as have places at once, all by one tenant. */
const PAYMENTS = 64;
/** Of the pool's ten. */
const MOST_CONNECTIONS = 4;

/** T23: what all share, filled by one client or tenant. R18 to R21 are the rest of it. */
export const unfairShares: Proof<{ calls: number }> = {
  name: 'T23',
  title: 'One client that fills the places of a class, and one tenant the connections',
  sizes: { small: { calls: 30 }, full: { calls: 300 } },
  async run({ calls }, _seed, stage) {
    await using site = await openSite(stage, { env: BEHIND_PROXY });
    const { a, b } = site.actors;
    const reads = await floodWith(site, {
      what: 'reads',
      flood: () => ({ ...readOf(a), headers: FLOOD }),
      lanes: READERS,
      own: { ...readOf(b), headers: OTHER },
      calls,
    });
    const guesses = await floodWith(site, {
      what: 'sign-ins',
      flood: () => ({ ...signInOf(`${randomUUID()}@example.com`), headers: FLOOD }),
      lanes: GUESSERS,
      own: { ...signInOf(b.email), headers: OTHER },
      calls: Math.ceil(calls / 10),
    });
    return [
      ...reads,
      ...guesses,
      ...(await holdLocks(site, calls)),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

/**
 * This many calls of one client at once, each sent again as soon as it is answered, while another
 * client calls.
 */
async function floodWith(
  site: Site,
  given: { what: string; flood: () => Call; lanes: number; own: Call; calls: number },
): Promise<Figure[]> {
  const { what, flood, lanes, own, calls } = given;
  let shed = 0;
  const statuses: number[] = [];
  await floodUntil(
    lanes,
    async () => {
      if ((await site.send(flood())).status >= 429) shed += 1;
    },
    async () => {
      await untilSome(() => shed);
      while (statuses.length < calls) statuses.push((await site.send(own)).status);
    },
  );
  return [
    reported(`${what} of the flood that were refused`, shed),
    mustBe(
      `${what} of another client that were not answered with 200`,
      statuses.filter((status) => status !== 200).length,
      0,
    ),
  ];
}

/** Payments of one tenant on a ledger that is locked, while another tenant reads. */
async function holdLocks(site: Site, calls: number): Promise<Figure[]> {
  const { a, b } = site.actors;
  const { ledgerId, unitId } = a.records[0].owing;
  const payment = callOf('makePayment', idsOf(a.records[0]), {
    token: a.token,
    headers: FLOOD,
    body: { payments: [{ ledgerId, unitId, amount: 1.5 }], ...newCard() },
  });
  return site.db.owner.transaction().execute(async (trx) => {
    await sql`SELECT FROM ledgers WHERE id = ${ledgerId} FOR UPDATE`.execute(trx);
    let [most, refused] = [0, 0];
    const look = async () => {
      const waiting = await countWaiting(trx);
      most = Math.max(most, waiting);
      return waiting;
    };
    await floodUntil(
      PAYMENTS,
      () => site.send(payment),
      async () => {
        await untilSome(look);
        for (let nth = 0; nth < calls; nth += 1) {
          const { status } = await site.send({ ...readOf(b), headers: OTHER });
          if (status !== 200) refused += 1;
          await look();
        }
      },
    );
    return [
      mustBeAtLeast('connections that one tenant’s payments held, waiting for a lock', most, 1),
      mustBeAtMost('most of them at once', most, MOST_CONNECTIONS),
      mustBe('reads of another tenant meanwhile that were not answered with 200', refused, 0),
    ];
  });
}

async function countWaiting(trx: DatabaseTransaction): Promise<number> {
  await sql`SELECT pg_stat_clear_snapshot()`.execute(trx);
  const { rows } = await sql`SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`.execute(trx);
  return rows.length;
}

function readOf({ token, records: [record] }: Person): Call {
  return callOf('listLedgers', idsOf(record), { token });
}

function signInOf(username: string): Call {
  const body = { username, password: PASSWORD, locationCode: 'TXDFW03', corporationCode: 'ANCHOR' };
  return { method: 'POST', path: `/api${login.path}`, body };
}
