import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import type { InsuranceListRow, listInsurance } from '@gatehouse/contract/office/insurance';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Places } from '#db/within.ts';
import { activePlan } from '#features/service/insurance/insurance.ts';
import { keysetOf, type Sorts } from './keyset.ts';
import { facilitiesToday } from './places.ts';

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

/** How far ahead a proof is said to end. */
const ENDING_DAYS = 30;

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
  const { rows } = await sql<Row>`
    SELECT r.*, ${keyset.cursor} AS cursor FROM (
      SELECT l.id, t.id AS "tenantId", t.name AS "tenantName", f.location_code AS "locationCode", u.name AS "unitName",
        CASE WHEN p.id IS NOT NULL THEN 'plan' WHEN i.id IS NULL THEN 'none' WHEN i.ends_on < f.today THEN 'expired'
          WHEN i.ends_on <= f.today + ${ENDING_DAYS}::int THEN 'ending' ELSE 'proof' END AS state,
        p.description AS plan, i.company, i.policy_number AS "policyNumber", i.coverage_cents AS "coverageCents",
        i.ends_on AS "endsOn"
      FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN ${facilitiesToday(ctx, places)} f ON f.id = t.facility_id
      JOIN units u ON u.id = l.unit_id
      LEFT JOIN LATERAL (${activePlan(sql`f.today`)}) p ON true
      LEFT JOIN private_policies i ON i.ledger_id = l.id AND i.replaced_at IS NULL
      WHERE is_current_on(l.moved_out_on, f.today)
    ) r WHERE (${state}::text IS NULL OR r.state = ${state}::text) AND ${keyset.isAfter}
    ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`.execute(ctx.db);
  const page = keyset.page(rows);
  return {
    ...page,
    rows: page.rows.map(({ coverageCents, ...row }) => ({
      ...row,
      coverage: coverageCents === null ? null : toDollars(coverageCents),
    })),
  };
}
