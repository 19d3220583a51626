import { capturesOf } from '../harness/checker.ts';
import { openClient, type Call } from '../harness/client.ts';
import { newCard } from '../harness/orders.ts';
import { inLanes } from '../harness/lanes.ts';
import { simulatorNumbers } from '../harness/simulator/instruments.ts';
import { mustBe, mustBeAtMost, reported, type Figure, type Proof } from '../harness/proof.ts';
import { limits } from '@gatehouse/server/src/config/limits.ts';
import { sql } from 'kysely';
import type { Person } from '../harness/actors.ts';
import { payByLinkCall, payLinkCall, payLinkOf } from '../harness/pay-links.ts';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';
import { untilSome } from '../harness/until.ts';

/** What the simulator declines. */
const DECLINED = [simulatorNumbers.decline, simulatorNumbers.hardDecline];
const LANES = 16;
const TRIED_BY_LINK = 60;
const MOST = limits['declines-an-hour'].most;

/**
 * T22: an attacker tries stolen cards, in five names by autopay alone, in one by payments too, and
 * in one by a pay link, over two servers at once, under the limits of an operator.
 */
export const cardTesting: Proof<{ cards: number }> = {
  name: 'T22',
  title: 'Stolen cards tried by payments and autopay, many at once, over two servers',
  sizes: { small: { cards: 100 }, full: { cards: 500 } },
  async run({ cards }, _seed, stage) {
    await using site = await openSite(stage, { limits: 'real', servers: 2 });
    const { simulator, actors } = site;
    const byAutopay = await tryByAutopay(site);
    const clients = site.addresses.map((address) => openClient(address));
    const statuses = new Map<number, number>();
    const before = await simulator.calls();
    await inLanes(cards, LANES, async (index) => {
      const call = index % 3 === 2 ? keep(actors.a, index) : pay(actors.a, index);
      const { status } = await clients[index % clients.length]!.send(call);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    const calls = (await simulator.calls()) - before;
    const good = await site.send(pay(actors.a, cards, newCard()));
    const others = await site.send(pay(actors.b, cards, newCard()));
    const byLink = await tryByLink(site);
    const count = (status: number) => statuses.get(status) ?? 0;
    const figures = [
      ...byAutopay,
      ...byLink,
      reported('cards tried', cards),
      mustBeAtMost('calls of the gateway', calls, MOST),
      reported('declined', count(402)),
      mustBe(
        'declined, refused, or asked to wait for the one before',
        count(402) + count(429) + count(409),
        cards,
      ),
      mustBe('answer to a good card of the same tenant', good.status, 429),
      mustBe('answer to another tenant’s', others.status, 200),
      mustBe('captures', capturesOf(await simulator.journal()).length, 1),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
    for (const client of clients) client.close();
    return figures;
  },
};

/**
 * Everybody tries cards by autopay alone, until they may no more; what was counted goes in the end.
 */
async function tryByAutopay(site: Site): Promise<Figure[]> {
  const { a, b, c, d, e } = site.actors;
  const { owner } = site.db;
  const statuses: number[] = [];
  for (const person of [a, b, c, d, e])
    for (let index = 0; index <= MOST; index += 1)
      statuses.push((await site.send(keep(person, index))).status);
  // As its time of day would have it.
  await sql`INSERT INTO pgboss.job (name) VALUES ('watch-declines')`.execute(owner);
  const alarms = () =>
    owner.selectFrom('alarms').select('id').where('kind', '=', 'decline_rate').execute();
  await untilSome(async () => (await alarms()).length);
  const raised = (await alarms()).length;
  await sql`DELETE FROM limit_counts`.execute(owner);
  return [
    mustBe(
      'cards declined of five people by autopay alone',
      statuses.filter((status) => status === 402).length,
      5 * MOST,
    ),
    mustBe('alarms of it', raised, 1),
  ];
}

/** Whoever has found a pay link tries cards by it. */
async function tryByLink(site: Site): Promise<Figure[]> {
  const { ledgerId } = site.actors.c.records[0].owing;
  const link = payLinkOf(await site.send(await payLinkCall(site, ledgerId)));
  const before = await site.simulator.calls();
  const statuses: number[] = [];
  await inLanes(TRIED_BY_LINK, LANES, async (index) => {
    statuses.push((await site.send(payByLinkCall(link, stolenCard(index)))).status);
  });
  return [
    mustBeAtMost(
      'calls of the gateway by a pay link',
      (await site.simulator.calls()) - before,
      MOST,
    ),
    mustBe(
      'cards by it that were declined, refused, or asked to wait',
      statuses.filter((status) => [402, 429, 409].includes(status)).length,
      TRIED_BY_LINK,
    ),
  ];
}

function stolenCard(index: number) {
  return newCard(DECLINED[index % DECLINED.length]);
}

function pay(
  { token, records: [record] }: Person,
  index: number,
  method = stolenCard(index),
): Call {
  const ids = idsOf(record);
  const payments = [{ ledgerId: ids.ledgerId, unitId: ids.unitId, amount: 1 }];
  return callOf('makePayment', ids, {
    token,
    body: { payments, ...method },
    headers: { 'idempotency-key': `card ${index}` },
  });
}

function keep({ token, records: [record] }: Person, index: number): Call {
  return callOf('updateAutopay', idsOf(record), { token, body: stolenCard(index) });
}
