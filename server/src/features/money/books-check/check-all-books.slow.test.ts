import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { checkBooks } from '#jobs/daily-checks.ts';
import { makeManyLedgers } from '#test/many-ledgers.ts';
import { useTestApp } from '#test/app.ts';
import { checkAllBooks } from './check-all-books.ts';
import { changeRows } from '#test/rows.ts';

let now = new Date('2026-11-21T07:00:00Z');
const api = useTestApp('empty_template', { clock: { now: () => now } });
beforeAll(async () => {
  await makeManyLedgers(api.owner, {
    ledgers: 600,
    corporationCode: 'ANCHOR',
    clock: api.ctx.clock,
  });
});

const alarms = () => api.owner.selectFrom('alarms').selectAll().orderBy('raised_at').execute();

test('sound books of more ledgers than a batch raise no alarm', async () => {
  expect(await checkAllBooks(api.ctx)).toEqual({ ledgers: 600, broken: 0 });
  expect(await alarms()).toEqual([]);
});

test('each ledger with a breach has one alarm that names it, and a new one once that is closed', async () => {
  // The first and the last, of different batches; one of them has left.
  const { rows } = await sql<{ id: string; unit: string; code: string }>`
    SELECT l.id, u.name AS unit, f.location_code AS code
    FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE l.id IN ((SELECT id FROM ledgers ORDER BY id LIMIT 1), (SELECT id FROM ledgers ORDER BY id DESC LIMIT 1))
    ORDER BY l.id`.execute(api.owner);
  const [first, last] = rows;
  const broken = [first!.id, last!.id];
  await sql`UPDATE ledgers SET balance_cents = balance_cents + 100 WHERE id = ANY(${broken}::uuid[])`.execute(
    api.owner,
  );
  await changeRows(api.owner, 'ledgers', { moved_out_on: '2026-11-01' }, { id: last!.id });
  for (const _night of [1, 2])
    expect(await checkAllBooks(api.ctx)).toEqual({ ledgers: 600, broken: 2 });
  const raised = await alarms();
  expect(raised.map(({ ledger_id }) => ledger_id).toSorted()).toEqual(broken);
  const alarm = raised.find(({ ledger_id }) => ledger_id === first!.id)!;
  expect(alarm).toMatchObject({
    kind: 'books_fault',
    facts: { ledgerId: first!.id, unit: first!.unit, count: 2 },
  });
  expect(alarm.sentence).toMatch(
    new RegExp(
      `^The books of unit ${first!.unit} at ${first!.code} are not sound \\(I1\\): The balance is .* add up to`,
    ),
  );

  now = new Date('2026-11-22T07:00:00Z');
  const closed = { closed_at: now, closed_by: 'Dana' };
  await changeRows(api.owner, 'alarms', closed, { ledger_id: first!.id });
  await sql`UPDATE ledgers SET balance_cents = balance_cents - 100 WHERE id = ${last!.id}`.execute(
    api.owner,
  );
  expect(await checkAllBooks(api.ctx)).toEqual({ ledgers: 600, broken: 1 });
  expect(
    (await alarms()).map(({ ledger_id, closed_at }) => [ledger_id, closed_at !== null]),
  ).toEqual(
    expect.arrayContaining([
      [first!.id, true],
      [first!.id, false],
      [last!.id, false],
    ]),
  );
  expect(await alarms()).toHaveLength(3);
});

test('a nightly check that fails is told to the operator, once a day, and tried again', async () => {
  await sql`ALTER TABLE billed_periods RENAME TO away`.execute(api.owner);
  for (const _try of [1, 2])
    await expect(checkBooks.run(api.ctx, [{}])).rejects.toThrow('billed_periods');
  await sql`ALTER TABLE away RENAME TO billed_periods`.execute(api.owner);
  await checkBooks.run(api.ctx, [{}]);
  expect((await alarms()).filter(({ kind }) => kind === 'books_check_failed')).toMatchObject([
    { facts: { day: '2026-11-22' } },
  ]);
});

test('a wrong row on which no balance depends has an alarm of its own, and autopay continues', async () => {
  now = new Date('2026-11-23T07:00:00Z');
  const { rows } = await sql<{ id: string }>`
    SELECT ledger_id AS id FROM payments p WHERE NOT has_books_fault(ledger_id) ORDER BY ledger_id LIMIT 1`.execute(
    api.owner,
  );
  const { id } = rows[0]!;
  const change = (since: string | null) =>
    sql`UPDATE ledgers SET rate_since = ${since} WHERE id = ${id}`.execute(api.owner);
  await change('2020-01-01');
  for (const _night of [1, 2]) await checkAllBooks(api.ctx);
  const own = (await alarms()).filter(({ ledger_id }) => ledger_id === id);
  expect(own).toMatchObject([{ kind: 'reports_fault', closed_at: null }]);
  expect(own[0]!.sentence).toMatch(
    /^Unit .* has a fault on which no balance depends: It has its rent since 2020-01-01/,
  );
  const charged = await sql<{ waits: boolean }>`SELECT has_books_fault(${id}) AS waits`.execute(
    api.owner,
  );
  expect(charged.rows).toEqual([{ waits: false }]);
  await change(null);
});
