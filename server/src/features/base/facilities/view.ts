import type { Facility, Location } from '@gatehouse/contract/facilities';
import { toDollars } from '@gatehouse/contract/money';
import type { PaymentSettings } from '#config/config.ts';
import type { FacilityRow } from '#db/tables.ts';

/** What the views of a facility show. */
export type ShownFacility = Pick<
  FacilityRow,
  | 'location_code'
  | 'name'
  | 'street1'
  | 'street2'
  | 'city'
  | 'region'
  | 'postal_code'
  | 'phone'
  | 'email'
  | 'time_zone'
  | 'office_hours'
  | 'card_fee_cents'
  | 'pay_once'
  | 'part_payments'
  | 'pay_ahead'
  | 'move_out_url'
>;

export function locationView(row: ShownFacility): Location {
  const { street1, street2, city, region } = row;
  return {
    locationCode: row.location_code,
    name: row.name,
    address: { street1, street2, city, region, postalCode: row.postal_code },
  };
}

/** `payments` says whose card fields are in the portal. */
export function facilityView(row: ShownFacility, payments: PaymentSettings): Facility {
  return {
    ...locationView(row),
    phone: row.phone,
    email: row.email,
    timeZone: row.time_zone,
    officeHours: row.office_hours,
    cardFee: row.card_fee_cents > 0,
    cardFeeAmount: toDollars(row.card_fee_cents),
    payOnce: row.pay_once,
    partPayments: row.part_payments,
    payAhead: row.pay_ahead,
    hostedFields: hostedFieldsOf(payments),
    moveOutUrl: row.move_out_url,
  };
}

/** What the payment provider's own fields need, in a live profile; null for our own form. */
export function hostedFieldsOf(payments: PaymentSettings): Facility['hostedFields'] {
  return payments.kind === 'stripe'
    ? { provider: 'stripe', publishableKey: payments.publishableKey }
    : null;
}
