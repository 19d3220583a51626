import type { Context } from '#context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { receiptEmail } from '#emails/receipt.ts';
import { queueMail } from '#features/mail/mail.ts';

/** Queues the receipts of a posted payment to the tenant's address on file: a mail for each rental, its PDF with it. */
export async function queueReceiptMails(ctx: Context, trx: DatabaseTransaction, intentId: string): Promise<void> {
  const payments = await trx
    .selectFrom('payments')
    .innerJoin('payment_intents as intent', 'intent.id', 'payments.intent_id')
    .innerJoin('entries', 'entries.id', 'payments.entry_id')
    .innerJoin('ledgers', 'ledgers.id', 'payments.ledger_id')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .innerJoin('tenants', 'tenants.id', 'ledgers.tenant_id')
    .innerJoin('facilities', 'facilities.id', 'tenants.facility_id')
    .select(['payments.entry_id', 'payments.description as method', 'payments.receipt_number as number'])
    .select(['entries.amount_cents', 'entries.posted_on as postedOn', 'intent.state', 'intent.initiator'])
    .select(['units.name as unitName', 'tenants.email', 'tenants.first_name as firstName'])
    .select(['facilities.name as facilityName'])
    .where('payments.intent_id', '=', intentId)
    .orderBy('entries.position')
    .execute();
  for (const { entry_id, email: to, amount_cents, state, initiator, ...facts } of payments) {
    const email = receiptEmail({
      ...facts,
      cents: -amount_cents,
      isPending: state === 'pending',
      isAutopay: initiator === 'autopay',
    });
    await queueMail(ctx, trx, { to, email, paper: { kind: 'receipt', id: entry_id } });
  }
}
