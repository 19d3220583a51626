import { isIP } from 'node:net';
import type { Reply } from '@gatehouse/contract/endpoint';
import type { NewCredential, PasskeyAnswer, passkeyOptions } from '@gatehouse/contract/passkeys';
import { t } from '@gatehouse/language/t';
import type { Context } from '#context/context.ts';
import { Refusal } from '#errors/refusal.ts';
import { CHALLENGE_MINUTES, isChallenge, newChallenge, type Purpose } from './challenges.ts';

/** Loaded at the first use: it takes 60 ms, which a server's start need not wait for. */
const loadWebAuthn = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256, the best first (RFC 8152, RFC 8812). */
const ALGORITHMS = [-8, -7, -257];

/** The bytes of a credential's id (WebAuthn, 7.1), as the tables have them. */
const MOST_ID_BYTES = 1023;

/** The domain that passkeys belong to, and the origin of the pages that may use them. */
export type RelyingParty = { id: string; origin: string };

/**
 * The pages of an address as a relying party: its host. Null where that is a number, for which
 * browsers make no passkeys.
 */
export function relyingPartyAt(address: string): RelyingParty | null {
  const { hostname, origin } = new URL(address);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : null;
}

/** The portal as a relying party (PUBLIC_URL). Refuses with 422 where its address has no name. */
export function relyingPartyOf({ config }: Context): RelyingParty {
  const party = relyingPartyAt(config.publicUrl);
  if (party === null)
    throw new Refusal(422, t('Passkeys do not work at this address of the portal.'));
  return party;
}

/** A user's id as the bytes that an authenticator keeps; it says nothing about a person. */
export function handleOf(userId: string): Buffer {
  return Buffer.from(userId.replaceAll('-', ''), 'hex');
}

/** Whose passkey is made: `userId` is the user handle, `had` the credentials that are there. */
export type NewPasskeyUser = {
  userId: string;
  userName: string;
  operatorName: string;
  had: Buffer[];
};

/** What a browser makes a passkey by, whose challenge is for the purpose. */
export function creationOptions(
  ctx: Context,
  { id }: RelyingParty,
  purpose: Purpose,
  { userId, userName, operatorName, had }: NewPasskeyUser,
): Reply<typeof passkeyOptions> {
  return {
    challenge: newChallenge(ctx, purpose),
    rp: { id, name: operatorName },
    user: { id: handleOf(userId).toString('base64url'), name: userName, displayName: userName },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MINUTES * 60_000,
    excludeCredentials: credentialList(had),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/** Credentials as options name them. */
export function credentialList(ids: Buffer[]): { id: string; type: 'public-key' }[] {
  return ids.map((id) => ({ id: id.toString('base64url'), type: 'public-key' }));
}

/** What a new passkey proved to be; `challenge` is not used up yet. */
export type MadePasskey = {
  challenge: string;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  isSynced: boolean;
};

/** Verifies a passkey that a browser made by `creationOptions`; null where it is not one. */
export async function verifyNew(
  ctx: Context,
  { id, origin }: RelyingParty,
  purpose: Purpose,
  credential: NewCredential,
): Promise<MadePasskey | null> {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  let challenge = '';
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: whole(credential),
      expectedChallenge: (given) => {
        challenge = given;
        return isChallenge(ctx, purpose, given);
      },
      expectedOrigin: origin,
      expectedRPID: id,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { credential: made, credentialBackedUp } = registrationInfo;
    const credentialId = Buffer.from(made.id, 'base64url');
    if (credentialId.length > MOST_ID_BYTES) return null;
    return {
      challenge,
      credentialId,
      publicKey: Buffer.from(made.publicKey),
      counter: made.counter,
      isSynced: credentialBackedUp,
    };
  } catch (error) {
    // Whatever the library throws is about what the browser sent.
    ctx.log.info({ err: error }, 'a new passkey was not verified');
    return null;
  }
}

/** What an answer proved; `challenge` is not used up yet. */
export type ProvenAnswer = { challenge: string; counter: number; isSynced: boolean };

/**
 * Verifies what a passkey answered: by its key, with a counter that grows where it has one, in the
 * name of `userId` where the answer names a user. Null where it proves nothing.
 */
export async function verifyAnswer(
  ctx: Context,
  { id, origin }: RelyingParty,
  purpose: Purpose,
  { userId, publicKey, counter }: { userId: string; publicKey: Buffer; counter: number },
  credential: PasskeyAnswer,
): Promise<ProvenAnswer | null> {
  const { userHandle } = credential.response;
  if (userHandle !== undefined && !Buffer.from(userHandle, 'base64url').equals(handleOf(userId)))
    return null;
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  let challenge = '';
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: whole(credential),
      expectedChallenge: (given) => {
        challenge = given;
        return isChallenge(ctx, purpose, given);
      },
      expectedOrigin: origin,
      expectedRPID: id,
      credential: { id: credential.id, publicKey: new Uint8Array(publicKey), counter },
    });
    if (!verified) return null;
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { challenge, counter: newCounter, isSynced: credentialBackedUp };
  } catch (error) {
    // Whatever the library throws is about what the browser sent.
    ctx.log.info({ err: error }, 'a passkey was not verified');
    return null;
  }
}

/** A credential of the contract with what the library also takes, which is always the same. */
function whole<Response>({ id, response }: { id: string; response: Response }) {
  return {
    id,
    rawId: id,
    type: 'public-key' as const,
    clientExtensionResults: {},
    response,
  };
}
