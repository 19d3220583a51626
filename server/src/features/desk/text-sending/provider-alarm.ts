import type { Selectable } from 'kysely';
import type { TextNotSent } from '#adapters/text-messages/text-messages.ts';
import type { Context } from '#context/context.ts';
import type { Tables } from '#db/tables.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';

/** A provider that has taken no text for this long needs a person. */
const ALARM_MS = 15 * 60_000;

/**
 * Notes the first failed try of a text. An alarm is raised at once where the provider refuses us,
 * else for a try a quarter of an hour after that one.
 */
export async function noteNotHandedOver(
  ctx: Context,
  text: Selectable<Tables['texts']>,
  error: TextNotSent,
): Promise<void> {
  const now = ctx.clock.now();
  const since = text.failing_since ?? now;
  if (text.failing_since === null)
    await ctx.db
      .updateTable('texts')
      .set({ failing_since: since })
      .where('id', '=', text.id)
      .execute();
  if (!error.isOurAccount && now.getTime() - since.getTime() < ALARM_MS) return;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'text_provider_fails',
    key: 'text_provider_fails',
    facilityId: null,
    sentence: `The provider of text messages takes none of ours (${error.message}); they are tried again until their day ends.`,
    facts: { textId: text.id },
  });
}
