import { toDollars } from '@gatehouse/contract/money';
import type { PaymentReceipt } from '@gatehouse/contract/payments';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import type { StaffCall } from '#features/base/staff-actions/staff-actions.ts';
import { findGateWaits } from '#features/service/gate-access/settlement.ts';

/** The receipt of an intent whose payments are posted. */
export async function getReceipt(ctx: Context, intentId: string): Promise<PaymentReceipt> {
  const rows = await ctx.db
    .selectFrom('payment_intents as intent')
    .innerJoin('payments', 'payments.intent_id', 'intent.id')
    .innerJoin('entries', 'entries.id', 'payments.entry_id')
    .select([
      'intent.state',
      'intent.receipt_number as receiptNumber',
      'payments.ledger_id as ledgerId',
    ])
    .select([
      'payments.receipt_number as ledgerReceiptNumber',
      'entries.amount_cents as amountCents',
    ])
    .where('intent.id', '=', intentId)
    .orderBy('entries.position')
    .execute();
  const first = rows[0];
  if (first?.receiptNumber == null) throw new Error(`the intent ${intentId} has no posted payment`);
  const receipt: PaymentReceipt = {
    status: first.state === 'pending' ? 'pending' : 'succeeded',
    receiptNumber: first.receiptNumber,
    payments: rows.map((row) => ({
      ledgerId: row.ledgerId,
      amount: toDollars(-row.amountCents),
      receiptNumber: row.ledgerReceiptNumber,
    })),
  };
  return receipt.status === 'pending' ? withGateWait(ctx, ctx.db, receipt) : receipt;
}

/** Adds to the receipt of a bank payment until when a gate waits for it, the latest of several. */
export async function withGateWait(
  ctx: Context,
  db: Database,
  receipt: PaymentReceipt,
): Promise<PaymentReceipt> {
  const ledgerIds = receipt.payments.map(({ ledgerId }) => ledgerId);
  const waits = [...(await findGateWaits(ctx, db, ledgerIds)).values()];
  const last = waits.toSorted((a, b) => (a.date < b.date ? 1 : -1))[0];
  if (last === undefined) return receipt;
  return { ...receipt, waitsForSettlement: { date: last.date, sentence: last.sentence } };
}

/** One ledger's part of the payment that a receipt number names. */
export type PaidPart = {
  entryId: string;
  intentId: string;
  ledgerId: string;
  number: string;
  wholeNumber: string;
  type: Tables['payment_intents']['type'];
  initiator: 'tenant' | 'autopay' | 'import' | 'staff';
  method: string;
  tenantId: string;
  facilityId: string;
  createdAt: Date;
};

/**
 * The part of that number, or all parts of the payment of that number, in the order of their
 * posting.
 */
export async function findParts(
  { trx, call }: { trx: Database; call: StaffCall },
  receiptNumber: string,
): Promise<PaidPart[]> {
  const { rows } = await sql<PaidPart>`
    SELECT p.entry_id AS "entryId", p.intent_id AS "intentId", p.ledger_id AS "ledgerId", p.receipt_number AS number,
      i.receipt_number AS "wholeNumber", i.type, i.initiator, i.method_description AS method, i.tenant_id AS "tenantId",
      t.facility_id AS "facilityId", i.created_at AS "createdAt"
    FROM payments p
    JOIN payment_intents i ON i.id = p.intent_id
    JOIN tenants t ON t.id = i.tenant_id
    JOIN entries e ON e.id = p.entry_id
    WHERE p.entry_id IN (
        SELECT entry_id FROM payments WHERE receipt_number = ${receiptNumber}
        UNION
        SELECT entry_id FROM payments WHERE intent_id = (SELECT id FROM payment_intents WHERE receipt_number = ${receiptNumber}))
      AND (${call.facilityIds}::uuid[] IS NULL OR t.facility_id = ANY(${call.facilityIds}::uuid[]))
    ORDER BY e.position`.execute(trx);
  return rows;
}
