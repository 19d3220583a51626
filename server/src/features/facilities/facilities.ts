import type { Facility } from '@gatehouse/contract/facilities';
import type { Context } from '#context/context.ts';
import { facilityView } from './view.ts';

/** The facility as its tenants see it. */
export async function getFacility({ db, config }: Context, facilityId: string): Promise<Facility> {
  const row = await db
    .selectFrom('facilities')
    .selectAll()
    .where('id', '=', facilityId)
    .executeTakeFirstOrThrow();
  return facilityView(row, config.payments);
}
