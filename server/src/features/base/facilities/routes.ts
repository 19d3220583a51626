import {
  getFacility as getFacilityEndpoint,
  listDiscountPlans,
  listLocations,
} from '@gatehouse/contract/facilities';
import type { Routes } from '#http/routes.ts';
import { notFound } from '#errors/refusal.ts';
import { getFacility } from './facilities.ts';
import { locationView } from './view.ts';

export function facilityRoutes({ open, guarded }: Routes): void {
  open(listLocations, async ({ ctx, params }) => {
    const rows = await ctx.db
      .selectFrom('facilities')
      .innerJoin('corporations', 'corporations.id', 'facilities.corporation_id')
      .selectAll('facilities')
      .where('corporations.code', '=', params.corp)
      .orderBy('region')
      .orderBy('city')
      .orderBy('location_code')
      .execute();
    if (rows.length === 0) throw notFound();
    return rows.map(locationView);
  });

  guarded(getFacilityEndpoint, ({ ctx, caller }) => getFacility(ctx, caller.facilityId));

  guarded(listDiscountPlans, ({ ctx, caller }) =>
    ctx.db
      .selectFrom('discount_plans')
      .select(['id', 'name'])
      .where('facility_id', '=', caller.facilityId)
      .orderBy('name')
      .execute(),
  );
}
