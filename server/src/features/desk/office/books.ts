import type { Reply } from '@gatehouse/contract/endpoint';
import { toDollars } from '@gatehouse/contract/money';
import type { BookLine, listBooks } from '@gatehouse/contract/office/tenants';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { TakenBackReason } from '#db/tables.ts';
import { keysetOf } from './keyset.ts';

type Row = Omit<
  BookLine,
  'at' | 'amount' | 'taxes' | 'balance' | 'open' | 'takenBack' | 'settles'
> & {
  at: Date;
  cents: number;
  taxCents: number;
  balanceCents: number;
  openCents: number | null;
  takenBack: { reason: TakenBackReason; cents: number }[];
  settles: { entryId: string; description: string; cents: number }[];
  cursor: string[];
};

/**
 * The entries of all rentals of a record, or of one, the newest first, each with the balance of its
 * rental after it, with what settles what and with what was taken back.
 */
export async function findBookLines(
  { db }: Context,
  tenantId: string,
  query: Parameters<typeof keysetOf>[0] & { ledgerId?: string | undefined },
): Promise<Reply<typeof listBooks>> {
  const keyset = keysetOf(query, {
    posted: { keys: [{ by: sql`e.position`, as: 'bigint' }], order: 'desc' },
  });
  const { rows } = await sql<Row>`
    WITH lines AS (
      SELECT e.*, sum(e.amount_cents) OVER (PARTITION BY e.ledger_id ORDER BY e.position) AS balance_cents
      FROM entries e JOIN ledgers l ON l.id = e.ledger_id WHERE l.tenant_id = ${tenantId}
    )
    SELECT e.id, e.ledger_id AS "ledgerId", unit_name_at(l.id, e.created_at, u.name) AS "unitName", e.kind, c.category,
      e.posted_on AS "postedOn", e.created_at AS at, c.due_on AS "dueOn",
      coalesce(c.description, p.description, cr.description, r.description) AS description, e.amount_cents AS cents,
      coalesce(c.tax1_cents + c.tax2_cents, cr.tax1_cents + cr.tax2_cents, 0) AS "taxCents",
      e.balance_cents::bigint AS "balanceCents", p.receipt_number AS "receiptNumber", i.type AS "paidBy",
      i.state AS "paymentState", r.reason,
      CASE WHEN e.kind = 'charge' THEN e.amount_cents - coalesce(
          (SELECT sum(a.amount_cents) FROM allocations a WHERE a.charge_entry_id = e.id), 0)
        WHEN e.kind <> 'reversal' THEN coalesce((SELECT o.left_cents FROM open_credits o WHERE o.entry_id = e.id), 0)
        END::bigint AS "openCents",
      (SELECT coalesce(json_agg(json_build_object('reason', b.reason, 'cents', b.cents) ORDER BY b.reason), '[]')
        FROM (
          SELECT back.reason, sum(back.cents)::bigint AS cents FROM money_back back
          WHERE e.kind IN ('payment', 'credit') AND back.payment_entry_id = e.id GROUP BY back.reason
        ) b) AS "takenBack",
      (SELECT coalesce(json_agg(json_build_object('entryId', s.other, 'description', s.description, 'cents', s.cents)), '[]')
        FROM (
          SELECT a.other, sum(a.amount_cents)::bigint AS cents,
            min(coalesce(oc.description, op.description, ocr.description)) AS description
          FROM (
            SELECT credit_entry_id AS other, amount_cents FROM allocations WHERE e.kind = 'charge' AND charge_entry_id = e.id
            UNION ALL
            SELECT charge_entry_id, amount_cents FROM allocations WHERE e.kind IN ('payment', 'credit') AND credit_entry_id = e.id
            UNION ALL
            SELECT charge_entry_id, amount_cents FROM allocations WHERE e.kind = 'reversal' AND reversal_entry_id = e.id
          ) a
          LEFT JOIN charges oc ON oc.entry_id = a.other LEFT JOIN payments op ON op.entry_id = a.other
          LEFT JOIN credits ocr ON ocr.entry_id = a.other
          GROUP BY a.other HAVING sum(a.amount_cents) <> 0
        ) s) AS settles,
      ${keyset.cursor} AS cursor
    FROM lines e JOIN ledgers l ON l.id = e.ledger_id JOIN units u ON u.id = l.unit_id
    LEFT JOIN charges c ON c.entry_id = e.id
    LEFT JOIN payments p ON p.entry_id = e.id
    LEFT JOIN payment_intents i ON i.id = p.intent_id
    LEFT JOIN credits cr ON cr.entry_id = e.id
    LEFT JOIN reversals r ON r.entry_id = e.id
    WHERE (${query.ledgerId ?? null}::uuid IS NULL OR e.ledger_id = ${query.ledgerId ?? null}::uuid) AND ${keyset.isAfter}
    ORDER BY ${keyset.orderBy} LIMIT ${keyset.limit}`.execute(db);
  const page = keyset.page(rows);
  return { ...page, rows: page.rows.map(lineView) };
}

function lineView({
  at,
  cents,
  taxCents,
  balanceCents,
  openCents,
  takenBack,
  settles,
  ...row
}: Omit<Row, 'cursor'>): BookLine {
  return {
    ...row,
    at: at.toISOString(),
    amount: toDollars(cents),
    taxes: toDollars(taxCents),
    balance: toDollars(balanceCents),
    open: openCents === null ? null : toDollars(openCents),
    takenBack: takenBack.map(({ reason, cents: part }) => ({ reason, amount: toDollars(part) })),
    settles: settles.map(({ cents: part, ...other }) => ({ ...other, amount: toDollars(part) })),
  };
}
