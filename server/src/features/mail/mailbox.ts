import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#context.ts';
import type { Database } from '#db/database.ts';
import { MAILBOX_POLICY, renderMailbox, type MailboxMail } from './mailbox-page.ts';

/** The mailbox holds this many of the newest. */
const MOST = 200;

const filter = z.object({ to: z.string('to must be one address.').optional() });
const mails = z.array(z.object({ to: z.string(), subject: z.string(), text: z.string(), sentAt: z.string() }));

/** Everything that was mailed, below the API's base: for the tests and for whoever tries the sandbox (design section 4). */
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
}

/** The address to show the mails of, as it was typed; an empty one is none. */
function toOf({ query }: FastifyRequest): string {
  return (query as z.output<typeof filter>).to?.trim() ?? '';
}

async function listMails(db: Database, to: string): Promise<MailboxMail[]> {
  const { rows } = await sql<{ to: string; subject: string; text: string; at: Date }>`
    SELECT to_address AS to, subject, text_body AS text, created_at AS at FROM mails
    WHERE ${to} = '' OR lower(to_address) = lower(${to})
    ORDER BY position DESC LIMIT ${MOST}`.execute(db);
  return rows.map(({ at, ...mail }) => ({ ...mail, sentAt: at.toISOString() }));
}
