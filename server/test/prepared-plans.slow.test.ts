import { pathOf, type Endpoint } from '@gatehouse/contract/endpoint';
import { endpoints } from '@gatehouse/contract/endpoints';
import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { APP_ROLE, type Reach } from '#db/reach.ts';
import { reaching, type Database } from '#db/database.ts';
import { hashToken, newToken } from '#http/token.ts';
import { makeManyLedgers } from './many-ledgers.ts';
import { useTestApp } from './app.ts';
import { addRows } from './rows.ts';

const LEDGERS = 2000;
/** The fill factor of indexes, in percent, that gives them as many pages as ten times the rows. */
const FILLED = 10;

type Statement = { role: string; text: string; values: unknown[] };

/** Ids of objects that the tenant of this test does not have: no photo, no paper, no document. */
const reads: Endpoint[] = Object.values(endpoints).filter(
  ({ method, access, path }) =>
    method === 'GET' &&
    access === 'tenant' &&
    !/:(imageId|documentId|receiptNumber|number|year|paperKind)\b/.test(path),
);

const api = useTestApp('empty_template');
beforeAll(async () => {
  await makeManyLedgers(api.owner, {
    ledgers: LEDGERS,
    corporationCode: 'ANCHOR',
    clock: api.ctx.clock,
  });
  await growIndexes();
  await api.sql`ANALYZE`;
});

// PostgreSQL uses the generic plan of a prepared statement only where it seems to cost no more than
// one for the actual values. Otherwise it plans the statement each time, which takes longer than to
// run it (decision 73).
test('the generic plan of a tenant’s read costs no more than a plan for the tenant', async () => {
  const { token, userId, tenantId, ledgerId, unitId, locationCode } = await signInSomebody();
  const params = {
    corp: 'ANCHOR',
    locationCode,
    tenantId,
    tenantIds: tenantId,
    ledgerId,
    ledgerIds: ledgerId,
    unitId,
  };
  const statements = recordPrepared();
  for (const { path, query } of reads) {
    const answer = await api.call(
      'GET',
      pathOf(path, params, query === undefined ? {} : { ledgerId }),
      { token },
    );
    expect(answer.status, path).toBe(200);
  }
  const reach: Reach = { userId, tenantIds: [tenantId], ledgerIds: [ledgerId] };
  const prepared = statements.stop();
  expect(prepared.length).toBeGreaterThan(6);
  const dear: string[] = [];
  for (const { role, text, values } of prepared) {
    const db = role === APP_ROLE ? reaching(api.ctx.db, reach) : api.ctx.db;
    const kept = await costOf(db, `EXPLAIN (FORMAT JSON, GENERIC_PLAN) ${text}`, []);
    const own = await costOf(db, `EXPLAIN (FORMAT JSON) ${text}`, values);
    if (kept > own * 1.05) dear.push(`${kept} instead of ${own}: ${text}`);
  }
  expect(dear).toEqual([]);
});

/** The cost of searching an index for several values depends on its number of pages. */
async function growIndexes(): Promise<void> {
  const rows = await api.sql<{ index: string }>`
    SELECT c.oid::regclass::text AS index FROM pg_class c JOIN pg_am m ON m.oid = c.relam
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'i' AND m.amname = 'btree'`;
  for (const { index } of rows) {
    await api.sql`ALTER INDEX ${sql.raw(index)} SET (fillfactor = ${sql.lit(FILLED)})`;
    await api.sql`REINDEX INDEX ${sql.raw(index)}`;
  }
}

async function signInSomebody() {
  const rows = await api.sql<
    Record<'tenantId' | 'ledgerId' | 'unitId' | 'userId' | 'facilityId' | 'locationCode', string>
  >`
    WITH person AS (
      SELECT t.id AS tenant_id, l.id AS ledger_id, l.unit_id, f.id AS facility_id, f.corporation_id, f.location_code, t.email
      FROM tenants t JOIN ledgers l ON l.tenant_id = t.id JOIN facilities f ON f.id = t.facility_id
      WHERE l.balance_cents > 0 LIMIT 1
    ), made AS (
      INSERT INTO users (corporation_id, email, password_hash) SELECT corporation_id, email, '-' FROM person
      RETURNING id
    ), linked AS (
      INSERT INTO user_tenants (user_id, tenant_id) SELECT made.id, tenant_id FROM made, person
    )
    SELECT tenant_id AS "tenantId", ledger_id AS "ledgerId", unit_id AS "unitId", made.id AS "userId",
      facility_id AS "facilityId", location_code AS "locationCode" FROM made, person`;
  const { userId, facilityId, ...rest } = rows[0]!;
  const token = newToken();
  const session = { token_hash: hashToken(token), user_id: userId, facility_id: facilityId };
  await addRows(api.owner, 'sessions', session);
  return { token, userId, ...rest };
}

/**
 * Records each statement that a connection prepares, with its first values, until it is stopped.
 */
function recordPrepared(): { stop(): Statement[] } {
  const { query } = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
  const noted = new Map<string, Statement>();
  const roles = new Map<pg.Client, string>();
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given
  ) {
    const { name, text, values } = given[0] as unknown as pg.QueryConfig<string[]>;
    if (name === 'gatehouse_reach') roles.set(this, values![0]!);
    else if (text === 'commit') roles.delete(this);
    else if (name !== undefined)
      noted.set(name + JSON.stringify(values), {
        role: roles.get(this) ?? '',
        text,
        values: values ?? [],
      });
    return query.call(this, ...given);
  });
  return {
    stop() {
      spy.mockRestore();
      return [...noted.values()];
    },
  };
}

async function costOf(db: Database, text: string, values: unknown[]): Promise<number> {
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: { 'Total Cost': number } }] }>(
    CompiledQuery.raw(text, values),
  );
  return rows[0]!['QUERY PLAN'][0].Plan['Total Cost'];
}
