import { sumDollars, toDollars } from '@gatehouse/contract/money';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#db/database.ts';
import { todayAt } from '#db/today.ts';
import { billWithin } from '#features/money/billing/billing.ts';
import { foreseeWithin } from '#features/money/autopay/run.ts';
import { countLateFees, postLateFeesWithin } from '#features/money/billing/late-fees.ts';
import { countRateNotices } from '#features/money/billing/rate-notices.ts';
import { findDueReminders } from '#features/rentals/reminders/due.ts';
import { isSuspendedOn } from '#features/service/gate-access/suspension.ts';
import type { Place } from './rows.ts';

/**
 * What the first day after an import does at the facilities: bills, late fees and autopay charges
 * with their sums in dollars, gates that are suspended and were not before, and what is mailed to
 * tenants.
 */
export type FirstDay = {
  bills: number;
  billed: number;
  lateFees: number;
  lateFeesSum: number;
  autopayCharges: number;
  autopaySum: number;
  suspensions: number;
  reminders: number;
  rateNotices: number;
};

/** Sums below the least charge of a gateway are not owed in earnest, whichever it is. */
const outside = { gateway: { leastChargeCents: 1 }, texts: null };

/** The facility's next day: today until that is done; null where there is no facility yet. */
async function findNextDay(
  trx: DatabaseTransaction,
  facilityId: string,
  now: Date,
): Promise<string | null> {
  const { rows } = await sql<{ date: string }>`
    SELECT today.date + CASE WHEN EXISTS (SELECT FROM billing_runs r WHERE r.facility_id = f.id
      AND r.run_on = today.date AND r.finished_at IS NOT NULL) THEN 1 ELSE 0 END AS date
    FROM facilities f CROSS JOIN LATERAL (SELECT ${todayAt(now)} AS date) today WHERE f.id = ${facilityId}`.execute(
    trx,
  );
  return rows[0]?.date ?? null;
}

/** The facility's ledgers whose gates are suspended on its next day by what is owed now. */
export async function findSuspended(
  trx: DatabaseTransaction,
  facilityId: string,
  now: Date,
): Promise<Set<string>> {
  const date = await findNextDay(trx, facilityId, now);
  const { rows } = await sql<{ id: string }>`
    SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN facilities f ON f.id = u.facility_id
    WHERE f.id = ${facilityId} AND is_current_on(l.moved_out_on, ${date}::date)
      AND ${isSuspendedOn(outside, sql`${date}`)}`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

/**
 * What the facility's next day will do, once its files are taken over: it is billed in the
 * transaction, which must be rolled back. `before` are the gates that were suspended already.
 */
export async function readFirstDay(
  { db: trx, facilityId, now }: Pick<Place, 'db' | 'facilityId' | 'now'>,
  before: Set<string>,
): Promise<FirstDay> {
  const date = (await findNextDay(trx, facilityId, now))!;
  const run = { facilityId, date };
  const rateNotices = await countRateNotices(trx, run);
  const at = { instant: now, dayOf: () => date };
  const billed = await billWithin(trx, at, run);
  const lateFees = await countLateFees(trx, run);
  await postLateFeesWithin(trx, at, run);
  const suspended = await findSuspended(trx, facilityId, now);
  const reminders = await findDueReminders(outside, trx, date, sql<boolean>`f.id = ${facilityId}`);
  const autopay = await foreseeWithin({ ...outside, clock: { now: () => now }, db: trx }, run);
  return {
    bills: billed.ledgers,
    billed: toDollars(billed.totalCents),
    lateFees: lateFees.count,
    lateFeesSum: toDollars(lateFees.cents),
    autopayCharges: autopay.attempts,
    autopaySum: toDollars(autopay.cents),
    suspensions: [...suspended].filter((id) => !before.has(id)).length,
    reminders: reminders.length,
    rateNotices,
  };
}

/** What it comes to at several facilities. */
export function sumFirstDays(days: FirstDay[]): FirstDay {
  const sum = (of: keyof FirstDay) => days.reduce((total, day) => total + day[of], 0);
  const dollars = (of: 'billed' | 'lateFeesSum' | 'autopaySum') =>
    sumDollars(days.map((day) => day[of]));
  return {
    bills: sum('bills'),
    billed: dollars('billed'),
    lateFees: sum('lateFees'),
    lateFeesSum: dollars('lateFeesSum'),
    autopayCharges: sum('autopayCharges'),
    autopaySum: dollars('autopaySum'),
    suspensions: sum('suspensions'),
    reminders: sum('reminders'),
    rateNotices: sum('rateNotices'),
  };
}
