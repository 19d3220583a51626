import { randomUUID } from 'node:crypto';
import { failpoints, type FailpointName } from '@gatehouse/server/src/config/failpoints.ts';
import { startApp, type AppProcess } from '../harness/app-process.ts';
import { newAccount, newCard, type Order } from '../harness/orders.ts';
import { shuffled } from '../harness/sample.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { OpenWatch } from '../harness/open-watch.ts';
import type { Payer } from '../harness/world.ts';
import { inLanes } from '../harness/lanes.ts';
import { judgedIf, mustBe, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';
import { randomOf } from '../harness/random.ts';
import { findRows } from '@gatehouse/server/test/rows.ts';

type Case = { failpoint: FailpointName; type: 'card' | 'ACH'; ledgers: number };

const cases: Case[] = failpoints.flatMap((failpoint) =>
  (['card', 'ACH'] as const).flatMap((type) =>
    [1, 3].map((ledgers) => ({ failpoint, type, ledgers })),
  ),
);
/** Servers that are armed, asked and die side by side. */
const LANES = 3;

/** R2: a server dies at every named moment of a payment, and the tenant asks again. */
export const killAtFailpoint: Proof<{ each: number }> = {
  name: 'R2',
  title: `A kill at each of ${failpoints.length} failpoints, by card and ACH, of one and of many ledgers`,
  sizes: { small: { each: 1 }, full: { each: 50 } },
  parts: ({ each }) =>
    Array.from({ length: Math.ceil(each / 5) }, (_, part) => ({
      each: Math.min(5, each - part * 5),
    })),
  async run({ each }, seed, stage) {
    const count = cases.length * each;
    await using fixture = await openFixture(stage, {
      servers: 2,
      world: { payers: count, rentals: 3, owedCents: () => 90_000_000 },
    });
    const watch = new OpenWatch(fixture.db.owner);
    const order = shuffled(
      randomOf(seed),
      Array.from({ length: count }, (_, index) => index),
    );
    const retries: Promise<void>[] = [];
    const found = { killed: 0, deadEarly: 0, unpaid: 0, otherReceipt: 0 };
    const held = listenForHeld(fixture);
    await inLanes(count, LANES, async (place) => {
      const index = order[place]!;
      const one = cases[index % cases.length]!;
      const payment = orderOf(one, index, fixture.payers[index]!);
      found.deadEarly += await killAt(one.failpoint, fixture, payment, held);
      watch.killed();
      found.killed += 1;
      retries.push(
        retry(fixture, payment).then(({ isPaid, isSame }) => {
          found.unpaid += isPaid ? 0 : 1;
          found.otherReceipt += isSame ? 0 : 1;
        }),
      );
    });
    await Promise.all(retries);
    await watch.end();
    const figures = await fixture.check();
    return [
      mustBe('servers killed at a failpoint', found.killed, count),
      ...figures,
      mustBe('retries that did not end with a receipt', found.unpaid, 0),
      mustBe('retries with another receipt than the first', found.otherReceipt, 0),
      judgedIf(
        each > 1,
        mustBeAtMost('seconds from a kill until its payment was resolved', watch.worstSeconds, 60),
      ),
      reported('armed servers that died while they resolved an earlier kill', found.deadEarly),
    ];
  },
};

/** The amount is only of this payment: by it the simulator knows which to hold. */
function orderOf({ type, ledgers }: Case, index: number, payer: Payer): Order {
  const total = 1000 + index;
  const lines = payer.rentals.slice(0, ledgers).map(({ ledgerId, unitId }, place) => ({
    ledgerId,
    unitId,
    cents: place === 0 ? total - (ledgers - 1) * 100 : 100,
  }));
  return {
    name: `payment ${index}`,
    payer,
    lines,
    method: type === 'card' ? newCard() : newAccount(),
    key: randomUUID(),
  };
}

function listenForHeld({ simulator }: Fixture): Map<number, () => void> {
  const held = new Map<number, () => void>();
  simulator.onHeld((_, amountCents) => held.get(amountCents)?.());
  return held;
}

/**
 * Has a server die at the failpoint while it takes the payment. Answers how many died before they
 * were asked.
 */
async function killAt(
  failpoint: FailpointName,
  fixture: Fixture,
  order: Order,
  held: Map<number, () => void>,
): Promise<number> {
  const cents = order.lines.reduce((sum, line) => sum + line.cents, 0);
  for (let deadEarly = 0; ; deadEarly += 1) {
    // Only the gateway knows what it has accepted: it holds its answer, and the harness kills.
    const isHeld = failpoint === 'after-accept';
    const app = startApp(isHeld ? fixture.settings : { ...fixture.settings, failpoint });
    if (!(await app.ready)) continue;
    if (isHeld) {
      held.set(cents, () => app.kill());
      await fixture.simulator.script(cents, 'held');
    }
    const { status } = await fixture.driver.send(app.address, order);
    if (status !== 0)
      throw new Error(`${failpoint} was not met: the payment was answered ${status}`);
    if (await diedAtFailpoint(app, fixture, order)) return deadEarly;
  }
}

/**
 * A server may have died of an earlier payment's resolution, before it took this one: then another
 * is asked.
 */
async function diedAtFailpoint(app: AppProcess, { db }: Fixture, { key }: Order): Promise<boolean> {
  await app.gone;
  const begun = await findRows(db.owner, 'payment_intents', 'id', { idempotency_key: key! });
  return begun.length > 0;
}

/** Asks until there is an answer, and once more: the receipt is the same. */
async function retry(
  { driver, pool }: Fixture,
  order: Order,
): Promise<{ isPaid: boolean; isSame: boolean }> {
  const first = await driver.sendUntilFinal(pool, order);
  const second = await driver.sendUntilFinal(pool, order);
  return {
    isPaid: first.receipt !== null,
    isSame: JSON.stringify(first.receipt) === JSON.stringify(second.receipt),
  };
}
