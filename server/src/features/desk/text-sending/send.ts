import { CODE_MINUTES } from '@gatehouse/contract/registration';
import { sql, type Selectable } from 'kysely';
import {
  TextNotSent,
  TextRefused,
  type TextMessages,
} from '#adapters/text-messages/text-messages.ts';
import type { Context } from '#context/context.ts';
import { doEach } from '#context/each.ts';
import type { Tables, TextState } from '#db/tables.ts';
import { readQueuedReminder } from '#features/rentals/reminders/mailed.ts';
import { mailInstead } from '#features/rentals/reminders/queue.ts';
import { timeIn } from '#features/rentals/reminders/time-in.ts';
import { quietUntil } from '#features/service/texts/quiet-hours.ts';
import { noteStopped } from '#features/service/texts/replies.ts';
import { enqueueText } from '#features/service/texts/texts.ts';
import { noteNotHandedOver } from './provider-alarm.ts';

type TextRow = Selectable<Tables['texts']>;

/**
 * What is to be done with a text just before it is sent. `mail`: its reminder is mailed, because
 * the tenant gets no texts any more; `later`: it has come within the quiet hours.
 */
type Decision = 'send' | 'drop' | 'mail' | { later: Date };

/**
 * Sends the waiting ones of the text messages, one after another. Providers know no idempotency, so
 * each is handed over once at most: it is marked before the call, and one whose outcome is not
 * known stays so. Throws at the end where some were not handed over, so that their jobs are
 * retried.
 */
export async function sendTexts(ctx: Context, ids: string[]): Promise<void> {
  const texts = await ctx.db
    .selectFrom('texts')
    .selectAll()
    .where('id', 'in', ids)
    .where('state', 'in', ['waiting', 'sending'])
    .orderBy('position')
    .execute();
  await doEach(texts, { atOnce: 1, what: 'text messages could not be sent' }, (text) =>
    sendOne(ctx, text),
  );
}

async function sendOne(ctx: Context, text: TextRow): Promise<void> {
  // The server that called the provider has stopped before it noted the answer.
  if (text.state === 'sending') return settle(ctx, text, 'unknown');
  const decision = ctx.texts === null || text.body === '' ? 'mail' : await decide(ctx, text);
  if (decision === 'send') return handOver(ctx, ctx.texts!, text);
  if (typeof decision === 'object') {
    await ctx.db.transaction().execute((trx) => enqueueText(ctx, trx, text.id, decision.later));
    return;
  }
  if (decision === 'mail') await mailInstead(ctx, text.id);
  await settle(ctx, text, 'dropped');
}

async function decide(ctx: Context, text: TextRow): Promise<Decision> {
  if (text.kind === 'reminder') return decideReminder(ctx, text);
  // A tenant who has just asked for it waits for it.
  const age = ctx.clock.now().getTime() - text.created_at.getTime();
  const { rows } = await sql<{ isStopped: boolean }>`
    SELECT is_phone_stopped(${text.to_phone}) AS "isStopped"`.execute(ctx.db);
  return age > CODE_MINUTES * 60_000 || rows[0]!.isStopped ? 'drop' : 'send';
}

/** By the rule and the rows of this moment, as for a mail, and never within the quiet hours. */
async function decideReminder(ctx: Context, text: TextRow): Promise<Decision> {
  const own = { column: 'text_id', id: text.id } as const;
  const reminder = await readQueuedReminder(ctx, ctx.db, own);
  if (reminder?.due == null) return 'drop';
  if (reminder.due.number !== text.to_phone) return 'mail';
  const later = quietUntil(reminder.timeZone, ctx.clock.now());
  if (later === null) return 'send';
  return timeIn(reminder.timeZone, later).date === reminder.remindedOn ? { later } : 'drop';
}

async function handOver(ctx: Context, provider: TextMessages, text: TextRow): Promise<void> {
  const { id, to_phone: to } = text;
  const body = ctx.vault.open('textBody', id, text.body);
  if (!(await claim(ctx, id))) return;
  try {
    const { providerId } = await provider.send({ id, to, body });
    await settle(ctx, text, 'sent', { providerId });
  } catch (error) {
    if (error instanceof TextNotSent) {
      await settle(ctx, text, 'waiting');
      await noteNotHandedOver(ctx, text, error);
      throw error;
    }
    if (error instanceof TextRefused) {
      const { code, isStopped } = error;
      if (isStopped) await noteStopped(ctx, to, id);
      await mailInstead(ctx, id);
      return settle(ctx, text, 'refused', { code });
    }
    ctx.log.warn({ err: error }, 'it is not known whether a text message was sent');
    await settle(ctx, text, 'unknown');
  }
}

/** Committed before the call: a worker that finds it so does not call again. */
async function claim({ db, clock }: Context, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('texts')
    .set({ state: 'sending', tried_at: clock.now() })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What the provider has reported meanwhile stays. */
async function settle(
  ctx: Context,
  { id }: TextRow,
  state: TextState,
  { providerId = null, code = null }: { providerId?: string | null; code?: string | null } = {},
): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('texts')
    .set({ state, code, provider_id: providerId })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'sending'])
    .executeTakeFirst();
  if (numUpdatedRows > 0n && state !== 'waiting') ctx.metrics.texts.inc({ outcome: state });
}
