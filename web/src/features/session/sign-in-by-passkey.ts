import { passkeySignInOptions, signInByPasskey as callSignIn } from '@gatehouse/contract/passkeys';
import { startAuthentication } from '@simplewebauthn/browser';
import { call } from '#api/call.ts';
import { getProofKey } from './proof-key.ts';
import { openSession } from './sign-in.ts';
import { getDevice, getRemembered } from '#session/session.ts';
import { askAuthenticator } from '#api/ask-authenticator.ts';

/**
 * Signs in by one of the passkeys that this device has for the portal, and stores the session. What
 * the device remembers of the email address stays. Throws a `CallError` where it is refused.
 */
export async function signInByPasskey(): Promise<void> {
  const optionsJSON = await call(passkeySignInOptions, {});
  const answer = await askAuthenticator(
    () => startAuthentication({ optionsJSON }),
    'Sign in with your email address and password.',
  );
  const { id, response } = answer;
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response;
  const reply = await call(callSignIn, {
    body: {
      credential: { id, response: { clientDataJSON, authenticatorData, signature, userHandle } },
      proofKey: await getProofKey(),
      device: getDevice(),
    },
  });
  await openSession(reply, reply.locationCode, getRemembered()?.email);
}
