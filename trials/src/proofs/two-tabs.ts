import { randomUUID } from 'node:crypto';
import { capturesOf } from '../harness/checker.ts';
import { newAccount, newCard, type Order } from '../harness/orders.ts';
import { openFixture } from '../harness/fixture.ts';
import { inLanes } from '../harness/lanes.ts';
import { divide, mustBe, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';
import { randomOf, type Random } from '../harness/random.ts';
import type { Payer } from '../harness/world.ts';

const UNITS = 5;
const LANES = 24;

/** R13: two tabs pay one ledger at once, other amounts by other methods. */
export const twoTabs: Proof<{ races: number }> = {
  name: 'R13',
  title: 'Two tabs with different amounts and cards',
  sizes: { small: { races: 50 }, full: { races: 2000 } },
  parts: (size) => divide(size, Math.ceil(size.races / 500)),
  async run({ races }, seed, stage) {
    const random = randomOf(seed);
    await using fixture = await openFixture(stage, {
      servers: 2,
      world: {
        payers: Math.ceil(races / UNITS),
        rentals: UNITS,
        owedCents: () => random.between(100, 50_000),
      },
      latencyMs: 10,
    });
    const { pool, driver, db, simulator } = fixture;
    const found = { both: 0, one: 0, none: 0, odd: 0 };
    await inLanes(races, LANES, async (index) => {
      const payer = fixture.payers[Math.floor(index / UNITS)]!;
      const answers = await Promise.all(
        tabsOf(random, payer, index % UNITS).map((order) => driver.sendUntilFinal(pool, order)),
      );
      const paid = answers.filter(({ status }) => status === 200).length;
      found[paid === 2 ? 'both' : paid === 1 ? 'one' : 'none'] += 1;
      if (answers.some(({ status }) => status !== 200 && status !== 422)) found.odd += 1;
    });
    const owed = new Map(
      fixture.payers.flatMap(({ rentals }) => rentals.map((one) => [one.ledgerId, one.owedCents])),
    );
    const parts = await db.owner
      .selectFrom('payment_intent_ledgers')
      .select(['intent_id', 'ledger_id'])
      .execute();
    const ledgerOf = new Map(parts.map(({ intent_id, ledger_id }) => [intent_id, ledger_id]));
    const captured = new Map<string, number>();
    for (const { reference, amountCents } of capturesOf(await simulator.journal())) {
      const ledgerId = ledgerOf.get(reference)!;
      captured.set(ledgerId, (captured.get(ledgerId) ?? 0) + amountCents);
    }
    const overpaid = [...captured].filter(
      ([ledgerId, cents]) => cents > owed.get(ledgerId)!,
    ).length;
    const most = Math.max(...[...captured].map(([ledgerId, cents]) => cents / owed.get(ledgerId)!));
    return [
      mustBe('races', found.both + found.one + found.none, races),
      mustBe('ledgers of which more was captured than owed', overpaid, 0),
      mustBeAtMost('largest share of a balance that was captured', most, 1),
      mustBe('races without a payment', found.none, 0),
      mustBe('final answers other than a receipt or 422', found.odd, 0),
      reported('races in which both paid', found.both),
      reported('races in which one paid', found.one),
      ...(await fixture.check()),
    ];
  },
};

/** Half of the tabs send a key; the two amounts differ and are together often more than is owed. */
function tabsOf(random: Random, payer: Payer, unit: number): Order[] {
  const { ledgerId, unitId, owedCents } = payer.rentals[unit]!;
  const first = random.between(1, owedCents);
  const other = random.between(1, owedCents - 1);
  const amounts = [first, other >= first ? other + 1 : other];
  return amounts.map((cents, tab) => ({
    name: `${ledgerId} tab ${tab}`,
    payer,
    lines: [{ ledgerId, unitId, cents }],
    method: tab === 0 ? newCard() : random.pick([newCard('5555555555554444'), newAccount()]),
    ...(random.next() < 0.5 && { key: randomUUID() }),
  }));
}
