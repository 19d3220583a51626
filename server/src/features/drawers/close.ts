import { calendarDateIn } from '@gatehouse/contract/dates';
import {
  closeDrawer,
  type DrawerLine,
  drawerTypes,
  type DrawerType,
} from '@gatehouse/contract/drawers';
import { sumDollars, toCents, toDollars } from '@gatehouse/contract/money';
import type { VerbBody, VerbReply } from '@gatehouse/contract/staff-verb';
import type { Context } from '#context/context.ts';
import { lockFacility } from '#features/staff-actions/facility-changes.ts';
import {
  runStaffVerb,
  type StaffCall,
  type StaffWork,
} from '#features/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { refusalOf } from './closers.ts';
import { readDrawers, type Drawer } from './drawers.ts';

/**
 * `drawers.close`: closes the day of the one facility that the call is for, with what was counted.
 * The facility is held against whoever posts at its counter, who waits and belongs to the next day.
 * Refuses with 403, 409 and 422 as `refusalOf` says.
 */
export function closeDrawerOf(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof closeDrawer>> {
  return runStaffVerb(ctx, closeDrawer, call, body, async (work, counted) => {
    const { staff, facilityIds } = call;
    const [facilityId, ...others] = facilityIds ?? [];
    if (staff === undefined) throw new Refusal(403, 'A drawer is closed in the office.');
    if (facilityId === undefined || others.length > 0) throw new Refusal(422, 'Name one facility.');
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
    const lines = linesOf(drawer, counted);
    await writeClosing(work, { facilityId, on: counted.on, staffId: staff.id, lines });
    const difference = sumDollars(lines.map((line) => line.difference));
    return {
      reply: { locationCode: drawer.locationCode, on: counted.on, lines, difference },
      about: { facilityId, details: { on: counted.on, difference: String(difference) } },
    };
  });
}

type Counted = DrawerLine & { counted: number; difference: number };

function linesOf({ lines }: Drawer, counted: VerbBody<typeof closeDrawer>): Counted[] {
  return (Object.keys(drawerTypes) as DrawerType[]).map((type) => {
    const { count = 0, expectedCents = 0 } = lines.find((line) => line.type === type) ?? {};
    return {
      type,
      count,
      expected: toDollars(expectedCents),
      counted: counted[type],
      difference: toDollars(toCents(counted[type]) - expectedCents),
    };
  });
}

async function writeClosing(
  { trx, call, now }: StaffWork,
  closing: { facilityId: string; on: string; staffId: string; lines: Counted[] },
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
      closing.lines.map(({ type, count, expected, counted }) => ({
        ...place,
        type,
        count,
        expected_cents: toCents(expected),
        counted_cents: toCents(counted),
      })),
    )
    .execute();
}
