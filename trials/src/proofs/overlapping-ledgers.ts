import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { newAccount, newCard } from '../harness/orders.ts';
import { sampleOf } from '../harness/sample.ts';
import { openFixture } from '../harness/fixture.ts';
import { inLanes } from '../harness/lanes.ts';
import { divide, mustBe, reported, type Proof } from '../harness/proof.ts';
import { randomOf } from '../harness/random.ts';

const TENANTS = 16;
const UNITS = 20;
const LEDGERS_A_PAYMENT = 10;
/** Payments under way at a time: several of every tenant's. */
const LANES = 64;

/** R4: payments of ten units each, named in any order, that overlap with others under way. */
export const overlappingLedgers: Proof<{ payments: number }> = {
  name: 'R4',
  title: 'Concurrent payments of overlapping sets of ten ledgers',
  sizes: { small: { payments: 200 }, full: { payments: 5000 } },
  parts: (size) => divide(size, Math.ceil(size.payments / 1000)),
  async run({ payments }, seed, stage) {
    const random = randomOf(seed);
    const world = { payers: TENANTS, rentals: UNITS, owedCents: () => 90_000_000 };
    await using fixture = await openFixture(stage, { servers: 2, world, latencyMs: 5 });
    const { pool, driver, db } = fixture;
    let paid = 0;
    await inLanes(payments, LANES, async (index) => {
      const payer = random.pick(fixture.payers);
      const lines = sampleOf(random, payer.rentals, LEDGERS_A_PAYMENT).map(
        ({ ledgerId, unitId }) => ({
          ledgerId,
          unitId,
          cents: random.between(1, 500),
        }),
      );
      const method = random.pick([
        newCard(),
        newAccount(),
        { creditCard: { paymentMethodId: payer.savedCard } },
      ]);
      const order = { name: `payment ${index}`, payer, lines, method, key: randomUUID() };
      const { status } = await driver.sendUntilFinal(pool, order);
      if (status === 200) paid += 1;
    });
    const { rows } = await sql<{ deadlocks: number }>`
      SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`.execute(db.owner);
    return [
      mustBe('payments that ended with a receipt', paid, payments),
      mustBe('deadlocks that PostgreSQL had to end', rows[0]!.deadlocks, 0),
      reported(
        'answered 409 first, because a unit was in another payment',
        driver.statuses.get(409) ?? 0,
      ),
      ...(await fixture.check()),
    ];
  },
};
