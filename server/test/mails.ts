import type { Selectable } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import type { Tables } from '#db/tables.ts';
import { openBody } from '#features/base/mail/bodies.ts';

export type OpenedMail = Omit<Selectable<Tables['mails']>, 'text_body' | 'html_body'> & {
  text: string;
  html: string;
};

type Place = { owner: Database; ctx: Pick<Context, 'vault'> };

/** Every mail that was queued, the oldest first, with its body opened. */
export async function readMails({ owner, ctx }: Place): Promise<OpenedMail[]> {
  const rows = await owner.selectFrom('mails').selectAll().orderBy('position').execute();
  return rows.map((row) => opened(row, ctx));
}

/** The mails to one address, the oldest first. */
export async function mailsTo({ owner, ctx }: Place, address: string): Promise<OpenedMail[]> {
  const rows = await owner
    .selectFrom('mails')
    .selectAll()
    .where('to_address', '=', address)
    .orderBy('position')
    .execute();
  return rows.map((row) => opened(row, ctx));
}

function opened(
  { text_body, html_body, ...mail }: Selectable<Tables['mails']>,
  { vault }: Place['ctx'],
): OpenedMail {
  return { ...mail, ...openBody(vault, { id: mail.id, text_body, html_body }) };
}
