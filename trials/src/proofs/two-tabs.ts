import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { OfficeVerbName } from '@gatehouse/contract/office/verbs';
import { sql } from 'kysely';
import { capturesOf } from '../harness/checker.ts';
import { newAccount, newCard, type Order } from '../harness/orders.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { inLanes } from '../harness/lanes.ts';
import { divide, mustBe, mustBeAtMost, reported, type Proof } from '../harness/proof.ts';
import { randomOf, type Random } from '../harness/random.ts';
import { makeMember, sendVerb, type Member, type StaffAnswer } from '../harness/staff.ts';
import { checkStaffActions } from '../harness/staff-checker.ts';
import type { Payer, Rental } from '../harness/world.ts';
import { findRows } from '@gatehouse/server/test/rows.ts';

const UNITS = 5;
const LANES = 24;

/** The races of a part of the full size; in fewer, a busy server may ask to come again. */
const PART = 500;

/**
 * R13: two tabs pay one ledger at once, other amounts by other methods. In every other race staff
 * take cash, refund, reverse and waive on the same ledger meanwhile, each by a double click.
 */
export const twoTabs: Proof<{ races: number }> = {
  name: 'R13',
  title: 'Two tabs with different amounts and cards',
  sizes: { small: { races: 50 }, full: { races: 2000 } },
  parts: (size) => divide(size, Math.ceil(size.races / PART)),
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
    const staff = await openStaff(fixture);
    const found = { both: 0, one: 0, none: 0, odd: 0, byStaff: 0 };
    await inLanes(races, LANES, async (index) => {
      const payer = fixture.payers[Math.floor(index / UNITS)]!;
      const rental = payer.rentals[index % UNITS]!;
      const pressed = index % 2 === 1 ? await staff.actionsOn(random, rental) : [];
      const [answers] = await Promise.all([
        Promise.all(
          tabsOf(random, payer, index % UNITS).map((order) => driver.sendUntilFinal(pool, order)),
        ),
        Promise.all(pressed.map((press) => press())),
      ]);
      if (answers.some(({ status }) => status !== 200 && status !== 422)) found.odd += 1;
      if (pressed.length > 0) {
        found.byStaff += 1;
        return;
      }
      const paid = answers.filter(({ status }) => status === 200).length;
      found[paid === 2 ? 'both' : paid === 1 ? 'one' : 'none'] += 1;
    });
    const owed = new Map(
      fixture.payers.flatMap(({ rentals }) => rentals.map((one) => [one.ledgerId, one.owedCents])),
    );
    const parts = await findRows(db.owner, 'payment_intent_ledgers', ['intent_id', 'ledger_id']);
    const ledgerOf = new Map(parts.map(({ intent_id, ledger_id }) => [intent_id, ledger_id]));
    const captured = new Map<string, number>();
    const captures = capturesOf(await simulator.journal()).map((capture) => ({
      ...capture,
      ledgerId: ledgerOf.get(capture.reference)!,
    }));
    for (const { ledgerId, amountCents } of captures) {
      captured.set(ledgerId, (captured.get(ledgerId) ?? 0) + amountCents);
    }
    const overpaid = [...captured].filter(
      ([ledgerId, cents]) => cents > owed.get(ledgerId)!,
    ).length;
    const most = Math.max(...[...captured].map(([ledgerId, cents]) => cents / owed.get(ledgerId)!));
    return [
      mustBe('races', found.both + found.one + found.none + found.byStaff, races),
      mustBe('ledgers of which more was captured than owed', overpaid, 0),
      mustBeAtMost('largest share of a balance that was captured', most, 1),
      mustBe('races of only tabs without a payment', found.none, 0),
      mustBe('final answers other than a receipt or 422', found.odd, 0),
      reported('races in which both paid', found.both),
      reported('races in which one paid', found.one),
      reported('staff actions that were done', staff.countDone()),
      mustBe('double clicks of staff that were done in two ways', staff.countUnlike(), 0),
      mustBe('keys of staff that another body was taken under', staff.reused.length, 0),
      ...(await checkStaffActions(db.owner, staff.answers, owed, captures)),
      ...(await fixture.check(races >= PART ? undefined : 503)),
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

/** The members of staff of all races, and what they were answered. */
async function openStaff({ pool, driver, db: { owner } }: Fixture) {
  const [clerk, manager, other] = [
    await makeMember(owner, 'clerk'),
    await makeMember(owner, 'manager'),
    await makeMember(owner, 'manager'),
  ];
  const { rows: charges } = await sql<{ ledgerId: string; chargeId: string; cents: number }>`
    SELECT c.ledger_id AS "ledgerId", c.entry_id AS "chargeId", e.amount_cents::int AS cents
    FROM charges c JOIN entries e ON e.id = c.entry_id WHERE c.category = 'insurance'`.execute(
    owner,
  );
  const answers: StaffAnswer[] = [];
  const pairs: [StaffAnswer, StaffAnswer][] = [];
  const reused: StaffAnswer[] = [];
  const send = async (member: Member, name: OfficeVerbName, body: object, key: string) =>
    sendVerb(driver.caller, member, (await pool.next()).address, name, body, key);

  /** Presses twice at once; then a call under the same key for something else. */
  async function press(
    member: Member,
    name: OfficeVerbName,
    body: object,
    other: object,
  ): Promise<void> {
    const key = randomUUID();
    const pair = await Promise.all([send(member, name, body, key), send(member, name, body, key)]);
    pairs.push(pair);
    answers.push(...pair);
    if (pair.every(({ status }) => status !== 200)) return;
    const again = await send(member, name, { ...body, ...other }, key);
    if (again.status !== 422) reused.push(again);
  }

  return {
    answers,
    reused,
    countDone: () =>
      new Set(answers.flatMap(({ status, key }) => (status === 200 ? key : []))).size,
    countUnlike: () =>
      pairs.filter(
        ([one, two]) => one.reply && two.reply && !isDeepStrictEqual(one.reply, two.reply),
      ).length,
    /** Takes some cash for a rental, and answers what staff then press at once. */
    async actionsOn(
      random: Random,
      { ledgerId, owedCents }: Rental,
    ): Promise<(() => Promise<void>)[]> {
      const cash = (cents: number) => ({
        ledgerIds: [ledgerId],
        type: 'cash',
        amount: cents / 100,
      });
      const firstCents = random.between(2, Math.floor(owedCents / 4));
      const key = randomUUID();
      const take = () => send(clerk, 'payments.record', cash(firstCents), key);
      let first = await take();
      // A busy server asks to come again.
      for (; first.status !== 200; first = await take()) await delay(250);
      answers.push(first);
      const receiptNumber = first.reply!.receiptNumber!;
      const { chargeId, cents } = charges.find((charge) => charge.ledgerId === ledgerId)!;
      const back = { receiptNumber, amount: random.between(1, firstCents) / 100, way: 'cash' };
      const waived = { chargeId, amount: random.between(1, cents) / 100 };
      const more = cash(random.between(1, owedCents));
      return [
        () => press(clerk, 'payments.record', more, { amount: more.amount + 1 }),
        () => press(manager, 'payments.refund', back, { amount: back.amount + 1 }),
        () =>
          press(other, 'payments.reverse', { receiptNumber, reason: 'mistake' }, { reason: 'nsf' }),
        () =>
          press(random.pick([manager, other]), 'charges.waive', waived, {
            amount: waived.amount + 1,
          }),
      ];
    },
  };
}
