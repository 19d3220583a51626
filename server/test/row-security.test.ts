import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { APP_ROLE, WORK_ROLE, type TenantReach } from '#db/reach.ts';
import { reaching, type Database } from '#db/database.ts';
import { postCharges } from '#seeds/builders.ts';
import { useTestApp, signIn, type SignedIn } from './app.ts';

type Caller = TenantReach;

const api = useTestApp('demo_template');
let lee: Caller;
let dana: Caller;
let leesSession: SignedIn;

beforeAll(async () => {
  leesSession = await signIn(api, 'lee@example.com');
  await signIn(api, 'dana@example.com');
  lee = await callerNamed('lee@example.com');
  dana = await callerNamed('dana@example.com');
  // Else Lee owes nothing, and has no open charge to see.
  await postCharges(api.owner, lee.ledgerIds[0]!, [
    { category: 'fee', description: 'Fee', dueOn: '2026-11-20', priceCents: 1500 },
  ]);
});

async function callerNamed(email: string): Promise<Caller> {
  const rows = await api.sql<Caller>`
    SELECT u.id AS "userId", array_agg(DISTINCT t.id)::text[] AS "tenantIds", array_agg(l.id)::text[] AS "ledgerIds"
    FROM users u JOIN user_tenants ut ON ut.user_id = u.id JOIN tenants t ON t.id = ut.tenant_id
    JOIN facilities f ON f.id = t.facility_id AND f.location_code = 'TXDFW03'
    JOIN ledgers l ON l.tenant_id = t.id
    WHERE u.email = ${email} GROUP BY u.id`;
  return rows[0]!;
}

/** Tables without tenants' data: an operator's and a facility's own, and lists. */
const general = [
  ...[
    'corporations',
    'facilities',
    'units',
    'discount_plans',
    'protection_plans',
    'gate_schedules',
  ],
  ...['envelope_statuses', 'billing_runs', 'kysely_migration', 'queue', 'facility_recipients'],
];
/** Tables that a tenant's request adds to, and reads at most the named columns of. */
const written: Record<string, string[]> = {
  mails: ['id', 'sent_at'],
  alarms: ['id', 'key', 'closed_at'],
  limit_counts: ['name', 'key', 'count', 'ends_at'],
  job_common: ['id'],
};

describe('every table', () => {
  test('has forced row-level security, holds nothing personal, or is inaccessible for a tenant’s request', async () => {
    const rows = await api.sql<{ name: string; isWalled: boolean; readable: string[] }>`
      SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity
          AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'own') AS "isWalled",
        ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
          AND has_column_privilege(${APP_ROLE}, c.oid, a.attnum, 'SELECT')) AS readable
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname IN ('public', 'sandbox_gateway', 'pgboss') AND c.relkind IN ('r', 'p')`;
    const open = rows.filter(
      ({ name, isWalled, readable }) =>
        !isWalled &&
        !general.includes(name) &&
        readable.some((column) => !(written[name] ?? []).includes(column)),
    );
    expect(open).toEqual([]);
    expect(rows.filter(({ isWalled }) => isWalled).length).toBeGreaterThan(30);
  });

  test('without row-level security lets a tenant’s request change nothing, but count within limits', async () => {
    const rows = await api.sql<{ name: string; change: string }>`
      SELECT c.relname AS name, change FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
        unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS change
      WHERE n.nspname IN ('public', 'sandbox_gateway', 'pgboss') AND c.relkind IN ('r', 'p')
        AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'own')
        AND (has_table_privilege(${APP_ROLE}, c.oid, change)
          OR change = 'UPDATE' AND has_any_column_privilege(${APP_ROLE}, c.oid, change))
      ORDER BY 1, 2`;
    expect(rows).toEqual([{ name: 'limit_counts', change: 'UPDATE' }]);
    const db = reaching(api.ctx.db, lee);
    await db
      .transaction()
      .execute((trx) =>
        api.ctx.enqueue(trx, { name: 'deliver-mail', data: { mailId: lee.userId } }),
      );
    await expect(sql`SELECT data FROM pgboss.job`.execute(db)).rejects.toMatchObject({
      code: '42501',
    });
  });

  test('shows a tenant’s request its own rows only, asked without any WHERE', async () => {
    const db = reaching(api.ctx.db, lee);
    const seen: string[] = [];
    for (const { table, own } of await walledTables()) {
      const mine = await textsOf(db, table);
      const all = await textsOf(api.owner, table);
      expect(
        mine.filter((row) => !isOwn(row, own)),
        table,
      ).toEqual([]);
      if (mine.length > 0 && mine.length < all.length) seen.push(table);
    }
    // Tables with rows of both tenants, so that an empty table is not counted as protected.
    expect(seen).toEqual(
      expect.arrayContaining([
        'tenants',
        'ledgers',
        'charges',
        'entries',
        'payments',
        'allocations',
        'gate_codes',
        'sessions',
      ]),
    );
  });

  test('lets a tenant’s request change no row of another user', async () => {
    const db = reaching(api.ctx.db, lee);
    const before = await textsOf(api.owner, 'tenants');
    await sql`UPDATE tenants SET phone = '5550001111' WHERE id <> ALL(${lee.tenantIds}::uuid[])`.execute(
      db,
    );
    await sql`DELETE FROM sessions WHERE user_id <> ${lee.userId}`.execute(db);
    expect(await textsOf(api.owner, 'tenants')).toEqual(before);
    expect((await textsOf(api.owner, 'sessions')).length).toBe(2);
    const foreign = sql`INSERT INTO vehicles (ledger_id, license_plate, description)
      VALUES (${dana.ledgerIds[0]}, 'THIEF', 'x') ON CONFLICT (ledger_id) DO UPDATE SET license_plate = 'THIEF'`;
    await expect(foreign.execute(db)).rejects.toMatchObject({ code: '42501' });
  });

  type Walled = { table: string; own: { id: string[]; through: string[] } };

  /** How to find Lee's rows of each table without the policies. */
  async function walledTables(): Promise<Walled[]> {
    const rows = await api.sql<{ name: string }>`
      SELECT c.relname AS name FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid AND p.polname = 'own'
      WHERE c.relrowsecurity AND c.relkind = 'r' ORDER BY 1`;
    const charges = await api.sql<{ id: string }>`
      SELECT entry_id::text AS id FROM charges WHERE ledger_id = ANY(${lee.ledgerIds}::uuid[])`;
    const mandates = await api.sql<{ id: string }>`
      SELECT id::text FROM mandates WHERE ledger_id = ANY(${lee.ledgerIds}::uuid[])`;
    const requests = await api.sql<{ id: string }>`
      SELECT id::text FROM requests WHERE tenant_id = ANY(${lee.tenantIds}::uuid[])`;
    const ids = [lee.userId, ...lee.tenantIds, ...lee.ledgerIds];
    const through: Record<string, string[]> = {
      allocations: charges.map(({ id }) => id),
      mandate_ends: mandates.map(({ id }) => id),
      request_events: requests.map(({ id }) => id),
    };
    return rows.map(({ name }) => ({
      table: name,
      own: { id: ids, through: through[name] ?? [] },
    }));
  }

  function isOwn(row: string, { id, through }: Walled['own']): boolean {
    return [...id, ...through].some((one) => row.includes(one));
  }
});

describe('a request whose query names another user’s ids', () => {
  const reads: [string, () => string][] = [
    ['the ledgers', () => `/tenants/${leesSession.tenantIds[0]}/ledgers`],
    ['the payments', () => `/ledgers/${lee.ledgerIds[0]}/payments`],
    ['the gate codes', () => '/gate-access'],
    ['the insurance', () => '/insurance-statuses'],
    ['the record', () => `/tenants/${leesSession.tenantIds[0]}`],
  ];

  test.each(reads)('gets nothing of theirs: %s', async (_, path) => {
    const secrets = await secretsOf(dana);
    expect(secrets.length).toBeGreaterThan(2);
    const url = leesSession.prefix + path();
    const honest = await api.call('GET', url, leesSession);
    const restore = swapIds(lee, dana);
    const answer = await api.call('GET', url, leesSession);
    const swapped = restore();
    expect(swapped).toBeGreaterThan(0);
    expect(secrets.filter((secret) => answer.text.includes(secret))).toEqual([]);
    expect(answer.text).not.toBe(honest.text);
  });

  test('and without row-level security it would: the test detects a missing policy', async () => {
    const secrets = await secretsOf(dana);
    const { rows } = await sql<{ row: string }>`SELECT t::text AS row FROM ledgers t`.execute(
      api.ctx.db,
    );
    expect(rows.some(({ row }) => secrets.some((secret) => row.includes(secret)))).toBe(true);
  });

  /**
   * Replaces the ids in every statement of a tenant's request, as a query with a wrong WHERE would.
   * Returns their number.
   */
  function swapIds(from: Caller, to: Caller): () => number {
    const pairs = [
      ...from.tenantIds.map((id) => [id, to.tenantIds[0]!]),
      ...from.ledgerIds.map((id) => [id, to.ledgerIds[0]!]),
    ];
    let count = 0;
    const swapped = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(swapped);
      const pair = pairs.find(([id]) => id === value);
      if (pair === undefined) return value;
      count += 1;
      return pair[1];
    };
    const { query } = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
    const bound = new Map<pg.Client, boolean>();
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...given: unknown[]
    ) {
      const [asked, values] = given as [
        string | { name?: string; text: string; values?: unknown[] },
        unknown[]?,
      ];
      const isReach = typeof asked === 'object' && asked.name === 'gatehouse_reach';
      const text = typeof asked === 'string' ? asked : asked.text;
      if (isReach || text === 'commit' || text === 'rollback') bound.set(this, isReach);
      if (isReach || bound.get(this) !== true) return query.call(this, ...given);
      if (typeof asked === 'string') return query.call(this, asked, swapped(values));
      return query.call(this, { ...asked, values: swapped(asked.values ?? []) });
    });
    return () => {
      spy.mockRestore();
      return count;
    };
  }

  /** Texts that only Dana's rows hold. */
  async function secretsOf({ tenantIds, ledgerIds }: Caller): Promise<string[]> {
    const rows = await api.sql<{ secret: string }>`
      SELECT l.unit_id::text AS secret FROM ledgers l WHERE l.id = ANY(${ledgerIds}::uuid[])
      UNION SELECT t.email FROM tenants t WHERE t.id = ANY(${tenantIds}::uuid[])
      UNION SELECT p.receipt_number FROM payments p WHERE p.ledger_id = ANY(${ledgerIds}::uuid[])`;
    return rows.map(({ secret }) => secret);
  }
});

describe('a connection', () => {
  test('serves each of many at once with its own reach, and work with every row', async () => {
    const all = (await textsOf(api.owner, 'ledgers')).length;
    const reaches: (Caller | null)[] = [null, lee, dana];
    const counts = await Promise.all(
      Array.from({ length: 120 }, async (_, index) => {
        const reach = reaches[index % 3] ?? null;
        const db = reach === null ? api.ctx.db : reaching(api.ctx.db, reach);
        return (
          (await textsOf(db, 'ledgers')).length - (reach === null ? all : reach.ledgerIds.length)
        );
      }),
    );
    expect(new Set(counts)).toEqual(new Set([0]));
  });

  test('sets the reach of each transaction, also after a rollback', async () => {
    const db = reaching(api.ctx.db, lee);
    const failed = db.transaction().execute(async (trx) => {
      expect((await textsOf(trx, 'ledgers')).length).toBe(lee.ledgerIds.length);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect((await textsOf(db, 'ledgers')).length).toBe(lee.ledgerIds.length);
  });

  test('whose reach cannot be set returns no result', async () => {
    // An invalid text: the statement that sets the reach fails.
    const db = reaching(api.ctx.db, { ...lee, userId: 'no\0body' });
    await expect(textsOf(db, 'ledgers')).rejects.toThrow();
    expect((await textsOf(reaching(api.ctx.db, lee), 'ledgers')).length).toBe(lee.ledgerIds.length);
  });

  test('serves the roles that own nothing', async () => {
    const roleOf = async (db: Database) =>
      (await sql<{ role: string }>`SELECT current_user::text AS role`.execute(db)).rows[0]!.role;
    expect(await roleOf(api.ctx.db)).toBe(WORK_ROLE);
    expect(await roleOf(reaching(api.ctx.db, lee))).toBe(APP_ROLE);
    expect(await roleOf(api.ctx.db)).toBe(WORK_ROLE);
  });
});

async function textsOf(db: Database, table: string): Promise<string[]> {
  // A column without read access is left out of the row.
  const { rows: columns } = await sql<{ name: string }>`
    SELECT attname AS name FROM pg_attribute WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped
      AND has_column_privilege(attrelid, attnum, 'SELECT') ORDER BY attnum`.execute(db);
  const list = sql.join(columns.map(({ name }) => sql.ref(name)));
  const { rows } = await sql<{
    row: string;
  }>`SELECT ROW(${list})::text AS row FROM ${sql.table(table)} ORDER BY 1`.execute(db);
  return rows.map(({ row }) => row);
}
