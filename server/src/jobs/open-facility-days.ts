import { isTimeZone } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { findZone } from '#features/money/billing/zone.ts';
import { once, type JobKind } from './job.ts';

/**
 * The hour of the facility's clock at which its day starts to run: one that exists in every zone.
 */
const HOUR = 4;

/**
 * Queues a facility day for each facility where it is past four in the morning and the day is not
 * done yet: at four in each zone, again where a day failed, and late after an outage.
 */
export const openFacilityDays: JobKind<'open-facility-days'> = {
  name: 'open-facility-days',
  cron: '*/5 * * * *',
  options: { ...once, expireInSeconds: 120 },
  run: async (ctx) => {
    const days = await findOpenDays(ctx);
    await ctx.db.transaction().execute(async (trx) => {
      for (const data of days)
        await ctx.enqueue(trx, { name: 'facility-day', data, singletonKey: data.facilityId });
    });
  },
};

/** The days that have begun and are not done. */
async function findOpenDays(ctx: Context): Promise<{ facilityId: string; date: string }[]> {
  const facilities = await ctx.db
    .selectFrom('facilities')
    .select(['id', 'time_zone'])
    .orderBy('location_code')
    .execute();
  const now = Temporal.Instant.fromEpochMilliseconds(ctx.clock.now().getTime());
  const days = [];
  for (const { id, time_zone } of facilities) {
    if (!isTimeZone(time_zone)) {
      // It has its own alarm.
      await findZone(ctx, id);
      continue;
    }
    const local = now.toZonedDateTimeISO(time_zone);
    if (local.hour >= HOUR) days.push({ facilityId: id, date: local.toPlainDate().toString() });
  }
  const { rows: finished } = await sql<{ facilityId: string }>`
    SELECT r.facility_id AS "facilityId" FROM billing_runs r
    JOIN unnest(${days.map(({ facilityId }) => facilityId)}::uuid[], ${days.map(({ date }) => date)}::date[])
      AS day (facility_id, run_on) ON day.facility_id = r.facility_id AND day.run_on = r.run_on
    WHERE r.finished_at IS NOT NULL`.execute(ctx.db);
  const done = new Set(finished.map(({ facilityId }) => facilityId));
  return days.filter(({ facilityId }) => !done.has(facilityId));
}
