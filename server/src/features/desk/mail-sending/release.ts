import type { Context } from '#context/context.ts';
import { doEach } from '#context/each.ts';
import { decideMail } from './decide.ts';

/** At most this many are decided at a time; the next minute has the rest. */
const BATCH = 500;

/** Decides about the mails that were held until now. */
export async function releaseHeldMails(ctx: Context): Promise<void> {
  const due = await ctx.db
    .selectFrom('mails')
    .select('id')
    .where('held_until', '<=', ctx.clock.now())
    .where('decided_at', 'is', null)
    .orderBy('held_until')
    .orderBy('position')
    .limit(BATCH)
    .execute();
  await doEach(due, { atOnce: 1, what: 'held mails could not be released' }, ({ id }) =>
    decideMail(ctx, id),
  );
}
