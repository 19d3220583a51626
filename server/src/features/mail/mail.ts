import { emailAddress } from '@gatehouse/contract/text';
import type { Selectable } from 'kysely';
import type { Context } from '#context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { doEach } from '#each.ts';
import type { Tables } from '#db/tables.ts';
import type { Email } from '#emails/email.ts';
import { renderEmail } from '#emails/render.ts';
import { drawPaperOf, type PaperRef } from '#features/papers/papers.ts';

type MailRow = Selectable<Tables['mails']>;

/**
 * A mail to queue; its text is deleted after `bodyDays`, and its row later (docs/retention.md). An
 * urgent one, for which a tenant is waiting, is sent before the others.
 */
type NewMail = { to: string | null; email: Email; paper?: PaperRef; bodyDays?: number; isUrgent?: boolean };

const BODY_DAYS = 90;
const DAY_MS = 86_400_000;

const address = emailAddress('Recipient');

/** The parts of the context that queue a mail. */
export type MailContext = Pick<Context, 'config' | 'clock' | 'enqueue' | 'log'>;

/**
 * Queues a mail to one address in the transaction that makes it necessary: it is sent if and only
 * if that commits (D7). `to` comes from our own records or from the person who asked for the mail,
 * never from a copy in a form (safety finding 1). An invalid address, or null for none on record,
 * is logged and nothing is queued. Returns the mail's id.
 */
export async function queueMail(
  ctx: MailContext,
  trx: DatabaseTransaction,
  { to, email, paper, bodyDays = BODY_DAYS, isUrgent = false }: NewMail,
): Promise<string | null> {
  const recipient = address.safeParse(to);
  // An imported record may hold an invalid address; the tenant's action must not fail for that.
  if (!recipient.success) {
    ctx.log.warn({ subject: email.subject }, 'a mail was not queued: it has no valid address');
    return null;
  }
  const operator = await trx
    .selectFrom('corporations')
    .select('name')
    .where('code', '=', ctx.config.corporationCode)
    .executeTakeFirst();
  const { subject, text, html } = renderEmail(email, {
    name: operator?.name ?? ctx.config.mailFrom.name,
    url: ctx.config.publicUrl,
  });
  const { id } = await trx
    .insertInto('mails')
    .values({
      to_address: recipient.data,
      subject,
      text_body: text,
      html_body: html,
      created_at: ctx.clock.now(),
      body_until: new Date(ctx.clock.now().getTime() + bodyDays * DAY_MS),
      ...(paper && { paper_kind: paper.kind, paper_id: paper.id }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.enqueue(trx, { name: 'send-mail', data: { mailId: id }, priority: isUrgent ? 1 : 0 });
  return id;
}

/**
 * Sends the unsent ones of the mails, one after another, and marks each. Throws at the end when
 * some could not be sent, so that their jobs are retried. A crash between a send and its mark sends
 * that mail twice, with the same Message-ID (R22); nothing else does, because the lease of a job is
 * longer than a batch may take.
 */
export async function sendMails(ctx: Context, ids: string[]): Promise<void> {
  const mails = await ctx.db
    .selectFrom('mails')
    .selectAll()
    .where('id', 'in', ids)
    .where('sent_at', 'is', null)
    // A mail whose text has been deleted is too old to be sent.
    .where('text_body', '<>', '')
    .execute();
  const one = { atOnce: 1, what: 'mails could not be sent' };
  await doEach(mails, one, async (mail) => {
    const paper = paperOf(mail);
    await ctx.mail.send({
      id: mail.id,
      to: mail.to_address,
      subject: mail.subject,
      text: mail.text_body,
      html: mail.html_body,
      at: mail.created_at,
      attachment: paper && (() => drawPaperOf(ctx.db, paper)),
    });
    const sentAt = ctx.clock.now();
    await ctx.db.updateTable('mails').set({ sent_at: sentAt }).where('id', '=', mail.id).execute();
    ctx.metrics.mailSeconds.observe({ kind: kindOf(mail) }, (sentAt.getTime() - mail.created_at.getTime()) / 1000);
  });
}

/**
 * A mail whose text is deleted after a day answers an account lookup, mostly with a code, so it is
 * urgent.
 */
function kindOf({ created_at, body_until }: MailRow): 'code' | 'other' {
  return body_until.getTime() - created_at.getTime() <= DAY_MS ? 'code' : 'other';
}

/** The attachment of a mail, or null for none. */
export function paperOf({ paper_kind: kind, paper_id: id }: Pick<MailRow, 'paper_kind' | 'paper_id'>): PaperRef | null {
  return kind === null || id === null ? null : { kind, id };
}
