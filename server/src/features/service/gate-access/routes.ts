import {
  getUnitGateAccess,
  listGateAccess,
  listTimeZones,
  requestGateAccess,
} from '@gatehouse/contract/gate-access';
import type { Routes } from '#http/routes.ts';
import { notFound } from '#errors/refusal.ts';
import { showGateAccess } from './gate-access.ts';
import { request24HourAccess } from './request.ts';

export function gateAccessRoutes({ guarded }: Routes): void {
  guarded(listGateAccess, ({ ctx, caller, origin }) => showGateAccess(ctx, caller, origin));

  guarded(getUnitGateAccess, async ({ ctx, caller, params, origin }) => {
    const [access] = await showGateAccess(ctx, caller, origin, params.unitId);
    if (access === undefined) throw notFound();
    return access;
  });

  guarded(listTimeZones, ({ ctx }) =>
    ctx.db.selectFrom('gate_schedules').select(['id', 'name']).orderBy('id').execute(),
  );

  guarded(requestGateAccess, ({ ctx, caller, params, body, idempotencyKey }) =>
    request24HourAccess(
      ctx,
      caller,
      { ledgerId: params.ledgerId, reason: body.reason },
      idempotencyKey,
    ),
  );
}
