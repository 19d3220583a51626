import { toDollars } from '@gatehouse/contract/money';
import type { PaymentReceipt } from '@gatehouse/contract/payments';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
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
