import type { OwnProof } from '@gatehouse/contract/office/session';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { isPassword } from '#features/people/session/password.ts';
import { Refusal } from '#errors/refusal.ts';
import { findAppOf, takeCode } from './app-codes.ts';
import { provePasskey } from './passkey-step.ts';
import { countCodeTry } from './tries.ts';

/** Whether a member has a second step. */
export async function hasSecondStep(db: Database, staffId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`SELECT has_second_step(${staffId}) AS has`.execute(
    db,
  );
  return rows[0]!.has;
}

/** The second step of a member as it was found. */
type FoundStep = { id: string; totpSecret: string | null; hasSecondStep: boolean };

/**
 * Verifies a second step. Returns a check that it has not changed since, to run under the account's
 * lock; null if it is not proven.
 */
export async function proveSecondStep(
  ctx: Context,
  { id, totpSecret, hasSecondStep: isNeeded }: FoundStep,
  { code, passkey }: Pick<OwnProof, 'code' | 'passkey'>,
): Promise<((trx: DatabaseTransaction) => Promise<boolean>) | null> {
  // One that is set up in the meantime is not proven.
  if (!isNeeded) return async (trx) => !(await hasSecondStep(trx, id));
  if (passkey !== undefined) return provePasskey(ctx, id, passkey);
  if (totpSecret === null || code === undefined) return null;
  if (!(await takeCode(ctx, { id, totpSecret }, code))) return null;
  // A concurrent reset may have removed the app.
  return async (trx) => (await findAppOf(trx, id)) !== null;
}

/**
 * Asks the signed-in member for the password and, if there is one, the second step, so that neither
 * an unlocked screen nor a stolen session with its password is enough to take the account over.
 * Refuses with 422 what is wrong or missing, with 429 many tries. Returns the same check, to run
 * under the account's lock.
 */
export async function demandProof(
  ctx: Context,
  staffId: string,
  { password, ...step }: OwnProof,
): Promise<(trx: DatabaseTransaction) => Promise<void>> {
  await countCodeTry(ctx, staffId);
  const { rows } = await sql<FoundStep & { passwordHash: string | null }>`
    SELECT id, password_hash AS "passwordHash", totp_secret AS "totpSecret",
      has_second_step(id) AS "hasSecondStep"
    FROM staff_members WHERE id = ${staffId}`.execute(ctx.db);
  const { passwordHash, ...found } = rows[0]!;
  if (passwordHash === null || !(await isPassword(password, passwordHash)))
    throw new Refusal(422, 'The password is not right.');
  const isStillRight = await proveSecondStep(ctx, found, step);
  if (isStillRight === null) throw notProven();
  return async (trx) => {
    if (!(await isStillRight(trx))) throw notProven();
  };
}

function notProven(): Refusal {
  return new Refusal(
    422,
    'Please prove your present second step: enter the code that your authenticator app shows now, or use a passkey. If you lost it, an owner can reset the second step.',
  );
}
