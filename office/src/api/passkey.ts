import type { OwnProof, PasskeyQuestion } from '@gatehouse/contract/office/session';
import {
  addStaffPasskey,
  getSecondSteps,
  staffPasskeyOptions,
} from '@gatehouse/contract/office/passkeys';
import type { PasskeyAnswer } from '@gatehouse/contract/passkeys';
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { call } from './call.ts';
import { keepMe } from './session.ts';

/** The browser asked for a finger, face or screen lock, and got none: nothing was sent. */
export class NoPasskey extends Error {}

/** What was typed: the password, and a code where the member proves the second step by one. */
export type TypedProof = { password: string; code?: string };

/**
 * Proves who is at the screen before the second step changes: by what was typed, and without a code
 * by a passkey where the account has one. Throws NoPasskey where none answers.
 */
export async function prove(typed: TypedProof): Promise<OwnProof> {
  if (typed.code !== undefined) return typed;
  const { question } = await call(getSecondSteps, {});
  return question === null ? typed : { ...typed, passkey: await answerByPasskey(question) };
}

/** Makes a passkey on this device and adds it to the account under a name. */
export async function addPasskey(name: string, typed: TypedProof) {
  const optionsJSON = await call(staffPasskeyOptions, { body: await prove(typed) });
  const made = await ask(() => startRegistration({ optionsJSON }));
  const { id, response } = made;
  const { clientDataJSON, attestationObject } = response;
  const credential = { id, response: { clientDataJSON, attestationObject } };
  keepMe(await call(addStaffPasskey, { body: { name, credential } }));
}

/** What one of the passkeys that are asked for answers. Throws NoPasskey where none does. */
export async function answerByPasskey(optionsJSON: PasskeyQuestion): Promise<PasskeyAnswer> {
  const { id, response } = await ask(() => startAuthentication({ optionsJSON }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { id, response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

/** Tells a browser with that call (WebAuthn, level 3) that a passkey cannot sign in any more. */
export async function forgetPasskey(credentialId: string): Promise<void> {
  if (typeof PublicKeyCredential === 'undefined') return;
  if (!('signalUnknownCredential' in PublicKeyCredential)) return;
  const rpId = location.hostname;
  await PublicKeyCredential.signalUnknownCredential({ rpId, credentialId }).catch(() => {});
}

async function ask<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    throw new NoPasskey(sentenceOf(error));
  }
}

function sentenceOf(error: unknown): string {
  if (typeof PublicKeyCredential === 'undefined') return 'This browser has no passkeys.';
  switch (error instanceof WebAuthnError && error.code) {
    case 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED':
      return 'This device has a passkey for your account already. Sign in with that one.';
    case 'ERROR_INVALID_DOMAIN':
    case 'ERROR_INVALID_RP_ID':
      return 'Passkeys do not work at this address.';
    case 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT':
    case 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT':
      return 'Set a screen lock or a PIN on this device first.';
    default:
      // Cancelled, no passkey for the office, or the time was up: browsers do not say which.
      return 'No passkey was used. Please try again.';
  }
}
