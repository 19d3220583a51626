import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import type { InsuranceListRow, listInsurance } from '@gatehouse/contract/office/insurance';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Places } from '#db/within.ts';
import { activePlan } from '#features/service/insurance/insurance.ts';
import { isToCheck } from '#features/service/insurance/proofs.ts';
import { keysetOf, type Sorts } from './keyset.ts';
import { byFacility, ofFacilities } from './places.ts';
import { EXPIRING_DAYS } from './today.ts';

const sorts: Sorts<'unit'> = {
  unit: {
    keys: [
      { by: sql`r."locationCode"`, as: 'text' },
      { by: sql`r."unitName"`, as: 'text' },
      { by: sql`r.id`, as: 'uuid' },
    ],
    order: 'asc',
  },
};

/** Of the plan `p` and the proof `i` on the today of the facility `f`. */
const stateOf = sql`CASE WHEN ${isToCheck(sql`f.today`)} THEN 'check' WHEN p.id IS NOT NULL THEN 'plan'
  WHEN i.id IS NULL THEN 'none' WHEN i.refusal IS NOT NULL THEN 'refused' WHEN i.ends_on < f.today THEN 'expired'
  WHEN i.ends_on <= f.today + ${EXPIRING_DAYS}::int THEN 'ending' ELSE 'proof' END`;

type Query = { state?: InsuranceListRow['state'] | undefined } & Parameters<typeof keysetOf>[0];
type Row = Omit<InsuranceListRow, 'coverage'> & { coverageCents: number | null; cursor: string[] };

/** The insurance of the facilities' current rentals, on each facility's today. */
export async function findInsuranceOf(
  ctx: Context,
  query: Query,
  places: Places,
): Promise<Reply<typeof listInsurance>> {
  const keyset = keysetOf(query, sorts);
  const { state = null } = query;
  const asked = byFacility(
    ctx,
    places,
    keyset,
    sql`SELECT l.id, t.id AS "tenantId", t.name AS "tenantName", f.location_code AS "locationCode", u.name AS "unitName",
        ${stateOf} AS state, p.description AS plan, i.company, i.policy_number AS "policyNumber",
        i.coverage_cents AS "coverageCents", i.ends_on AS "endsOn",
        i.id AS "proofId", i.decided_by AS "decidedBy", i.refusal
      FROM units u JOIN ledgers l ON l.unit_id = u.id JOIN tenants t ON t.id = l.tenant_id
      LEFT JOIN LATERAL (${activePlan(sql`f.today`)}) p ON true
      LEFT JOIN private_policies i ON i.ledger_id = l.id AND i.replaced_at IS NULL
      WHERE u.facility_id = f.id AND is_current_on(l.moved_out_on, f.today)
        AND (${state}::text IS NULL OR ${stateOf} = ${state}::text)`,
  );
  const { rows } = await sql<Row>`
    SELECT r.*, ${keyset.cursor} AS cursor FROM ${asked}
    ORDER BY ${ofFacilities(keyset)} LIMIT ${keyset.limit}`.execute(ctx.db);
  const page = keyset.page(rows);
  return {
    ...page,
    rows: page.rows.map(({ coverageCents, ...row }) => ({
      ...row,
      coverage: coverageCents === null ? null : toDollars(coverageCents),
    })),
  };
}
