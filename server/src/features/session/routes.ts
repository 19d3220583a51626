import { logout } from '@gatehouse/contract/session';
import { login } from '@gatehouse/contract/sign-in';
import type { Routes } from '#http/routes.ts';
import { signIn, signOut } from './session.ts';

export function sessionRoutes({ open, guarded }: Routes): void {
  open(login, ({ ctx, body, origin }) => signIn(ctx, body, origin));

  guarded(logout, async ({ ctx, caller, origin }) => {
    await signOut(ctx, caller, origin);
    return { success: true as const };
  });
}
