import { formTypes } from '@gatehouse/contract/requests';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { achPaymentNoticeEmail } from '#emails/staff/ach-payment-notice.ts';
import { findGateWaits } from '#features/service/gate-access/settlement.ts';
import { findRequesters } from '#features/service/requests/requester.ts';
import { fileRequest } from '#features/service/requests/requests.ts';

/**
 * The ACH payment notice, one for each ledger that the payment was posted to: decided here,
 * whatever `webhookData` says.
 */
export async function notifyStaffOfAch(
  ctx: Context,
  trx: DatabaseTransaction,
  intentId: string,
  intent: { tenant_id: string; method_description: string },
): Promise<void> {
  const posts = await trx
    .selectFrom('payments')
    .innerJoin('entries', 'entries.id', 'payments.entry_id')
    .select([
      'payments.ledger_id',
      'payments.receipt_number',
      'entries.posted_on',
      'entries.amount_cents',
    ])
    .where('payments.intent_id', '=', intentId)
    .execute();
  const requesters = await findRequesters(
    trx,
    [intent.tenant_id],
    posts.map(({ ledger_id }) => ledger_id),
  );
  const waits = await findGateWaits(
    ctx,
    trx,
    posts.map(({ ledger_id }) => ledger_id),
  );
  for (const requester of requesters) {
    const post = posts.find(({ ledger_id }) => ledger_id === requester.ledgerId)!;
    const wait = waits.get(post.ledger_id);
    await fileRequest(ctx, trx, {
      kind: formTypes.achPayment,
      requester,
      asker: null,
      facts: {
        date: post.posted_on,
        amountCents: -post.amount_cents,
        method: intent.method_description,
        receiptNumber: post.receipt_number,
        ...(wait !== undefined && { gateWait: { date: wait.date, reason: wait.reason } }),
      },
      email: achPaymentNoticeEmail,
    });
  }
}
