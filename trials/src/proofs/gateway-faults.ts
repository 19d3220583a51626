import { randomUUID } from 'node:crypto';
import { capturesOf } from '../harness/checker.ts';
import { newAccount, newCard } from '../harness/orders.ts';
import { openFixture } from '../harness/fixture.ts';
import type { Simulator } from '../harness/simulator.ts';
import { untilNoneLeft } from '../harness/until.ts';
import { inLanes } from '../harness/lanes.ts';
import { divide, judgedIf, mustBe, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';
import { randomOf } from '../harness/random.ts';
import { faults } from '../harness/simulator/journal.ts';

/** Holding is R2's. */
const scripted = faults.filter((fault) => fault !== 'held');
/** Those that charge at once; the others charge late or never. */
const chargingFaults = scripted.filter((fault) => !/before charge|slow/.test(fault));
/** Payments that wait for their outcome side by side. */
const LANES = 270;

/**
 * How late the slow charge comes: after every caller stopped waiting and the payment was voided.
 */
const SLOW_SECONDS = { small: 20, full: 30 };

/** The payments by each fault in a part of the full size, at which times are judged. */
const PART = 100;

/** R10: the gateway fails in every way while it charges, and the tenant asks again. */
export const gatewayFaults: Proof<{ each: number }> = {
  name: 'R10',
  title: `${scripted.length} faults of the gateway`,
  sizes: { small: { each: 5 }, full: { each: 500 } },
  parts: (size) => divide(size, Math.ceil(size.each / PART)),
  async run({ each }, seed, stage) {
    const slowSeconds = each < PART ? SLOW_SECONDS.small : SLOW_SECONDS.full;
    const random = randomOf(seed);
    const count = scripted.length * each;
    await using fixture = await openFixture(stage, {
      servers: 2,
      world: { payers: Math.ceil(count / 5), rentals: 5, owedCents: () => 90_000_000 },
      slowMs: slowSeconds * 1000,
    });
    const { pool, driver, simulator } = fixture;
    const found = { otherwise: 0, unpaid: 0, worstSeconds: 0 };
    await inLanes(count, LANES, async (index) => {
      const payer = fixture.payers[Math.floor(index / 5)]!;
      const { ledgerId, unitId } = payer.rentals[index % 5]!;
      // Only of this payment: by it the simulator knows which fault to have.
      const cents = 1000 + index;
      await simulator.script(cents, scripted[index % scripted.length]!);
      const order = {
        name: scripted[index % scripted.length]!,
        payer,
        lines: [{ ledgerId, unitId, cents }],
        method: random.pick([
          newCard(),
          newAccount(),
          { creditCard: { paymentMethodId: payer.savedCard } },
        ]),
        key: randomUUID(),
      };
      const begun = performance.now();
      const first = await driver.send((await pool.next()).address, order);
      const isAsItMustBe =
        order.name === 'refused before charge'
          ? first.status === 503 && first.message.includes('You were not charged')
          : first.status === 409 && first.message.includes('is being confirmed');
      if (!isAsItMustBe) found.otherwise += 1;
      const last = await driver.sendUntilFinal(pool, order);
      if (last.receipt === null) found.unpaid += 1;
      found.worstSeconds = Math.max(found.worstSeconds, (performance.now() - begun) / 1000);
    });
    const { refused, foundInTime } = await endOfSlowCharges(simulator, each);
    const captures = capturesOf(await simulator.journal());
    const unanswered = captures.filter(({ fault }) =>
      chargingFaults.some((one) => one === fault),
    ).length;
    return [
      mustBe(
        'charges that were made and not answered well',
        unanswered,
        chargingFaults.length * each,
      ),
      mustBe('first answers without the state of the payment', found.otherwise, 0),
      mustBe('payments that did not end with a receipt', found.unpaid, 0),
      mustBe('captures', captures.length, count),
      mustBe(
        'slow charges that were refused after the void, or found in time',
        refused + foundInTime,
        each,
      ),
      reported('slow charges that were refused after the void', refused),
      judgedIf(
        each >= PART,
        mustBeAtMost('seconds until the tenant had a receipt', found.worstSeconds, 60),
      ),
      mustBe(
        'answers of 503, one for each charge that the gateway did not take up',
        driver.statuses.get(503) ?? 0,
        each,
      ),
      ...(await fixture.check(503)),
      reported(
        'requests in all',
        [...driver.statuses.values()].reduce((sum, value) => sum + value, 0),
      ),
    ];
  },
};

/**
 * A slow charge comes when its payment was long made anew: waits for all of them.
 */
async function endOfSlowCharges(simulator: Simulator, expected: number) {
  const come = { refused: 0, foundInTime: 0 };
  await untilNoneLeft(async () => {
    const journal = await simulator.journal();
    come.refused = journal.filter(({ kind }) => kind === 'refused').length;
    come.foundInTime = capturesOf(journal).filter(({ fault }) => fault === 'slow').length;
    return Math.max(0, expected - come.refused - come.foundInTime);
  });
  return come;
}
