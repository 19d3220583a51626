import { formTypes } from '@gatehouse/contract/requests';
import type { Context } from '#context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { achPaymentNoticeEmail } from '#emails/staff/ach-payment-notice.ts';
import { findRequesters } from '#features/requests/requester.ts';
import { fileRequest } from '#features/requests/requests.ts';

/** What was posted to one ledger. */
type Posted = { ledger: { id: string; cents: number }; postedOn: string; receiptNumber: string };

/**
 * The ACH payment notice, one for each ledger, in the transaction that posts the payment: decided here, whatever
 * `webhookData` says (design section 5).
 */
export async function tellStaffOfAch(
  ctx: Context,
  trx: DatabaseTransaction,
  intent: { tenant_id: string; method_description: string },
  posts: Posted[],
): Promise<void> {
  const ledgerIds = posts.map(({ ledger }) => ledger.id);
  const requesters = await findRequesters(trx, [intent.tenant_id], ledgerIds);
  for (const requester of requesters) {
    const post = posts.find(({ ledger }) => ledger.id === requester.ledgerId)!;
    await fileRequest(ctx, trx, {
      kind: formTypes.achPayment,
      requester,
      asker: null,
      facts: {
        date: post.postedOn,
        amountCents: post.ledger.cents,
        method: intent.method_description,
        receiptNumber: post.receiptNumber,
      },
      email: achPaymentNoticeEmail,
    });
  }
}
