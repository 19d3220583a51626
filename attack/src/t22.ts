import { capturesOf } from '@gatehouse/proof/src/harness/checker.ts';
import { newCard } from '@gatehouse/proof/src/harness/driver.ts';
import { inLanes } from '@gatehouse/proof/src/lanes.ts';
import { simulatorNumbers } from '@gatehouse/proof/src/simulator/instruments.ts';
import { mustBe, mustBeAtMost, told, type Proof } from '@gatehouse/proof/src/proof.ts';
import { limits } from '@gatehouse/server/src/limits.ts';
import type { Person } from './harness/cast.ts';
import { openClient, type Call } from './harness/client.ts';
import { callOf, idsOf, openSite } from './harness/site.ts';

/** What the simulator declines. */
const DECLINED = [simulatorNumbers.decline, simulatorNumbers.hardDecline];
const LANES = 16;

/** T22: somebody tries stolen cards, by payments and by autopay, over two servers at once, under the limits of an operator. */
export const t22: Proof<{ cards: number }> = {
  name: 'T22',
  title: 'Stolen cards tried by payments and autopay, many at once, over two servers',
  sizes: { small: { cards: 100 }, full: { cards: 500 } },
  async run({ cards }, _seed, stage) {
    const site = await openSite(stage, { limits: 'real', servers: 2 });
    const { simulator, cast } = site;
    const clients = site.addresses.map(openClient);
    const statuses = new Map<number, number>();
    const before = await simulator.calls();
    await inLanes(cards, LANES, async (index) => {
      const call = index % 3 === 2 ? keep(cast.a, index) : pay(cast.a, index);
      const { status } = await clients[index % clients.length]!.send(call);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    const calls = (await simulator.calls()) - before;
    const good = await site.send(pay(cast.a, cards, newCard()));
    const others = await site.send(pay(cast.b, cards, newCard()));
    const count = (status: number) => statuses.get(status) ?? 0;
    const figures = [
      told('cards tried', cards),
      mustBeAtMost('calls of the gateway', calls, limits['declines-an-hour'].most),
      told('declined', count(402)),
      mustBe('declined, refused, or told to wait for the one before', count(402) + count(429) + count(409), cards),
      mustBe('answer to a good card of the same tenant', good.status, 429),
      mustBe('answer to another tenant’s', others.status, 200),
      mustBe('captures', capturesOf(await simulator.journal()).length, 1),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
    for (const client of clients) client.close();
    await site.close();
    return figures;
  },
};

function stolenCard(index: number) {
  return newCard(DECLINED[index % DECLINED.length]);
}

function pay({ token, records: [record] }: Person, index: number, method = stolenCard(index)): Call {
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
