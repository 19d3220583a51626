import { calendarDateIn, isTimeZone } from '@gatehouse/contract/dates';
import type { Me } from '@gatehouse/contract/office/session';
import type { Context } from '#context/context.ts';
import type { StaffMember } from '#http/staff-guard.ts';
import { SESSION_ABSOLUTE_HOURS, SESSION_IDLE_MINUTES } from '#http/token.ts';

/** A signed-in member as the office shows it. */
export function meView({ clock }: Pick<Context, 'clock'>, staff: StaffMember): Me {
  const now = clock.now();
  const endsAt = new Date(staff.begunAt.getTime() + SESSION_ABSOLUTE_HOURS * 3_600_000);
  return {
    id: staff.staffId,
    name: staff.name,
    email: staff.email,
    role: staff.role,
    isForAllFacilities: staff.isForAll,
    facilities: staff.facilities.map((facility) => ({
      ...facility,
      today: calendarDateIn(isTimeZone(facility.timeZone) ? facility.timeZone : 'UTC', now),
    })),
    hasSecondStep: staff.hasSecondStep,
    mustEnrol: staff.mustEnrol,
    endsAt: endsAt.toISOString(),
    idleMinutes: SESSION_IDLE_MINUTES,
  };
}
