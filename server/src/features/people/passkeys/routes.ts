import {
  addPasskey,
  confirmOptions,
  confirmSession,
  listPasskeys,
  passkeyOptions,
  passkeySignInOptions,
  removePasskey,
  renamePasskey,
  signInByPasskey,
} from '@gatehouse/contract/passkeys';
import type { Routes } from '#http/routes.ts';
import { confirmOptionsOf, confirmSessionOf } from './confirm.ts';
import {
  addPasskeyOf,
  listPasskeysOf,
  optionsOf,
  removePasskeyOf,
  renamePasskeyOf,
} from './passkeys.ts';
import { signInByPasskeyOf, signInOptions } from './sign-in.ts';

export function passkeyRoutes({ open, guarded }: Routes): void {
  open(passkeySignInOptions, ({ ctx }) => Promise.resolve(signInOptions(ctx)));
  open(signInByPasskey, ({ ctx, body, origin }) => signInByPasskeyOf(ctx, body, origin));

  guarded(listPasskeys, ({ ctx, caller }) => listPasskeysOf(ctx, caller));
  guarded(passkeyOptions, ({ ctx, caller }) => optionsOf(ctx, caller));
  guarded(addPasskey, ({ ctx, caller, body, origin }) => addPasskeyOf(ctx, caller, body, origin));
  guarded(renamePasskey, ({ ctx, caller, params, body }) =>
    renamePasskeyOf(ctx, caller, params.passkeyId, body.name),
  );
  guarded(confirmOptions, ({ ctx, caller }) => confirmOptionsOf(ctx, caller));
  guarded(confirmSession, async ({ ctx, caller, body, origin }) => {
    await confirmSessionOf(ctx, caller, body.credential, origin);
    return { success: true as const };
  });
  guarded(removePasskey, async ({ ctx, caller, params, origin }) => {
    await removePasskeyOf(ctx, caller, params.passkeyId, origin);
    return { success: true as const };
  });
}
