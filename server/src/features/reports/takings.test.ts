import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#test/app.ts';

let api: TestApp;
beforeAll(async () => {
  api = await openTestApp('demo_template');
});
afterAll(() => api.close());

test('the server may not write what was taken, and reckoning it anew finds the same', async () => {
  for (const change of [
    sql`UPDATE takings SET cents = cents + 1`,
    sql`DELETE FROM takings`,
    sql`SELECT reckon_takings(ARRAY(SELECT id FROM ledgers))`,
  ])
    await expect(change.execute(api.ctx.db)).rejects.toMatchObject({ code: '42501' });
  const stored = () => api.owner.selectFrom('takings').selectAll().orderBy('entry_id').execute();
  const before = await stored();
  expect(before.length).toBeGreaterThan(2);
  await sql`UPDATE takings SET cents = cents * 2`.execute(api.owner);
  await sql`SELECT reckon_takings(ARRAY(SELECT id FROM ledgers))`.execute(api.owner);
  expect(await stored()).toEqual(before);
});
