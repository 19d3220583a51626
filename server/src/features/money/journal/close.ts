import { calendarDateIn, formatDate, lastDayOf } from '@gatehouse/contract/dates';
import { closeMonth, nameAccount } from '@gatehouse/contract/journal';
import { toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import { holdImports } from '#db/import-turn.ts';
import { Refusal } from '#errors/refusal.ts';
import { lockLedgers } from '#features/base/ledgers/postings.ts';
import { lockFacility } from '#features/base/staff-actions/facility-changes.ts';
import {
  getOneFacility,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { readLines } from './journal.ts';

/**
 * `journal.close`: closes a month of the one facility that the call is for. Its ledgers are held
 * meanwhile, so that what is posted by then is in it, and nothing else. Refuses with 422 a month
 * that is not over there, with 409 one that is closed.
 */
export const closeMonthOf = workOf(closeMonth, async (on, { month }) => {
  const facilityId = getOneFacility(on.call, 'Name one facility.');
  const { trx, now } = on;
  // An import posts to ledgers that are not here yet, on days that are over.
  await holdImports(trx);
  await lockLedgers(
    trx,
    sql`SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.facility_id = ${facilityId}`,
  );
  // After its ledgers, as a payment at the counter locks them.
  await lockFacility(trx, facilityId);
  const { locationCode, timeZone, closedThrough } = await readPlace(on, facilityId);
  const lastDay = lastDayOf(month);
  if (closedThrough !== null && closedThrough >= lastDay)
    throw new Refusal(409, `The journal is closed through ${formatDate(closedThrough)} already.`);
  if (calendarDateIn(timeZone, now) <= lastDay)
    throw new Refusal(422, `The month is not over before ${formatDate(lastDay)} is.`);
  await writeClosing(on, facilityId, lastDay);
  const range = { from: `${month}-01`, to: lastDay };
  const lines = await readLines(trx, range, 'accrual', [facilityId]);
  const cents = lines.reduce((sum, line) => sum + Math.max(0, line.cents), 0);
  return {
    reply: { locationCode, lastDay, sum: toDollars(cents) },
    about: { facilityId, details: { month } },
  };
});

/**
 * The facility's ledgers are locked: what has a place by now is committed, what comes has a later
 * one.
 */
async function writeClosing(
  { trx, call, now }: StaffWork,
  facilityId: string,
  lastDay: string,
): Promise<void> {
  await sql`
    INSERT INTO closed_months (facility_id, last_day, entries_through, allocations_through, by_name, why, closed_at)
    SELECT ${facilityId}::uuid, ${lastDay}::date, coalesce((
        SELECT max(last.position) FROM units u JOIN ledgers l ON l.unit_id = u.id CROSS JOIN LATERAL (
          SELECT max(e.position) AS position FROM entries e WHERE e.ledger_id = l.id) last
        WHERE u.facility_id = ${facilityId}), 0),
      coalesce((SELECT max(a.id) FROM allocations a), 0), ${call.by}, ${call.why}, ${now}`.execute(
    trx,
  );
}

async function readPlace({ trx }: StaffWork, facilityId: string) {
  const { rows } = await sql<{
    locationCode: string;
    timeZone: string;
    /** The last day that is closed; null for none. */
    closedThrough: string | null;
  }>`
    SELECT f.location_code AS "locationCode", f.time_zone AS "timeZone",
      (SELECT max(m.last_day) FROM closed_months m WHERE m.facility_id = f.id) AS "closedThrough"
    FROM facilities f WHERE f.id = ${facilityId}`.execute(trx);
  return rows[0]!;
}

/** `journal.account`: names an account for the operator of the member who calls. */
export const nameAccountOf = workOf(
  nameAccount,
  async ({ trx, call }, { account, number, name }) => {
    if (call.staff === undefined) throw new Refusal(403, 'Accounts are named in the office.');
    const { corporation_id } = await trx
      .selectFrom('staff_members')
      .select('corporation_id')
      .where('id', '=', call.staff.id)
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('journal_accounts')
      .values({ corporation_id, account, number, name })
      .onConflict((conflict) =>
        conflict.columns(['corporation_id', 'account']).doUpdateSet({ number, name }),
      )
      .execute();
    return {
      reply: { account, number, name },
      about: { facilityId: null, details: { account, number, name } },
    };
  },
);
