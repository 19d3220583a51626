import { mayRequest24HourAccess } from '@gatehouse/contract/gate-access';
import { formTypes, type RequestReceipt } from '@gatehouse/contract/requests';
import { t } from '@gatehouse/language/t';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { hoursFrom, scheduleName } from '@gatehouse/contract/gate-hours';
import type { Context } from '#context/context.ts';
import { gateAccessRequestEmail } from '#emails/staff/gate-access-request.ts';
import { getRequester } from '#features/service/requests/requester.ts';
import { askStaff } from '#features/service/requests/requests.ts';
import type { Caller } from '#http/guard.ts';
import { Refusal } from '#errors/refusal.ts';

/**
 * Asks the facility for 24-hour access to a rental. Refuses with 409 a unit whose gate schedule has
 * none.
 */
export async function request24HourAccess(
  ctx: Context,
  caller: Caller,
  { ledgerId, reason }: { ledgerId: string; reason: string },
  idempotencyKey: string | undefined,
): Promise<RequestReceipt> {
  const schedule = await ctx.db
    .selectFrom('ledgers')
    .innerJoin('gate_schedules', 'gate_schedules.id', 'ledgers.gate_schedule_id')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .innerJoin('facilities', 'facilities.id', 'units.facility_id')
    .select(['gate_schedules.id', 'gate_schedules.name', 'gate_hours', 'gate_holidays'])
    .where('ledgers.id', '=', ledgerId)
    .where('ledgers.tenant_id', 'in', caller.tenantIds)
    .executeTakeFirstOrThrow();
  if (!mayRequest24HourAccess(schedule.id))
    throw new Refusal(409, t('This unit has no 24-hour access. Please call your facility.'));
  const today = calendarDateIn(caller.timeZone, ctx.clock.now());
  const hours = hoursFrom(schedule.gate_hours, schedule.gate_holidays, today);
  return askStaff(ctx, {
    kind: formTypes.gateAccess,
    requester: await getRequester(ctx.db, caller.tenantIds, ledgerId),
    asker: { userId: caller.userId, idempotencyKey },
    given: { reason },
    facts: { schedule: scheduleName(schedule.name, hours), reason },
    email: gateAccessRequestEmail,
  });
}
