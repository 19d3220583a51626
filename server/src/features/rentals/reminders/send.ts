import { isTimeZone } from '@gatehouse/contract/dates';
import { RENT_DAYS } from '@gatehouse/contract/reminders';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { batchesById } from '#db/batches.ts';
import type { Database, DatabaseTransaction } from '#db/database.ts';
import { lockLedgers } from '#features/base/ledgers/postings.ts';
import { findDueReminders, type DueReminder } from './due.ts';
import { queueReminder } from './queue.ts';
import { timeIn } from './time-in.ts';

/**
 * The hours of the facility's clock from which and until which reminders are queued: in the
 * daytime, after the day's bills and autopay.
 */
const [FROM_HOUR, UNTIL_HOUR] = [9, 20];

const BATCH = 200;

/** A facility's day whose reminders are to be queued. */
export type ReminderDay = { facilityId: string; date: string };

/**
 * Queues the reminders of each facility that sends them, where it is from nine to eight in the
 * evening and the facility's day is done: once a day, whatever runs how often. A day that is not
 * done leaves its sums open, and has an alarm. A facility that fails keeps no other from its
 * reminders, and is tried again with the next run. Answers how many.
 */
export async function sendReminders(ctx: Context): Promise<number> {
  const failures: unknown[] = [];
  let reminders = 0;
  for (const day of await findDays(ctx)) {
    try {
      reminders += await remindOfDay(ctx, day);
      await ctx.db
        .updateTable('billing_runs')
        .set({ reminded_at: ctx.clock.now() })
        .where('facility_id', '=', day.facilityId)
        .where('run_on', '=', day.date)
        .execute();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `the reminders of ${failures.length} facilities failed`);
  return reminders;
}

async function findDays(ctx: Context): Promise<ReminderDay[]> {
  const facilities = await ctx.db
    .selectFrom('facilities')
    .select(['id', 'time_zone'])
    .where('sends_reminders', '=', true)
    .orderBy('location_code')
    .execute();
  const begun = facilities.flatMap(({ id, time_zone }): ReminderDay[] => {
    // A zone that does not exist has its own alarm.
    if (!isTimeZone(time_zone)) return [];
    const { date, hour } = timeIn(time_zone, ctx.clock.now());
    return hour >= FROM_HOUR && hour < UNTIL_HOUR ? [{ facilityId: id, date }] : [];
  });
  const { rows } = await sql<ReminderDay>`
    SELECT r.facility_id AS "facilityId", r.run_on AS date FROM billing_runs r
    JOIN unnest(${begun.map(({ facilityId }) => facilityId)}::uuid[], ${begun.map(({ date }) => date)}::date[])
      AS day (facility_id, run_on) ON day.facility_id = r.facility_id AND day.run_on = r.run_on
    WHERE r.finished_at IS NOT NULL AND r.reminded_at IS NULL`.execute(ctx.db);
  return rows;
}

/** Queues the reminders of a facility's day. Answers how many. */
export async function remindOfDay(ctx: Context, day: ReminderDay): Promise<number> {
  let reminders = 0;
  const batches = batchesById(
    (after) => findRentals(ctx.db, day, after),
    (id) => id,
  );
  for await (const ids of batches) {
    const which = sql<boolean>`l.id = ANY(${ids}::uuid[])`;
    for (const { ledgerId } of await findDueReminders(ctx, ctx.db, day.date, which))
      if (await remind(ctx, ledgerId, day.date)) reminders += 1;
  }
  return reminders;
}

/** Rentals that owe something, or whose next bill is near. */
async function findRentals(
  db: Database,
  { facilityId, date }: ReminderDay,
  after: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id
    WHERE u.facility_id = ${facilityId} AND l.id > ${after} AND is_current_on(l.moved_out_on, ${date}::date)
      AND (l.balance_cents > 0 OR l.billed_through BETWEEN ${date}::date AND ${date}::date + ${RENT_DAYS - 1}::int)
    ORDER BY l.id LIMIT ${BATCH}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Queues the reminder of one rental, read again with its ledger locked: whoever pays, and another
 * process that reminds, comes before it or after it. Answers whether it did: not where it is due no
 * more, or the tenant cannot be reached.
 */
async function remind(ctx: Context, ledgerId: string, date: string): Promise<boolean> {
  return ctx.db.transaction().execute(async (trx) => {
    await lockLedgers(trx, sql`SELECT ${ledgerId}::uuid`);
    const [due] = await findDueReminders(ctx, trx, date, sql<boolean>`l.id = ${ledgerId}`);
    if (due === undefined) return false;
    const queued = await queueReminder(ctx, trx, due);
    if (queued === null) return false;
    await insertReminder(trx, due, date, queued);
    return true;
  });
}

async function insertReminder(
  trx: DatabaseTransaction,
  { ledgerId, facts, cents }: DueReminder,
  date: string,
  queued: { mailId: string } | { textId: string },
): Promise<void> {
  const way = 'mailId' in queued ? { mail_id: queued.mailId } : { text_id: queued.textId };
  await trx
    .insertInto('reminders')
    .values(
      facts.map(({ kind, on }, place) => ({
        ledger_id: ledgerId,
        kind,
        about_on: on,
        reminded_on: date,
        amount_cents: cents,
        place,
        ...way,
      })),
    )
    .execute();
}
