import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { post } from '#features/base/ledgers/books.ts';
import { getPostedPayment } from '#features/base/ledgers/postings.fixture.ts';
import { lockBooks, postLocked, readPostedCharges } from '#features/base/ledgers/postings.ts';
import { waivedTax } from '#features/base/ledgers/rules.ts';
import { useTestApp } from '#test/app.ts';
import { testClock } from '#test/test-day.ts';
import { findBookFaults } from './find-book-faults.ts';
import { getRow } from '#test/rows.ts';

/** A rental with paid rent, and another of the same tenant record. */
let ledgerId: string;
let others: string[];
let payment: { entryId: string; intentId: string };
const api = useTestApp('demo_template');
beforeAll(async () => {
  const { rows } = await sql<{ ledgerId: string; entryId: string; intentId: string }>`
    SELECT p.ledger_id AS "ledgerId", p.entry_id AS "entryId", p.intent_id AS "intentId"
    FROM payments p JOIN payment_intents i ON i.id = p.intent_id
    JOIN ledgers l ON l.id = p.ledger_id
    WHERE i.state = 'succeeded' AND l.balance_cents = 0
    ORDER BY p.receipt_number LIMIT 1`.execute(api.owner);
  ledgerId = rows[0]!.ledgerId;
  payment = rows[0]!;
  const all = await api.owner
    .selectFrom('ledgers')
    .select('id')
    .where('id', '<>', ledgerId)
    .execute();
  others = all.map(({ id }) => id);
});

/** What is found on the rental and on all others after a row was broken, which is undone. */
async function faultsAfter(
  plants: RawBuilder<unknown>[],
): Promise<{ own: string[]; ofOthers: number }> {
  const trx = await api.owner.startTransaction().execute();
  try {
    for (const plant of plants) await plant.execute(trx);
    const own = await findBookFaults(trx, [ledgerId], testClock.now());
    const rest = await findBookFaults(trx, others, testClock.now());
    expect(own.every((fault) => fault.ledgerId === ledgerId)).toBe(true);
    return {
      own: own.map(({ invariant, sentence }) => `${invariant} ${sentence}`),
      ofOthers: rest.length,
    };
  } finally {
    await trx.rollback().execute();
  }
}

test('the demo world has no breach, and ids of no ledger have none', async () => {
  expect(others.length).toBeGreaterThan(5);
  expect(
    await findBookFaults(api.ctx.db, [ledgerId, ...others, randomUUID()], testClock.now()),
  ).toEqual([]);
  expect(await findBookFaults(api.ctx.db, [], testClock.now())).toEqual([]);
});

const feeId = randomUUID();
const ofPayment = () => sql`entry_id = ${payment.entryId}`;
const intent = (state: string, age = sql`interval '1 minute'`) => {
  const id = randomUUID();
  return [
    sql`INSERT INTO payment_intents (id, tenant_id, type, method_description, amount_cents, state, debt_key, attempt, created_at)
      SELECT ${id}, tenant_id, 'creditCard', 'Visa', 100, ${state}, sha256(${id}::text::bytea), 1, ${testClock.now()}::timestamptz - ${age}
      FROM ledgers WHERE id = ${ledgerId}`,
    sql`INSERT INTO payment_intent_ledgers (intent_id, ledger_id, amount_cents, state)
      VALUES (${id}, ${ledgerId}, 100, ${state})`,
  ];
};
const item = (id: string) => sql`
  INSERT INTO autopay_items (id, ledger_id, due_on, state, created_at, updated_at)
  VALUES (${id}, ${ledgerId}, '2026-01-01', 'skipped', ${testClock.now()}, ${testClock.now()})`;

describe('a row that is broken is found and named:', () => {
  test.each<[string, () => RawBuilder<unknown>[], RegExp[]]>([
    [
      'a balance that is not the sum of its entries (I1)',
      () => [sql`UPDATE ledgers SET balance_cents = balance_cents + 500 WHERE id = ${ledgerId}`],
      [
        /^I1 The balance is \$5\.00, and the entries add up to \$0\.00\.$/,
        /^I1 .* what is open of its entries is \$0\.00/,
      ],
    ],
    [
      'a balance that hides an open charge behind an open credit (I1)',
      () => [sql`DELETE FROM allocations WHERE credit_entry_id = ${payment.entryId}`],
      [
        /^I1 \$[\d.]+ are owed beside \$[\d.]+ of open credits/,
        /^I1 It is paid through /,
        /^I1 It owes since no day, and by its open charges since /,
      ],
    ],
    [
      'an open charge that is due before the day since which it is owed (I1)',
      () => [
        sql`INSERT INTO entries (id, ledger_id, facility_id, kind, amount_cents, posted_on)
          SELECT ${feeId}, ledger_id, facility_id, 'charge', 1500, '2026-01-05' FROM entries WHERE id = ${payment.entryId}`,
        sql`INSERT INTO charges (entry_id, ledger_id, category, description, due_on, price_cents)
          VALUES (${feeId}, ${ledgerId}, 'fee', 'Late fee', '2026-01-05', 1500)`,
        sql`UPDATE ledgers SET balance_cents = balance_cents + 1500, owed_since = '2026-01-06' WHERE id = ${ledgerId}`,
      ],
      [/^I1 It owes since 2026-01-06, and by its open charges since 2026-01-05\.$/],
    ],
    [
      'a rental that owes nothing and has a day since which it does (I1)',
      () => [sql`UPDATE ledgers SET owed_since = '2026-01-06' WHERE id = ${ledgerId}`],
      [/^I1 It owes since 2026-01-06, and by its open charges since no day\.$/],
    ],
    [
      'an entry that is of another facility than its rental (I1)',
      () => [sql`UPDATE entries SET facility_id = gen_random_uuid() WHERE id = ${payment.entryId}`],
      [/^I1 The entry .* is of the facility \S+, and its rental of \S+\.$/],
    ],
    [
      'a rent that is older than its bills say (I1)',
      () => [
        sql`UPDATE billed_periods SET rate_cents = rate_cents - 100 WHERE ledger_id = ${ledgerId}
          AND due_on = (SELECT min(due_on) FROM billed_periods WHERE ledger_id = ${ledgerId})`,
      ],
      [/^I1 It has its rent since the move-in, and by its billed periods since \d{4}-\d\d-\d\d\.$/],
    ],
    [
      'a payment at the counter that is in no drawer (I1)',
      () => [
        sql`UPDATE payment_intents SET type = 'cash', initiator = 'staff' WHERE id = ${payment.intentId}`,
      ],
      [/^I1 Of the entry .* “” is in the drawer, and by the books “cash \d+” is\.$/],
    ],
    [
      'a payment of the gateway that is in the drawer (I1)',
      () => [
        sql`INSERT INTO drawer_entries (entry_id, facility_id, deposit_on, type, cents)
          SELECT ${payment.entryId}, id, '2026-01-05', 'cash', 700 FROM facilities LIMIT 1`,
      ],
      [/^I1 Of the entry .* “cash 700” is in the drawer, and by the books “” is\.$/],
    ],
    [
      'a paid-through that its rent does not bear out (I1)',
      () => [sql`UPDATE ledgers SET paid_through = paid_through + 31 WHERE id = ${ledgerId}`],
      [/^I1 It is paid through \d{4}-\d\d-\d\d, and by its open rent it should be/],
    ],
    [
      'a billed-through that no period bears out (I1)',
      () => [
        sql`UPDATE ledgers SET billed_through = billed_through + 30, paid_through = paid_through + 30 WHERE id = ${ledgerId}`,
      ],
      [/^I1 It is billed through \d{4}-\d\d-\d\d, and its last billed period ends on/],
    ],
    [
      'a rent that is of no billed period (I1)',
      () => [
        sql`DELETE FROM billed_periods WHERE ledger_id = ${ledgerId}
          AND due_on = (SELECT min(due_on) FROM billed_periods WHERE ledger_id = ${ledgerId})`,
      ],
      [/^I1 The rent of \d{4}-\d\d-\d\d is of no billed period/],
    ],
    [
      'a period that is billed twice (I1)',
      () => [
        sql`INSERT INTO billed_periods (ledger_id, due_on, period_end, rate_cents, posted_at)
          SELECT ledger_id, due_on + 1, period_end, 0, posted_at FROM billed_periods WHERE ledger_id = ${ledgerId}
          ORDER BY due_on DESC LIMIT 1`,
      ],
      [/^I1 It has its rent since the move-in/, /^I1 The billed periods of .* overlap/],
    ],
    [
      'days between two bills that are in none (I1)',
      () => [
        sql`DELETE FROM billed_periods WHERE ledger_id = ${ledgerId} AND due_on = (
          SELECT due_on FROM billed_periods WHERE ledger_id = ${ledgerId} ORDER BY due_on OFFSET 1 LIMIT 1)`,
      ],
      [
        /^I1 It is billed through \d{4}-\d\d-\d\d, and then from \d{4}-\d\d-\d\d on\.$/,
        /^I1 The rent of \d{4}-\d\d-\d\d is of no billed period/,
      ],
    ],
    [
      'a captured payment that is not posted as much (I2)',
      () => [
        sql`UPDATE payment_intent_ledgers SET amount_cents = amount_cents + 100 WHERE intent_id = ${payment.intentId}`,
      ],
      [
        /^I2 Of the payment .* were taken, and .* are posted/,
        /^I2 The payment .* and its parts add up to/,
      ],
    ],
    [
      'a payment that is posted and was never captured (I2)',
      () => [
        sql`ALTER TABLE payment_intents DISABLE TRIGGER payment_intent_step`,
        sql`UPDATE payment_intents SET state = 'never_sent', receipt_number = NULL WHERE id = ${payment.intentId}`,
        sql`UPDATE payment_intent_ledgers SET state = 'never_sent' WHERE intent_id = ${payment.intentId}`,
      ],
      [
        /^I2 Of the payment .* \$0\.00 were taken, and \$[\d.]+ are posted/,
        /^I6 The receipt of the payment/,
      ],
    ],
    [
      'a returned payment that is not taken back (I2)',
      () => [
        sql`ALTER TABLE payment_intents DISABLE TRIGGER payment_intent_step`,
        sql`UPDATE payment_intents SET state = 'returned' WHERE id = ${payment.intentId}`,
        sql`UPDATE payment_intent_ledgers SET state = 'returned' WHERE intent_id = ${payment.intentId}`,
      ],
      [/^I2 Of the payment .* the bank returned \$[\d.]+, and \$0\.00 are taken back/],
    ],
    [
      'a refund that is not taken back (I2)',
      () => [
        sql`INSERT INTO refunds (payment_entry_id, intent_id, amount_cents, posted_cents, state, reason, created_at, updated_at)
          VALUES (${payment.entryId}, ${payment.intentId}, 500, 500, 'succeeded', 'x', ${testClock.now()}, ${testClock.now()})`,
      ],
      [/^I2 Of the payment .* \$5\.00 were refunded, and \$0\.00 are taken back/],
    ],
    [
      'a dispute that is not taken back (I2)',
      () => [
        sql`INSERT INTO disputes (gateway_id, intent_id, amount_cents, posted_cents, state, opened_at, created_at)
          VALUES ('d', ${payment.intentId}, 500, 500, 'opened', ${testClock.now()}, ${testClock.now()})`,
      ],
      [/^I2 Of the payment .* \$5\.00 are disputed, and \$0\.00 are taken back/],
    ],
    [
      'an entry whose payment was deleted (I3)',
      () => [sql`DELETE FROM payments WHERE ${ofPayment()}`],
      [/^I2 Of the payment/, /^I3 The entry .* has lost the row that says what it is/],
    ],
    [
      'an entry that was changed (I3)',
      () => [
        sql`UPDATE entries SET amount_cents = amount_cents + 100 WHERE id = (
          SELECT charge_entry_id FROM allocations WHERE credit_entry_id = ${payment.entryId} LIMIT 1)`,
      ],
      [
        /^I1 It is paid through/,
        /^I1 It owes since no day/,
        /^I1 The balance/,
        /^I1 The balance/,
        /^I3 The entry .* is of \$[\d.]+, and its charge of \$[\d.]+/,
      ],
    ],
    [
      'a payment that is used twice (I4)',
      () => [
        sql`INSERT INTO allocations (credit_entry_id, charge_entry_id, amount_cents)
          SELECT credit_entry_id, charge_entry_id, amount_cents FROM allocations WHERE credit_entry_id = ${payment.entryId} LIMIT 1`,
      ],
      [
        /^I4 More of the payment or credit .* is used than it was/,
        /^I4 Of the charge .* are settled/,
      ],
    ],
    [
      'two open payments (I5)',
      () => [sql`DROP INDEX one_open_intent`, ...intent('submitted'), ...intent('unknown')],
      [/^I5 2 payments are open at once/],
    ],
    [
      'a payment whose part is in another state (I5)',
      () => [
        sql`UPDATE payment_intent_ledgers SET state = 'settled' WHERE intent_id = ${payment.intentId}`,
      ],
      [/^I5 The payment .* is succeeded, and its part on this rental settled/],
    ],
    [
      'a receipt that was answered and is of no posting (I6)',
      () => [sql`UPDATE payments SET receipt_number = 'other' WHERE ${ofPayment()}`],
      [/^I6 The receipt of the payment .* is \d+, and what is posted has other/],
    ],
    [
      'a payment that stays unknown without an alarm (I7)',
      () => intent('unknown', sql`interval '21 minutes'`),
      [/^I7 The payment .* is unknown for too long, without an alarm/],
    ],
    [
      'two autopay items for one due date (I8)',
      () => [
        sql`ALTER TABLE autopay_items DROP CONSTRAINT autopay_items_ledger_id_due_on_key`,
        item(randomUUID()),
        item(randomUUID()),
      ],
      [/^I8 There are 2 autopay items for the due date 2026-01-01/],
    ],
    [
      'an autopay item that is paid twice (I8)',
      () => {
        const id = randomUUID();
        return [
          item(id),
          sql`UPDATE payment_intents SET autopay_item_id = ${id} WHERE id IN (
            SELECT intent_id FROM payments WHERE ledger_id = ${ledgerId} ORDER BY receipt_number LIMIT 2)`,
        ];
      },
      [/^I8 The autopay item of 2026-01-01 has 2 payments/],
    ],
  ])('%s', async (_, plants, sentences) => {
    const { own, ofOthers } = await faultsAfter(plants());
    expect(own).toEqual(sentences.map((sentence) => expect.stringMatching(sentence) as string));
    expect(ofOthers).toBe(0);
  });
});

test('a charge that a payment of another rental settles is found on it (I1)', async () => {
  const { own } = await faultsAfter([
    sql`UPDATE allocations SET credit_entry_id = (
        SELECT e.id FROM entries e WHERE e.ledger_id <> ${ledgerId} AND e.amount_cents < 0 ORDER BY position LIMIT 1)
      WHERE credit_entry_id = ${payment.entryId}`,
  ]);
  expect(own[0]).toMatch(
    /^I1 \$[\d.]+ of the charge .* are settled by a credit that is for something else/,
  );
});

test('a payment that stays unknown with its alarm is no breach (I7)', async () => {
  const { own } = await faultsAfter([
    ...intent('unknown', sql`interval '21 minutes'`),
    sql`INSERT INTO alarms (kind, key, sentence, facts, raised_at)
      SELECT 'payment_unknown', 'payment_unknown:' || id, 'x', '{}', ${testClock.now()} FROM payment_intents WHERE state = 'unknown'`,
  ]);
  expect(own).toEqual([]);
});

test('a waiver of a paid charge, a bounced check, a payment at the counter and a moved credit are sound', async () => {
  const at = { instant: testClock.now(), dayOf: () => '2026-11-21' };
  await api.ctx.db.transaction().execute(async (trx) => {
    const paid = await getPostedPayment(trx, payment.entryId);
    const [charge] = await readPostedCharges(trx, ledgerId, [paid.settled[0]!.id]);
    const cents = Math.min(1000, charge!.totalCents);
    const waiver = {
      kind: 'waiver' as const,
      id: randomUUID(),
      charge: charge!,
      cents,
      description: 'Waived',
    };
    const [books] = await lockBooks(trx, [ledgerId]);
    await postLocked(trx, at, [
      post(books!, [{ ...waiver, ...waivedTax(charge!, cents) }]).posting,
    ]);
  });
  const bySql = async (id: string, receipt: string, tenant: string) =>
    sql`WITH i AS (
        INSERT INTO payment_intents (id, tenant_id, type, method_description, amount_cents, state, debt_key, attempt,
          receipt_number, initiator) VALUES (${id}, ${tenant}, 'check', 'Check 12', 700, 'succeeded',
          sha256(${id}::text::bytea), 1, ${receipt}, 'staff') RETURNING id)
      INSERT INTO payment_intent_ledgers (intent_id, ledger_id, amount_cents, state)
      SELECT id, ${ledgerId}, 700, 'succeeded' FROM i`.execute(api.owner);
  const { tenant_id } = await getRow(api.owner, 'ledgers', 'tenant_id', { id: ledgerId });
  const counter = {
    kind: 'payment' as const,
    id: randomUUID(),
    cents: 700,
    intentId: randomUUID(),
  };
  await bySql(counter.intentId, '9000001', tenant_id!);
  const postOne = async (change: Parameters<typeof post>[1][number]) =>
    api.ctx.db.transaction().execute(async (trx) => {
      const [books] = await lockBooks(trx, [ledgerId]);
      await postLocked(trx, at, [post(books!, [change]).posting]);
    });
  await postOne({ ...counter, description: 'Check 12', receiptNumber: '9000001' });
  await sql`INSERT INTO drawer_entries (entry_id, facility_id, deposit_on, type, cents)
    SELECT ${counter.id}, facility_id, '2026-11-21', 'check', 700 FROM tenants WHERE id = ${tenant_id}`.execute(
    api.owner,
  );
  expect(await findBookFaults(api.ctx.db, [ledgerId], testClock.now())).toEqual([]);
  for (const [reason, cents] of [
    ['moved', 200],
    ['nsf', 500],
  ] as const) {
    const paid = await getPostedPayment(api.ctx.db, counter.id);
    await postOne({
      kind: 'reversal',
      id: randomUUID(),
      payment: paid,
      cents,
      reason,
      description: reason,
    });
    expect(await findBookFaults(api.ctx.db, [ledgerId], testClock.now())).toEqual([]);
  }
});
