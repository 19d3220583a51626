import { isIP } from 'node:net';
import type { Context } from '#context/context.ts';
import { Refusal } from '#errors/refusal.ts';

/**
 * The library that verifies passkeys. It is loaded at the first use: it takes 60 ms, which a
 * server's start need not wait for.
 */
export const loadWebAuthn = () => import('@simplewebauthn/server');

/** The domain that passkeys belong to, and the origin of the pages that may use them. */
export type RelyingParty = { id: string; origin: string };

/**
 * The portal as a relying party: the host of its address (PUBLIC_URL). Refuses with 422 where that
 * is a number, for which browsers make no passkeys.
 */
export function relyingPartyOf({ config }: Context): RelyingParty {
  const { hostname, origin } = new URL(config.publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new Refusal(422, 'Passkeys do not work at this address of the portal.');
  return { id: hostname, origin };
}

/** A credential of the contract with what the library also takes, which is always the same. */
export function whole<Response>({ id, response }: { id: string; response: Response }) {
  return {
    id,
    rawId: id,
    type: 'public-key' as const,
    clientExtensionResults: {},
    response,
  };
}
