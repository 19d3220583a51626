import { randomUUID } from 'node:crypto';
import { language, type Language } from '@gatehouse/language/language';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { inLanguage } from '#context/language.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import type { TextKind } from '#db/tables.ts';
import { toGsm } from './gsm.ts';

/**
 * A text message to queue: `to` in E.164; `notBefore` is where the quiet hours end. `body` makes
 * it, in the language of the tenant's account, or of the call where that has none.
 */
type NewText = {
  tenantId: string;
  to: string;
  kind: TextKind;
  body: () => string;
  notBefore?: Date | null;
};

/** A code opens something; the others are kept as long as the texts of mails. */
const BODY_DAYS: Record<TextKind, number> = { code: 1, welcome: 90, reminder: 90 };
const DAY_MS = 86_400_000;

/**
 * Queues a text message in the transaction that makes it necessary: it is handed over if and only
 * if that commits, and once at most. Returns its id.
 */
export async function queueText(
  ctx: Pick<Context, 'clock' | 'enqueue' | 'vault'>,
  trx: DatabaseTransaction,
  { tenantId, to, kind, body, notBefore = null }: NewText,
): Promise<string> {
  const id = randomUUID();
  const now = ctx.clock.now();
  const text = inLanguage((await findLanguage(trx, tenantId)) ?? language(), body);
  await trx
    .insertInto('texts')
    .values({
      id,
      kind,
      tenant_id: tenantId,
      to_phone: to,
      created_at: now,
      body: ctx.vault.seal('textBody', id, toGsm(text)),
      body_until: new Date(now.getTime() + BODY_DAYS[kind] * DAY_MS),
    })
    .execute();
  await enqueueText(ctx, trx, id, notBefore);
  return id;
}

/** The language of the account that signs in to a tenant record. */
async function findLanguage(db: Database, tenantId: string): Promise<Language | null> {
  const { rows } = await sql<{ language: Language | null }>`
    SELECT u.language FROM tenants t JOIN facilities f ON f.id = t.facility_id
    JOIN users u ON u.corporation_id = f.corporation_id AND lower(u.email) = lower(t.email)
    WHERE t.id = ${tenantId}`.execute(db);
  return rows[0]?.language ?? null;
}

/** Queues the job that sends a stored text, from an instant on where one is given. */
export function enqueueText(
  ctx: Pick<Context, 'clock' | 'enqueue'>,
  trx: DatabaseTransaction,
  textId: string,
  notBefore: Date | null,
): Promise<void> {
  const waits = notBefore === null ? 0 : notBefore.getTime() - ctx.clock.now().getTime();
  return ctx.enqueue(trx, {
    name: 'send-text',
    data: { textId },
    ...(waits > 0 && { afterSeconds: Math.ceil(waits / 1000) }),
  });
}
