import { getUnitGateAccess, isLockedOut, listTimeZones } from '@gatehouse/contract/gate-access';
import type { Routes } from '#http/routes.ts';
import { notFound } from '#refusal.ts';

export function gateAccessRoutes({ guarded }: Routes): void {
  guarded(getUnitGateAccess, async ({ ctx, caller, params }) => {
    const row = await ctx.db
      .selectFrom('ledgers')
      .innerJoin('gate_schedules', 'gate_schedules.id', 'ledgers.gate_schedule_id')
      .leftJoin('gate_codes', 'gate_codes.ledger_id', 'ledgers.id')
      .select(['gate_schedules.name as timeZone', 'gate_codes.access_code as accessCode', 'balance_cents'])
      .where('ledgers.unit_id', '=', params.unitId)
      .where('ledgers.tenant_id', 'in', caller.tenantIds)
      .where('ledgers.moved_out_on', 'is', null)
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    const isShown = row.accessCode !== null && !isLockedOut(row.balance_cents);
    return {
      unitId: params.unitId.toLowerCase(),
      timeZone: row.timeZone,
      ...(isShown ? { accessCode: row.accessCode as string } : {}),
    };
  });

  guarded(listTimeZones, ({ ctx }) =>
    ctx.db.selectFrom('gate_schedules').select(['id', 'name']).orderBy('id').execute(),
  );
}
