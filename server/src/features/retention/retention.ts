import { sql } from 'kysely';
import type { Context } from '#context.ts';
import { doEach } from '#each.ts';

const BATCH = 500;

/** Tables whose old rows go, and the texts of mails, which go before their rows. What rests on another comes first. */
const kinds = [
  ...['registrations', 'sessions', 'mail_texts', 'mails', 'requests', 'gateway_events', 'autopay_updates', 'mandates'],
  ...['audit_events', 'webhook_deliveries'],
];

/**
 * Forgets what is older than docs/retention.md keeps it, kind by kind and batch after batch; a kind that fails keeps no other.
 * The periods are the database's (forget_old_rows): the serving role may not delete most of it, nor say what time it is.
 * Replies and events go with their request.
 */
export async function forgetOldRows({ db }: Context): Promise<void> {
  await doEach(kinds, { atOnce: 1, what: 'kinds of rows could not be forgotten' }, async (kind) => {
    const forgetBatch = async () => {
      const { rows } = await sql<{ count: number }>`SELECT forget_old_rows(${kind}, ${BATCH}) AS count`.execute(db);
      return rows[0]!.count;
    };
    while ((await forgetBatch()) === BATCH);
  });
}

/** The photos among them, once what they came with is gone, with their files. */
export async function forgetOldImages({ db, enqueue }: Context): Promise<void> {
  const forgetBatch = () =>
    db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ key: string }>`SELECT forget_old_images(${BATCH}) AS key`.execute(trx);
      for (const { key } of rows) await enqueue(trx, { name: 'sweep-file', data: { key } });
      return rows.length;
    });
  while ((await forgetBatch()) === BATCH);
}
