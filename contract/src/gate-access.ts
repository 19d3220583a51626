import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { gateRequestFields } from './gate-request-fields.ts';
import { facilityParams, id } from './ids.ts';
import { calendarDate } from './calendar-date.ts';
import { formatWeekday } from './dates.ts';
import { dollars } from './money.ts';
import { ledgerPathParams } from './ledgers.ts';
import { exampleReceipt, requesterCopies, requestReceipt } from './requests.ts';

/** Gate schedule ids: the spec's "time zone". 0 and 1 are business hours, 2 is 24 hours. */
export const NO_24_HOUR_ACCESS = 0;
export const HAS_24_HOUR_ACCESS = 2;

/** From this many days past due the tenant is asked to call. */
export const CALL_FACILITY_DAYS = 14;

/** What a locked-out tenant reads under 'Locked out'; staff have locked an overlocked unit. */
export function lockedOutAdvice(daysPastDue: number, isOverlocked = false): string {
  return isOverlocked || daysPastDue >= CALL_FACILITY_DAYS
    ? t('Please call facility to resolve!')
    : t('Balance Due!');
}

/**
 * What follows `lockedOutAdvice` for a tenant whose gate opens after a payment; `amount` is what is
 * to be paid, as it is shown.
 */
export function payToOpenAdvice(daysPastDue: number, amount: string): string {
  return daysPastDue >= CALL_FACILITY_DAYS
    ? t('Or pay {amount} to open the gate.', { amount })
    : t('Pay {amount} to open the gate.', { amount });
}

/**
 * What a tenant reads along with the code who owes something and is not locked out yet; `amount` as
 * it is shown.
 */
export function keepAccessAdvice(amount: string, date: string): string {
  return t('Pay {amount} by {date} to keep your gate access', { amount, date });
}

/** What a tenant reads whose bank payment has to settle before the gate opens, about on `date`. */
export function settlementAdvice(date: string): string {
  return t('Your bank payment is on its way. The gate opens when it has settled, about {day}.', {
    day: formatWeekday(date),
  });
}

/**
 * A bank payment that by itself keeps the gate shut until it has settled: about when, and that in
 * the sentence that the tenant reads.
 */
export const waitsForSettlement = z.object({ date: calendarDate, sentence: z.string() });

/** The hours of a gate schedule as the tenant reads them. */
export function hoursLabel(timeZone: string): string {
  if (timeZone === 'Business Hours') return t('Business Hours (6am - 10pm)');
  return timeZone === '24 Hours' ? t('24 Hours') : timeZone;
}

/**
 * The gate access of a unit; `timeZone` is the schedule's name (`scheduleName`). `accessCode` is
 * absent while the unit is locked out: while as much is owed for as long as the facility says
 * (anything, by default), while staff have locked it (`isOverlocked`), or while a bank payment has
 * not settled that the facility waits for (`waitsForSettlement`). In a session that is kept on a
 * phone it is also absent where the code is not the one that was shown in it last, until a passkey
 * confirms (`needsConfirm`). `payBy` is there while something is owed that will lock it out: what
 * of it, in dollars, and the last day before that. `opensFor` is what opens it, where the balance
 * has more that is not enforced yet.
 */
export const gateAccess = z.object({
  unitId: id,
  timeZone: z.string(),
  accessCode: z.optional(z.string()),
  isOverlocked: z.optional(z.boolean()),
  payBy: z.optional(z.object({ amount: dollars, date: calendarDate })),
  opensFor: z.optional(dollars),
  waitsForSettlement: z.optional(waitsForSettlement),
  needsConfirm: z.optional(z.literal(true)),
});
export type GateAccess = z.infer<typeof gateAccess>;

const example: GateAccess = {
  unitId: '5a9d2b7c-1e3f-4d6a-8b0c-9f8e7d6c5b4a',
  timeZone: 'Business Hours',
  accessCode: '4821#',
};

/** GET {prefix}/gate-access: of the caller's own rented units only. */
export const listGateAccess = endpoint({
  name: 'listGateAccess',
  subject: 'Gate access',
  summary: 'The gate access of every unit that the caller rents here',
  method: 'GET',
  path: `${PREFIX}/gate-access`,
  access: 'tenant',
  params: facilityParams,
  reply: z.array(gateAccess),
  example: [example],
});

/** GET {prefix}/units/{unitId}/gate-access. */
export const getUnitGateAccess = endpoint({
  name: 'getUnitGateAccess',
  subject: 'Gate access',
  summary: 'The gate code and hours of a rented unit; no code while locked out',
  method: 'GET',
  path: `${PREFIX}/units/:unitId/gate-access`,
  access: 'tenant',
  params: z.extend(facilityParams, { unitId: id }),
  reply: gateAccess,
  example,
});

/** GET {prefix}/time-zones: the gate schedules. */
export const listTimeZones = endpoint({
  name: 'listTimeZones',
  subject: 'Gate access',
  summary: 'The gate schedules',
  method: 'GET',
  path: `${PREFIX}/time-zones`,
  access: 'tenant',
  params: facilityParams,
  reply: z.array(z.object({ id: z.int(), name: z.string() })),
  example: [{ id: 1, name: 'Business Hours' }],
});

/** Whether a unit may ask for 24-hour access: its schedule is not 0. */
export function mayRequest24HourAccess(timeZoneId: number): boolean {
  return timeZoneId !== NO_24_HOUR_ACCESS;
}

/** requestGateAccessParams of the specification. */
export const requestGateAccessParams = z.object({ ...requesterCopies, ...gateRequestFields });

/**
 * POST {prefix}/ledgers/{ledgerId}/request-gate-access: a message to staff. 409 for a unit of
 * schedule 0.
 */
export const requestGateAccess = endpoint({
  name: 'requestGateAccess',
  subject: 'Gate access',
  summary: 'Asks the facility for 24-hour access',
  method: 'POST',
  path: `${PREFIX}/ledgers/:ledgerId/request-gate-access`,
  access: 'tenant',
  confirm: true,
  params: ledgerPathParams,
  body: requestGateAccessParams,
  reply: requestReceipt,
  example: exampleReceipt,
});
