import { isAtLeast, type OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import {
  getMe,
  type Me,
  officePasskeyOptions,
  officePasskeySignIn,
  officeSignIn,
  officeSignOut,
  type SecondStep,
} from '@gatehouse/contract/office/session';
import type { PasskeyAnswer } from '@gatehouse/contract/passkeys';
import { HttpError, type AuthProvider } from 'react-admin';
import { call } from './call.ts';
import { answerByPasskey } from './passkey.ts';
import { currentMe, keepMe } from './session.ts';
import { announce } from './tabs.ts';

/** Thrown by `login` where the password is right and the account has a second step. */
export class SecondStepNeeded extends Error {
  readonly secondStep: SecondStep;

  constructor(secondStep: SecondStep) {
    super(sentenceOf(secondStep));
    this.secondStep = secondStep;
  }
}

function sentenceOf({ hasApp, passkey }: SecondStep): string {
  if (passkey === null)
    return hasApp
      ? 'Enter the code of your authenticator app.'
      : 'Your passkeys do not work at this address. Ask an owner to reset your second step.';
  return hasApp
    ? 'Use a passkey, or enter the code of your authenticator app.'
    : 'Use your passkey to go on.';
}

/**
 * A passkey, or email and password and for the second step a code of the authenticator app or a
 * passkey.
 */
export type SignIn =
  | 'byPasskey'
  | { email: string; password: string; code?: string; passkey?: PasskeyAnswer };

/**
 * Signs in and keeps who it is. Throws SecondStepNeeded, NoPasskey, or an HttpError with its
 * sentence.
 */
export async function signIn(given: SignIn): Promise<void> {
  if (given === 'byPasskey') {
    const passkey = await answerByPasskey(await call(officePasskeyOptions, {}));
    keepSignedIn(await call(officePasskeySignIn, { body: { passkey } }));
    return;
  }
  const { me, secondStep } = await call(officeSignIn, { body: given });
  if (secondStep !== null) throw new SecondStepNeeded(secondStep);
  if (me !== null) keepSignedIn(me);
}

/**
 * Keeps who has just signed in, in whichever way: a sign-out from before is no longer due. A page
 * of another member, whose session ended, is loaded again.
 */
export function keepSignedIn(me: Me): void {
  const shown = currentMe();
  localStorage.removeItem(LEAVING);
  announce(me.id);
  if (shown !== null && shown.id !== me.id) location.reload();
  else keepMe(me);
}

/**
 * Under this key the browser keeps the id of a member whose sign-out has not reached the server.
 * Only the server can remove the cookie: until then no page of the office opens in this browser
 * without a new sign-in.
 */
const LEAVING = 'gatehouse-office-leaving';

/**
 * Ends the session of this member. Answers whether another member has signed in since, whose
 * session stays. Throws where it did not reach the server.
 */
async function signOut(memberId: string): Promise<boolean> {
  localStorage.setItem(LEAVING, memberId);
  let isAnothers = false;
  try {
    await call(officeSignOut, {}, AbortSignal.timeout(5000), { memberId });
  } catch (error) {
    // The session has ended by itself, or another member's is in its place.
    const status: unknown = error instanceof HttpError ? error.status : undefined;
    if (status !== 401 && status !== 409) throw error;
    isAnothers = status === 409;
  }
  localStorage.removeItem(LEAVING);
  return isAnothers;
}

/** Resources and pages that need more than a clerk's role. */
const leastRoles: Record<string, OfficeRole> = {
  rates: 'manager',
  facilities: 'manager',
  staff: 'owner',
  audit: 'manager',
  differences: 'owner',
};

/** Whether the signed-in member of staff has this role or one above it. */
export function hasRole(least: OfficeRole): boolean {
  const me = currentMe();
  return me !== null && isAtLeast(me.role, least);
}

export const authProvider: AuthProvider = {
  login: signIn,
  async logout() {
    const me = currentMe();
    if (me === null) return;
    keepMe(null);
    const isReplaced = await signOut(me.id).catch(() => false);
    // Not before: an answer that comes late removes the cookie of a sign-in in another tab.
    if (!isReplaced) announce(null);
  },
  async checkAuth() {
    if (currentMe() !== null) return;
    const leaving = localStorage.getItem(LEAVING);
    if (leaving !== null) await signOut(leaving);
    keepMe(await call(getMe, {}));
  },
  checkError: ({ status }: { status?: number }) =>
    status === 401
      ? Promise.reject(new Error('Your session has ended. Please sign in again.'))
      : Promise.resolve(),
  getIdentity() {
    const me = currentMe();
    return Promise.resolve({ id: me?.id ?? '', fullName: me?.name ?? '' });
  },
  getPermissions: () => Promise.resolve(currentMe()?.role),
  canAccess: ({ resource }) => Promise.resolve(hasRole(leastRoles[resource] ?? 'clerk')),
};
