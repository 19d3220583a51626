import { changeReminders, getReminders } from '@gatehouse/contract/reminders';
import type { Routes } from '#http/routes.ts';
import { findChoices, resumeReminders, stopReminders } from './choices.ts';

export function reminderRoutes({ guarded }: Routes): void {
  guarded(getReminders, ({ ctx, params }) => findChoices(ctx, params.tenantId));

  guarded(changeReminders, async ({ ctx, caller, params, body, origin }) => {
    const { tenantId } = params;
    const change = body.isOn ? resumeReminders : stopReminders;
    await change(ctx, { tenantId, userId: caller.userId, kind: body.kind }, origin);
    return findChoices(ctx, tenantId);
  });
}
