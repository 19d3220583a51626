import { randomUUID } from 'node:crypto';
import { formatPhone } from '@gatehouse/contract/phone';
import { languages, type Language } from '@gatehouse/language/language';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Context } from '#context/context.ts';
import { inLanguage } from '#context/language.ts';
import type { TextState } from '#db/tables.ts';
import { notFound } from '#errors/refusal.ts';
import { openBody } from '#features/base/mail/bodies.ts';
import { papersOfMail } from '#features/base/mail/papers.ts';
import { drawPaperOf, type PaperRef } from '#features/base/papers/papers.ts';
import { receiveReply } from '#features/service/texts/replies.ts';
import {
  MAILBOX_POLICY,
  MAIL_POLICY,
  framedMail,
  renderMailbox,
  type MailboxMail,
  type MailboxText,
} from './mailbox-page.ts';

const ATTACHMENTS = '/mailbox/attachments';

/** An answer is a text message. */
const ANSWER_BYTES = 4096;

/** The mailbox shows this many of the newest mails, and of the newest text messages. */
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
const oneText = z.object({ textId: z.uuid() });
const onePaper = z.object({ kind: z.enum(['receipt', 'statement', 'document']), id: z.uuid() });
const paperLanguage = z.object({ language: z.enum(languages).optional() });

/**
 * The mails as they go out, below the API's base, for tests and for users of the sandbox: without
 * those that were dropped, or merged into another that is listed.
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
    return sendMailbox(reply, {
      mails: await listMails(ctx, to),
      texts: await listTexts(ctx, to),
      to,
    });
  });
  registerAnswers(app, ctx);

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
      return reply
        .type('text/html; charset=utf-8')
        .send(framedMail(openBody(ctx.vault, mail).html));
    },
  );

  app.get(
    `${ATTACHMENTS}/:kind/:id`,
    { schema: { hide: true, params: onePaper, querystring: paperLanguage } },
    async (request, reply) => {
      const paper = request.params as z.output<typeof onePaper>;
      const found = {
        receipt: db
          .selectFrom('payments')
          .select('entry_id as id')
          .where('entry_id', '=', paper.id),
        statement: db.selectFrom('statements').select('id').where('id', '=', paper.id),
        document: db.selectFrom('esign_documents').select('id').where('id', '=', paper.id),
      }[paper.kind];
      if ((await found.executeTakeFirst()) === undefined) throw notFound();
      const { language = 'en' } = request.query as z.output<typeof paperLanguage>;
      const file = await inLanguage(language, () => drawPaperOf(ctx, paper));
      void reply.headers({
        'content-disposition': `attachment; filename="${file.fileName}"`,
        'cache-control': 'no-store',
      });
      return reply.type(file.contentType).send(file.content);
    },
  );
}

/** What a recipient answers to a text message, by the form next to it. */
function registerAnswers(app: FastifyInstance, ctx: Context): void {
  void app.register((answers, _options, done) => {
    answers.removeAllContentTypeParsers();
    answers.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: ANSWER_BYTES },
      (_request, body, parsed) => parsed(null, new URLSearchParams(body.toString()).get('body')),
    );
    answers.post(
      '/mailbox/texts/:textId',
      { schema: { hide: true, params: oneText } },
      async (request, reply) => {
        const { textId } = request.params as z.output<typeof oneText>;
        const text = await ctx.db
          .selectFrom('texts')
          .select('to_phone as from')
          .where('id', '=', textId)
          .executeTakeFirst();
        if (text === undefined) throw notFound();
        const body = typeof request.body === 'string' ? request.body : '';
        const id = `sandbox_${randomUUID()}`;
        const answer = await receiveReply(ctx, { id, from: text.from, body, word: null });
        const to = text.from.slice(2);
        return sendMailbox(reply, {
          mails: [],
          texts: await listTexts(ctx, to),
          to,
          said: `${formatPhone(to)} answered “${body}”. ${answer === null ? 'The provider answers by itself, or not at all.' : `The answer to it: ${answer}`}`,
        });
      },
    );
    done();
  });
}

function sendMailbox(
  reply: FastifyReply,
  mailbox: Parameters<typeof renderMailbox>[0],
): FastifyReply {
  return reply
    .headers({ 'content-security-policy': MAILBOX_POLICY, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(renderMailbox(mailbox));
}

/** The newest text messages to a number as it was typed; all where nothing was. */
async function listTexts({ db, vault }: Context, to: string): Promise<MailboxText[]> {
  const { rows } = await sql<{
    id: string;
    to: string;
    body: string;
    at: Date;
    timeZone: string;
    state: TextState;
  }>`
    SELECT id, to_phone AS to, body, created_at AS at, state, ${zoneOf(sql`texts.tenant_id`, sql`''`)} AS "timeZone" FROM texts
    WHERE ${to} = '' OR to_phone = text_phone(${to}) ORDER BY position DESC LIMIT ${MOST}`.execute(
    db,
  );
  return rows.map(({ id, to: number, body, at, ...text }) => ({
    id,
    to: number.slice(2),
    text: body === '' ? '' : vault.open('textBody', id, body),
    sentAt: at.toISOString(),
    ...text,
  }));
}

/** The address to filter by, trimmed; null for none. */
function toOf({ query }: FastifyRequest): string {
  return (query as z.output<typeof filter>).to?.trim() ?? '';
}

/**
 * SQL: the time zone of the facility that a mail or text is about: its tenant record's, that of a
 * record or facility with its address, or else the first one's.
 */
function zoneOf(tenantId: RawBuilder<unknown>, address: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`coalesce(
    (SELECT f.time_zone FROM tenants t JOIN facilities f ON f.id = t.facility_id
      WHERE t.id = ${tenantId} OR lower(t.email) = lower(${address}) ORDER BY t.id IS DISTINCT FROM ${tenantId}, t.id LIMIT 1),
    (SELECT f.time_zone FROM facilities f ORDER BY lower(f.email) IS DISTINCT FROM lower(${address}), f.location_code LIMIT 1),
    'UTC')`;
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
    timeZone: string;
    papers: PaperRef[];
    language: Language | null;
  }>`
    SELECT id, language, to_address AS to, subject, text_body, html_body, created_at AS at,
      CASE WHEN decided_at IS NULL THEN held_until END AS "heldUntil",
      ${papersOfMail} AS papers, ${zoneOf(sql`m.tenant_id`, sql`m.to_address`)} AS "timeZone"
    FROM mails m
    WHERE (${to} = '' OR lower(to_address) = lower(${to})) AND merged_into IS NULL AND NOT is_dropped
    ORDER BY position DESC LIMIT ${MOST}`.execute(db);
  return rows.map(
    ({ id, to: address, subject, at, heldUntil, timeZone, papers, language, ...body }) => ({
      id,
      to: address,
      subject,
      text: openBody(vault, { id, ...body }).text,
      sentAt: at.toISOString(),
      heldUntil: heldUntil?.toISOString() ?? null,
      timeZone,
      attachments: papers.map(
        ({ kind, id: paperId }) =>
          `${ATTACHMENTS}/${kind}/${paperId}${language === 'es' ? '?language=es' : ''}`,
      ),
    }),
  );
}
