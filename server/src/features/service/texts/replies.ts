import { formatPhone } from '@gatehouse/contract/phone';
import type { Language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import type { TextWord } from '#adapters/text-messages/text-messages.ts';
import type { Context } from '#context/context.ts';
import { inLanguage } from '#context/language.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { keyOf, takeEach } from '#features/base/limits/limits.ts';
import { toGsm } from './gsm.ts';
import { isOwnWord, readWord } from './words.ts';

/**
 * A message from a number, in E.164. `id` is the provider's, by which a repeat is known; `word`
 * what the provider took it for, null where it does not say.
 */
export type TextReply = { id: string; from: string; body: string; word: TextWord | null };

/** What is kept of a message that stops or starts. */
const MOST_CHARACTERS = 160;

/**
 * Keeps what came from a number, once, and does what it asks for: STOP ends the consents of every
 * tenant record with this number, and START gives those again that STOP has ended. Answers what the
 * number is to be answered; null where the provider answers by itself, or nothing is to be said.
 */
export async function receiveReply(ctx: Context, reply: TextReply): Promise<string | null> {
  const { id, from, body } = reply;
  const word = readWord(body, reply.word);
  await ctx.db.transaction().execute(async (trx) => {
    const isEvidence = word === 'stop' || word === 'start';
    const { rows } = await sql`
      INSERT INTO text_replies (id, from_phone, word, body, received_at)
      VALUES (${id}, ${from}, ${word ?? 'other'}, ${isEvidence ? body.slice(0, MOST_CHARACTERS) : null}, ${ctx.clock.now()})
      ON CONFLICT (id) DO NOTHING RETURNING id`.execute(trx);
    if (rows.length === 0) return;
    if (word === 'stop') await stopNumber(ctx, trx, from);
    if (word === 'start') await startNumber(ctx, trx, from);
  });
  return answerTo(ctx, reply, word);
}

/** Notes that the provider refuses a number because STOP was texted from it. */
export async function noteStopped(ctx: Context, from: string, textId: string): Promise<void> {
  await receiveReply(ctx, { id: `refused ${textId}`, from, body: '', word: 'stop' });
}

async function stopNumber(ctx: Context, trx: DatabaseTransaction, from: string): Promise<void> {
  await sql`
    INSERT INTO text_consent_ends (consent_id, ended_at, reason)
    SELECT c.id, ${ctx.clock.now()}::timestamptz, 'stopped' FROM text_consents c
    WHERE c.phone = ${from} AND NOT EXISTS (SELECT FROM text_consent_ends e WHERE e.consent_id = c.id)
    ON CONFLICT (consent_id) DO NOTHING`.execute(trx);
  await sql`DELETE FROM text_codes WHERE phone = ${from}`.execute(trx);
}

/** The last consent of each record, where STOP ended it and the number is still on file. */
async function startNumber(ctx: Context, trx: DatabaseTransaction, from: string): Promise<void> {
  const now = ctx.clock.now();
  await sql`
    INSERT INTO text_consents (id, tenant_id, user_id, phone, text, text_hash, agreed_at, confirmed_at, renews)
    SELECT gen_random_uuid(), c.tenant_id, c.user_id, c.phone, c.text, c.text_hash, ${now}, ${now}, c.id
    FROM text_consents c
    JOIN text_consent_ends e ON e.consent_id = c.id AND e.reason = 'stopped'
    JOIN tenants t ON t.id = c.tenant_id AND text_phone(t.phone) = c.phone
    WHERE c.phone = ${from}
      AND NOT EXISTS (SELECT FROM text_consents later WHERE later.tenant_id = c.tenant_id
        AND (later.confirmed_at, later.id) > (c.confirmed_at, c.id))`.execute(trx);
}

async function answerTo(
  ctx: Context,
  { from, body, word: known }: TextReply,
  word: TextWord | null,
): Promise<string | null> {
  // With words of the operator's own at the provider, it answers each that it knows.
  if (known !== null || word === null || isOwnWord(body)) return null;
  if (!(await mayAnswer(ctx, from))) return null;
  const operator = await ctx.db
    .selectFrom('corporations')
    .select('name')
    .where('code', '=', ctx.config.corporationCode)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ phone: string | null; language: Language | null }>`
    SELECT f.phone, u.language
    FROM text_consents c JOIN tenants t ON t.id = c.tenant_id JOIN facilities f ON f.id = t.facility_id
    LEFT JOIN users u ON u.id = c.user_id
    WHERE c.phone = ${from} ORDER BY f.phone IS NULL, c.confirmed_at DESC LIMIT 1`.execute(ctx.db);
  const { phone = null, language = null } = rows[0] ?? {};
  const answer = inLanguage(language ?? 'en', () =>
    word === 'stop' ? stopAnswer(operator.name) : helpAnswer(ctx, operator.name, phone),
  );
  return toGsm(answer);
}

/** Each answer costs, and two machines would answer each other without end. */
async function mayAnswer(ctx: Context, from: string): Promise<boolean> {
  const key = keyOf(ctx, 'text-answer', from);
  const usedUp = await ctx.db
    .transaction()
    .execute((trx) => takeEach(ctx, trx, ctx.clock.now(), [{ name: 'text-answers-an-hour', key }]));
  return usedUp.length === 0;
}

function stopAnswer(operatorName: string): string {
  return t('{operatorName}: you get no more reminders by text. Text START to get them again.', {
    operatorName,
  });
}

function helpAnswer({ config }: Context, operatorName: string, phone: string | null): string {
  const url = config.publicUrl;
  return phone === null
    ? t(
        '{operatorName}: reminders of rent by text. Visit {url}. Msg & data rates may apply. Reply STOP to end',
        { operatorName, url },
      )
    : t(
        '{operatorName}: reminders of rent by text. Visit {url} or call {phone}. Msg & data rates may apply. Reply STOP to end',
        { operatorName, url, phone: formatPhone(phone) },
      );
}
