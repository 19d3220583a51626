import { isAtLeast, type OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import {
  getMe,
  officeSignIn,
  officeSignOut,
  type SecondStep,
} from '@gatehouse/contract/office/session';
import type { PasskeyAnswer } from '@gatehouse/contract/passkeys';
import { HttpError, type AuthProvider } from 'react-admin';
import { call } from './call.ts';
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

/** Email, password and, for the second step, a code of the authenticator app or a passkey. */
export type SignIn = { email: string; password: string; code?: string; passkey?: PasskeyAnswer };

/** Signs in and keeps who it is. Throws SecondStepNeeded, or an HttpError with its sentence. */
export async function signIn(given: SignIn): Promise<void> {
  const { me, secondStep } = await call(officeSignIn, { body: given });
  if (secondStep !== null) throw new SecondStepNeeded(secondStep);
  keepMe(me);
  localStorage.removeItem(LEAVING);
  announce(me?.id ?? null);
}

/**
 * Kept while a sign-out has not reached the server, which alone can remove the cookie: until then
 * no page of the office opens in this browser without a new sign-in.
 */
const LEAVING = 'gatehouse-office-leaving';

/** Throws where it did not reach the server. */
async function signOut(): Promise<void> {
  localStorage.setItem(LEAVING, 'yes');
  await call(officeSignOut, {}, AbortSignal.timeout(5000)).catch((error: unknown) => {
    // The session has ended by itself.
    if (!(error instanceof HttpError) || error.status !== 401) throw error;
  });
  localStorage.removeItem(LEAVING);
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
    if (currentMe() === null) return;
    keepMe(null);
    announce(null);
    await signOut().catch(() => undefined);
  },
  async checkAuth() {
    if (currentMe() !== null) return;
    if (localStorage.getItem(LEAVING) !== null) await signOut();
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
