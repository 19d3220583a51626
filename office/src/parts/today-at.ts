import { calendarDateIn } from '@gatehouse/contract/dates';
import { currentMe } from '#api/session.ts';

/** The day at a facility of the member's, which a form begins with. */
export function todayAt(locationCode: string): string | undefined {
  const facility = currentMe()?.facilities.find((one) => one.locationCode === locationCode);
  return facility && calendarDateIn(facility.timeZone, new Date());
}
