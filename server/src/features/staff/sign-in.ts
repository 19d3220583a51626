import { audit, type AuditedRequest } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { inBatches } from '#db/batches.ts';
import { prepared } from '#db/prepared.ts';
import { foldEmail } from '#features/session/account.ts';
import { dummyHash, isPassword } from '#features/session/password.ts';
import { endTries } from '#features/session/sign-in-tries.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { hashToken, newStaffToken, SESSION_ABSOLUTE_HOURS } from '#http/token.ts';
import { Refusal } from '#errors/refusal.ts';
import { sql } from 'kysely';
import { takeCode } from './second-step.ts';
import { beginStaffTry } from './tries.ts';

export type StaffCredentials = { email: string; password: string; code?: string | undefined };

type Account = {
  id: string;
  name: string;
  passwordHash: string;
  totpSecret: string | null;
};

/**
 * Signs a member of staff in and returns the token of the session, or null where the password is
 * right and the code of the second step is missing. A wrong password, an unknown or disabled
 * address and a wrong code are refused alike with 401, and too many tries with 429. Successes and
 * failures are audited.
 */
export async function signInStaff(
  ctx: Context,
  { email, password, code }: StaffCredentials,
  request: AuditedRequest,
): Promise<string | null> {
  const attempt = await beginStaffTry(ctx, email, request.ip);
  const account = await findAccount(ctx, email);
  const isRight = await isPassword(password, account?.passwordHash ?? dummyHash);
  const fail = async () => {
    await audit(ctx, ctx.db, request, [{ kind: 'staff_sign_in_failed', account: attempt.account }]);
    return notRight();
  };
  if (account === undefined || !isRight) throw await fail();
  const { id, totpSecret } = account;
  if (totpSecret !== null) {
    if (code === undefined) return null;
    if (!(await takeCode(ctx, { id, totpSecret }, code))) throw await fail();
  }
  return ctx.db.transaction().execute(async (trx) => {
    const { rows } = await prepared`
      SELECT FROM staff_members WHERE id = ${id} AND password_hash = ${account.passwordHash} AND disabled_at IS NULL
      FOR NO KEY UPDATE`.execute(trx);
    if (rows.length === 0) throw notRight();
    await endTries(ctx, trx, attempt);
    return startStaffSession(ctx, trx, account, request);
  });
}

/** Begins a session of a member and audits it. Returns its token. */
export async function startStaffSession(
  ctx: Context,
  trx: DatabaseTransaction,
  { id, name }: { id: string; name: string },
  request: AuditedRequest,
): Promise<string> {
  const token = newStaffToken();
  const now = ctx.clock.now();
  await trx
    .insertInto('staff_sessions')
    .values({ token_hash: hashToken(token), staff_id: id, created_at: now, last_seen_at: now })
    .execute();
  await trx
    .updateTable('staff_members')
    .set({ last_sign_in_at: now })
    .where('id', '=', id)
    .execute();
  await audit(ctx, trx, request, [{ kind: 'staff_signed_in', details: { by: name, staff: id } }]);
  return token;
}

/** Ends one session. */
export async function signOutStaff(
  ctx: Context,
  { staffId, name, tokenHash }: StaffMember,
  request: AuditedRequest,
): Promise<void> {
  await ctx.db.transaction().execute(async (trx) => {
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
    'The email address, password or code is not right. Please check them and try again.',
  );
}

async function findAccount({ db, config }: Context, email: string): Promise<Account | undefined> {
  const { rows } = await prepared<Account>`
    SELECT m.id, m.name, m.password_hash AS "passwordHash", m.totp_secret AS "totpSecret"
    FROM staff_members m JOIN corporations c ON c.id = m.corporation_id AND c.code = ${config.corporationCode}
    WHERE lower(m.email) = ${foldEmail(email)} AND m.disabled_at IS NULL AND m.password_hash IS NOT NULL`.execute(
    db,
  );
  return rows[0];
}
