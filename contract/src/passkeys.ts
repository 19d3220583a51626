import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { accountLanguage } from './account-language.ts';
import { deviceToken } from './device-token.ts';
import { endpoint } from './endpoint.ts';
import { done, id } from './ids.ts';
import { requiredText } from './text.ts';
import { proofKey } from './user-params.ts';

/**
 * A passkey of a sign-in (WebAuthn, level 3). None of its calls is in the spec. `isSynced` says
 * that the tenant's devices share it, as a password manager does. `credentialId` is the browser's
 * id of it, as base64url.
 */
export const passkey = z.object({
  id,
  credentialId: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
  isSynced: z.boolean(),
});
export type Passkey = z.infer<typeof passkey>;

/** A sign-in has this many passkeys at most. */
export const MOST_PASSKEYS = 10;
/**
 * A passkey is added within this many minutes of signing in; a passkey that was used confirms for
 * as long what a kept session may not do without one.
 */
export const FRESH_MINUTES = 10;

export const PASSKEY_NAME_LENGTH = 50;
export const passkeyName = requiredText(() => t('Name'), PASSKEY_NAME_LENGTH);

const path = '/users/passkeys/:passkeyId';
const passkeyParams = z.object({ passkeyId: z.string() });

const incomplete = { error: () => t('The passkey’s answer is not complete.') };

/** Bytes as WebAuthn's JSON has them: base64url. */
const bytes = (most: number) =>
  z
    .string(incomplete)
    .check(z.regex(/^[\w-]+$/, incomplete))
    .check(z.maxLength(most, { error: () => t('The passkey’s answer is too long.') }));

/** The id that the authenticator gave the passkey. */
const credentialId = bytes(1400);

/** What a browser answers to `passkeyOptions`: RegistrationResponseJSON, as far as it is used. */
export const newCredential = z.object({
  id: credentialId,
  response: z.object({ clientDataJSON: bytes(4000), attestationObject: bytes(20_000) }),
});
export type NewCredential = z.infer<typeof newCredential>;

const assertion = {
  clientDataJSON: bytes(4000),
  authenticatorData: bytes(4000),
  signature: bytes(4000),
};

/** What a browser answers to `passkeySignInOptions`: AuthenticationResponseJSON, likewise. */
const provenCredential = z.object({
  id: credentialId,
  response: z.object({ ...assertion, userHandle: bytes(100) }),
});

/** The same where the passkeys were named, so that an authenticator may leave the user out. */
export const passkeyAnswer = z.object({
  id: credentialId,
  response: z.object({ ...assertion, userHandle: z.optional(bytes(100)) }),
});
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

const examplePasskey = {
  id: '5b0c7f1e-8a43-4a7e-9a52-0d8f3c1e2b64',
  credentialId: 'AAECAwQFBgcICQoLDA0ODw',
  name: 'Chrome on Android',
  createdAt: '2026-11-26T15:04:05.000Z',
  lastUsedAt: null,
  isSynced: true,
};

/** PublicKeyCredentialCreationOptionsJSON, as far as it is used. */
export const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key') })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});

const exampleCreation: z.infer<typeof creationOptions> = {
  challenge: 'AAECAwQFBgcICQoLDA0ODw',
  rp: { id: 'localhost', name: 'Anchor & Axle Storage' },
  user: { id: 'AAECAwQFBgcICQoLDA0ODw', name: 'dana@example.com', displayName: 'Dana Reyes' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
};

/** GET /users/passkeys: those of the sign-in, the newest first. */
export const listPasskeys = endpoint({
  name: 'listPasskeys',
  subject: 'Signing in',
  summary: 'The passkeys of the sign-in',
  method: 'GET',
  path: '/users/passkeys',
  access: 'session',
  reply: z.array(passkey),
  example: [examplePasskey],
});

/**
 * POST /users/passkeys/options: what a browser makes a passkey by, for five minutes
 * (PublicKeyCredentialCreationOptionsJSON). 403 where the caller signed in more than ten minutes
 * ago; 422 where the portal's address has no name, or there are ten.
 */
export const passkeyOptions = endpoint({
  name: 'passkeyOptions',
  subject: 'Signing in',
  summary: 'What a browser makes a new passkey by',
  method: 'POST',
  path: '/users/passkeys/options',
  access: 'session',
  urgency: 'sign-in',
  confirm: true,
  reply: creationOptions,
  example: exampleCreation,
});

/**
 * POST /users/passkeys: adds the passkey that the browser made, and mails that it was added. 422
 * for one that does not answer options of this sign-in, or did before, and beyond ten; 429 after
 * many in an hour.
 */
export const addPasskey = endpoint({
  name: 'addPasskey',
  subject: 'Signing in',
  summary: 'Adds a passkey that the browser made',
  method: 'POST',
  path: '/users/passkeys',
  access: 'session',
  urgency: 'sign-in',
  confirm: true,
  body: z.object({ name: passkeyName, credential: newCredential }),
  reply: z.extend(passkey, {}),
  example: examplePasskey,
});

/** PATCH /users/passkeys/{passkeyId}: 404 for one of another sign-in. */
export const renamePasskey = endpoint({
  name: 'renamePasskey',
  subject: 'Signing in',
  summary: 'Gives a passkey another name',
  method: 'PATCH',
  path,
  access: 'session',
  confirm: true,
  params: passkeyParams,
  body: z.object({ name: passkeyName }),
  reply: z.extend(passkey, {}),
  example: examplePasskey,
});

/**
 * POST /users/passkeys/{passkeyId}/removal: it signs in no longer, which is mailed, and the
 * sessions that it keeps end. 404 for one of another sign-in, or removed before.
 */
export const removePasskey = endpoint({
  name: 'removePasskey',
  subject: 'Signing in',
  summary: 'Removes a passkey',
  method: 'POST',
  path: `${path}/removal`,
  access: 'session',
  confirm: true,
  params: passkeyParams,
  reply: done,
  example: { success: true },
});

/**
 * POST /users/passkeys/sign-in-options: what a browser asks its passkeys by, for five minutes
 * (PublicKeyCredentialRequestOptionsJSON). It is the same for everybody. 422 where the portal's
 * address has no name.
 */
export const passkeySignInOptions = endpoint({
  name: 'passkeySignInOptions',
  subject: 'Signing in',
  summary: 'What a browser asks its passkeys by',
  method: 'POST',
  path: '/users/passkeys/sign-in-options',
  access: 'public',
  urgency: 'sign-in',
  reply: z.object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.number(),
    userVerification: z.literal('required'),
  }),
  example: {
    challenge: 'AAECAwQFBgcICQoLDA0ODw',
    rpId: 'localhost',
    timeout: 300_000,
    userVerification: 'required',
  },
});

/**
 * POST /users/passkeys/sign-in: signs in at the location of the newest rental, with neither
 * location, email address nor password. 401 alike for an unknown or removed passkey, a wrong
 * signature, and an answer that was used before or is too old; 429 after many from one network. The
 * reply is that of `login`, with the location. With `keep` the session lasts 30 days on this
 * browser; 422 where there is no proof key to bind it to.
 */
export const signInByPasskey = endpoint({
  name: 'signInByPasskey',
  subject: 'Signing in',
  summary: 'Signs in by a passkey',
  method: 'POST',
  path: '/users/passkeys/sign-in',
  access: 'public',
  urgency: 'sign-in',
  body: z.object({
    credential: provenCredential,
    proofKey: z.optional(proofKey),
    device: z.optional(deviceToken),
    keep: z.optional(z.boolean()),
  }),
  reply: z.object({
    token: z.string(),
    tenants: z.array(z.object({ id })),
    locationCode: z.string(),
    device: z.string(),
    serverTime: z.iso.datetime(),
    language: accountLanguage,
    isLanguageChosen: z.boolean(),
  }),
  example: {
    token: 'rvt_Y29weSBvZiBub3RoaW5nIGF0IGFsbCwganVzdCB0ZXh0',
    tenants: [{ id: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31' }],
    locationCode: 'TXDFW03',
    device: 'rdt_Y29weSBvZiBub3RoaW5nIGF0IGFsbCwganVzdCB0ZXh0',
    serverTime: '2026-11-26T15:04:05.000Z',
    language: 'en',
    isLanguageChosen: false,
  },
});

/**
 * POST /users/passkeys/confirm-options: what a browser asks the passkeys of the sign-in by, for
 * five minutes, to confirm this session (PublicKeyCredentialRequestOptionsJSON). 422 where the
 * portal's address has no name.
 */
export const confirmOptions = endpoint({
  name: 'confirmOptions',
  subject: 'Signing in',
  summary: 'What a browser asks a passkey by, to confirm a kept session',
  method: 'POST',
  path: '/users/passkeys/confirm-options',
  access: 'session',
  urgency: 'sign-in',
  reply: z.object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.number(),
    userVerification: z.literal('required'),
    allowCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key') })),
  }),
  example: {
    challenge: 'AAECAwQFBgcICQoLDA0ODw',
    rpId: 'localhost',
    timeout: 300_000,
    userVerification: 'required',
    allowCredentials: [{ id: 'AAECAwQFBgcICQoLDA0ODw', type: 'public-key' }],
  },
});

/**
 * POST /users/passkeys/confirm: for ten minutes this kept session may pay, change contacts and see
 * gate codes that changed. 422 for an answer that is none to options of this session, by no
 * passkey of the sign-in, too old or used before, and in a session that is not kept; 429 after
 * many from one network.
 */
export const confirmSession = endpoint({
  name: 'confirmSession',
  subject: 'Signing in',
  summary: 'Confirms a kept session by a passkey',
  method: 'POST',
  path: '/users/passkeys/confirm',
  access: 'session',
  urgency: 'sign-in',
  body: z.object({ credential: passkeyAnswer }),
  reply: done,
  example: { success: true },
});
