import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { facilityParams, id, PREFIX } from './ids.ts';

/** Gate schedule ids (design section 2.6): the spec's "time zone". 0 and 1 are business hours, 2 is 24 hours. */
export const NO_24_HOUR_ACCESS = 0;

/** From this many days past due the tenant is asked to call (spec section 9). */
export const CALL_FACILITY_DAYS = 14;

/** The access hours as they are shown (spec section 9). */
export const BUSINESS_HOURS_LABEL = 'Business Hours (6am - 10pm)';

/** A unit is locked out while anything is owed (spec section 4): the API then withholds the code. */
export function isLockedOut(balance: number): boolean {
  return balance > 0;
}

/** What a locked-out tenant reads under 'Locked out' (spec section 4). */
export function lockedOutAdvice(daysPastDue: number): string {
  return daysPastDue >= CALL_FACILITY_DAYS ? 'Please call facility to resolve!' : 'Balance Due!';
}

/** The hours of a gate schedule as the tenant reads them. */
export function hoursLabel(timeZone: string): string {
  return timeZone === 'Business Hours' ? BUSINESS_HOURS_LABEL : timeZone;
}

/** The gate access of a unit; `timeZone` is the schedule's name, `accessCode` is absent while the unit is locked out. */
export const gateAccess = z.object({
  unitId: id,
  timeZone: z.string(),
  accessCode: z.optional(z.string()),
});
export type GateAccess = z.infer<typeof gateAccess>;

/** GET {prefix}/units/{unitId}/gate-access. */
export const getUnitGateAccess = endpoint({
  name: 'getUnitGateAccess',
  summary: 'The gate code and hours of a rented unit; no code while locked out',
  method: 'GET',
  path: `${PREFIX}/units/:unitId/gate-access`,
  access: 'tenant',
  params: z.extend(facilityParams, { unitId: id }),
  reply: gateAccess,
  example: { unitId: '5a9d2b7c-1e3f-4d6a-8b0c-9f8e7d6c5b4a', timeZone: 'Business Hours', accessCode: '4821#' },
});

/** GET {prefix}/time-zones: the gate schedules. */
export const listTimeZones = endpoint({
  name: 'listTimeZones',
  summary: 'The gate schedules',
  method: 'GET',
  path: `${PREFIX}/time-zones`,
  access: 'tenant',
  params: facilityParams,
  reply: z.array(z.object({ id: z.int(), name: z.string() })),
  example: [{ id: 1, name: 'Business Hours' }],
});
