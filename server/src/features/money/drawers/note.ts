import { calendarDateIn } from '@gatehouse/contract/dates';
import type { DrawerType } from '@gatehouse/contract/drawers';
import { sql } from 'kysely';
import type { StaffWork } from '#features/base/staff-actions/staff-actions.ts';

/** An entry that passes the drawer: cents, below 0 where they are taken out again. */
export type DrawerEntry = { entryId: string; type: DrawerType; cents: number };

/**
 * Notes what a verb puts into the drawer of its facility's counter or takes out again, in the
 * transaction that posts it: a payment, one that was recorded by mistake, a refund in cash. A check
 * that bounced was deposited, and a refund by check is none of the drawer's. Each belongs to the
 * first day, from that of its posting or the one that is named on, that is not closed: this waits
 * for a close that is under way, and a close waits for this.
 */
export async function noteInDrawer(
  { trx, call, now }: StaffWork,
  { facilityId, timeZone }: { facilityId: string; timeZone: string },
  entries: DrawerEntry[],
  day = calendarDateIn(timeZone, now),
): Promise<void> {
  await sql`SELECT FROM facilities WHERE id = ${facilityId} FOR SHARE`.execute(trx);
  await sql`
    INSERT INTO drawer_entries (entry_id, facility_id, deposit_on, type, cents, staff_id, by_name)
    SELECT entry_id, ${facilityId}::uuid, greatest(${day}::date,
      (SELECT max(on_day) + 1 FROM drawer_closings WHERE facility_id = ${facilityId})),
      type, cents, ${call.staff?.id ?? null}::uuid, ${call.by}
    FROM unnest(
      ${entries.map(({ entryId }) => entryId)}::uuid[], ${entries.map(({ type }) => type)}::text[],
      ${entries.map(({ cents }) => cents)}::bigint[]
    ) AS e (entry_id, type, cents)`.execute(trx);
}
