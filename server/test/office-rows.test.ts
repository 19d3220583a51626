import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { OFFICE_ROLE, type StaffReach } from '#db/reach.ts';
import { reaching, type Database } from '#db/database.ts';
import { useTestApp } from './app.ts';

const api = useTestApp('demo_template');
let manager: StaffReach;
beforeAll(async () => {
  manager = await reachNamed('manager@anchor-axle.example');
});

async function reachNamed(email: string): Promise<StaffReach> {
  const rows = await api.sql<StaffReach>`
    SELECT m.id AS "staffId", m.is_for_all AS "isAll",
      ARRAY(SELECT facility_id::text FROM staff_facilities WHERE staff_id = m.id) AS "facilityIds"
    FROM staff_members m WHERE m.email = ${email}`;
  return rows[0]!;
}

/** The operator's own tables, without rows of a facility's tenants. */
const general = [
  ...['corporations', 'facilities', 'units', 'discount_plans', 'protection_plans'],
  ...['gate_schedules', 'gateway_payouts', 'envelope_statuses', 'journal_accounts'],
];

async function readableTables(): Promise<string[]> {
  const rows = await api.sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'sandbox_gateway', 'pgboss') AND c.relkind IN ('r', 'p')
      AND has_any_column_privilege(${OFFICE_ROLE}, c.oid, 'SELECT') ORDER BY 1`;
  return rows.map(({ name }) => name);
}

describe('the role of the office', () => {
  test('reads tables that have a policy for it, or hold nothing of a tenant', async () => {
    const rows = await api.sql<{ name: string }>`
      SELECT DISTINCT c.relname AS name FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
      WHERE p.polname = 'office' AND c.relrowsecurity`;
    const walled = rows.map(({ name }) => name);
    const open = (await readableTables()).filter((name) => !walled.includes(name));
    expect(open.toSorted()).toEqual(general.toSorted());
    expect(walled.length).toBeGreaterThan(30);
  });

  test('writes nothing at all', async () => {
    const rows = await api.sql`
      SELECT c.relname, change FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
        unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS change
      WHERE n.nspname IN ('public', 'sandbox_gateway', 'pgboss') AND c.relkind IN ('r', 'p')
        AND (has_table_privilege(${OFFICE_ROLE}, c.oid, change) OR change IN ('INSERT', 'UPDATE')
          AND has_any_column_privilege(${OFFICE_ROLE}, c.oid, change))`;
    expect(rows).toEqual([]);
    const roles = await api.sql<{ role: string }>`
      SELECT rolname AS role FROM pg_roles WHERE rolname <> ${OFFICE_ROLE} AND NOT rolsuper
        AND pg_has_role(${OFFICE_ROLE}, oid, 'MEMBER') AND rolname LIKE 'gatehouse%'`;
    expect(roles).toEqual([]);
  });

  test('reads no sealed value, no hash of a password and no token', async () => {
    const rows = await api.sql<{ column: string }>`
      SELECT c.relname || '.' || a.attname AS column FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND a.attnum > 0 AND NOT a.attisdropped
        AND a.attname ~ '(password|token|secret|access_code|license_number|_body|proof_key)'
        AND has_column_privilege(${OFFICE_ROLE}, c.oid, a.attnum, 'SELECT') ORDER BY 1`;
    // Which of a method's tokens a payment was made with: a count, and no token.
    expect(rows.map(({ column }) => column)).toEqual(['payment_intents.token_version']);
  });

  test('sees the rows of its facilities only, asked without any WHERE', async () => {
    const rows = await api.sql<{ id: string }>`
      SELECT t.id::text FROM tenants t WHERE t.facility_id <> ALL(${manager.facilityIds}::uuid[])
      UNION ALL SELECT l.id::text FROM ledgers l JOIN tenants t ON t.id = l.tenant_id
      WHERE t.facility_id <> ALL(${manager.facilityIds}::uuid[])`;
    const foreign = rows.map(({ id }) => id);
    expect(foreign.length).toBeGreaterThan(1);
    const db = reaching(api.ctx.db, manager);
    const narrowed: string[] = [];
    for (const table of await readableTables()) {
      const mine = await textsOf(db, table);
      expect(
        mine.filter((row) => foreign.some((id) => row.includes(id))),
        table,
      ).toEqual([]);
      const counted = await api.sql<{ count: number }>`
        SELECT count(*)::int AS count FROM ${sql.table(table)}`;
      if (mine.length > 0 && mine.length < counted[0]!.count) narrowed.push(table);
    }
    expect(narrowed).toEqual(
      expect.arrayContaining([
        'tenants',
        'ledgers',
        'entries',
        'charges',
        'payments',
        'allocations',
        'payment_intents',
      ]),
    );
  });

  test('sees none where no facility is set, and all for a member of all of them', async () => {
    const none = reaching(api.ctx.db, { ...manager, facilityIds: [] });
    expect(await textsOf(none, 'tenants')).toEqual([]);
    expect(await textsOf(none, 'entries')).toEqual([]);
    const owner = reaching(api.ctx.db, {
      ...(await reachNamed('owner@anchor-axle.example')),
      isAll: true,
    });
    const rows = await api.sql<{ count: number }>`SELECT count(*)::int AS count FROM entries`;
    expect(await textsOf(owner, 'entries')).toHaveLength(rows[0]!.count);
  });
});

async function textsOf(db: Database, table: string): Promise<string[]> {
  const { rows: columns } = await sql<{ name: string }>`
    SELECT attname AS name FROM pg_attribute WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped
      AND has_column_privilege(attrelid, attnum, 'SELECT') ORDER BY attnum`.execute(db);
  const list = sql.join(columns.map(({ name }) => sql.ref(name)));
  const { rows } = await sql<{ row: string }>`
    SELECT ROW(${list})::text AS row FROM ${sql.table(table)}`.execute(db);
  return rows.map(({ row }) => row);
}
