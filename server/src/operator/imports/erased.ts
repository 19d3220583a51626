import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import type { FileName } from './files.ts';
import { staged } from './staging.ts';

/**
 * The address that ops/privacy/erase-tenant.sql gives a record when its person is forgotten.
 * `.invalid` belongs to no one (RFC 2606), so it also identifies them in a database into which they
 * were exported.
 */
const ERASED = '^forgotten-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}@example\\.invalid$';

const ofTenant = sql`JOIN known_ids k ON k.kind = 'tenant' AND k.id = s.tenant_id
  JOIN erased_tenants e ON e.id = k.row_id`;
const ofLedger = sql`JOIN known_ids k ON k.kind = 'ledger' AND k.id = s.ledger_id
  JOIN ledgers l ON l.id = k.row_id JOIN erased_tenants e ON e.id = l.tenant_id`;

/**
 * What of a person the files may hold: what the erasure takes out. The books stay, and are compared
 * as everybody's.
 */
const personal: [FileName, RawBuilder<unknown>, RawBuilder<unknown>?][] = [
  ['gatewayTokens', ofTenant],
  ['insurance', ofLedger, sql`s.kind = 'private'`],
  ['unitContents', ofLedger],
  ['vehicles', ofLedger],
  ['furtherVehicles', ofLedger],
  ['gateCodes', ofLedger],
  ['documents', ofLedger],
  ['autopay', ofLedger],
  ['tenants', ofTenant],
];

/**
 * Takes what the files say of a tenant who was erased out of the staged rows, so that an
 * old export does not restore anybody. Answers how many tenants that were. Once the rows are
 * identified.
 */
export async function leaveErased(db: Database): Promise<number> {
  await sql`
    CREATE TEMPORARY TABLE erased_tenants AS SELECT id FROM tenants WHERE email ~ ${sql.lit(ERASED)}`.execute(
    db,
  );
  const { rows: some } = await sql`SELECT FROM erased_tenants LIMIT 1`.execute(db);
  if (some.length === 0) return 0;
  const left = new Set<string>();
  for (const [file, joins, where = sql`true`] of personal) {
    const { rows } = await sql<{ id: string }>`
      WITH named AS (
        SELECT s.ctid AS place, e.id FROM ${staged(file)} s ${joins} WHERE k.facility = s.facility AND ${where}
      ), gone AS (DELETE FROM ${staged(file)} s USING named WHERE s.ctid = named.place)
      SELECT DISTINCT id FROM named`.execute(db);
    for (const { id } of rows) left.add(id);
  }
  return left.size;
}
