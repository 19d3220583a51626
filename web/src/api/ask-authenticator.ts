import { t } from '@gatehouse/language/t';
import { WebAuthnError } from '@simplewebauthn/browser';
import { CallError } from '#api/call.ts';

/**
 * What the browser answers when it asks for a finger, face or screen lock. Throws a `CallError`
 * with a sentence for what went wrong there, and `whatToDo` after it: nothing was sent then.
 */
export async function askAuthenticator<T>(ask: () => Promise<T>, whatToDo: string): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const sentence = isMadeAlready(error)
      ? t('This device has a passkey for your account already. Sign in with that one.')
      : `${sentenceOf(error)} ${whatToDo}`;
    throw new CallError('refused', 400, sentence);
  }
}

/** Another try comes to the same. */
function isMadeAlready(error: unknown): boolean {
  return (
    error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
  );
}

function sentenceOf(error: unknown): string {
  if (typeof PublicKeyCredential === 'undefined') return t('This browser has no passkeys.');
  switch (error instanceof WebAuthnError && error.code) {
    case 'ERROR_INVALID_DOMAIN':
    case 'ERROR_INVALID_RP_ID':
      return t('Passkeys do not work at this address.');
    case 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT':
    case 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT':
      return t('Set a screen lock on this device first.');
    default:
      // Cancelled, no passkey for this portal, or the time was up: browsers do not say which.
      return t('No passkey was used.');
  }
}
