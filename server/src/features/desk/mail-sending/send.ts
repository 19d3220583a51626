import { sql, type Selectable } from 'kysely';
import type { Context } from '#context/context.ts';
import { doEach } from '#context/each.ts';
import { inLanguage } from '#context/language.ts';
import type { Tables } from '#db/tables.ts';
import { openBody } from '#features/base/mail/bodies.ts';
import { ruleOf } from '#features/base/mail/kinds.ts';
import { papersOfMail } from '#features/base/mail/papers.ts';
import { drawPaperOf, type PaperRef } from '#features/base/papers/papers.ts';
import { readMailedReminder } from '#features/rentals/reminders/mailed.ts';
import { decideMail } from './decide.ts';
import { giveUp, noteNotSent } from './not-sent.ts';

type MailRow = Selectable<Tables['mails']>;

const DAY_MS = 86_400_000;

/**
 * Sends the unsent ones of the mails, one after another, and marks each; those of a kind with
 * limits only once that is decided (decideMail), and reminders only while they are true. Throws at
 * the end when some could not be sent and are not given up (noteNotSent), so that their jobs are
 * retried. A crash between a send and its mark sends that mail twice, with the same Message-ID
 * (R22); nothing else does, because the lease of a job is longer than a batch may take.
 */
export async function sendMails(ctx: Context, ids: string[]): Promise<void> {
  const mails = await ctx.db
    .selectFrom('mails')
    .selectAll()
    .where('id', 'in', ids)
    .where('sent_at', 'is', null)
    .where('is_dropped', '=', false)
    .orderBy('position')
    .execute();
  const one = { atOnce: 1, what: 'mails could not be sent' };
  await doEach(mails, one, async (mail) => {
    if (mail.text_body === '')
      return giveUp(ctx, mail, 'its text was deleted before it could be sent', null);
    if (!(await isToBeSent(ctx, mail))) return;
    if (mail.kind !== 'reminder') return send(ctx, mail);
    const { isDue, stopUrl } = await readMailedReminder(ctx, mail.id);
    return isDue ? send(ctx, mail, stopUrl) : drop(ctx, mail.id);
  });
}

async function isToBeSent(ctx: Context, mail: MailRow): Promise<boolean> {
  if (mail.decided_at !== null || ruleOf(mail.kind).limits.length === 0) return true;
  // The job that releases mails decides about one that is held.
  return mail.held_until === null && (await decideMail(ctx, mail.id)) === 'send';
}

/** A reminder of what is not so any more. */
async function drop(ctx: Context, id: string): Promise<void> {
  await ctx.db
    .updateTable('mails')
    .set({ is_dropped: true, decided_at: ctx.clock.now() })
    .where('id', '=', id)
    .execute();
  ctx.metrics.mails.inc({ outcome: 'dropped' });
}

async function send(ctx: Context, mail: MailRow, unsubscribeUrl?: string): Promise<void> {
  const papers = await findPapers(ctx, mail.id);
  try {
    await ctx.mail.send({
      id: mail.id,
      to: mail.to_address,
      subject: mail.subject,
      ...openBody(ctx.vault, mail),
      at: mail.created_at,
      unsubscribeUrl,
      attachments: papers.map(
        (paper) => () => inLanguage(mail.language, () => drawPaperOf(ctx, paper)),
      ),
    });
  } catch (error) {
    await noteNotSent(ctx, mail, error);
    return;
  }
  const sentAt = ctx.clock.now();
  await ctx.db.updateTable('mails').set({ sent_at: sentAt }).where('id', '=', mail.id).execute();
  ctx.metrics.mails.inc({ outcome: 'sent' });
  ctx.metrics.mailSeconds.observe(
    { kind: kindOf(mail) },
    (sentAt.getTime() - (mail.held_until ?? mail.created_at).getTime()) / 1000,
  );
}

async function findPapers({ db }: Context, mailId: string): Promise<PaperRef[]> {
  const { rows } = await sql<{ papers: PaperRef[] }>`
    SELECT ${papersOfMail} AS papers FROM mails m WHERE m.id = ${mailId}`.execute(db);
  return rows[0]?.papers ?? [];
}

/**
 * A mail whose text is deleted after a day answers an account lookup, mostly with a code, so it is
 * urgent.
 */
function kindOf({ created_at, body_until }: MailRow): 'code' | 'other' {
  return body_until.getTime() - created_at.getTime() <= DAY_MS ? 'code' : 'other';
}
