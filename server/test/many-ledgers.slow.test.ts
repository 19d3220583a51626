import { expect, test } from 'vitest';
import { runBilling } from '#features/money/billing/billing.ts';
import { useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { makeManyLedgers } from './many-ledgers.ts';

const clock = { now: () => new Date('2026-11-21T15:00:00Z') };
const api = useTestApp('empty_template', { clock });

const order = { ledgers: 620, corporationCode: 'ANCHOR', clock };

/** Foreign keys and indexes of the whole database. */
async function definitions(): Promise<string[]> {
  const rows = await api.sql<{ text: string }>`
    SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated AS text FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`;
  return rows.map(({ text }) => text);
}

test('a world of many rentals has sound books, is billed up to today, and leaves the tables as they were', async () => {
  const before = await definitions();
  await makeManyLedgers(api.owner, order);
  expect(await definitions()).toEqual(before);
  await expectSoundBooks(api.owner);
  const facilities = await api.owner
    .selectFrom('facilities')
    .select('id')
    .orderBy('location_code')
    .execute();
  expect(facilities).toHaveLength(2);
  const payments = await api.owner
    .selectFrom('payments')
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(payments.count).toBe(620 * 12);
  for (const { id } of facilities)
    expect(await runBilling(api.ctx, { facilityId: id, date: '2026-11-21' })).toMatchObject({
      periods: 0,
      parked: 0,
    });
});

test('a second such world is refused', async () => {
  await expect(makeManyLedgers(api.owner, order)).rejects.toThrow(
    'There is a world of many rentals already.',
  );
});
