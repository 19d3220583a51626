import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useTestApp } from '#test/app.ts';
import { reconcileOpenPayments } from './scheduled.ts';
import { findRows } from '#test/rows.ts';

const api = useTestApp('empty_template');

test('open payments are looked up even where the gateway’s events cannot be handled', async () => {
  await sql`ALTER TABLE gateway_events RENAME TO away`.execute(api.owner);
  await expect(reconcileOpenPayments.run(api.ctx, [{}])).rejects.toMatchObject({
    errors: [{ code: '42P01' }],
  });
  const runs = await findRows(api.owner, 'reconciliations', 'kind');
  expect(runs).toEqual([{ kind: 'open_intents' }]);
});
