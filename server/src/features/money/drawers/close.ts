import { calendarDateIn } from '@gatehouse/contract/dates';
import { closeDrawer, drawerTypes, type DrawerType } from '@gatehouse/contract/drawers';
import { toCents, toDollars } from '@gatehouse/contract/money';
import type { VerbBody } from '@gatehouse/contract/staff-verb';
import { lockFacility } from '#features/base/staff-actions/facility-changes.ts';
import {
  getOneFacility,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { refusalOf } from './closers.ts';
import {
  drawerLineOf,
  expectedCents,
  readDrawers,
  type Drawer,
  type SumsOfType,
} from './drawers.ts';

/**
 * `drawers.close`: closes the day of the one facility that the call is for, with what was counted.
 * The facility is held against postings at its counter, which wait and belong to the next day.
 * Refuses with 403, 409 and 422 as `refusalOf` says.
 */
export const closeDrawerOf = workOf(closeDrawer, async (work, counted) => {
  const { call } = work;
  const { staff } = call;
  if (staff === undefined) throw new Refusal(403, 'A drawer is closed in the office.');
  const facilityId = getOneFacility(call, 'Name one facility.');
  await lockFacility(work.trx, facilityId);
  const both = { db: work.trx, staffDb: work.trx };
  const [drawer] = await readDrawers(both, [facilityId], {
    on: counted.on,
    isUsed: false,
  });
  if (drawer === undefined) throw new Refusal(404, 'Not found.');
  const day = { on: counted.on, today: calendarDateIn(drawer.timeZone, work.now) };
  const refusal = refusalOf(day, drawer, { ...staff, name: call.by });
  if (refusal !== null) throw refusal;
  const sums = countedOf(drawer, counted);
  await writeClosing(work, { facilityId, on: counted.on, staffId: staff.id, sums });
  const overCents = sums.reduce((all, one) => all + one.countedCents - expectedCents(one), 0);
  const difference = toDollars(overCents);
  const lines = sums.map(drawerLineOf);
  return {
    reply: { locationCode: drawer.locationCode, on: counted.on, lines, difference },
    about: { facilityId, details: { on: counted.on, difference: String(difference) } },
  };
});

const EMPTY = { count: 0, takenCents: 0, backCents: 0, mistakenCents: 0 };

/** What is written and what is answered of each type, from the same sums. */
function countedOf(
  { lines }: Drawer,
  counted: VerbBody<typeof closeDrawer>,
): (SumsOfType & { countedCents: number })[] {
  return (Object.keys(drawerTypes) as DrawerType[]).map((type) => {
    const sums = lines.find((line) => line.type === type) ?? { ...EMPTY, type };
    return { ...sums, countedCents: toCents(counted[type]) };
  });
}

async function writeClosing(
  { trx, call, now }: StaffWork,
  closing: {
    facilityId: string;
    on: string;
    staffId: string;
    sums: ReturnType<typeof countedOf>;
  },
): Promise<void> {
  const place = { facility_id: closing.facilityId, on_day: closing.on };
  await trx
    .insertInto('drawer_closings')
    .values({
      ...place,
      staff_id: closing.staffId,
      by_name: call.by,
      why: call.why,
      closed_at: now,
    })
    .execute();
  await trx
    .insertInto('drawer_counts')
    .values(
      closing.sums.map((sums) => ({
        ...place,
        type: sums.type,
        count: sums.count,
        expected_cents: expectedCents(sums),
        counted_cents: sums.countedCents,
      })),
    )
    .execute();
}
