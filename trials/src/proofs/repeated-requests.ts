import { randomUUID } from 'node:crypto';
import { testClockShift } from '@gatehouse/server/test/test-day.ts';
import { AppPool } from '../harness/app-pool.ts';
import { capturesOf } from '../harness/checker.ts';
import { newAccount, newCard, type Order } from '../harness/orders.ts';
import { openFixture } from '../harness/fixture.ts';
import type { Payer } from '../harness/world.ts';
import { inLanes } from '../harness/lanes.ts';
import { divide, mustBe, reported, type Proof } from '../harness/proof.ts';
import { randomOf, type Random } from '../harness/random.ts';

const OWED = 20_000;
const UNITS = 5;
const LANES = 32;
/** When the same request comes again, in milliseconds after the first two. */
const AGAIN = [
  { name: 'a second', ms: 1000 },
  { name: 'a minute', ms: 60_000 },
  { name: 'an hour', ms: 3_600_000 },
];

/** R12: the same payment twice at once, and again later. */
export const repeatedRequests: Proof<{ trials: number }> = {
  name: 'R12',
  title: 'The same request twice at once, and again after a second, a minute and an hour',
  sizes: { small: { trials: 100 }, full: { trials: 5000 } },
  parts: (size) => divide(size, Math.ceil(size.trials / 500)),
  async run({ trials }, seed, stage) {
    const random = randomOf(seed);
    await using fixture = await openFixture(stage, {
      servers: 2,
      world: {
        payers: Math.ceil(trials / UNITS),
        rentals: UNITS,
        owedCents: () => OWED,
        sessionsAt: [0, ...AGAIN.map(({ ms }) => ms)],
      },
      latencyMs: 10,
    });
    const { driver, simulator, settings } = fixture;
    const orders = Array.from({ length: trials }, (_, index) =>
      chooseOrder(random, index, fixture.payers),
    );
    const receipts = new Map<string, Set<string>>(orders.map(({ name }) => [name, new Set()]));
    const noted = async (pool: AppPool, order: Order) => {
      const answer = await driver.send((await pool.next()).address, order);
      receipts.get(order.name)!.add(JSON.stringify(answer.receipt ?? answer.status));
      return answer;
    };
    let odd = 0;
    await inLanes(trials, LANES, async (index) => {
      const answers = await Promise.all([
        noted(fixture.pool, orders[index]!),
        noted(fixture.pool, orders[index]!),
      ]);
      const isFine = answers.every(({ status }) => status === 200 || status === 409);
      if (!isFine || answers.every(({ status }) => status === 409)) odd += 1;
      receipts.get(orders[index]!.name)!.delete('409');
    });
    await fixture.pool.stop();
    let later = 0;
    for (const [place, { ms }] of AGAIN.entries()) {
      // Its clock is ahead: to it, whatever is under way elsewhere would be long overdue. So it
      // serves alone.
      const pool = new AppPool({ ...settings, clockShiftMs: testClockShift() + ms });
      await pool.start(2);
      await inLanes(trials, LANES, async (index) => {
        const order = orders[index]!;
        if (isNewAfter(order, ms)) return;
        later += 1;
        const { status } = await noted(pool, { ...order, session: place + 1 });
        if (status !== 200) odd += 1;
      });
      await pool.stop();
    }
    return [
      mustBe('captures', capturesOf(await simulator.journal()).length, trials),
      mustBe(
        'trials with another receipt than the first',
        [...receipts.values()].filter(({ size }) => size !== 1).length,
        0,
      ),
      mustBe('answers that were neither the receipt nor, at once, 409', odd, 0),
      reported('sent again later', later),
      ...(await fixture.check()),
    ];
  },
};

/** Its own ledger, in full or in part, with a key or without. */
function chooseOrder(random: Random, index: number, payers: Payer[]): Order {
  const payer = payers[Math.floor(index / UNITS)]!;
  const { ledgerId, unitId } = payer.rentals[index % UNITS]!;
  return {
    name: `trial ${index}`,
    payer,
    lines: [{ ledgerId, unitId, cents: random.pick([OWED, random.between(1, OWED / 4)]) }],
    method: random.pick([
      newCard(),
      newAccount(),
      { creditCard: { paymentMethodId: payer.savedCard } },
    ]),
    ...(random.next() < 0.5 && { key: randomUUID() }),
  };
}

/** Without a key, the same part of a debt is another payment after ten minutes (D3). */
function isNewAfter({ key, lines }: Order, ms: number): boolean {
  return key === undefined && lines[0]!.cents < OWED && ms > 600_000;
}
