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
 * A mail to be queued; its text is kept for `bodyDays`, and its row longer (docs/retention.md). One that somebody waits for at a
 * screen is urgent and overtakes the others.
 */
type NewMail = { to: string | null; email: Email; paper?: PaperRef; bodyDays?: number; isUrgent?: boolean };

const BODY_DAYS = 90;
const DAY_MS = 86_400_000;

const address = emailAddress('Recipient');

/** What queueing a mail stands on. */
export type MailContext = Pick<Context, 'config' | 'clock' | 'enqueue' | 'log'>;

/**
 * Queues a mail to one address in the transaction that makes it necessary: it goes out if and only if that commits (D7).
 * `to` comes from our own records or from who asked to be written to, never from a copy in a form (safety finding 1).
 * Where it is no address, or null for none on record, nothing is queued and the log says so. Answers the mail's id.
 */
export async function queueMail(
  ctx: MailContext,
  trx: DatabaseTransaction,
  { to, email, paper, bodyDays = BODY_DAYS, isUrgent = false }: NewMail,
): Promise<string | null> {
  const recipient = address.safeParse(to);
  // A record from elsewhere may hold what is no address; what the tenant does must not fail for that.
  if (!recipient.success) {
    ctx.log.warn({ subject: email.subject }, 'a mail has no address it could go to');
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
 * Sends those of the mails that are not sent yet, one after another, and marks each. Throws in the end when some could not be
 * sent: their jobs come again. A process that dies between a send and its mark leaves one mail that is sent twice; both carry
 * the same Message-ID (R22). Nothing else sends one twice: the queue leases a job longer than a batch may take.
 */
export async function sendMails(ctx: Context, ids: string[]): Promise<void> {
  const mails = await ctx.db
    .selectFrom('mails')
    .selectAll()
    .where('id', 'in', ids)
    .where('sent_at', 'is', null)
    // What is too old to have a text is too old to be of use.
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

/** A mail whose text goes after a day answers an account lookup, mostly with a code: somebody waits for it. */
function kindOf({ created_at, body_until }: MailRow): 'code' | 'other' {
  return body_until.getTime() - created_at.getTime() <= DAY_MS ? 'code' : 'other';
}

/** The paper that goes with a mail, or null for none. */
export function paperOf({ paper_kind: kind, paper_id: id }: Pick<MailRow, 'paper_kind' | 'paper_id'>): PaperRef | null {
  return kind === null || id === null ? null : { kind, id };
}
