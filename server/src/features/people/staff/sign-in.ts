import type { SecondStep } from '@gatehouse/contract/office/session';
import type { PasskeyAnswer } from '@gatehouse/contract/passkeys';
import { audit, originColumns, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { checkedFirst, type DatabaseTransaction } from '#db/database.ts';
import { inBatches } from '#db/batches.ts';
import { countByNetwork } from '#features/base/limits/limits.ts';
import { foldEmail } from '#features/people/session/account.ts';
import { dummyHash, isPassword } from '#features/people/session/password.ts';
import { nameBrowser } from '#features/people/session/browser-name.ts';
import { keepDevice, ofStaff, type Device } from '#features/people/session/devices.ts';
import {
  endTries,
  tooOften,
  trustedTry,
  type Try,
} from '#features/people/session/sign-in-tries.ts';
import type { Origin } from '#http/routes.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { hashToken, newStaffToken, SESSION_ABSOLUTE_HOURS } from '#http/token.ts';
import { Refusal } from '#errors/refusal.ts';
import { sql } from 'kysely';
import { askPasskeys, proveAnyPasskey } from './passkey-step.ts';
import { proveSecondStep } from './prove.ts';
import { staffSignInEmail } from './emails.ts';
import { mailMember } from './mail-member.ts';
import { beginStaffTry, isMailedLock, staffSignIn, wasStepMissing } from './tries.ts';

export type StaffCredentials = {
  email: string;
  password: string;
  code?: string | undefined;
  passkey?: PasskeyAnswer | undefined;
  /** Of the browser's cookie. */
  device?: string | undefined;
};

/** The tokens of a new session and of its device, which the browser keeps in cookies. */
export type StaffTokens = { token: string; device: string };

/** The tokens of the session, or what the second step is made by. */
export type StaffSignIn = StaffTokens | { token: null; secondStep: SecondStep };

type Account = {
  id: string;
  name: string;
  email: string;
  passwordHash: string;
  totpSecret: string | null;
  hasSecondStep: boolean;
};

/**
 * Signs a member of staff in and returns the token of the session, or where the password is right
 * and the second step is missing, what that is made by. A wrong password, an unknown or disabled
 * address, a wrong code and a passkey's answer that proves nothing are refused alike with 401, and
 * too many tries with 429. Successes and failures are audited.
 */
export async function signInStaff(
  ctx: Context,
  { email, password, code, passkey, device }: StaffCredentials,
  request: Origin,
): Promise<StaffSignIn> {
  const attempt = await beginStaffTry(ctx, await staffSignIn(ctx, { email, device }, request.ip));
  const account = await findAccount(ctx, email);
  const isRight = await isPassword(password, account?.passwordHash ?? dummyHash);
  const fail = async () => {
    const isStepWrong = isRight && account?.hasSecondStep === true;
    await noteFailure(ctx, attempt, { account, isStepWrong }, request);
    return notRight();
  };
  if (account === undefined || !isRight) throw await fail();
  const { id, totpSecret } = account;
  if (account.hasSecondStep && code === undefined && passkey === undefined) {
    await noteMissingStep(ctx, attempt, account, request);
    const question = await askPasskeys(ctx, id);
    return { token: null, secondStep: { hasApp: totpSecret !== null, passkey: question } };
  }
  const isStillRight = await proveSecondStep(ctx, account, { code, passkey });
  if (isStillRight === null) throw await fail();
  const tokens = await ctx.db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      SELECT FROM staff_members WHERE id = ${id} AND password_hash = ${account.passwordHash} AND disabled_at IS NULL
      FOR NO KEY UPDATE`.execute(trx);
    if (rows.length === 0 || !(await isStillRight(trx))) return null;
    if (await endTries(ctx, trx, attempt))
      await mailMember(ctx, trx, account.email, staffSignInEmail('newNetwork'));
    return startStaffSession(ctx, trx, { ...account, device: attempt.device }, request);
  });
  if (tokens === null) throw await fail();
  return tokens;
}

/**
 * Signs a member in by a passkey's answer to `askAnyPasskey`, which verifies the person and so is
 * both steps. Refuses alike with 401 an answer that proves nothing, was used or is too old, an
 * unknown passkey and a disabled member; with 429 many from one network, which are counted apart
 * from passwords: who tries those delays no passkey.
 */
export async function signInStaffByPasskey(
  ctx: Context,
  answer: PasskeyAnswer,
  { device, ...request }: Origin & { device: string | undefined },
): Promise<StaffTokens> {
  await countByNetwork(ctx, request.ip, ['staff-passkeys-a-minute'], tooOften());
  const proven = await proveAnyPasskey(ctx, answer);
  const tokens =
    proven &&
    (await ctx.db.transaction().execute(async (trx) => {
      const account = await lockActive(ctx, trx, proven.staffId);
      if (account === undefined || !(await proven.useAnswer(trx))) return null;
      const signIn = await staffSignIn(ctx, { email: account.email, device }, request.ip);
      const attempt = trustedTry(ctx, signIn);
      if (await endTries(ctx, trx, attempt))
        await mailMember(ctx, trx, account.email, staffSignInEmail('newNetwork'));
      const by = { ...account, device: attempt.device, details: BY_PASSKEY };
      return startStaffSession(ctx, trx, by, request);
    }));
  if (tokens) return tokens;
  const details = { ...BY_PASSKEY, ...(proven && { staff: proven.staffId }) };
  await audit(ctx, ctx.db, request, [{ kind: 'staff_sign_in_failed', details }]);
  throw new Refusal(
    401,
    'This passkey does not sign in here. Please use your email address and password.',
  );
}

const BY_PASSKEY = { with: 'passkey' };

/**
 * Notes a failure. Mailed to the member are the locks of a day, once, from the third on, and a
 * right password with a wrong second step as `noteMissingStep` does.
 */
async function noteFailure(
  ctx: Context,
  { account: key, isLock, device }: Try,
  { account, isStepWrong }: { account: Account | undefined; isStepWrong: boolean },
  request: AuditedRequest,
): Promise<void> {
  const isUnproven = account !== undefined && isStepWrong && device.hash === null;
  await ctx.db.transaction().execute(async (trx) => {
    const isMailed = isLock && account !== undefined && (await isMailedLock(ctx, trx, key));
    const details = {
      ...(isLock && { lock: 'yes' }),
      ...(isMailed && { mailed: 'yes' }),
      ...(isUnproven && { known: 'no' }),
    };
    if (isUnproven) await mailMissingStep(ctx, trx, key, account.email);
    await audit(ctx, trx, request, [
      {
        kind: 'staff_sign_in_failed',
        account: key,
        ...((isLock || isUnproven) && { details }),
      },
    ]);
    if (isMailed) await mailMember(ctx, trx, account.email, staffSignInEmail('locked'));
  });
}

/**
 * Notes a right password without the second step; from an unknown browser it is mailed to the
 * member, once an hour.
 */
async function noteMissingStep(
  ctx: Context,
  { account: key, device }: Try,
  { id: staff, name: by, email }: Account,
  request: AuditedRequest,
): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
    const details = { by, staff, known: device.hash === null ? 'no' : 'yes' };
    if (device.hash === null) await mailMissingStep(ctx, trx, key, email);
    await audit(ctx, trx, request, [{ kind: 'staff_second_step_asked', account: key, details }]);
  });
}

/** Mails it where none was noted in the last hour: before it is noted itself. */
async function mailMissingStep(
  ctx: Context,
  trx: DatabaseTransaction,
  account: Buffer,
  email: string,
): Promise<void> {
  if (await wasStepMissing(ctx, trx, account)) return;
  await mailMember(ctx, trx, email, staffSignInEmail('withoutSecondStep'));
}

/** Who signs in, in which browser; `details` are more of the event's. */
type StartingMember = {
  id: string;
  name: string;
  device: Device;
  details?: Record<string, string>;
};

/** Begins a session of a member and audits it, under the lock of the account. */
export async function startStaffSession(
  ctx: Context,
  trx: DatabaseTransaction,
  { id, name, device, details }: StartingMember,
  request: Origin,
): Promise<StaffTokens> {
  const token = newStaffToken();
  const now = ctx.clock.now();
  await trx
    .insertInto('staff_sessions')
    .values({
      token_hash: hashToken(token),
      staff_id: id,
      created_at: now,
      last_seen_at: now,
      browser: nameBrowser(request.userAgent),
      ip: originColumns(request).ip,
    })
    .execute();
  await trx
    .updateTable('staff_members')
    .set({ last_sign_in_at: now })
    .where('id', '=', id)
    .execute();
  const origin = { ...request, staffId: id };
  await audit(ctx, trx, origin, [
    { kind: 'staff_signed_in', details: { by: name, staff: id, ...details } },
  ]);
  return { token, device: await keepDevice(ctx, trx, ofStaff, { ownerId: id, ...device }) };
}

/** Ends one session. */
export async function signOutStaff(
  ctx: Context,
  { staffId, name, tokenHash }: StaffMember,
  request: AuditedRequest,
): Promise<void> {
  await checkedFirst(ctx.db)
    .transaction()
    .execute(async (trx) => {
      await trx.deleteFrom('staff_sessions').where('token_hash', '=', tokenHash).execute();
      await audit(ctx, trx, request, [
        { kind: 'staff_signed_out', details: { by: name, staff: staffId } },
      ]);
    });
}

/** Deletes the sessions that have ended, and the invitations that are too old. */
export async function forgetOldStaffSessions({ db, clock }: Context): Promise<void> {
  for (const table of ['staff_sessions', 'staff_invitations'] as const)
    await inBatches(1000, async (limit) => {
      const { rows } = await sql`
        DELETE FROM ${sql.table(table)} WHERE token_hash IN (
          SELECT token_hash FROM ${sql.table(table)}
          WHERE created_at < ${clock.now()}::timestamptz - make_interval(hours => ${KEPT_HOURS[table]})
          LIMIT ${limit})
        RETURNING 1`.execute(db);
      return rows.length;
    });
}

/** How long an invitation counts, in hours. */
export const INVITATION_HOURS = 72;
const KEPT_HOURS = {
  staff_sessions: SESSION_ABSOLUTE_HOURS,
  staff_invitations: INVITATION_HOURS,
};

function notRight(): Refusal {
  return new Refusal(
    401,
    'The email address, password or second step is not right. Please check them and try again.',
  );
}

async function findAccount({ db, config }: Context, email: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    SELECT m.id, m.name, m.email, m.password_hash AS "passwordHash", m.totp_secret AS "totpSecret",
      has_second_step(m.id) AS "hasSecondStep"
    FROM staff_members m JOIN corporations c ON c.id = m.corporation_id AND c.code = ${config.corporationCode}
    WHERE lower(m.email) = ${foldEmail(email)} AND m.disabled_at IS NULL AND m.password_hash IS NOT NULL`.execute(
    db,
  );
  return rows[0];
}

/** Locks the account of a member who can sign in; undefined for any other. */
async function lockActive(
  { config }: Context,
  trx: DatabaseTransaction,
  staffId: string,
): Promise<{ id: string; name: string; email: string } | undefined> {
  const { rows } = await sql<{ id: string; name: string; email: string }>`
    SELECT m.id, m.name, m.email FROM staff_members m
    JOIN corporations c ON c.id = m.corporation_id AND c.code = ${config.corporationCode}
    WHERE m.id = ${staffId} AND m.disabled_at IS NULL AND m.password_hash IS NOT NULL
    FOR NO KEY UPDATE OF m`.execute(trx);
  return rows[0];
}
