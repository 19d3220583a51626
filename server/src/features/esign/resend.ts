import { PENDING_ENVELOPE_STATUS_ID } from '@gatehouse/contract/esign';
import { formTypes, type RequestReceipt } from '@gatehouse/contract/requests';
import type { Context } from '#context.ts';
import { esignRequestEmail } from '#emails/staff/esign-request.ts';
import { getRequester } from '#features/requests/requester.ts';
import { askStaff } from '#features/requests/requests.ts';
import type { Caller } from '#http/guard.ts';

/** Asks the facility to send a rental's e-sign documents again, also when none is pending (design section 6). */
export async function askForDocuments(
  ctx: Context,
  caller: Caller,
  ledgerId: string,
  idempotencyKey: string | undefined,
): Promise<RequestReceipt> {
  const requester = await getRequester(ctx.db, caller.tenantIds, ledgerId);
  const pending = await ctx.db
    .selectFrom('esign_documents')
    .select('form_name')
    .where('ledger_id', '=', requester.ledgerId)
    .where('envelope_status_id', '=', PENDING_ENVELOPE_STATUS_ID)
    .orderBy('form_name')
    .execute();
  return askStaff(ctx, {
    kind: formTypes.esign,
    requester,
    asker: { userId: caller.userId, idempotencyKey },
    facts: { pending: pending.map((document) => document.form_name) },
    email: esignRequestEmail,
  });
}
