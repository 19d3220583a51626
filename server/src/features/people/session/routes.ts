import { chooseLanguage } from '@gatehouse/contract/account-language';
import { logout } from '@gatehouse/contract/session';
import { endSession, listSessions } from '@gatehouse/contract/sessions';
import { login } from '@gatehouse/contract/sign-in';
import type { Routes } from '#http/routes.ts';
import { chooseLanguageOf } from './language.ts';
import { signIn, signOut } from './session.ts';
import { endSessionOf, listSessionsOf } from './sessions.ts';

export function sessionRoutes({ open, guarded }: Routes): void {
  open(login, ({ ctx, body, origin }) => signIn(ctx, body, origin));

  guarded(logout, async ({ ctx, caller, origin }) => {
    await signOut(ctx, caller, origin);
    return { success: true as const };
  });

  guarded(listSessions, ({ ctx, caller }) => listSessionsOf(ctx, caller));

  guarded(endSession, async ({ ctx, caller, params, origin }) => {
    await endSessionOf(ctx, caller, params.sessionId, origin);
    return { success: true as const };
  });

  guarded(chooseLanguage, ({ ctx, caller, body }) => chooseLanguageOf(ctx, caller, body.language));
}
