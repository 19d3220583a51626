import { login, logout } from '@gatehouse/contract/session';
import type { Routes } from '#http/routes.ts';
import { signIn, signOut } from './session.ts';

export function sessionRoutes({ open, guarded }: Routes): void {
  open(login, ({ ctx, body, origin }) => signIn(ctx, body, origin.ip));

  guarded(logout, async ({ ctx, caller }) => {
    await signOut(ctx, caller.tokenHash);
    return { success: true as const };
  });
}
