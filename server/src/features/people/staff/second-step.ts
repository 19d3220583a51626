import { FRESH_MINUTES } from '@gatehouse/contract/passkeys';
import { sql } from 'kysely';
import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { isPassword } from '#features/people/session/password.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { Refusal } from '#errors/refusal.ts';
import { staffAccountEmail, staffSecondStepEmail } from './emails.ts';
import { mailMember } from './mail-member.ts';
import { countCodeTry } from './tries.ts';

/** Loaded at the first use: a start need not wait for it. */
const loadOtp = () => import('otplib');

const ISSUER = 'Gatehouse';
const PERIOD_SECONDS = 30;

/**
 * Begins to set up an authenticator app: stores a new secret, sealed, next to the one that counts.
 * Refuses with 422 a wrong password, and a wrong or missing code of the present app; with 403 a
 * member that has passkeys only and did not sign in with one just now.
 */
export async function beginSecondStepOf(
  ctx: Context,
  staff: StaffMember,
  { password, code }: { password: string; code?: string | undefined },
): Promise<{ secret: string; uri: string }> {
  const { staffId, email } = staff;
  await demandPassword(ctx, staffId, password);
  await demandSecondStep(ctx, staff, code);
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
 * Refuses a change of the second step without the one that counts: the code of the app, or where
 * there are passkeys only, a sign-in with one that is fresh.
 */
async function demandSecondStep(
  ctx: Context,
  { staffId, begunAt, hasSecondStep }: StaffMember,
  code: string | undefined,
): Promise<void> {
  const totpSecret = await findAppOf(ctx.db, staffId);
  if (totpSecret === null) {
    if (hasSecondStep && ctx.clock.now().getTime() - begunAt.getTime() > FRESH_MINUTES * 60_000)
      throw new Refusal(
        403,
        `This is done within ${FRESH_MINUTES} minutes of signing in. Please sign in again first.`,
      );
  } else if (code === undefined || !(await takeCode(ctx, { id: staffId, totpSecret }, code)))
    throw new Refusal(
      422,
      'Please enter the code that your present authenticator app shows now. If you lost it, an owner can reset the second step.',
    );
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
  { staffId, name, email, tokenHash }: StaffMember,
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
    await mailSecondStep(ctx, trx, { staffId, name, email });
  });
}

/** Mails a new authenticator app to the member, and to the owners. */
async function mailSecondStep(
  ctx: Context,
  trx: DatabaseTransaction,
  { staffId, name, email }: Pick<StaffMember, 'staffId' | 'name' | 'email'>,
): Promise<void> {
  const { rows } = await sql<{ email: string }>`
    SELECT o.email FROM staff_members m JOIN staff_members o ON o.corporation_id = m.corporation_id
    WHERE m.id = ${staffId} AND o.id <> m.id AND o.role = 'owner' AND o.disabled_at IS NULL
      AND o.password_hash IS NOT NULL ORDER BY o.id`.execute(trx);
  const text = (to: string) =>
    to === email ? staffAccountEmail('secondStepSet') : staffSecondStepEmail(name, email);
  for (const to of [email, ...rows.map((row) => row.email)])
    await mailMember(ctx, trx, to, text(to));
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
