import type { PasskeyQuestion } from '@gatehouse/contract/office/session';
import type { PasskeyAnswer } from '@gatehouse/contract/passkeys';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import {
  CHALLENGE_MINUTES,
  newChallenge,
  useChallenge,
} from '#features/people/passkeys/challenges.ts';
import {
  credentialList,
  relyingPartyAt,
  verifyAnswer,
  type RelyingParty,
} from '#features/people/passkeys/webauthn.ts';
import { Refusal } from '#errors/refusal.ts';

/** The pages of the office as a relying party; null where its address has no name. */
function officePartyOf({ config }: Context): RelyingParty | null {
  return config.office && relyingPartyAt(config.office.url);
}

/** The same. Refuses with 422 where its address has no name. */
export function getOfficeParty(ctx: Context): RelyingParty {
  const party = officePartyOf(ctx);
  if (party === null) throw new Refusal(422, 'Passkeys do not work at this address of the office.');
  return party;
}

/**
 * What a browser asks the passkeys of a member by, who gave the right password or is signed in;
 * null where there are none, or the office's address has no name.
 */
export async function askPasskeys(ctx: Context, staffId: string): Promise<PasskeyQuestion | null> {
  const party = officePartyOf(ctx);
  const rows = await ctx.db
    .selectFrom('staff_passkeys')
    .select('credential_id')
    .where('staff_id', '=', staffId)
    .execute();
  if (party === null || rows.length === 0) return null;
  return {
    challenge: newChallenge(ctx, purposeOf(staffId)),
    rpId: party.id,
    timeout: CHALLENGE_MINUTES * 60_000,
    userVerification: 'required',
    allowCredentials: credentialList(rows.map(({ credential_id }) => credential_id)),
  };
}

/**
 * Verifies the answer of a passkey of this member to `askPasskeys`; null where it proves nothing.
 * What is returned uses the answer up under the lock of the account: false for one that was used,
 * and for a passkey that was removed or used meanwhile.
 */
export async function provePasskey(
  ctx: Context,
  staffId: string,
  answer: PasskeyAnswer,
): Promise<((trx: DatabaseTransaction) => Promise<boolean>) | null> {
  const party = officePartyOf(ctx);
  const passkey = await ctx.db
    .selectFrom('staff_passkeys')
    .select(['id', 'public_key', 'counter'])
    .where('credential_id', '=', Buffer.from(answer.id, 'base64url'))
    .where('staff_id', '=', staffId)
    .executeTakeFirst();
  if (party === null || passkey === undefined) return null;
  const { id, public_key: publicKey, counter } = passkey;
  const key = { userId: staffId, publicKey, counter };
  const proven = await verifyAnswer(ctx, party, purposeOf(staffId), key, answer);
  if (proven === null) return null;
  return async (trx) => {
    if (!(await useChallenge(ctx, trx, proven.challenge))) return false;
    const { numUpdatedRows } = await trx
      .updateTable('staff_passkeys')
      .set({
        counter: proven.counter,
        is_synced: proven.isSynced,
        last_used_at: ctx.clock.now(),
      })
      .where('id', '=', id)
      .where('counter', '=', counter)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  };
}

function purposeOf(staffId: string) {
  return `second step of ${staffId}` as const;
}
