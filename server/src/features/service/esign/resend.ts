import { isPending } from '@gatehouse/contract/esign';
import { formTypes, type RequestReceipt } from '@gatehouse/contract/requests';
import { EsignUnavailable } from '#adapters/esign/esign.ts';
import type { Context } from '#context/context.ts';
import { esignRequestEmail } from '#emails/staff/esign-request.ts';
import { getRequester } from '#features/service/requests/requester.ts';
import { askStaff } from '#features/service/requests/requests.ts';
import { mailLinksOf } from './make.ts';
import type { Caller } from '#http/guard.ts';

/**
 * Asks the facility to send a rental's e-sign documents again, also when none is pending. A job
 * sends again what waits for a signature, here or at the signing service (`resendDocuments`). While
 * that is unavailable the request is accepted all the same.
 */
export async function askForDocuments(
  ctx: Context,
  caller: Caller,
  pathId: string,
  idempotencyKey: string | undefined,
): Promise<RequestReceipt> {
  const requester = await getRequester(ctx.db, caller.tenantIds, pathId);
  const ledgerId = pathId.toLowerCase();
  const request = {
    kind: formTypes.esign,
    requester,
    asker: { userId: caller.userId, idempotencyKey },
    facts: { pending: await findPending(ctx, ledgerId) },
    email: esignRequestEmail,
  };
  return askStaff(ctx, request, async (trx, { reference }) => {
    await ctx.enqueue(trx, { name: 'resend-envelopes', data: { ledgerId, reference } });
  });
}

/**
 * The forms that wait for the tenant's signature, or null where the signing service does not
 * answer.
 */
async function findPending(
  { db, esign, log }: Context,
  ledgerId: string,
): Promise<string[] | null> {
  try {
    return (await esign.list(db, [ledgerId])).filter(isPending).map(({ formName }) => formName);
  } catch (error) {
    if (!(error instanceof EsignUnavailable)) throw error;
    log.warn({ err: error }, 'the signing service did not answer');
    return null;
  }
}

/**
 * The work of that job: mails the links of what is signed here, or has the signing service send its
 * documents, once for a reference.
 */
export async function resendDocuments(
  ctx: Context,
  { ledgerId, reference }: { ledgerId: string; reference: string },
): Promise<void> {
  if (ctx.esign.isRemote) await ctx.esign.resend(ledgerId, reference);
  else await mailLinksOf(ctx, ledgerId);
}
