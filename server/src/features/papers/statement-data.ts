import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { addressLines } from '#papers/letterhead.ts';
import type { StatementOfMonth, StatementUnit } from '#papers/statement.ts';
import { issuerOf, type FacilityColumns, type TenantColumns } from './letterhead.ts';

type Row = FacilityColumns & TenantColumns & { number: string; month: string; createdAt: Date; units: StatementUnit[] };

/**
 * A statement by its id, drawn from the entries: of each unit that has an entry in the month or owed something at its
 * beginning, the balance before, every entry of the month, and the balance after. Throws where there is none.
 */
export async function getStatement(db: Database, statementId: string): Promise<StatementOfMonth> {
  const { rows } = await sql<Row>`
    SELECT s.number, s.month, s.created_at AS "createdAt", units.units, ${issuerOf}
    FROM statements s
    JOIN tenants t ON t.id = s.tenant_id
    JOIN facilities f ON f.id = t.facility_id
    JOIN corporations corp ON corp.id = f.corporation_id
    CROSS JOIN LATERAL (SELECT (s.month || '-01')::date AS first,
      ((s.month || '-01')::date + interval '1 month')::date AS next) m
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('unitName', u.name, 'openingCents', sums.opening,
        'closingCents', sums.closing, 'lines', lines.lines) ORDER BY u.name, l.id), '[]') AS units
      FROM ledgers l
      JOIN units u ON u.id = l.unit_id
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(e.amount_cents) FILTER (WHERE e.posted_on < m.first), 0)::bigint AS opening,
          coalesce(sum(e.amount_cents), 0)::bigint AS closing
        FROM entries e WHERE e.ledger_id = l.id AND e.posted_on < m.next
      ) sums
      CROSS JOIN LATERAL (
        SELECT coalesce(json_agg(json_build_object('postedOn', e.posted_on, 'cents', e.amount_cents,
          'description', ${entryText}) ORDER BY e.posted_on, e.position), '[]') AS lines
        FROM entries e
        LEFT JOIN charges c ON c.entry_id = e.id
        LEFT JOIN payments p ON p.entry_id = e.id
        LEFT JOIN credits cr ON cr.entry_id = e.id
        LEFT JOIN reversals r ON r.entry_id = e.id
        WHERE e.ledger_id = l.id AND e.posted_on >= m.first AND e.posted_on < m.next
      ) lines
      WHERE l.tenant_id = t.id AND (json_array_length(lines.lines) > 0 OR sums.opening <> 0)
    ) units
    WHERE s.id = ${statementId}`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error(`there is no statement ${statementId}`);
  const { firstName, lastName, tenantAddress, ...statement } = row;
  return { ...statement, tenant: { name: `${firstName} ${lastName}`, lines: addressLines(tenantAddress) } };
}

/** An entry in a tenant's words. */
const entryText = sql`CASE e.kind
  WHEN 'charge' THEN c.description
  WHEN 'payment' THEN 'Payment, ' || p.description || ', receipt ' || p.receipt_number
  WHEN 'credit' THEN cr.description
  ELSE r.description END`;

/** The statements of a tenant record, newest first. */
export async function listStatementsOf(db: Database, tenantId: string): Promise<{ number: string; month: string }[]> {
  return db
    .selectFrom('statements')
    .select(['number', 'month'])
    .where('tenant_id', '=', tenantId)
    .orderBy('month', 'desc')
    .execute();
}

/** The id of a tenant record's statement; null for a number that is none of its own. */
export async function findStatementId(db: Database, tenantId: string, number: string): Promise<string | null> {
  const row = await db
    .selectFrom('statements')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('number', '=', number)
    .executeTakeFirst();
  return row?.id ?? null;
}
