import { toDollars } from '@gatehouse/contract/money';
import type { PaymentReceipt } from '@gatehouse/contract/payments';
import type { Database } from '#db/database.ts';

/** The receipt of an intent whose payments are posted. */
export async function getReceipt(db: Database, intentId: string): Promise<PaymentReceipt> {
  const rows = await db
    .selectFrom('payment_intents as intent')
    .innerJoin('payments', 'payments.intent_id', 'intent.id')
    .innerJoin('entries', 'entries.id', 'payments.entry_id')
    .select(['intent.state', 'intent.receipt_number as receiptNumber', 'payments.ledger_id as ledgerId'])
    .select(['payments.receipt_number as ledgerReceiptNumber', 'entries.amount_cents as amountCents'])
    .where('intent.id', '=', intentId)
    .orderBy('entries.position')
    .execute();
  const first = rows[0];
  if (first?.receiptNumber == null) throw new Error(`the intent ${intentId} has no posted payment`);
  return {
    status: first.state === 'pending' ? 'pending' : 'succeeded',
    receiptNumber: first.receiptNumber,
    payments: rows.map((row) => ({
      ledgerId: row.ledgerId,
      amount: toDollars(-row.amountCents),
      receiptNumber: row.ledgerReceiptNumber,
    })),
  };
}
