import { listLedgerInsuranceStatuses, type InsuranceStatus } from '@gatehouse/contract/insurance';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import type { Routes } from '#http/routes.ts';

export function insuranceRoutes({ guarded }: Routes): void {
  guarded(listLedgerInsuranceStatuses, async ({ ctx, caller, params }) => {
    const today = calendarDateIn(caller.timeZone, ctx.clock.now());
    const rows = await findInsurance(ctx.db, caller.tenantIds, params.ledgerIds.toLowerCase().split(','), today);
    return rows.map(insuranceView);
  });
}

type InsuranceRow = {
  ledger_id: string;
  protection_plan_id: string | null;
  policy_number: string | null;
  coverage_cents: number | null;
  premium_cents: number | null;
};

/** One row for each ledger; a private policy that has ended counts as none on the facility's `today`. */
async function findInsurance(
  db: Database,
  tenantIds: string[],
  ledgerIds: string[],
  today: string,
): Promise<InsuranceRow[]> {
  const { rows } = await sql<InsuranceRow>`
    SELECT l.id AS ledger_id, i.protection_plan_id, i.policy_number,
      coalesce(p.coverage_cents, i.coverage_cents) AS coverage_cents, p.premium_cents
    FROM ledgers l
    LEFT JOIN ledger_insurance i ON i.ledger_id = l.id AND (i.ends_on IS NULL OR i.ends_on >= ${today}::date)
    LEFT JOIN protection_plans p ON p.id = i.protection_plan_id
    WHERE l.id = ANY(${ledgerIds}::uuid[]) AND l.tenant_id = ANY(${tenantIds}::uuid[])
    ORDER BY array_position(${ledgerIds}::uuid[], l.id)`.execute(db);
  return rows;
}

function insuranceView(row: InsuranceRow): InsuranceStatus {
  return {
    ledgerId: row.ledger_id,
    activeInsurance: row.protection_plan_id !== null,
    privateInsurance: row.policy_number !== null,
    coverage: row.coverage_cents === null ? null : toDollars(row.coverage_cents),
    premium: row.premium_cents === null ? null : toDollars(row.premium_cents),
    policyNumber: row.policy_number,
    coverageId: row.protection_plan_id,
  };
}
