import type { RequestEventKind } from '@gatehouse/contract/tracked-requests';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { RequestKind, RequestStatus } from '#db/tables.ts';

/**
 * Kinds that inform staff without a task: they are done from the beginning and not shown to the
 * tenant.
 */
export const notices: RequestKind[] = ['autopayCreditCardToAch', 'notifyAchPayment'];

/**
 * An event of a request, and the status after it. `by` is the actor: the tenant in the portal or by
 * the link in a mail (`link`, with the address), the server itself, or staff on the command line or
 * in the office, with their name.
 */
export type NewEvent = {
  requestId: string;
  kind: RequestEventKind;
  status: RequestStatus;
  text?: string;
  by: { via: 'portal' | 'server' } | Staff;
  /** The id of the submitted form of the staff page, if any. */
  formId?: string;
};
export type Staff = { via: 'link' | 'cli' | 'office'; author: string };

/**
 * Adds an event and queues its delivery to the operator's webhook, in the transaction of the
 * change.
 */
export async function recordEvent(
  ctx: Context,
  trx: DatabaseTransaction,
  event: NewEvent,
): Promise<void> {
  const { requestId, kind, status, text, by, formId } = event;
  const { id } = await trx
    .insertInto('request_events')
    .values({
      request_id: requestId,
      kind,
      status,
      text: text ?? null,
      via: by.via,
      author: 'author' in by ? by.author : null,
      form_id: formId ?? null,
      created_at: ctx.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.enqueue(trx, { name: 'deliver-event', data: { eventId: id }, singletonKey: id });
}
