import type { Reply } from '@gatehouse/contract/endpoint';
import { login } from '@gatehouse/contract/sign-in';
import { language } from '@gatehouse/language/language';
import { call, CallError, CORPORATION_CODE, sentences } from '#api/call.ts';
import { forgetPass } from '#session/kept-pass.ts';
import { askLanguage } from '#session/language-question.ts';
import { getDevice, getRemembered, setUser } from '#session/session.ts';
import { wantedPage } from '#session/wanted-page.ts';
import { getProofKey, keepClockOffset } from './proof-key.ts';

/** What is typed and chosen to sign in. */
export type SignIn = {
  username: string;
  password: string;
  locationCode: string;
  /** Whether the device is to remember the email address. */
  isRemembered: boolean;
};

/**
 * Signs in with this browser's device token and proof key, and stores the session. Throws a
 * `CallError` where it is refused.
 */
export async function signIn(typed: SignIn): Promise<void> {
  const { username, password, locationCode, isRemembered } = typed;
  const reply = await call(login, {
    body: {
      username,
      password,
      locationCode,
      corporationCode: CORPORATION_CODE,
      device: getDevice(),
      proofKey: await getProofKey(),
    },
  });
  await storeSession(reply, locationCode, isRemembered ? username : undefined);
}

/**
 * Signs in by a passkey of this device, whose code is loaded now, and stores the session, which
 * lasts 30 days where `keep` asks for it. What the device remembers of the email address stays.
 * Throws a `CallError` where it is refused.
 */
export async function signInByPasskey(keep: boolean): Promise<void> {
  const byPasskey = await import('#api/by-passkey.ts').catch(() => {
    throw new CallError('fetch', 0, sentences.fetch);
  });
  const reply = await byPasskey.signIn({
    proofKey: await getProofKey(),
    device: getDevice(),
    keep,
  });
  await storeSession(reply, reply.locationCode, getRemembered()?.email, keep);
}

/**
 * Stores the session of a sign-in's reply, which its listeners go on from. A kept gate pass is
 * deleted where the reply has another device token than this browser had: it is another account, or
 * a new password or email address was set elsewhere since. `isKept`: it lasts 30 days. The next
 * page is in the language of the account. But where its tenant never chose that one, and this page
 * is not in English by default, the tenant is asked once which to keep.
 */
async function storeSession(
  reply: Reply<typeof login>,
  locationCode: string,
  email: string | undefined,
  isKept = false,
): Promise<void> {
  await keepClockOffset(reply.serverTime);
  if (reply.device !== getDevice()) forgetPass();
  const other = language() === 'es' ? 'en' : 'es';
  const isOther = reply.language === other;
  const isWanted = language() === 'es' || document.cookie.includes('language=');
  const asks = isOther && isWanted && !reply.isLanguageChosen;
  askLanguage(asks);
  setUser({ ...reply, locationCode, email, isKept });
  const place = history.state as { state?: unknown } | null;
  if (isOther && !asks) location.replace(`/${other}${wantedPage(place?.state)}`);
}
