import { z } from 'zod/mini';
import { calendarDate } from '../calendar-date.ts';
import { isTimeZone } from '../dates.ts';
import { address } from '../facilities.ts';
import { id } from '../ids.ts';
import { dollars } from '../money.ts';
import { paper } from '../papers.ts';
import { phoneNumber } from '../phone-number.ts';
import { formRow } from '../staff-documents.ts';
import { stateCode } from '../state-code.ts';
import { emailAddress, requiredText } from '../text.ts';
import { requestTitles } from '../tracked-requests.ts';
import { holidays, weekHours } from './facility-hours.ts';
import { changeKey, facilityIdParams, reason } from './lists.ts';
import { officeEndpoint } from './office-endpoint.ts';

const sum = (label: string) =>
  z.number(`${label} must be a number.`).check(
    z.gte(0, `${label} must not be below $0.00.`),
    z.lte(10_000, `${label} is too large.`),
    z.refine((value) => Number(value.toFixed(2)) === value, {
      error: `${label} must have at most two decimals.`,
    }),
  );
/** One that must be above nothing. */
const someSum = (label: string) => sum(label).check(z.gt(0, `${label} must be above $0.00.`));
const days = (label: string, most: number, least = 0) =>
  z
    .int(`${label} must be a whole number.`)
    .check(
      z.gte(least, `${label} must be ${least} to ${most}.`),
      z.lte(most, `${label} must be ${least} to ${most}.`),
    );
/** Hundredths of a percent: 825 is 8.25 %. */
const basisPoints = (label: string) => days(label, 10_000);

/** The settings of a facility that can be changed; sums in dollars, taxes in basis points. */
export const facilitySettings = z.object({
  name: requiredText('Name'),
  street1: requiredText('Street 1', 200),
  street2: z.nullable(requiredText('Street 2', 200)),
  city: requiredText('City'),
  region: stateCode('State'),
  postalCode: requiredText('Postal code', 20),
  timeZone: requiredText('Time zone').check(
    z.refine(isTimeZone, 'Time zone must be one such as America/Chicago.'),
  ),
  officeHours: z.nullable(weekHours('Office hours')),
  gateHours: weekHours('Gate hours'),
  gateHolidays: holidays,
  phone: z.nullable(z.string()),
  email: z.nullable(emailAddress('Email')),
  paymentOrder: z.enum(['oldest_first', 'rent_first', 'fees_first'], 'Choose a payment order.'),
  cardFee: sum('Card fee'),
  rentTax1: basisPoints('Rent tax 1'),
  rentTax2: basisPoints('Rent tax 2'),
  insuranceTax1: basisPoints('Insurance tax 1'),
  insuranceTax2: basisPoints('Insurance tax 2'),
  lateFee: sum('Late fee'),
  lateFeeAfterDays: days('Late fee after days', 365, 1),
  returnFee: sum('Return fee'),
  rateNoticeDays: days('Rate notice days', 365, 10),
  deposit: sum('Deposit'),
  moveOutProration: z.boolean('Move-out proration must be true or false.'),
  gateGraceDays: days('Gate grace days', 365),
  gateLeast: someSum('Gate threshold'),
  gateWaitsForSettlement: z.boolean('Gate waits for settlement must be true or false.'),
  leastPayment: someSum('Least payment'),
  payOnce: z.boolean('Pay once must be true or false.'),
  partPayments: z.boolean('Part payments must be true or false.'),
  payAhead: z.boolean('Pay ahead must be true or false.'),
  paymentDaysBack: days('Days back of a payment', 31),
  sendsReminders: z.boolean('Sends reminders must be true or false.'),
  sendsTexts: z.boolean('Sends texts must be true or false.'),
});
export type FacilitySettings = z.infer<typeof facilitySettings>;

/** The mails at seven in the morning of a facility. */
export const morningTitles = {
  morning_late: 'At 07:00: who is late',
  morning_deposit: 'At 07:00: what was taken yesterday',
  morning_alarms: 'At 07:00: open alarms',
} as const;
export type MorningKind = keyof typeof morningTitles;

/** Every kind of mail to addresses of a facility, with its title. */
export const recipientTitles = {
  ...morningTitles,
  ...requestTitles,
  autopayCreditCardToAch: 'Notice: autopay changed from card to ACH',
  notifyAchPayment: 'Notice: ACH payment',
} as const;
export type RecipientKind = keyof typeof recipientTitles;
const recipientKind = z.enum(
  Object.keys(recipientTitles) as [RecipientKind, ...RecipientKind[]],
  'There is no mail of this kind.',
);

export function isMorningKind(kind: RecipientKind): kind is MorningKind {
  return Object.hasOwn(morningTitles, kind);
}

/**
 * A facility with its settings, and what they come to: `rules` are sentences for their readers.
 * `scheduled` are changes that are not due yet.
 */
export const facilityFile = z.object({
  id,
  locationCode: z.string(),
  name: z.string(),
  address,
  timeZone: z.string(),
  billing: z.enum(['anniversary', 'first_of_month', 'twenty_eight_days']),
  settings: facilitySettings,
  rules: z.array(z.string()),
  scheduled: z.array(
    z.object({
      id,
      on: calendarDate,
      changes: z.partial(facilitySettings),
      by: z.string(),
      why: z.string(),
    }),
  ),
  discountPlans: z.array(
    z.object({ id, name: z.string(), takes: z.string(), endedOn: z.nullable(calendarDate) }),
  ),
  protectionPlans: z.array(
    z.object({
      id,
      description: z.string(),
      coverage: dollars,
      premium: dollars,
      endedOn: z.nullable(calendarDate),
    }),
  ),
  /** The types of its units, with how many units have each. */
  unitTypes: z.array(z.object({ name: z.string(), units: z.int() })),
  /** Who is mailed what; `kind` is null for requests and notices of every kind. */
  recipients: z.array(z.object({ id, kind: z.nullable(recipientKind), address: z.string() })),
  /** The document forms in use. */
  forms: z.array(formRow),
});
export type FacilityFile = z.infer<typeof facilityFile>;

/** GET /office/facilities/{facilityId}. */
export const getFacilityFile = officeEndpoint({
  name: 'getFacilityFile',
  method: 'GET',
  path: '/office/facilities/:facilityId',
  access: 'staff',
  role: 'clerk',
  params: facilityIdParams,
  reply: facilityFile,
});

/** GET /office/forms/{formId}/sample: a PDF form with samples in its fields; 404 of a text. */
export const getFormSample = officeEndpoint({
  name: 'getFormSample',
  method: 'GET',
  path: '/office/forms/:formId/sample',
  access: 'staff',
  role: 'clerk',
  params: z.object({ formId: id }),
  reply: paper,
});

/**
 * PATCH /office/facilities/{facilityId}: changes settings at once, or from a later day `on` on. A
 * preview answers the facility as it would be, with the rules that would change, and changes
 * nothing.
 */
export const changeFacility = officeEndpoint({
  name: 'changeFacility',
  method: 'PATCH',
  path: '/office/facilities/:facilityId',
  access: 'staff',
  role: 'manager',
  params: facilityIdParams,
  body: z.object({
    key: changeKey,
    why: reason,
    isPreview: z.boolean('IsPreview must be true or false.'),
    on: z.optional(calendarDate),
    changes: z
      .partial(z.extend(facilitySettings, { phone: z.nullable(phoneNumber) }))
      .check(z.refine((changes) => Object.keys(changes).length > 0, 'Change something.')),
  }),
  reply: z.object({
    facility: facilityFile,
    /** A sentence for each rule that changes: what it was and what it is. */
    effects: z.array(z.string()),
  }),
});

/** POST /office/facilities/{facilityId}/scheduled/{changeId}: takes a scheduled change back. */
export const cancelFacilityChange = officeEndpoint({
  name: 'cancelFacilityChange',
  method: 'POST',
  path: '/office/facilities/:facilityId/scheduled/:changeId',
  access: 'staff',
  role: 'manager',
  params: z.extend(facilityIdParams, { changeId: id }),
  body: z.object({ why: reason }),
  reply: facilityFile,
});

/**
 * POST /office/facilities/{facilityId}/recipients: adds an address to a kind of mail, or removes
 * it. Repeated it changes nothing.
 */
export const changeRecipient = officeEndpoint({
  name: 'changeRecipient',
  method: 'POST',
  path: '/office/facilities/:facilityId/recipients',
  access: 'staff',
  role: 'manager',
  params: facilityIdParams,
  body: z.object({
    kind: z.nullable(recipientKind),
    address: emailAddress('Address'),
    isRemoved: z.boolean('IsRemoved must be true or false.'),
  }),
  reply: facilityFile,
});
