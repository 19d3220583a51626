import {
  register as registerEndpoint,
  updatePassword as updatePasswordEndpoint,
  verify as verifyEndpoint,
} from '@gatehouse/contract/registration';
import type { Routes } from '#http/routes.ts';
import { updatePassword } from './password-update.ts';
import { register, verify } from './registration.ts';

export function registrationRoutes({ open }: Routes): void {
  open(registerEndpoint, ({ ctx, body, origin }) => register(ctx, body, origin.ip));

  open(verifyEndpoint, async ({ ctx, body, origin }) => ({
    success: await verify(ctx, body, origin.ip),
  }));

  open(updatePasswordEndpoint, async ({ ctx, body, origin }) => ({
    success: true as const,
    ...(await updatePassword(ctx, body, origin)),
  }));
}
