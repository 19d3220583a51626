import type { Args, Reply } from '@gatehouse/contract/endpoint';
import {
  confirmOptions,
  confirmSession,
  passkeySignInOptions,
  signInByPasskey,
} from '@gatehouse/contract/passkeys';
import { t } from '@gatehouse/language/t';
import { startAuthentication } from '@simplewebauthn/browser';
import { askAuthenticator } from './ask-authenticator.ts';
import { call, CallError } from './call.ts';

/**
 * What is done by a passkey, loaded when it is asked for. Both throw a `CallError` where it is not
 * done.
 */

/** Signs in by one of the passkeys that this device has for the portal. */
export async function signIn(
  browser: Omit<Args<typeof signInByPasskey>['body'], 'credential'>,
): Promise<Reply<typeof signInByPasskey>> {
  const optionsJSON = await call(passkeySignInOptions, {});
  const { id, response } = await askAuthenticator(
    () => startAuthentication({ optionsJSON }),
    t('Sign in with your email address and password.'),
  );
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response;
  return call(signInByPasskey, {
    body: {
      credential: { id, response: { clientDataJSON, authenticatorData, signature, userHandle } },
      ...browser,
    },
  });
}

/**
 * Confirms the kept session, which has the token `begunIn`, by a passkey of its sign-in, for ten
 * minutes. The error's status is 403 whatever kept the passkey from confirming it: what waits for
 * it was refused, and nothing else.
 */
export async function confirmSessionNow(begunIn: string | undefined): Promise<void> {
  try {
    const optionsJSON = await call(confirmOptions, {}, { begunIn });
    const { id, response } = await askAuthenticator(
      () => startAuthentication({ optionsJSON }),
      t('Nothing was sent. Try again, or log out and sign in with your password.'),
    );
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    const credential = {
      id,
      response: { clientDataJSON, authenticatorData, signature, userHandle },
    };
    await call(confirmSession, { body: { credential } }, { begunIn });
  } catch (error) {
    throw error instanceof CallError ? new CallError('refused', 403, error.message) : error;
  }
}
