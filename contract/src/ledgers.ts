import { z } from 'zod/mini';
import { charge, exampleCharge } from './charges.ts';
import { calendarDate } from './calendar-date.ts';
import { addDays } from './dates.ts';
import { endpoint, PREFIX } from './endpoint.ts';
import { facilityParams, id } from './ids.ts';
import { dollars } from './money.ts';

/** The parameters of a path about one ledger. */
export const ledgerPathParams = z.extend(facilityParams, { ledgerId: id });

/** The parameters of a path that lists ledgers, comma-joined. */
export const ledgersPathParams = z.extend(facilityParams, { ledgerIds: z.string() });

/**
 * A rental. Money is dollars; dates are the facility's calendar. `unit` measures feet. `timeZoneId`
 * is a gate schedule (gate-access.ts), not a clock zone. `charges` are those still owed.
 * `daysPastDue` counts from the day after `paidThrough`, 0 while the rent is covered.
 */
export const ledger = z.object({
  id,
  tenantId: id,
  unitId: id,
  unitName: z.string(),
  unit: z.object({ width: z.number(), length: z.number(), typeName: z.string() }),
  rentalRate: dollars,
  balance: dollars,
  charges: z.array(charge),
  paidThrough: calendarDate,
  scheduledRateChange: z.nullable(dollars),
  scheduledRateChangeEffectiveDate: z.nullable(calendarDate),
  discountPlanId: z.nullable(id),
  daysPastDue: z.int(),
  timeZoneId: z.int(),
  vehicle: z.nullable(z.object({ licensePlate: z.string(), description: z.string() })),
});
export type Ledger = z.infer<typeof ledger>;

/** The next charge falls on the day after the last one covered. */
export function nextChargeDate(paidThrough: string): string {
  return addDays(paidThrough, 1);
}

/** A scheduled rate change shows when its date is set and its rate is above 0. */
export function hasScheduledRateChange(
  ledger: Pick<Ledger, 'scheduledRateChange' | 'scheduledRateChangeEffectiveDate'>,
): boolean {
  return ledger.scheduledRateChangeEffectiveDate !== null && (ledger.scheduledRateChange ?? 0) > 0;
}

/**
 * GET {prefix}/tenants/{ids comma-joined}/ledgers: the current rentals of one tenant record or of
 * several.
 */
export const listLedgers = endpoint({
  name: 'listLedgers',
  subject: 'Rentals',
  summary: 'The current rentals of one or more tenant records, comma-joined',
  method: 'GET',
  path: `${PREFIX}/tenants/:tenantIds/ledgers`,
  access: 'tenant',
  params: z.extend(facilityParams, { tenantIds: z.string() }),
  reply: z.array(ledger),
  example: [
    {
      id: '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49',
      tenantId: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31',
      unitId: '5a9d2b7c-1e3f-4d6a-8b0c-9f8e7d6c5b4a',
      unitName: 'A101',
      unit: { width: 12, length: 40, typeName: 'RV' },
      rentalRate: 198.15,
      balance: 214.5,
      charges: [exampleCharge],
      paidThrough: '2026-11-13',
      scheduledRateChange: null,
      scheduledRateChangeEffectiveDate: null,
      discountPlanId: null,
      daysPastDue: 6,
      timeZoneId: 1,
      vehicle: null,
    },
  ],
});
