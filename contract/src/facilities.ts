import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { endpoint, PREFIX } from './endpoint.ts';
import { facilityParams, id } from './ids.ts';
import { dollars } from './money.ts';

/** A postal address. `region` is a two-letter state code; `street2` is null where there is none. */
export const address = z.object({
  street1: z.string(),
  street2: z.nullable(z.string()),
  city: z.string(),
  region: z.string(),
  postalCode: z.string(),
});
export type Address = z.infer<typeof address>;

/** A facility as the sign-in page's pickers need it. */
export const location = z.object({ locationCode: z.string(), name: z.string(), address });
export type Location = z.infer<typeof location>;

/**
 * A facility. `timeZone` is its IANA zone: whose calendar "today" is. `officeHours` are as
 * `weekHours` writes them, null where none are said. `moveOutUrl` is the
 * operator's own move-out form, to which the portal points. `cardFee` says whether using a credit
 * card brings a recurring rent fee here; the notice shows no amount, the consent to autopay does:
 * `cardFeeAmount`, in dollars, once a billed period. `payOnce` says whether a tenant may pay what
 * is due without switching autopay on, `partPayments` and `payAhead` whether the portal offers to
 * pay a part of it, and bills before they are due. `hostedFields` is what the payment provider's
 * own card fields need, in a live profile only; null: the form of the specification.
 */
export const facility = z.object({
  ...location.shape,
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  timeZone: z.string(),
  officeHours: z.nullable(z.string()),
  cardFee: z.boolean(),
  cardFeeAmount: dollars,
  payOnce: z.boolean(),
  partPayments: z.boolean(),
  payAhead: z.boolean(),
  hostedFields: z.nullable(z.object({ provider: z.literal('stripe'), publishableKey: z.string() })),
  moveOutUrl: z.nullable(z.string()),
});
export type Facility = z.infer<typeof facility>;

/** The suffixes of the two special location codes, dash and hyphen as the spec has them. */
const specialLocations: Record<string, () => string> = {
  TXDFW03: () => t('(Left Entrance - TXDFW03)'),
  TXDFW03A: () => t('(Right Entrance – TXDFW03A)'),
};

/** A location option: `city, region at street`, with a suffix for the two special codes. */
export function locationLabel({ locationCode, address }: Location): string {
  const label = t('{city}, {region} at {street}', {
    city: address.city,
    region: address.region,
    street: address.street1,
  });
  const suffix = specialLocations[locationCode];
  return suffix === undefined ? label : `${label} ${suffix()}`;
}

const exampleAddress = {
  street1: '4100 Marina Drive',
  street2: null,
  city: 'Fort Worth',
  region: 'TX',
  postalCode: '76135',
};
const exampleLocation = {
  locationCode: 'TXDFW03',
  name: 'Anchor & Axle Eagle Mountain',
  address: exampleAddress,
};

/** GET /corporations/{corp}/locations: the facilities a visitor may pick. */
export const listLocations = endpoint({
  name: 'listLocations',
  subject: 'Facility',
  summary: 'The facilities of the corporation',
  method: 'GET',
  path: '/corporations/:corp/locations',
  access: 'public',
  urgency: 'sign-in',
  params: z.object({ corp: z.string() }),
  reply: z.array(location),
  example: [exampleLocation],
});

/** GET {prefix}: the facility of the session. */
export const getFacility = endpoint({
  name: 'getFacility',
  subject: 'Facility',
  summary: 'The facility with its phone, email and clock zone',
  method: 'GET',
  path: PREFIX,
  access: 'tenant',
  params: facilityParams,
  reply: facility,
  example: {
    ...exampleLocation,
    phone: '8175550103',
    email: 'eagle-mountain@anchor-axle.example',
    timeZone: 'America/Chicago',
    officeHours: 'Mon-Sat 9am - 6pm',
    cardFee: true,
    cardFeeAmount: 5,
    payOnce: true,
    partPayments: false,
    payAhead: false,
    hostedFields: null,
    moveOutUrl: 'https://anchor-axle.example/move-out/txdfw03',
  },
});

/** GET {prefix}/discount-plans. */
export const listDiscountPlans = endpoint({
  name: 'listDiscountPlans',
  subject: 'Facility',
  summary: 'The discount plans of the facility',
  method: 'GET',
  path: `${PREFIX}/discount-plans`,
  access: 'tenant',
  params: facilityParams,
  reply: z.array(z.object({ id, name: z.string() })),
  example: [{ id: '0b8f3d1e-6f3a-4c55-9d35-3f1d2a7c9b10', name: 'Military 10%' }],
});
