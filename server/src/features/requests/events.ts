import type { Context } from '#context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { RequestEventKind, RequestKind, RequestStatus } from '#db/tables.ts';

/** Kinds that tell staff something and ask for nothing: done from the beginning, and no tenant's to follow. */
export const notices: RequestKind[] = ['autopayCreditCardToAch', 'notifyAchPayment'];

/**
 * Something that happened to a request, and where it stands after it. `by` is who: the tenant in the portal, the server itself,
 * or staff by the link of a mail or the command line, under the name that is kept of them.
 */
export type NewEvent = {
  requestId: string;
  kind: RequestEventKind;
  status: RequestStatus;
  text?: string;
  by: { via: 'portal' | 'server' } | Staff;
  /** The form that was sent, where it was one of the staff page. */
  formId?: string;
};
export type Staff = { via: 'link' | 'cli'; author: string };

/** Notes an event, with the job that tells the operator's webhook, in the transaction of what happened (D7). */
export async function recordEvent(ctx: Context, trx: DatabaseTransaction, event: NewEvent): Promise<void> {
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
