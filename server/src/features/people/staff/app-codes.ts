import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database } from '#db/database.ts';

/** Loaded at the first use: a start need not wait for it. */
export const loadOtp = () => import('otplib');

const PERIOD_SECONDS = 30;

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
export async function stepOf(
  { clock }: Context,
  secret: string,
  code: string,
): Promise<number | null> {
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
