import type { TextEvent } from '#adapters/text-messages/text-messages.ts';
import type { Context } from '#context/context.ts';
import type { TextState } from '#db/tables.ts';
import { mailInstead } from '#features/rentals/reminders/queue.ts';
import { noteStopped } from '#features/service/texts/replies.ts';

type Report = Extract<TextEvent, { kind: 'status' }>;

const UNDER_WAY: TextState[] = ['sending', 'sent', 'unknown'];

/**
 * Notes what the provider reports of a text: delivered, or not, in which case its reminder is
 * mailed if it is still due. A repeat, and a report that comes late, changes nothing.
 */
export async function receiveReport(
  ctx: Context,
  { textId, providerId, state, code, isStopped }: Report,
): Promise<void> {
  const next = state === 'delivered' ? 'delivered' : state === 'undelivered' ? 'refused' : 'sent';
  const text = await ctx.db
    .selectFrom('texts')
    .select('to_phone as to')
    .where('id', '=', textId)
    .where('state', 'in', next === 'sent' ? ['unknown'] : UNDER_WAY)
    .executeTakeFirst();
  if (text === undefined) return;
  if (next === 'refused') {
    if (isStopped) await noteStopped(ctx, text.to, textId);
    await mailInstead(ctx, textId);
  }
  await ctx.db
    .updateTable('texts')
    .set({ state: next, code, provider_id: providerId })
    .where('id', '=', textId)
    .execute();
  ctx.metrics.texts.inc({ outcome: next });
}
