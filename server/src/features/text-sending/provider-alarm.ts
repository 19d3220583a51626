import type { Selectable } from 'kysely';
import type { TextNotSent } from '#adapters/text-messages/text-messages.ts';
import type { Context } from '#context/context.ts';
import type { Tables } from '#db/tables.ts';
import { raiseAlarm } from '#features/alarms/alarms.ts';

/** A provider that has taken no text for this long needs a person. */
const ALARM_MS = 15 * 60_000;

/** At once where the provider refuses us; else for another try, a quarter of an hour later. */
export async function warnOfProvider(
  ctx: Context,
  text: Selectable<Tables['texts']>,
  error: TextNotSent,
): Promise<void> {
  const age = ctx.clock.now().getTime() - text.created_at.getTime();
  if (!error.isForUs && (text.tried_at === null || age < ALARM_MS)) return;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'text_provider_fails',
    key: 'text_provider_fails',
    facilityId: null,
    sentence: `The provider of text messages takes none of ours (${error.message}); they are tried again until their day ends.`,
    facts: { textId: text.id },
  });
}
