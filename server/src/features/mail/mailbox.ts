import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#context.ts';
import type { Database } from '#db/database.ts';
import { drawPaperOf } from '#features/papers/papers.ts';
import { notFound } from '#refusal.ts';
import { paperOf } from './mail.ts';
import { MAILBOX_POLICY, renderMailbox, type MailboxMail } from './mailbox-page.ts';

const ATTACHMENTS = '/mailbox/attachments/';

/** The mailbox shows this many of the newest mails. */
const MOST = 200;

const filter = z.object({ to: z.string('The field to must be one address.').optional() });
const mails = z.array(
  z.object({
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    sentAt: z.string(),
    attachment: z.nullable(z.string()),
  }),
);
const oneMail = z.object({ mailId: z.uuid() });

/** All mails, below the API's base, for tests and for users of the sandbox (design section 4). */
export function registerMailboxApi(api: FastifyInstance, { config, db }: Context): void {
  if (config.profile !== 'sandbox') return;
  const schema = { hide: true, querystring: filter, response: { 200: mails } };
  api.get('/dev/mailbox', { schema }, (request) => listMails(db, toOf(request)));
}

/** The same as a page. */
export function registerMailboxPage(app: FastifyInstance, { config, db }: Context): void {
  if (config.profile !== 'sandbox') return;
  app.get('/mailbox', { schema: { hide: true, querystring: filter } }, async (request, reply) => {
    const to = toOf(request);
    const page = renderMailbox(await listMails(db, to), to);
    void reply.headers({ 'content-security-policy': MAILBOX_POLICY, 'cache-control': 'no-store' });
    return reply.type('text/html; charset=utf-8').send(page);
  });

  app.get(`${ATTACHMENTS}:mailId`, { schema: { hide: true, params: oneMail } }, async (request, reply) => {
    const { mailId } = request.params as z.output<typeof oneMail>;
    const mail = await db
      .selectFrom('mails')
      .select(['paper_kind', 'paper_id'])
      .where('id', '=', mailId)
      .executeTakeFirst();
    const paper = mail && paperOf(mail);
    if (!paper) throw notFound();
    const file = await drawPaperOf(db, paper);
    void reply.headers({
      'content-disposition': `attachment; filename="${file.fileName}"`,
      'cache-control': 'no-store',
    });
    return reply.type(file.contentType).send(file.content);
  });
}

/** The address to filter by, trimmed; null for none. */
function toOf({ query }: FastifyRequest): string {
  return (query as z.output<typeof filter>).to?.trim() ?? '';
}

async function listMails(db: Database, to: string): Promise<MailboxMail[]> {
  const { rows } = await sql<{ id: string; to: string; subject: string; text: string; at: Date; hasPaper: boolean }>`
    SELECT id, to_address AS to, subject, text_body AS text, created_at AS at, paper_id IS NOT NULL AS "hasPaper"
    FROM mails
    WHERE ${to} = '' OR lower(to_address) = lower(${to})
    ORDER BY position DESC LIMIT ${MOST}`.execute(db);
  return rows.map(({ id, at, hasPaper, ...mail }) => ({
    ...mail,
    sentAt: at.toISOString(),
    attachment: hasPaper ? `${ATTACHMENTS}${id}` : null,
  }));
}
