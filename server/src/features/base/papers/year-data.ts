import type { YearStatement } from '@gatehouse/contract/papers';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { addressLines } from '#papers/letterhead.ts';
import type { YearOfPayments } from '#papers/year-statement.ts';
import { issuerOf, type FacilityColumns, type TenantColumns } from './letterhead.ts';

/** A tenant record on its facility's `today`, at an instant. */
export type YearOf = { tenantId: string; today: string; now: Date };

/**
 * The money of a tenant record, by the payment that brought it: payments, and the credits that a
 * move to another rental of it or a won dispute made of them. What it paid of a rental that went to
 * another tenant stays as it was used; what was not used went along.
 */
const money = (tenantId: string) => sql`
  WITH RECURSIVE money AS (
    SELECT p.entry_id, p.ledger_id, p.description, p.receipt_number, true AS is_paid
    FROM payments p JOIN ledgers l ON l.id = p.ledger_id WHERE l.tenant_id = ${tenantId}
    UNION ALL
    SELECT c.entry_id, c.ledger_id, c.description, m.receipt_number, c.moved_by IS NULL
    FROM money m
    JOIN taken_back rev ON rev.payment_entry_id = m.entry_id
    LEFT JOIN dispute_parts won ON won.reversal_entry_id = rev.entry_id
    JOIN credits c ON c.moved_by = rev.entry_id OR c.entry_id = won.credit_entry_id
    JOIN ledgers l ON l.id = c.ledger_id AND l.tenant_id = ${tenantId}
  ), lines AS (
    SELECT e.position, e.posted_on, -e.amount_cents AS cents, m.ledger_id, e.created_at, m.description,
      m.receipt_number
    FROM money m JOIN entries e ON e.id = m.entry_id WHERE m.is_paid
    UNION ALL
    -- At once, what was left and what is owed again for what was not.
    SELECT min(e.position), e.posted_on, -sum(e.amount_cents)::bigint, e.ledger_id, e.created_at, back.description,
      m.receipt_number
    FROM money m JOIN taken_back back ON back.payment_entry_id = m.entry_id AND back.reason <> 'moved'
    JOIN entries e ON e.id = back.entry_id
    GROUP BY e.posted_on, e.ledger_id, e.created_at, back.reason, back.description, m.receipt_number
    UNION ALL
    SELECT gone.position, gone.posted_on, -gone.cents, m.ledger_id, gone.created_at, gone.description, m.receipt_number
    FROM money m CROSS JOIN LATERAL (
      SELECT min(e.position) AS position, e.posted_on, e.created_at, rev.description, (sum(e.amount_cents) + coalesce((
        SELECT sum(a.amount_cents) FROM allocations a JOIN credits w ON w.entry_id = a.reversal_entry_id AND w.is_assigned
        WHERE a.credit_entry_id = m.entry_id), 0))::bigint AS cents
      FROM reversals rev JOIN entries e ON e.id = rev.entry_id JOIN ledgers ended ON ended.id = m.ledger_id
      -- The next tenant's rows are not there for this one.
      WHERE rev.payment_entry_id = m.entry_id AND rev.reason = 'moved' AND ended.moved_out_on = e.posted_on AND NOT EXISTS (
        SELECT FROM credits c JOIN ledgers l ON l.id = c.ledger_id
        WHERE c.moved_by = rev.entry_id AND l.tenant_id = ${tenantId})
      GROUP BY e.posted_on, e.created_at, rev.description
    ) gone WHERE gone.cents <> 0
  ), used AS (
    SELECT CASE WHEN again.entry_id IS NULL THEN c.category ELSE 'owedAgain' END AS category, a.counts_on,
      a.amount_cents AS cents
    FROM money m JOIN dated_allocations a ON a.credit_entry_id = m.entry_id
    JOIN charges c ON c.entry_id = a.charge_entry_id
    LEFT JOIN owed_again again ON again.entry_id = c.entry_id
    LEFT JOIN credits w ON w.entry_id = a.reversal_entry_id
    WHERE w.is_assigned IS NOT TRUE
    UNION ALL
    SELECT 'owedAgain', e.posted_on, -e.amount_cents
    FROM money m JOIN owed_again again ON again.payment_entry_id = m.entry_id JOIN entries e ON e.id = again.entry_id
  )`;

/** The years in which a tenant record paid or was paid back, newest first. */
export async function listYears(
  db: Database,
  { tenantId, today }: Omit<YearOf, 'now'>,
): Promise<YearStatement[]> {
  const { rows } = await sql<{ year: string }>`
    ${money(tenantId)}
    SELECT DISTINCT to_char(posted_on, 'YYYY') AS year FROM lines ORDER BY year DESC`.execute(db);
  return rows.map(({ year }) => ({ year, isOver: year < today.slice(0, 4) }));
}

type Row = FacilityColumns &
  TenantColumns &
  Pick<YearOfPayments, 'lines' | 'paidFor' | 'beforeCents' | 'leftCents' | 'daysBack'>;

/**
 * A year of a tenant record; null where nothing was paid in it. What is posted in a later year
 * changes nothing of it, but a payment that came in it and is recorded some days later.
 */
export async function findYear(
  db: Database,
  year: string,
  { tenantId, today, now }: YearOf,
): Promise<YearOfPayments | null> {
  if (!(await listYears(db, { tenantId, today })).some((one) => one.year === year)) return null;
  const [first, last] = [`${year}-01-01`, `${year}-12-31`];
  const unusedAt = (isBefore: RawBuilder<unknown>) => sql`(
    (SELECT coalesce(sum(cents), 0) FROM lines WHERE posted_on ${isBefore})
      - (SELECT coalesce(sum(cents), 0) FROM used WHERE counts_on ${isBefore}))::bigint`;
  const { rows } = await sql<Row>`
    ${money(tenantId)}
    SELECT ${issuerOf}, f.payment_days_back AS "daysBack", ${unusedAt(sql`< ${first}`)} AS "beforeCents", ${unusedAt(sql`<= ${last}`)} AS "leftCents",
      (SELECT coalesce(json_agg(json_build_object('postedOn', line.posted_on, 'cents', line.cents,
          'unitName', unit_name_at(line.ledger_id, line.created_at,
            (SELECT u.name FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE l.id = line.ledger_id)),
          'description', line.description, 'receiptNumber', line.receipt_number)
          ORDER BY line.posted_on, line.position), '[]')
        FROM lines line WHERE line.posted_on BETWEEN ${first} AND ${last}) AS lines,
      (SELECT coalesce(json_agg(paid ORDER BY paid.cents DESC), '[]') FROM (
        SELECT category, sum(cents)::bigint AS cents FROM used WHERE counts_on BETWEEN ${first} AND ${last}
        GROUP BY category HAVING sum(cents) <> 0) paid) AS "paidFor"
    FROM tenants t
    JOIN facilities f ON f.id = t.facility_id
    JOIN corporations corp ON corp.id = f.corporation_id
    WHERE t.id = ${tenantId}`.execute(db);
  const { tenantName, tenantAddress, ...facts } = rows[0]!;
  return {
    ...facts,
    year,
    today,
    drawnAt: now,
    tenant: { name: tenantName, lines: addressLines(tenantAddress) },
  };
}
