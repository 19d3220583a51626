import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { capturesOf } from '../harness/checker.ts';
import { type Answer } from '../harness/driver.ts';
import { newAccount, newCard, type Order } from '../harness/orders.ts';
import { openFixture } from '../harness/fixture.ts';
import { mustBe, mustBeAtLeast, reported, type Proof } from '../harness/proof.ts';
import { randomOf } from '../harness/random.ts';
import { makeMember, sendVerb, type StaffAnswer } from '../harness/staff.ts';
import { checkStaffActions } from '../harness/staff-checker.ts';
import type { Rental } from '../harness/world.ts';
import { findRows, getRow } from '@gatehouse/server/test/rows.ts';

const OWED = 25_000;
/** Of each ledger that staff take part in: payments by tenants, and calls of two clerks. */
const TABS = 12;
const PRESSES = 6;

/**
 * R3: all tabs pay the whole balance of one ledger at once, with and without a key, by several
 * methods; then of further ledgers, while two clerks take it in cash.
 */
export const wholeBalanceAtOnce: Proof<{ payments: number; withStaff: number }> = {
  name: 'R3',
  title: 'Concurrent payments of the whole balance of one ledger',
  sizes: { small: { payments: 200, withStaff: 5 }, full: { payments: 1000, withStaff: 100 } },
  async run({ payments, withStaff }, seed, stage) {
    const random = randomOf(seed);
    await using fixture = await openFixture(stage, {
      servers: 2,
      world: { payers: 1, rentals: 1 + withStaff, owedCents: () => OWED },
    });
    const { pool, driver, db, simulator } = fixture;
    const payer = fixture.payers[0]!;
    const [{ ledgerId, unitId }, ...others] = payer.rentals as [Rental, ...Rental[]];
    const lowest = watchBalance(db.owner);
    const order = (rental: Rental, name: string, key: string | undefined): Order => ({
      name,
      payer,
      lines: [{ ledgerId: rental.ledgerId, unitId: rental.unitId, cents: OWED }],
      method: random.pick([
        newCard(),
        newAccount(),
        { creditCard: { paymentMethodId: payer.savedCard } },
      ]),
      ...(key !== undefined && { key }),
    });
    const tabs = tabKeys();
    const answers = await Promise.all(
      Array.from({ length: payments }, async (_, index) => {
        const one = order(
          { ledgerId, unitId, owedCents: OWED },
          `payment ${index}`,
          random.pick(tabs),
        );
        return driver.send((await pool.next()).address, one);
      }),
    );
    const clerks = [await makeMember(db.owner, 'clerk'), await makeMember(db.owner, 'clerk')];
    const taken: StaffAnswer[] = [];
    const mixed: Answer[] = [];
    for (const [number, rental] of others.entries()) {
      const [tenants, staff] = [tabKeys(), [randomUUID(), randomUUID(), randomUUID()]];
      const cash = { ledgerIds: [rental.ledgerId], type: 'cash', amount: OWED / 100 };
      await Promise.all([
        ...Array.from({ length: TABS }, async (_, index) => {
          const one = order(rental, `payment ${number}.${index}`, random.pick(tenants));
          mixed.push(await driver.send((await pool.next()).address, one));
        }),
        ...Array.from({ length: PRESSES }, async () => {
          const { address } = await pool.next();
          // A tenant's request goes out once it is on the disk: else cash would always be first.
          if (number % 2 === 0)
            await driver.caller.call(address, { method: 'GET', path: '/readyz' });
          const [clerk, key] = [random.pick(clerks), random.pick(staff)];
          taken.push(await sendVerb(driver.caller, clerk, address, 'payments.record', cash, key));
        }),
      ]);
    }
    const ledgerOf = new Map(
      (await findRows(db.owner, 'payment_intent_ledgers', ['intent_id', 'ledger_id'])).map(
        ({ intent_id, ledger_id }) => [intent_id, ledger_id],
      ),
    );
    const all = capturesOf(await simulator.journal()).map((capture) => ({
      ...capture,
      ledgerId: ledgerOf.get(capture.reference)!,
    }));
    const captures = all.filter((capture) => capture.ledgerId === ledgerId);
    const settled = (rental: Rental) =>
      all.filter((capture) => capture.ledgerId === rental.ledgerId).length +
      cashOf(taken, rental.ledgerId);
    const { balance_cents: balance } = await getRow(db.owner, 'ledgers', 'balance_cents', {
      id: ledgerId,
    });
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
      mustBe(
        'ledgers that staff and tenants paid at once other than by one payment',
        others.filter((rental) => settled(rental) !== 1).length,
        0,
      ),
      mustBe(
        'answers of theirs that are no receipt, no 409 and no 422',
        mixed.filter(isOdd).length,
        0,
      ),
      reported(
        'of them paid in cash',
        others.filter((rental) => cashOf(taken, rental.ledgerId) > 0).length,
      ),
      ...(await checkStaffActions(
        db.owner,
        taken,
        new Map(payer.rentals.map((rental) => [rental.ledgerId, OWED])),
        all,
      )),
      ...(await fixture.check()),
    ];
  },
};

/** Two requests without a key for each with one of two. */
function tabKeys(): (string | undefined)[] {
  return [undefined, undefined, randomUUID(), randomUUID()];
}

/** Payments in cash for a ledger: the same key answers the same again. */
function cashOf(taken: StaffAnswer[], ledgerId: string): number {
  return new Set(
    taken.flatMap(({ key, reply }) =>
      reply?.payments?.some((payment) => payment.ledgerId === ledgerId) ? key : [],
    ),
  ).size;
}

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
