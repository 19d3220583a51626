import type { YearStatement } from '@gatehouse/contract/papers';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { addressLines } from '#papers/letterhead.ts';
import type { YearLine, YearOfPayments } from '#papers/year-statement.ts';
import { issuerOf, type FacilityColumns, type TenantColumns } from './letterhead.ts';

/** A tenant record on its facility's `today`, at an instant. */
export type YearOf = { tenantId: string; today: string; now: Date };

/**
 * The payments of tenant record `t` and what was taken back of them, with their entries `e`, their
 * rows `p` or `r` and, of what was taken back, its payment `of`. What was moved to another unit of
 * the record as a credit has not left it.
 */
const taken = (tenantId: string) => sql`
  FROM ledgers l
  JOIN entries e ON e.ledger_id = l.id
  LEFT JOIN payments p ON p.entry_id = e.id
  LEFT JOIN taken_back r ON r.entry_id = e.id AND r.reason <> 'moved'
  LEFT JOIN payments "of" ON "of".entry_id = r.payment_entry_id
  WHERE l.tenant_id = ${tenantId} AND coalesce(p.entry_id, "of".entry_id) IS NOT NULL`;

/** The years in which a tenant record paid or was paid back, newest first. */
export async function listYears(
  db: Database,
  { tenantId, today }: Omit<YearOf, 'now'>,
): Promise<YearStatement[]> {
  const { rows } = await sql<{ year: string }>`
    SELECT DISTINCT to_char(e.posted_on, 'YYYY') AS year ${taken(tenantId)} ORDER BY year DESC`.execute(
    db,
  );
  return rows.map(({ year }) => ({ year, isOver: year < today.slice(0, 4) }));
}

type Row = FacilityColumns & TenantColumns & Pick<YearOfPayments, 'paidFor'>;

/** A year of a tenant record as the books are now; null where nothing was paid in it. */
export async function findYear(
  db: Database,
  year: string,
  { tenantId, today, now }: YearOf,
): Promise<YearOfPayments | null> {
  if (!(await listYears(db, { tenantId, today })).some((one) => one.year === year)) return null;
  const [first, last] = [`${year}-01-01`, `${year}-12-31`];
  const { rows: lines } = await sql<YearLine>`
    SELECT e.posted_on AS "postedOn", -sum(e.amount_cents)::bigint AS cents,
      unit_name_at(l.id, e.created_at, (SELECT u.name FROM units u WHERE u.id = l.unit_id)) AS "unitName",
      CASE WHEN p.entry_id IS NULL THEN r.description ELSE p.description END AS description,
      coalesce(p.receipt_number, "of".receipt_number) AS "receiptNumber"
    ${taken(tenantId)} AND e.posted_on BETWEEN ${first} AND ${last}
    GROUP BY e.posted_on, e.created_at, l.id, p.entry_id, "of".entry_id, r.reason, r.description
    ORDER BY e.posted_on, min(e.position)`.execute(db);
  const { rows } = await sql<Row>`
    SELECT ${issuerOf}, (
      SELECT coalesce(json_agg(paid ORDER BY paid.cents DESC), '[]') FROM (
        SELECT c.category, sum(a.amount_cents)::bigint AS cents
        FROM ledgers l
        JOIN payments p ON p.ledger_id = l.id
        JOIN entries e ON e.id = p.entry_id
        JOIN allocations a ON a.credit_entry_id = p.entry_id
        JOIN charges c ON c.entry_id = a.charge_entry_id
        LEFT JOIN reversals r ON r.entry_id = a.reversal_entry_id
        LEFT JOIN entries back ON back.id = r.entry_id
        WHERE l.tenant_id = t.id AND coalesce(back.posted_on, e.posted_on) BETWEEN ${first} AND ${last}
          AND NOT EXISTS (SELECT FROM owed_again again WHERE again.entry_id = c.entry_id)
        GROUP BY c.category HAVING sum(a.amount_cents) <> 0
      ) paid) AS "paidFor"
    FROM tenants t
    JOIN facilities f ON f.id = t.facility_id
    JOIN corporations corp ON corp.id = f.corporation_id
    WHERE t.id = ${tenantId}`.execute(db);
  const { firstName, lastName, tenantAddress, ...facts } = rows[0]!;
  return {
    ...facts,
    year,
    today,
    drawnAt: now,
    tenant: { name: `${firstName} ${lastName}`, lines: addressLines(tenantAddress) },
    lines,
  };
}
