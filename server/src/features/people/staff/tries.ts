import type { Context } from '#context/context.ts';
import { countLimited, keyOf } from '#features/base/limits/limits.ts';
import { beginTry, type Try } from '#features/people/session/sign-in-tries.ts';
import { Refusal } from '#errors/refusal.ts';

const TOO_OFTEN =
  'There were too many tries to sign in. Please wait a moment and try again, or ask an owner for a new invitation.';

/** Apart from the tenants' accounts, which may have the same address. */
export function accountSpace(corporationCode: string): string {
  return `office of ${corporationCode}`;
}

/** Counts a sign-in of staff before its password is checked. Refuses with 429. */
export async function beginStaffTry(ctx: Context, email: string, ip: string): Promise<Try> {
  const corporationCode = accountSpace(ctx.config.corporationCode);
  try {
    return await beginTry(ctx, { username: email, corporationCode, ip });
  } catch (error) {
    if (error instanceof Refusal && error.status === 429)
      throw new Refusal(429, TOO_OFTEN, error.retryAfterSeconds);
    throw error;
  }
}

/** Counts a try of a code or password of a signed-in member. Refuses with 429. */
export async function countCodeTry(ctx: Context, staffId: string): Promise<void> {
  const key = keyOf(ctx, 'staff code', staffId);
  await countLimited(ctx, ctx.db, [{ name: 'staff-code-tries-an-hour', key }], TOO_OFTEN);
}
