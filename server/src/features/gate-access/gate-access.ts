import { isLockedOut, type GateAccess } from '@gatehouse/contract/gate-access';
import { sql } from 'kysely';
import type { Context } from '#context.ts';

type GateRow = {
  ledger_id: string;
  unit_id: string;
  schedule_name: string;
  access_code: string | null;
  balance_cents: number;
};

/**
 * The gate access of the units that the tenant records rent now, by unit name; with `unitId` of that one alone. A code
 * is opened only for a unit that is not locked out, and is absent otherwise (spec section 4).
 */
export async function findGateAccess(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  tenantIds: string[],
  unitId: string | null = null,
): Promise<GateAccess[]> {
  const { rows } = await sql<GateRow>`
    SELECT l.id AS ledger_id, l.unit_id, s.name AS schedule_name, c.access_code, l.balance_cents
    FROM ledgers l
    JOIN units u ON u.id = l.unit_id
    JOIN gate_schedules s ON s.id = l.gate_schedule_id
    LEFT JOIN gate_codes c ON c.ledger_id = l.id
    WHERE l.tenant_id = ANY(${tenantIds}::uuid[]) AND l.moved_out_on IS NULL
      AND (${unitId}::uuid IS NULL OR l.unit_id = ${unitId})
    ORDER BY u.name`.execute(db);
  return rows.map(({ ledger_id, unit_id, schedule_name, access_code, balance_cents }) => ({
    unitId: unit_id,
    timeZone: schedule_name,
    ...(access_code === null || isLockedOut(balance_cents)
      ? {}
      : { accessCode: vault.open('gateCode', ledger_id, access_code) }),
  }));
}
