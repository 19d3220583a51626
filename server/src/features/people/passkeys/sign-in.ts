import type { Reply } from '@gatehouse/contract/endpoint';
import type { passkeySignInOptions, signInByPasskey } from '@gatehouse/contract/passkeys';
import { t } from '@gatehouse/language/t';
import type { z } from 'zod/mini';
import { sql } from 'kysely';
import { audit } from '#context/audit.ts';
import type { Context } from '#context/context.ts';
import { Refusal } from '#errors/refusal.ts';
import { countByNetwork } from '#features/base/limits/limits.ts';
import {
  readSignInKey,
  startSession,
  tenantSignIn,
  type SessionUser,
} from '#features/people/session/session.ts';
import { tooOften, trustedTry } from '#features/people/session/sign-in-tries.ts';
import type { Origin } from '#http/routes.ts';
import { CHALLENGE_MINUTES, newChallenge } from './challenges.ts';
import { useAnswer } from './use-answer.ts';
import { relyingPartyOf, verifyAnswer } from './webauthn.ts';

/** What a browser asks its passkeys by: it offers those that it has for the portal. */
export function signInOptions(ctx: Context): Reply<typeof passkeySignInOptions> {
  const { id } = relyingPartyOf(ctx);
  return {
    challenge: newChallenge(ctx, 'sign-in'),
    rpId: id,
    timeout: CHALLENGE_MINUTES * 60_000,
    userVerification: 'required',
  };
}

/**
 * Signs in by a passkey's answer to `signInOptions`, which counts once, at the facility of the
 * user's newest rental. Refuses with the same 401 an answer that is wrong, too old or used, an
 * unknown passkey, a disabled user and a user without a record; with 422 a bad proof key, as
 * `signIn` does, and `keep` without a proof key; with 429 many from one network, which are counted
 * apart from passwords. The count of wrong passwords is neither checked nor reset.
 */
export async function signInByPasskeyOf(
  ctx: Context,
  { credential, proofKey, device, keep }: z.output<NonNullable<typeof signInByPasskey.body>>,
  origin: Origin,
): Promise<Reply<typeof signInByPasskey>> {
  const signInKey = readSignInKey(ctx, proofKey);
  if (keep && signInKey === null) throw cannotKeep();
  await countByNetwork(ctx, origin.ip, ['tenant-passkeys-a-minute'], tooOften());
  const passkey = await findPasskey(ctx, credential.id);
  const key = passkey && { ...passkey, userId: passkey.id };
  const proven = key && (await verifyAnswer(ctx, relyingPartyOf(ctx), 'sign-in', key, credential));
  if (!passkey || !proven) {
    await audit(ctx, ctx.db, origin, [
      { kind: 'sign_in_failed', ...(passkey && { userId: passkey.id }), details: BY_PASSKEY },
    ]);
    throw notRight();
  }
  const { corporationCode } = ctx.config;
  const of = { username: passkey.email, corporationCode, device };
  const attempt = trustedTry(ctx, await tenantSignIn(ctx, of, origin.ip));
  const session = await startSession(ctx, passkey, {
    proofKey: signInKey,
    attempt,
    origin,
    details: BY_PASSKEY,
    isStillRight: (trx) => useAnswer(ctx, trx, passkey.passkeyId, proven),
    refusal: notRight,
    keptBy: keep ? passkey.passkeyId : undefined,
  });
  return {
    ...session,
    tenants: passkey.tenantIds.map((id) => ({ id })),
    locationCode: passkey.locationCode,
    serverTime: ctx.clock.now().toISOString(),
  };
}

const BY_PASSKEY = { by: 'passkey' };

type PasskeyUser = SessionUser & {
  passkeyId: string;
  publicKey: Buffer;
  counter: number;
  locationCode: string;
};

/**
 * The passkey with its user, at the facility of the newest rental, former ones too where there is
 * no other.
 */
async function findPasskey(
  { db, config }: Context,
  credentialId: string,
): Promise<PasskeyUser | undefined> {
  const { rows } = await sql<PasskeyUser>`
    SELECT u.id, u.email, u.language, u.language_chosen AS "isLanguageChosen", p.id AS "passkeyId", p.public_key AS "publicKey", p.counter,
      f.id AS "facilityId", f.name AS "facilityName", f.phone AS "facilityPhone",
      f.location_code AS "locationCode", array_agg(t.id ORDER BY ut.position, t.id) AS "tenantIds"
    FROM passkeys p
    JOIN users u ON u.id = p.user_id AND u.disabled_at IS NULL
    JOIN corporations c ON c.id = u.corporation_id AND c.code = ${config.corporationCode}
    JOIN user_tenants ut ON ut.user_id = u.id
    JOIN tenants t ON t.id = ut.tenant_id AND lower(t.email) = lower(u.email)
    JOIN facilities f ON f.id = t.facility_id
    CROSS JOIN LATERAL (
      SELECT max(moved_in_on) FILTER (WHERE moved_out_on IS NULL) AS current, max(moved_in_on) AS newest
      FROM ledgers WHERE tenant_id = t.id
    ) rented
    WHERE p.credential_id = ${Buffer.from(credentialId, 'base64url')}
    GROUP BY p.id, u.id, f.id
    ORDER BY max(rented.current) DESC NULLS LAST, max(rented.newest) DESC NULLS LAST, f.id
    LIMIT 1`.execute(db);
  return rows[0];
}

function cannotKeep(): Refusal {
  return new Refusal(
    422,
    t(
      'This browser cannot keep a key, and so cannot keep you signed in. Please sign in without that.',
    ),
  );
}

function notRight(): Refusal {
  return new Refusal(
    401,
    t('This passkey does not sign in here. Please use your email address and password.'),
  );
}
