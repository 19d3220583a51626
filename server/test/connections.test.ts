import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { connectionsOf } from '#db/database.ts';
import { useTestApp, signIn, type SignedIn } from './app.ts';
import { card } from './card.ts';
import { patience } from './patience.ts';

const api = useTestApp('demo_template');
let dana: SignedIn;
let lee: SignedIn;
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  lee = await signIn(api, 'lee@example.com');
});

/** Of the pool's ten. */
const MOST_OF_A_USER = 4;

test('64 payments that wait for a locked ledger hold 4 of the connections, and another tenant is answered meanwhile', async () => {
  const ledger = await api.owner
    .selectFrom('ledgers')
    .select(['id as ledgerId', 'unit_id as unitId'])
    .where('tenant_id', '=', dana.tenantIds[0]!)
    .where('balance_cents', '>', 100)
    .where('moved_out_on', 'is', null)
    .executeTakeFirstOrThrow();
  const payment = { payments: [{ ...ledger, amount: 1 }], creditCard: card };
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/payments`;
  let answers: Promise<{ status: number }[]>;
  await api.owner.transaction().execute(async (trx) => {
    await sql`SELECT FROM ledgers WHERE id = ${ledger.ledgerId} FOR UPDATE`.execute(trx);
    answers = Promise.all(
      Array.from({ length: 64 }, () =>
        api.call('POST', path, { token: dana.token, body: payment }),
      ),
    );
    const waiting = async () => {
      await sql`SELECT pg_stat_clear_snapshot()`.execute(trx);
      const { rows } = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`.execute(trx);
      return rows.length;
    };
    await vi.waitFor(async () => expect(await waiting()).toBe(MOST_OF_A_USER), patience);
    const read = await api.call('GET', `${lee.prefix}/tenants/${lee.tenantIds[0]}`, lee);
    expect([read.status, await waiting()]).toEqual([200, MOST_OF_A_USER]);
    expect(connectionsOf(api.ctx.db).waiting).toBe(0);
  });
  const statuses = (await answers!).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect(statuses).toContain(200);
});
