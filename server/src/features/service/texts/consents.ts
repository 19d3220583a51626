import { createHash, randomUUID } from 'node:crypto';
import { CODE_MINUTES, CODE_TRIES } from '@gatehouse/contract/registration';
import type { TextMessages } from '@gatehouse/contract/text-messages';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { Refusal } from '#errors/refusal.ts';
import { countLimited, keyOf } from '#features/base/limits/limits.ts';
import { hashCode, isSameHash, newCode } from '#features/people/registration/rules.ts';
import type { Origin } from '#http/routes.ts';
import { codeText, consentText, welcomeText, type Texting } from './consent-text.ts';
import { queueText } from './texts.ts';

/**
 * The number to which texts of the tenant record `t` go at the facility `f`, in E.164; null where
 * the facility sends none, or there is no consent for the number on file that has not ended.
 */
export const textNumber = sql<string | null>`(CASE WHEN f.sends_texts
    AND EXISTS (SELECT FROM text_consents c WHERE c.tenant_id = t.id AND c.phone = text_phone(t.phone)
      AND NOT EXISTS (SELECT FROM text_consent_ends e WHERE e.consent_id = c.id))
    AND NOT is_phone_stopped(text_phone(t.phone)) THEN text_phone(t.phone) END)`;

/** A tenant record of a sign-in. */
type Owner = { tenantId: string; userId: string };

type Row = Omit<Texting, 'phone'> & {
  isOffered: boolean;
  number: string | null;
  isOn: boolean;
  isStopped: boolean;
  isCodeOpen: boolean;
};

/** Text messages of a tenant record as they are; null where its facility offers none. */
export async function findTexts(ctx: Context, tenantId: string): Promise<TextMessages | null> {
  const row = await getRow(ctx, ctx.db, tenantId);
  if (!row.isOffered) return null;
  const { number, isOn, isStopped, isCodeOpen } = row;
  const phone = number === null ? null : nationalOf(number);
  const state = isStopped ? 'stopped' : isOn ? 'on' : isCodeOpen ? 'code' : 'off';
  return { phone, state, consent: consentText({ ...row, phone: phone ?? '' }) };
}

/**
 * Keeps the consent of a tenant until it is confirmed, and sends the code to the phone on file; a
 * new one takes the place of the last. Limited as the codes of a sign-up, by number.
 */
export async function requestTexts(
  ctx: Context,
  { tenantId, userId }: Owner,
  consent: string,
  origin: Origin,
): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const row = await getRow(ctx, trx, tenantId);
    const texting = textingOf(row);
    if (consentText(texting) !== consent)
      throw new Refusal(
        409,
        t('What you agree to has changed. Please load this page again and read it.'),
      );
    const number = row.number!;
    const key = keyOf(ctx, 'text-code', number);
    await countLimited(
      ctx,
      trx,
      [
        { name: 'codes-in-ten-minutes', key },
        { name: 'codes-an-hour', key },
      ],
      t(
        'Too many codes were sent to this number. Please use one that you got, or try again later.',
      ),
    );
    const code = newCode();
    const values = {
      user_id: userId,
      phone: number,
      code_hash: hashOf(ctx, tenantId, code),
      tries: 0,
      consent,
      ip: origin.ip,
      user_agent: origin.userAgent,
      created_at: ctx.clock.now(),
    };
    await trx
      .insertInto('text_codes')
      .values({ tenant_id: tenantId, ...values })
      .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(values))
      .execute();
    await queueText(ctx, trx, {
      tenantId,
      to: number,
      kind: 'code',
      body: () => codeText(texting, code, CODE_MINUTES),
    });
  });
}

/**
 * Switches text messages on where the code is right: within 10 minutes, in one of 5 tries, once, by
 * the sign-in that asked for it and for the number that is still on file. A try is counted before
 * it is checked.
 */
export async function confirmTexts(
  ctx: Context,
  { tenantId, userId }: Owner,
  code: string,
): Promise<boolean> {
  return ctx.db.transaction().execute(async (trx) => {
    const now = ctx.clock.now();
    const { rows } = await sql<Code>`
      UPDATE text_codes SET tries = tries + 1
      WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND tries < ${CODE_TRIES}
        AND created_at > ${now}::timestamptz - make_interval(mins => ${CODE_MINUTES})
      RETURNING phone, code_hash AS "codeHash", consent, ip, user_agent AS "userAgent", created_at AS "createdAt"`.execute(
      trx,
    );
    const [open] = rows;
    if (open === undefined || !isSameHash(open.codeHash, hashOf(ctx, tenantId, digitsOf(code))))
      return false;
    const row = await getRow(ctx, trx, tenantId);
    const texting = textingOf(row);
    if (row.number !== open.phone) return false;
    await trx.deleteFrom('text_codes').where('tenant_id', '=', tenantId).execute();
    await endConsents(trx, tenantId, { reason: 'replaced', at: now, userId });
    await trx
      .insertInto('text_consents')
      .values({
        id: randomUUID(),
        tenant_id: tenantId,
        user_id: userId,
        phone: open.phone,
        text: open.consent,
        text_hash: createHash('sha256').update(open.consent).digest(),
        agreed_at: open.createdAt,
        confirmed_at: now,
        ip: open.ip,
        user_agent: open.userAgent,
      })
      .execute();
    await queueText(ctx, trx, {
      tenantId,
      to: open.phone,
      kind: 'welcome',
      body: () => welcomeText(texting),
    });
    return true;
  });
}

type Code = {
  phone: string;
  codeHash: Buffer;
  consent: string;
  ip: string;
  userAgent: string | null;
  createdAt: Date;
};

/** Switches text messages off, with a code that is open; a repeat changes nothing. */
export async function stopTexts(ctx: Context, { tenantId, userId }: Owner): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('text_codes').where('tenant_id', '=', tenantId).execute();
    await endConsents(trx, tenantId, { reason: 'switched_off', at: ctx.clock.now(), userId });
  });
}

/** Ends the consents of a tenant record that have not ended. */
async function endConsents(
  trx: DatabaseTransaction,
  tenantId: string,
  { reason, at, userId }: { reason: 'switched_off' | 'replaced'; at: Date; userId: string },
): Promise<void> {
  await sql`
    INSERT INTO text_consent_ends (consent_id, ended_at, reason, user_id)
    SELECT c.id, ${at}::timestamptz, ${reason}, ${userId}::uuid FROM text_consents c
    WHERE c.tenant_id = ${tenantId} AND NOT EXISTS (SELECT FROM text_consent_ends e WHERE e.consent_id = c.id)
    ON CONFLICT (consent_id) DO NOTHING`.execute(trx);
}

async function getRow(ctx: Context, db: Database, tenantId: string): Promise<Row> {
  const opened = ctx.clock.now().getTime() - CODE_MINUTES * 60_000;
  const { rows } = await sql<Row>`
    SELECT f.sends_reminders AND f.sends_texts AND ${ctx.texts !== null}::boolean AS "isOffered",
      text_phone(t.phone) AS number, ${textNumber} IS NOT NULL AS "isOn",
      coalesce(is_phone_stopped(text_phone(t.phone)), false) AS "isStopped",
      EXISTS (SELECT FROM text_codes k WHERE k.tenant_id = t.id AND k.tries < ${CODE_TRIES}
        AND k.created_at > ${new Date(opened)}) AS "isCodeOpen",
      o.name AS "operatorName", f.name AS "facilityName", f.phone AS "facilityPhone"
    FROM tenants t JOIN facilities f ON f.id = t.facility_id JOIN corporations o ON o.id = f.corporation_id
    WHERE t.id = ${tenantId}`.execute(db);
  return rows[0]!;
}

/** Refuses with 409 a record that can get no text messages. */
function textingOf({ isOffered, isStopped, number, ...row }: Row): Texting {
  if (!isOffered) throw new Refusal(409, t('Your facility sends no text messages.'));
  if (number === null)
    throw new Refusal(409, t('There is no phone number on file that gets text messages.'));
  if (isStopped)
    throw new Refusal(
      409,
      t(
        'STOP was texted from this number. Text START to where the texts came from, and try again.',
      ),
    );
  return { ...row, phone: nationalOf(number) };
}

function nationalOf(number: string): string {
  return number.slice(2);
}

/** Bound to the record, so that the code of another does not match. */
function hashOf({ config }: Context, tenantId: string, code: string): Buffer {
  return hashCode(config.secret, Buffer.from(`texts ${tenantId.toLowerCase()}`), code);
}

/** Typed or pasted in groups, a code may have spaces, which are no part of it. */
function digitsOf(code: string): string {
  return code.replace(/\s/g, '');
}
