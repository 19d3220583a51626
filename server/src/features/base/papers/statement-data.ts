import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { addressLines } from '#papers/letterhead.ts';
import type { Statement, StatementPeriod, StatementUnit } from '#papers/statement.ts';
import { issuerOf, type FacilityColumns, type TenantColumns } from './letterhead.ts';

type Row = FacilityColumns &
  TenantColumns & {
    number: string;
    createdAt: Date;
    units: StatementUnit[];
    period: StatementPeriod;
  };

/**
 * Whether entry `e` of ledger `l` was recorded when a statement was issued; what is recorded later,
 * whatever its day, does not change it. `statement` is the alias of its row.
 */
const wasRecorded = (statement: string) => {
  const column = (name: string) => sql.ref(`${statement}.${name}`);
  return sql<boolean>`(e.position <= ${column('entries_through')} AND l.id = ANY(${column('ledger_ids')}))`;
};

/**
 * Whether entry `e` of ledger `l` is a line of a statement of the month `m` that follows the
 * statement `before`, which may be none: it is of the month, or older and recorded after the one
 * before was issued. Of a ledger that the one before did not know only the month's entries are
 * lines.
 */
export const isLine = sql<boolean>`(e.posted_on >= m.first OR (
  before.id IS NOT NULL AND l.id = ANY(before.ledger_ids)
  AND NOT (e.posted_on < ${endOf(sql.ref('before.month'))} AND ${wasRecorded('before')})))`;

/** The first day of a statement `s`, and the first after it. */
const daysOfStatement = sql`(SELECT coalesce(s.first_on, (s.month || '-01')::date) AS first,
  coalesce(s.last_on + 1, ${endOf(sql.ref('s.month'))}) AS next)`;

/** The first day after a month, `YYYY-MM`. */
export function endOf(month: RawBuilder<unknown>): RawBuilder<string> {
  return sql`((${month} || '-01')::date + interval '1 month')::date`;
}

/**
 * The units that ledger `l` was in during the month `m`, in their order, such as `A101` or, with a
 * transfer within it, `A101, B207`; of a month before or after the rental its first or last. Null
 * for a rental of no day.
 */
const unitsOfMonth = sql`(
  SELECT string_agg(name, ', ' ORDER BY since) FROM (
    SELECT named.name, min(lower(d.days)) AS since FROM unit_days d JOIN units named ON named.id = d.unit_id
    WHERE d.ledger_id = l.id
      AND d.days && daterange(least(m.first, l.moved_out_on - 1), greatest(m.next, l.moved_in_on + 1))
    GROUP BY named.id
  ) rented)`;

/**
 * A statement by its id, drawn from the entries that were recorded when it was issued: of each
 * rental that has a line or owed something at its beginning, the balance before, every line, and
 * the balance after. Throws where there is none.
 */
export async function getStatement(db: Database, statementId: string): Promise<Statement> {
  const { rows } = await sql<Row>`
    SELECT s.number, json_build_object('month', s.month, 'firstOn', s.first_on, 'lastOn', s.last_on) AS period, s.created_at AS "createdAt", units.units, ${issuerOf}
    FROM statements s
    JOIN tenants t ON t.id = s.tenant_id
    JOIN facilities f ON f.id = t.facility_id
    JOIN corporations corp ON corp.id = f.corporation_id
    LEFT JOIN statements before ON before.id = s.follows
    CROSS JOIN LATERAL ${daysOfStatement} m
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('unitName', named.units, 'openingCents', sums.opening,
        'closingCents', sums.closing, 'lines', lines.lines) ORDER BY named.units, l.id), '[]') AS units
      FROM ledgers l
      JOIN units u ON u.id = l.unit_id
      CROSS JOIN LATERAL (SELECT coalesce(${unitsOfMonth}, u.name) AS units) named
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(e.amount_cents) FILTER (WHERE NOT ${isLine}), 0)::bigint AS opening,
          coalesce(sum(e.amount_cents), 0)::bigint AS closing
        FROM entries e WHERE e.ledger_id = l.id AND e.posted_on < m.next AND ${wasRecorded('s')}
      ) sums
      CROSS JOIN LATERAL (
        SELECT coalesce(json_agg(json_build_object('postedOn', e.posted_on, 'cents', e.amount_cents,
          'description', coalesce(c.description, p.description, cr.description, r.description),
          'receiptNumber', p.receipt_number) ORDER BY e.posted_on, e.position), '[]') AS lines
        FROM entries e
        LEFT JOIN charges c ON c.entry_id = e.id
        LEFT JOIN payments p ON p.entry_id = e.id
        LEFT JOIN credits cr ON cr.entry_id = e.id
        LEFT JOIN reversals r ON r.entry_id = e.id
        WHERE e.ledger_id = l.id AND e.posted_on < m.next AND ${wasRecorded('s')} AND ${isLine}
      ) lines
      WHERE l.tenant_id = t.id AND (json_array_length(lines.lines) > 0 OR sums.opening <> 0)
    ) units
    WHERE s.id = ${statementId}`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error(`there is no statement ${statementId}`);
  const { tenantName, tenantAddress, ...statement } = row;
  return {
    ...statement,
    tenant: { name: tenantName, lines: addressLines(tenantAddress) },
  };
}

/** The monthly statements of a tenant record, newest first. */
export async function listStatementsOf(
  db: Database,
  tenantId: string,
): Promise<{ number: string; month: string }[]> {
  return db
    .selectFrom('statements')
    .select(['number', 'month'])
    .where('tenant_id', '=', tenantId)
    .where('month', 'is not', null)
    .$narrowType<{ month: string }>()
    .orderBy('month', 'desc')
    .execute();
}

/** The id of a tenant record's statement; null for a number that is none of its own. */
export async function findStatementId(
  db: Database,
  tenantId: string,
  number: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('statements')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('number', '=', number)
    .executeTakeFirst();
  return row?.id ?? null;
}
