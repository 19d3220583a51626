import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#context/context.ts';
import { drawPaperOf, type PaperRef } from '#features/papers/papers.ts';
import { notFound } from '#errors/refusal.ts';
import { openBody } from './bodies.ts';
import { MAILBOX_POLICY, MAIL_POLICY, renderMailbox, type MailboxMail } from './mailbox-page.ts';
import { papersOfMail } from './papers.ts';

const ATTACHMENTS = '/mailbox/attachments';

/** The mailbox shows this many of the newest mails. */
const MOST = 200;

const filter = z.object({ to: z.string('The field to must be one address.').optional() });
const mails = z.array(
  z.object({
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    sentAt: z.string(),
    heldUntil: z.nullable(z.string()),
    attachments: z.array(z.string()),
  }),
);
const oneMail = z.object({ mailId: z.uuid() });
const onePaper = z.object({ kind: z.enum(['receipt', 'statement']), id: z.uuid() });

/**
 * The mails as they go out, below the API's base, for tests and for users of the sandbox (design
 * section 4): without those that were dropped, or merged into another that is listed.
 */
export function registerMailboxApi(api: FastifyInstance, ctx: Context): void {
  if (ctx.config.profile !== 'sandbox') return;
  const schema = { hide: true, querystring: filter, response: { 200: mails } };
  api.get('/dev/mailbox', { schema }, (request) => listMails(ctx, toOf(request)));
}

/** The same as a page. */
export function registerMailboxPage(app: FastifyInstance, ctx: Context): void {
  const { config, db } = ctx;
  if (config.profile !== 'sandbox') return;
  app.get('/mailbox', { schema: { hide: true, querystring: filter } }, async (request, reply) => {
    const to = toOf(request);
    const page = renderMailbox(await listMails(ctx, to), to);
    void reply.headers({ 'content-security-policy': MAILBOX_POLICY, 'cache-control': 'no-store' });
    return reply.type('text/html; charset=utf-8').send(page);
  });

  app.get(
    '/mailbox/mails/:mailId',
    { schema: { hide: true, params: oneMail } },
    async (request, reply) => {
      const { mailId } = request.params as z.output<typeof oneMail>;
      const mail = await db
        .selectFrom('mails')
        .select(['id', 'text_body', 'html_body'])
        .where('id', '=', mailId)
        .executeTakeFirst();
      if (mail === undefined) throw notFound();
      void reply.headers({ 'content-security-policy': MAIL_POLICY, 'cache-control': 'no-store' });
      return reply.type('text/html; charset=utf-8').send(openBody(ctx.vault, mail).html);
    },
  );

  app.get(
    `${ATTACHMENTS}/:kind/:id`,
    { schema: { hide: true, params: onePaper } },
    async (request, reply) => {
      const paper = request.params as z.output<typeof onePaper>;
      const found =
        paper.kind === 'receipt'
          ? db.selectFrom('payments').select('entry_id').where('entry_id', '=', paper.id)
          : db.selectFrom('statements').select('id').where('id', '=', paper.id);
      if ((await found.executeTakeFirst()) === undefined) throw notFound();
      const file = await drawPaperOf(db, paper);
      void reply.headers({
        'content-disposition': `attachment; filename="${file.fileName}"`,
        'cache-control': 'no-store',
      });
      return reply.type(file.contentType).send(file.content);
    },
  );
}

/** The address to filter by, trimmed; null for none. */
function toOf({ query }: FastifyRequest): string {
  return (query as z.output<typeof filter>).to?.trim() ?? '';
}

async function listMails({ db, vault }: Context, to: string): Promise<MailboxMail[]> {
  const { rows } = await sql<{
    id: string;
    to: string;
    subject: string;
    text_body: string;
    html_body: string;
    at: Date;
    heldUntil: Date | null;
    papers: PaperRef[];
  }>`
    SELECT id, to_address AS to, subject, text_body, html_body, created_at AS at,
      CASE WHEN decided_at IS NULL THEN held_until END AS "heldUntil",
      ${papersOfMail} AS papers
    FROM mails m
    WHERE (${to} = '' OR lower(to_address) = lower(${to})) AND merged_into IS NULL AND NOT is_dropped
    ORDER BY position DESC LIMIT ${MOST}`.execute(db);
  return rows.map(({ id, to: address, subject, at, heldUntil, papers, ...body }) => ({
    id,
    to: address,
    subject,
    text: openBody(vault, { id, ...body }).text,
    sentAt: at.toISOString(),
    heldUntil: heldUntil?.toISOString() ?? null,
    attachments: papers.map((paper) => `${ATTACHMENTS}/${paper.kind}/${paper.id}`),
  }));
}
