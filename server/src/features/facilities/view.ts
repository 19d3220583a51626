import type { Facility, Location } from '@gatehouse/contract/facilities';
import type { FacilityRow } from '#db/tables.ts';

export function locationView(row: FacilityRow): Location {
  const { street1, street2, city, region } = row;
  return {
    locationCode: row.location_code,
    name: row.name,
    address: { street1, street2, city, region, postalCode: row.postal_code },
  };
}

export function facilityView(row: FacilityRow): Facility {
  return {
    ...locationView(row),
    phone: row.phone,
    email: row.email,
    timeZone: row.time_zone,
    cardFee: row.card_fee_cents > 0,
    moveOutUrl: row.move_out_url,
  };
}
