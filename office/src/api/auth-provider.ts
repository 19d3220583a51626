import { isAtLeast, type OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import { getMe, officeSignIn, officeSignOut } from '@gatehouse/contract/office/session';
import type { AuthProvider } from 'react-admin';
import { call } from './call.ts';
import { currentMe, keepMe } from './session.ts';

/** Thrown by `login` where the password is right and the account has a second step. */
export class CodeNeeded extends Error {}

/** Email, password and, for the second step, the code of the authenticator app. */
export type SignIn = { email: string; password: string; code?: string };

/** Signs in and keeps who it is. Throws CodeNeeded, or an HttpError with the server's sentence. */
export async function signIn({ email, password, code }: SignIn): Promise<void> {
  const body = { email, password, ...(code !== undefined && code !== '' && { code }) };
  const { state, me } = await call(officeSignIn, { body });
  if (state === 'codeNeeded') throw new CodeNeeded('Enter the code of your authenticator app.');
  keepMe(me);
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
    await call(officeSignOut, {}).catch(() => undefined);
    keepMe(null);
  },
  async checkAuth() {
    if (currentMe() === null) keepMe(await call(getMe, {}));
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
