import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { capturesOf } from '../harness/checker.ts';
import { type Answer } from '../harness/driver.ts';
import { newAccount, newCard } from '../harness/orders.ts';
import { openFixture } from '../harness/fixture.ts';
import { mustBe, mustBeAtLeast, reported, type Proof } from '../harness/proof.ts';
import { randomOf } from '../harness/random.ts';

const OWED = 25_000;

/**
 * R3: everybody pays the whole balance of one ledger at once, with and without a key, by several
 * methods.
 */
export const wholeBalanceAtOnce: Proof<{ payments: number }> = {
  name: 'R3',
  title: 'Concurrent payments of the whole balance of one ledger',
  sizes: { small: { payments: 200 }, full: { payments: 1000 } },
  async run({ payments }, seed, stage) {
    const random = randomOf(seed);
    await using fixture = await openFixture(stage, {
      servers: 2,
      world: { payers: 1, rentals: 1, owedCents: () => OWED },
    });
    const { pool, driver, db, simulator } = fixture;
    const payer = fixture.payers[0]!;
    const { ledgerId, unitId } = payer.rentals[0]!;
    const tabs = [undefined, undefined, randomUUID(), randomUUID()];
    const lowest = watchBalance(db.owner);
    const answers = await Promise.all(
      Array.from({ length: payments }, async (_, index) => {
        const key = random.pick(tabs);
        return driver.send((await pool.next()).address, {
          name: `payment ${index}`,
          payer,
          lines: [{ ledgerId, unitId, cents: OWED }],
          method: random.pick([
            newCard(),
            newAccount(),
            { creditCard: { paymentMethodId: payer.savedCard } },
          ]),
          ...(key !== undefined && { key }),
        });
      }),
    );
    const captures = capturesOf(await simulator.journal());
    const { balance_cents: balance } = await db.owner
      .selectFrom('ledgers')
      .select('balance_cents')
      .where('id', '=', ledgerId)
      .executeTakeFirstOrThrow();
    return [
      mustBe('captures', captures.length, 1),
      mustBe('different receipts among the answers', receiptsOf(answers).size, 1),
      mustBe('balance at the end, in cents', balance, 0),
      mustBeAtLeast('lowest balance met, in cents', await lowest.end(), 0),
      mustBe('answers that are no receipt, no 409 and no 422', answers.filter(isOdd).length, 0),
      reported('answered with the receipt', answers.filter(({ status }) => status === 200).length),
      reported(
        'answered 409, being confirmed',
        answers.filter(({ status }) => status === 409).length,
      ),
      reported(
        'answered 422, another key and nothing owed any more',
        answers.filter(({ status }) => status === 422).length,
      ),
      ...(await fixture.check()),
    ];
  },
};

function receiptsOf(answers: Answer[]): Set<string> {
  return new Set(answers.flatMap(({ receipt }) => receipt?.receiptNumber ?? []));
}

function isOdd({ status }: Answer): boolean {
  return status !== 200 && status !== 409 && status !== 422;
}

/** Samples the lowest balance of all ledgers until it is asked for. */
function watchBalance(owner: Database): { end(): Promise<number> } {
  const stopping = new AbortController();
  let lowest = Infinity;
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      const row = await owner
        .selectFrom('ledgers')
        .select(({ fn }) => fn.min('balance_cents').as('lowest'))
        .executeTakeFirstOrThrow();
      lowest = Math.min(lowest, row.lowest);
      await delay(5);
    }
  })();
  return {
    async end() {
      stopping.abort();
      await ended;
      return lowest;
    },
  };
}
