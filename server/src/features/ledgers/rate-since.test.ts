import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';
import { testClock } from '#test/test-day.ts';

let api: TestApp;
beforeAll(async () => {
  api = await openTestApp('demo_template');
});
afterAll(() => api.close());

test('since when a rental has its rent is stored: null until it is billed, and as it was where it comes back', async () => {
  const { rows: others } = await sql`
    SELECT FROM ledgers WHERE rate_since IS DISTINCT FROM rate_since_of(id, rental_rate_cents, moved_in_on)`.execute(
    api.owner,
  );
  expect(others).toEqual([]);
  const before = await api.owner
    .selectFrom('ledgers')
    .select(['id', 'rental_rate_cents', 'rate_since'])
    .where('rate_since', 'is not', null)
    .where('moved_out_on', 'is', null)
    .limit(1)
    .executeTakeFirstOrThrow();
  const since = async () =>
    (
      await api.owner
        .selectFrom('ledgers')
        .select('rate_since')
        .where('id', '=', before.id)
        .executeTakeFirstOrThrow()
    ).rate_since;
  const setRate = (cents: number) =>
    api.owner
      .updateTable('ledgers')
      .set({ rental_rate_cents: cents })
      .where('id', '=', before.id)
      .execute();
  const bill = (dueOn: string, cents: number) =>
    sql`INSERT INTO billed_periods (ledger_id, due_on, period_end, rate_cents, posted_at)
      VALUES (${before.id}, ${dueOn}, ${dueOn}::date + 27, ${cents}, ${testClock.now()})`.execute(
      api.owner,
    );

  await setRate(before.rental_rate_cents + 100);
  expect(await since()).toBeNull();
  await setRate(before.rental_rate_cents);
  expect(await since()).toBe(before.rate_since);
  await setRate(before.rental_rate_cents + 100);
  await bill('2098-02-01', before.rental_rate_cents + 100);
  expect(await since()).toBe('2098-02-01');
  await bill('2098-03-01', before.rental_rate_cents + 100);
  expect(await since()).toBe('2098-02-01');
});
