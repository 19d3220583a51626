import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import type { FinalSums } from '#db/tables.ts';
import { addressLines } from '#papers/letterhead.ts';
import type { FinalStatement } from '#papers/final-statement.ts';
import { issuerOf, type FacilityColumns, type TenantColumns } from './letterhead.ts';

type Row = FacilityColumns &
  TenantColumns & { settledAt: Date; movedOutOn: string; unitName: string; sums: FinalSums };

/** The final statement of a rental, as it was mailed; undefined where none was settled. */
export async function findFinalStatement(
  db: Database,
  ledgerId: string,
): Promise<FinalStatement | undefined> {
  const { rows } = await sql<Row>`
    SELECT m.settled_at AS "settledAt", m.statement AS sums, l.moved_out_on AS "movedOutOn", u.name AS "unitName", ${issuerOf}
    FROM move_outs m
    JOIN ledgers l ON l.id = m.ledger_id
    JOIN units u ON u.id = l.unit_id
    JOIN tenants t ON t.id = l.tenant_id
    JOIN facilities f ON f.id = t.facility_id
    JOIN corporations corp ON corp.id = f.corporation_id
    WHERE m.ledger_id = ${ledgerId} AND m.statement IS NOT NULL`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { tenantName, tenantAddress, sums, ...statement } = row;
  return {
    ...statement,
    ...sums,
    tenant: { name: tenantName, lines: addressLines(tenantAddress) },
  };
}
