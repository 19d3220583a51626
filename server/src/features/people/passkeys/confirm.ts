import type { Reply } from '@gatehouse/contract/endpoint';
import type { confirmOptions, PasskeyAnswer } from '@gatehouse/contract/passkeys';
import { t } from '@gatehouse/language/t';
import { audit } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { Refusal } from '#errors/refusal.ts';
import { countLimited, keyOf } from '#features/base/limits/limits.ts';
import { tooOften } from '#features/people/session/sign-in-tries.ts';
import type { Caller } from '#http/guard.ts';
import type { Origin } from '#http/routes.ts';
import { CHALLENGE_MINUTES, newChallenge } from './challenges.ts';
import { notMade } from './passkey.ts';
import { useAnswer } from './use-answer.ts';
import { credentialList, relyingPartyOf, verifyAnswer } from './webauthn.ts';

/** What a browser asks the caller's passkeys by, to confirm the session of the call. */
export async function confirmOptionsOf(
  ctx: Context,
  caller: Caller,
): Promise<Reply<typeof confirmOptions>> {
  const { id } = relyingPartyOf(ctx);
  const rows = await ctx.db
    .selectFrom('passkeys')
    .select('credential_id')
    .where('user_id', '=', caller.userId)
    .execute();
  return {
    challenge: newChallenge(ctx, purposeOf(caller)),
    rpId: id,
    timeout: CHALLENGE_MINUTES * 60_000,
    userVerification: 'required',
    allowCredentials: credentialList(rows.map(({ credential_id }) => credential_id)),
  };
}

/**
 * Confirms a kept session by the answer of a passkey of its user to `confirmOptionsOf`, which
 * counts once. Refuses with 422 an answer that proves nothing of this session and user, is too old
 * or was used before, and a session that is not kept; with 429 too many of the user.
 */
export async function confirmSessionOf(
  ctx: Context,
  caller: Caller,
  credential: PasskeyAnswer,
  origin: Origin,
): Promise<void> {
  const { userId, facilityId, tokenHash } = caller;
  const party = relyingPartyOf(ctx);
  if (caller.kept === null) throw new Refusal(422, t('This session needs no confirmation.'));
  const counted = { name: 'tenant-passkeys-a-minute' as const, key: keyOf(ctx, 'confirm', userId) };
  await countLimited(ctx, ctx.db, [counted], tooOften());
  const passkey = await ctx.db
    .selectFrom('passkeys')
    .select(['id', 'public_key as publicKey', 'counter'])
    .where('credential_id', '=', Buffer.from(credential.id, 'base64url'))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const key = passkey && { ...passkey, userId };
  const proven = key && (await verifyAnswer(ctx, party, purposeOf(caller), key, credential));
  const isConfirmed =
    proven &&
    (await ctx.db.transaction().execute(async (trx) => {
      if (!(await useAnswer(ctx, trx, key.id, proven))) return false;
      await trx
        .updateTable('sessions')
        .set({ confirmed_at: ctx.clock.now() })
        .where('token_hash', '=', tokenHash)
        .execute();
      await audit(ctx, trx, origin, [{ kind: 'session_confirmed', userId, facilityId }]);
      return true;
    }));
  if (isConfirmed) return;
  await audit(ctx, ctx.db, origin, [{ kind: 'confirmation_failed', userId, facilityId }]);
  throw notMade();
}

/** An answer confirms the session that asked, and no other. */
function purposeOf({ tokenHash }: Caller) {
  return `confirm ${tokenHash.toString('hex')}` as const;
}
