import { expect, test } from 'vitest';
import { openTestApp } from './app.ts';

test('the database has the clock of the machine, also where that was moved', async () => {
  const api = await openTestApp('empty_template');
  const rows = await api.sql<{ now: Date }>`SELECT clock_timestamp() AS now`;
  const apart = Math.abs(rows[0]!.now.getTime() - Date.now());
  expect(apart).toBeLessThan(120_000);
  await api.close();
});
