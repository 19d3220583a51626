import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { addressLines } from '#papers/letterhead.ts';
import type { Receipt, SettledCharge, TakenBack } from '#papers/receipt.ts';
import { issuerOf, type FacilityColumns, type TenantColumns } from './letterhead.ts';

/**
 * The entry of a payment of one of the tenant records by its receipt number; null where there is
 * none, or where it is not of the ledger that is named.
 */
export async function findReceiptEntry(
  db: Database,
  tenantIds: string[],
  number: string,
  ledgerId?: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('payments')
    .innerJoin('ledgers', 'ledgers.id', 'payments.ledger_id')
    .select('payments.entry_id')
    .where('ledgers.tenant_id', 'in', tenantIds)
    .where('payments.receipt_number', '=', number)
    .$if(ledgerId !== undefined, (query) => query.where('ledgers.id', '=', ledgerId!))
    .executeTakeFirst();
  return row?.entry_id ?? null;
}

type Row = FacilityColumns &
  TenantColumns & {
    number: string;
    postedOn: string;
    createdAt: Date;
    unitName: string;
    method: string;
    isAutopay: boolean;
    isPending: boolean;
    amountCents: number;
    wholeCents: number;
    owedBeforeCents: number;
    charges: SettledCharge[];
    takenBack: TakenBack[];
  };

/** The receipt of a payment, by its entry. Throws where that is none. */
export async function getReceiptOfEntry(db: Database, entryId: string): Promise<Receipt> {
  const { rows } = await sql<Row>`
    SELECT p.receipt_number AS number, e.posted_on AS "postedOn", e.created_at AS "createdAt", unit_name_at(l.id, e.created_at, u.name) AS "unitName",
      p.description AS method, i.initiator = 'autopay' AS "isAutopay", i.state = 'pending' AS "isPending",
      -e.amount_cents AS "amountCents", i.amount_cents AS "wholeCents",
      (SELECT coalesce(sum(b.amount_cents), 0) FROM entries b
        WHERE b.ledger_id = e.ledger_id AND b.position < e.position)::bigint AS "owedBeforeCents",
      (SELECT coalesce(json_agg(json_build_object('description', c.description, 'dueOn', c.due_on,
          'priceCents', c.price_cents, 'discountCents', c.discount_cents, 'tax1Cents', c.tax1_cents,
          'tax2Cents', c.tax2_cents, 'paidCents', paid.cents) ORDER BY paid.first), '[]')
        FROM (
          -- What a waiver took out of a charge is a credit, or has paid another charge. What a reversal of the payment took
          -- back is here as it was paid, and has a notice of its own.
          SELECT charge_entry_id, sum(amount_cents)::bigint AS cents, min(id) AS first FROM allocations a
          WHERE credit_entry_id = e.id AND NOT EXISTS (SELECT FROM reversals rev WHERE rev.entry_id = a.reversal_entry_id)
          GROUP BY charge_entry_id HAVING sum(amount_cents) > 0
        ) paid JOIN charges c ON c.entry_id = paid.charge_entry_id) AS charges,
      (SELECT coalesce(json_agg(json_build_object('postedOn', back.posted_on, 'cents', back.cents, 'reason', back.reason,
          'description', back.description) ORDER BY back.first), '[]')
        FROM (
          -- At once, what was left and what is owed again for what was not.
          SELECT posted_on, reason, description, sum(cents)::bigint AS cents, min(position) AS first
          FROM money_back WHERE payment_entry_id = e.id GROUP BY created_at, posted_on, reason, description
        ) back) AS "takenBack",
      ${issuerOf}
    FROM payments p
    JOIN entries e ON e.id = p.entry_id
    JOIN payment_intents i ON i.id = p.intent_id
    JOIN ledgers l ON l.id = p.ledger_id
    JOIN units u ON u.id = l.unit_id
    JOIN tenants t ON t.id = l.tenant_id
    JOIN facilities f ON f.id = t.facility_id
    JOIN corporations corp ON corp.id = f.corporation_id
    WHERE p.entry_id = ${entryId}`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error(`the entry ${entryId} is no payment`);
  const { issuer, tenantName, tenantAddress, facility, ...receipt } = row;
  return {
    ...receipt,
    issuer,
    facility,
    tenant: { name: tenantName, lines: addressLines(tenantAddress) },
    owedAfterCents: receipt.owedBeforeCents - receipt.amountCents,
  };
}
