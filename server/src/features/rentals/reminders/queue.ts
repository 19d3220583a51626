import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { payPath } from '#emails/owed.ts';
import { reminderEmail } from '#emails/reminder.ts';
import { lockLedgers } from '#features/base/ledgers/postings.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { insertPayLink, newPayLink, payLinkUrl } from '#features/money/pay-links/links.ts';
import { quietUntil } from '#features/service/texts/quiet-hours.ts';
import { queueText } from '#features/service/texts/texts.ts';
import type { DueReminder } from './due.ts';
import { readQueuedReminder } from './mailed.ts';
import { reminderText } from './reminder-text.ts';
import { stopUrl } from './stop-links.ts';

/**
 * Queues a reminder with its ledger locked: by text message where its tenant has agreed to that,
 * else by mail, never by both. Answers its mail or text; null where the tenant has no address that
 * mail can go to.
 */
export async function queueReminder(
  ctx: Context,
  trx: DatabaseTransaction,
  due: DueReminder,
): Promise<{ mailId: string } | { textId: string } | null> {
  if (due.number !== null) return { textId: await queueByText(ctx, trx, due, due.number) };
  const mailId = await queueByMail(ctx, trx, due);
  return mailId === null ? null : { mailId };
}

/**
 * Mails the reminder of a text message that could not be delivered, once, where it is still due.
 */
export async function mailInstead(ctx: Context, textId: string): Promise<void> {
  const own = { column: 'text_id', id: textId } as const;
  const reminder = await readQueuedReminder(ctx, ctx.db, own);
  if (reminder === null) return;
  await ctx.db.transaction().execute(async (trx) => {
    await lockLedgers(trx, sql`SELECT ${reminder.ledgerId}::uuid`);
    const { rows } = await sql`
      SELECT FROM reminders WHERE text_id = ${textId} AND mail_id IS NOT NULL`.execute(trx);
    const due = (await readQueuedReminder(ctx, trx, own))?.due ?? null;
    if (rows.length > 0 || due === null) return;
    const mailId = await queueByMail(ctx, trx, due);
    if (mailId === null) return;
    await trx
      .updateTable('reminders')
      .set({ mail_id: mailId })
      .where('text_id', '=', textId)
      .execute();
  });
}

async function queueByMail(
  ctx: Context,
  trx: DatabaseTransaction,
  due: DueReminder,
): Promise<string | null> {
  const link = linkOf(ctx, due);
  const [fact] = due.facts;
  const mailId = await queueMail(ctx, trx, {
    to: due.to,
    kind: 'reminder',
    tenantId: due.tenantId,
    email: () =>
      reminderEmail({
        ...due,
        ...fact,
        payUrl: link && payLinkUrl(ctx, link.token),
        signInUrl: payPath(due.ledgerId),
        stopUrl: stopUrl(ctx, due.tenantId, fact.kind),
      }),
  });
  if (mailId !== null && link !== null)
    await insertPayLink(trx, { ...link, ...due, by: 'Reminder mail' });
  return mailId;
}

async function queueByText(
  ctx: Context,
  trx: DatabaseTransaction,
  due: DueReminder,
  to: string,
): Promise<string> {
  const link = linkOf(ctx, due);
  const url =
    link === null ? ctx.config.publicUrl + payPath(due.ledgerId) : payLinkUrl(ctx, link.token);
  const textId = await queueText(ctx, trx, {
    tenantId: due.tenantId,
    to,
    kind: 'reminder',
    body: () => reminderText({ ...due, ...due.facts[0], url }),
    notBefore: quietUntil(due.timeZone, ctx.clock.now()),
  });
  if (link !== null) await insertPayLink(trx, { ...link, ...due, by: 'Reminder text' });
  return textId;
}

/** None for rent to come, and none where the facility takes payments by autopay only. */
function linkOf(ctx: Context, { facts: [{ kind }], canPayOnce }: DueReminder) {
  return kind !== 'rent_soon' && canPayOnce ? newPayLink(ctx, ctx.clock.now()) : null;
}
