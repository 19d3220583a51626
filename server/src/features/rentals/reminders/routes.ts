import { changeReminders, getReminders } from '@gatehouse/contract/reminders';
import type { Routes } from '#http/routes.ts';
import { findChoices, resumeReminders, stopReminders } from './choices.ts';

export function reminderRoutes({ guarded }: Routes): void {
  guarded(getReminders, ({ ctx, caller: { userId }, params: { tenantId } }) =>
    findChoices(ctx, { tenantId, userId }),
  );

  guarded(changeReminders, async ({ ctx, caller, params, body, origin }) => {
    const of = { tenantId: params.tenantId, userId: caller.userId };
    const change = body.isOn ? resumeReminders : stopReminders;
    await change(ctx, { ...of, kind: body.kind }, origin);
    return findChoices(ctx, of);
  });
}
