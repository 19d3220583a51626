import { isTimeZone } from '@gatehouse/contract/dates';
import type { Context } from '#context/context.ts';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';

/**
 * A facility's IANA zone; null where there is none of that name, because its days cannot be
 * computed then. That has an alarm unless `isQuiet`.
 */
export async function findZone(
  ctx: Context,
  facilityId: string,
  isQuiet = false,
): Promise<string | null> {
  const facility = await ctx.db
    .selectFrom('facilities')
    .select(['name', 'time_zone'])
    .where('id', '=', facilityId)
    .executeTakeFirstOrThrow();
  if (isTimeZone(facility.time_zone)) return facility.time_zone;
  if (isQuiet) return null;
  await raiseAlarm(ctx, ctx.db, {
    kind: 'unknown_zone',
    key: `unknown_zone:${facilityId}:${facility.time_zone}`,
    facilityId,
    sentence: `${facility.name} has a time zone that does not exist, "${facility.time_zone}": nothing is billed there.`,
    facts: { timeZone: facility.time_zone },
  });
  return null;
}
