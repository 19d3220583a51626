import { login } from '@gatehouse/contract/sign-in';
import { call, CORPORATION_CODE } from '#api/call.ts';
import { getDevice, setUser } from '#session/session.ts';
import { forgetPassOfOthers } from './pass-of-others.ts';
import { getProofKey, keepClockOffset } from './proof-key.ts';

/** What is typed and chosen to sign in. */
export type SignIn = {
  username: string;
  password: string;
  locationCode: string;
  /** Whether the device is to remember the email address (C4). */
  isRemembered: boolean;
};

/**
 * Signs in with this browser's device token and proof key, and stores the session, which its
 * listeners go on from. Throws a `CallError` where it is refused.
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
  await keepClockOffset(reply.serverTime);
  await forgetPassOfOthers(reply.tenants);
  setUser({ ...reply, locationCode, email: isRemembered ? username : undefined });
}
