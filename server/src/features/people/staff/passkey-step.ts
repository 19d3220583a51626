import type { PasskeyQuestion } from '@gatehouse/contract/office/session';
import type { PasskeyAnswer } from '@gatehouse/contract/passkeys';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import {
  CHALLENGE_MINUTES,
  newChallenge,
  useChallenge,
  type Purpose,
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
  const ids = rows.map(({ credential_id }) => credential_id);
  return questionOf(ctx, party, purposeOf(staffId), ids);
}

/** What a browser asks its passkeys of the office by. Refuses with 422 without a name. */
export function askAnyPasskey(ctx: Context): PasskeyQuestion {
  return questionOf(ctx, getOfficeParty(ctx), SIGN_IN, []);
}

/**
 * What uses a proven answer up under the lock of the account: false for one that was used, and for
 * a passkey that was removed or used meanwhile.
 */
type UseAnswer = (trx: DatabaseTransaction) => Promise<boolean>;

/**
 * Verifies the answer of a passkey of this member to `askPasskeys`; null where it proves nothing.
 */
export async function provePasskey(
  ctx: Context,
  staffId: string,
  answer: PasskeyAnswer,
): Promise<UseAnswer | null> {
  const passkey = await findPasskey(ctx, answer);
  if (passkey?.staffId !== staffId) return null;
  return proveAnswer(ctx, purposeOf(staffId), passkey, answer);
}

/** The same of an answer to `askAnyPasskey`, with the member whose passkey it is. */
export async function proveAnyPasskey(
  ctx: Context,
  answer: PasskeyAnswer,
): Promise<{ staffId: string; useAnswer: UseAnswer } | null> {
  const passkey = await findPasskey(ctx, answer);
  const useAnswer = passkey && (await proveAnswer(ctx, SIGN_IN, passkey, answer));
  return useAnswer ? { staffId: passkey.staffId, useAnswer } : null;
}

type FoundPasskey = { id: string; staffId: string; publicKey: Buffer; counter: number };

function findPasskey({ db }: Context, { id }: PasskeyAnswer): Promise<FoundPasskey | undefined> {
  return db
    .selectFrom('staff_passkeys')
    .select(['id', 'staff_id as staffId', 'public_key as publicKey', 'counter'])
    .where('credential_id', '=', Buffer.from(id, 'base64url'))
    .executeTakeFirst();
}

async function proveAnswer(
  ctx: Context,
  purpose: Purpose,
  { id, staffId: userId, publicKey, counter }: FoundPasskey,
  answer: PasskeyAnswer,
): Promise<UseAnswer | null> {
  const party = officePartyOf(ctx);
  if (party === null) return null;
  const proven = await verifyAnswer(ctx, party, purpose, { userId, publicKey, counter }, answer);
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

function questionOf(
  ctx: Context,
  { id }: RelyingParty,
  purpose: Purpose,
  credentialIds: Buffer[],
): PasskeyQuestion {
  return {
    challenge: newChallenge(ctx, purpose),
    rpId: id,
    timeout: CHALLENGE_MINUTES * 60_000,
    userVerification: 'required',
    allowCredentials: credentialList(credentialIds),
  };
}

const SIGN_IN = 'sign-in of staff';

function purposeOf(staffId: string) {
  return `second step of ${staffId}` as const;
}
