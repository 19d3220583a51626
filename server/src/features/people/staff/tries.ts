import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';
import { countLimited, keyOf } from '#features/base/limits/limits.ts';
import { accountOf } from '#features/people/session/account.ts';
import { findDevice, ofStaff } from '#features/people/session/devices.ts';
import {
  beginTry,
  staffPolicy,
  type SignIn,
  type Try,
} from '#features/people/session/sign-in-tries.ts';
import { Refusal } from '#errors/refusal.ts';

const TOO_OFTEN =
  'There were too many tries to sign in. Please wait a moment and try again, use a passkey or a browser in which you signed in before, or ask an owner for a new invitation.';
/** From this lock of a day on the member is mailed, once in a day. */
const MAILED_LOCK = 3;

/** Apart from the tenants' accounts, which may have the same address. */
export function accountSpace(corporationCode: string): string {
  return `office of ${corporationCode}`;
}

/** Whose sign-in of staff it is, from where and with which device. */
export async function staffSignIn(
  ctx: Context,
  { email, device }: { email: string; device: string | undefined },
  ip: string,
): Promise<SignIn> {
  const { corporationCode } = ctx.config;
  const account = accountOf(ctx, accountSpace(corporationCode), email);
  const hash = await findDevice(ctx, ofStaff, { username: email, corporationCode, device });
  return { account, ip, device: { given: device, hash } };
}

/** Counts a sign-in of staff before its password is checked. Refuses with 429. */
export async function beginStaffTry(ctx: Context, signIn: SignIn): Promise<Try> {
  try {
    return await beginTry(ctx, signIn, staffPolicy);
  } catch (error) {
    if (error instanceof Refusal && error.status === 429)
      throw new Refusal(429, TOO_OFTEN, error.retryAfterSeconds);
    throw error;
  }
}

/** Whether the lock that is about to be noted is to be mailed to the member. */
export async function isMailedLock({ clock }: Context, db: Database, account: Buffer) {
  const { rows } = await sql<{ locks: number; mailed: number }>`
    SELECT count(*)::int AS locks, (count(*) FILTER (WHERE details ->> 'mailed' = 'yes'))::int AS mailed
    FROM audit_events
    WHERE account = ${account} AND kind = 'staff_sign_in_failed' AND details ->> 'lock' = 'yes'
      AND at > ${clock.now()}::timestamptz - interval '1 day'`.execute(db);
  const { locks, mailed } = rows[0]!;
  return locks >= MAILED_LOCK - 1 && mailed === 0;
}

/** Whether a right password without its second step came from a new browser in the last hour. */
export async function wasStepMissing({ clock }: Context, db: Database, account: Buffer) {
  const { rows } = await sql`
    SELECT FROM audit_events
    WHERE account = ${account} AND kind IN ('staff_sign_in_failed', 'staff_second_step_asked') AND details ->> 'known' = 'no'
      AND at > ${clock.now()}::timestamptz - interval '1 hour' LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Counts a try of a code or password of a signed-in member. Refuses with 429. */
export async function countCodeTry(ctx: Context, staffId: string): Promise<void> {
  const key = keyOf(ctx, 'staff code', staffId);
  await countLimited(ctx, ctx.db, [{ name: 'staff-code-tries-an-hour', key }], TOO_OFTEN);
}
