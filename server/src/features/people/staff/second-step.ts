import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { isPassword } from '#features/people/session/password.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { Refusal } from '#errors/refusal.ts';
import { countCodeTry } from './tries.ts';

/** Loaded at the first use: a start need not wait for it. */
const loadOtp = () => import('otplib');

const ISSUER = 'Gatehouse';
const PERIOD_SECONDS = 30;

/**
 * Begins to set up an authenticator app: stores a new secret, sealed, next to the one that counts.
 * Refuses with 422 a wrong password.
 */
export async function beginSecondStepOf(
  ctx: Context,
  { staffId, email }: StaffMember,
  password: string,
): Promise<{ secret: string; uri: string }> {
  await demandPassword(ctx, staffId, password);
  const { generateSecret, generateURI } = await loadOtp();
  const secret = generateSecret();
  await ctx.db
    .updateTable('staff_members')
    .set({ new_totp_secret: ctx.vault.seal('newTotpSecret', staffId, secret) })
    .where('id', '=', staffId)
    .execute();
  return { secret, uri: generateURI({ issuer: ISSUER, label: email, secret }) };
}

/**
 * Refuses with 422 a wrong password of the member who is signed in, because a finder of an unlocked
 * screen must not take the account over, and with 429 many tries.
 */
export async function demandPassword(
  ctx: Context,
  staffId: string,
  password: string,
): Promise<void> {
  await countCodeTry(ctx, staffId);
  const { password_hash } = await ctx.db
    .selectFrom('staff_members')
    .select('password_hash')
    .where('id', '=', staffId)
    .executeTakeFirstOrThrow();
  if (password_hash === null || !(await isPassword(password, password_hash)))
    throw new Refusal(422, 'The password is not right.');
}

/**
 * Lets the new secret count once a code of it is right, and ends the other sessions of the member.
 * Refuses with 422 a wrong code, and where nothing was begun.
 */
export async function confirmSecondStepOf(
  ctx: Context,
  { staffId, name, tokenHash }: StaffMember,
  code: string,
  request: AuditedRequest,
): Promise<void> {
  await countCodeTry(ctx, staffId);
  await ctx.db.transaction().execute(async (trx) => {
    const { new_totp_secret: sealed } = await trx
      .selectFrom('staff_members')
      .select('new_totp_secret')
      .where('id', '=', staffId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (sealed === null) throw new Refusal(422, 'Please begin to set up the second step again.');
    const secret = ctx.vault.open('newTotpSecret', staffId, sealed);
    const step = await stepOf(ctx, secret, code);
    if (step === null)
      throw new Refusal(422, 'The code is not right. Please enter the one that the app shows now.');
    await trx
      .updateTable('staff_members')
      .set({
        totp_secret: ctx.vault.seal('totpSecret', staffId, secret),
        new_totp_secret: null,
        totp_step: step,
      })
      .where('id', '=', staffId)
      .execute();
    await trx
      .deleteFrom('staff_sessions')
      .where('staff_id', '=', staffId)
      .where('token_hash', '<>', tokenHash)
      .execute();
    const details = { by: name, staff: staffId, change: 'second step set up' };
    await audit(ctx, trx, request, [{ kind: 'staff_account_changed', details }]);
  });
}

/** The sealed secret of a member's authenticator app; null without one. */
export async function findAppOf(db: Database, staffId: string): Promise<string | null> {
  const { totp_secret } = await db
    .selectFrom('staff_members')
    .select('totp_secret')
    .where('id', '=', staffId)
    .executeTakeFirstOrThrow();
  return totp_secret;
}

/** Whether a code is right, now or in the half minute before or after; it counts once. */
export async function takeCode(
  ctx: Context,
  { id, totpSecret }: { id: string; totpSecret: string },
  code: string,
): Promise<boolean> {
  const step = await stepOf(ctx, ctx.vault.open('totpSecret', id, totpSecret), code);
  if (step === null) return false;
  const { rows } = await sql`
    UPDATE staff_members SET totp_step = ${step} WHERE id = ${id} AND totp_step < ${step}
    RETURNING id`.execute(ctx.db);
  return rows.length === 1;
}

/** The time step that a code is of; null for a wrong one. */
async function stepOf({ clock }: Context, secret: string, code: string): Promise<number | null> {
  const epoch = Math.floor(clock.now().getTime() / 1000);
  const { verify } = await loadOtp();
  const result = await verify({
    secret,
    token: code,
    epoch,
    period: PERIOD_SECONDS,
    epochTolerance: PERIOD_SECONDS,
  });
  return result.valid ? Math.floor(epoch / PERIOD_SECONDS) + result.delta : null;
}
