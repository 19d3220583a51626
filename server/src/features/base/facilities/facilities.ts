import type { Facility } from '@gatehouse/contract/facilities';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { facilityView, type ShownFacility } from './view.ts';

/** The facility as its tenants see it. */
export async function getFacility({ db, config }: Context, facilityId: string): Promise<Facility> {
  const { rows } = await sql<ShownFacility>`
    SELECT location_code, name, street1, street2, city, region, postal_code, phone, email, time_zone, office_hours,
      card_fee_cents, pay_once, part_payments, pay_ahead, move_out_url
    FROM facilities WHERE id = ${facilityId}`.execute(db);
  return facilityView(rows[0]!, config.payments);
}
