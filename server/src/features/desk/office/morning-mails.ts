import { isTimeZone } from '@gatehouse/contract/dates';
import type { MorningKind } from '@gatehouse/contract/office/settings';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import type { Email } from '#emails/email.ts';
import { depositEmail, lateListEmail, MOST_LISTED, openAlarmsEmail } from '#emails/morning.ts';
import { adviceOf } from '#features/base/alarms/staff.ts';
import { drawerLineOf, readDrawers } from '#features/money/drawers/drawers.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { findDeposits } from '#features/money/reports/deposits.ts';
import { readLateList } from './late.ts';

/**
 * The hour of the facility's clock at which its mails go: one that is there once on every day, also
 * on those on which the clocks change.
 */
const HOUR = 7;

/** A facility whose morning has come, with its day and the day before. */
type Morning = { facilityId: string; name: string; on: string; before: string };

/**
 * Queues the mails of each facility where it is past seven and the day's are not queued: once a
 * facility and day, whatever runs how often; late on the same day after an outage. A facility that
 * fails keeps no other from its mails, and is tried again with the next run. Answers how many
 * mails.
 */
export async function sendMorningMails(ctx: Context): Promise<number> {
  const failures: unknown[] = [];
  let mails = 0;
  for (const morning of await findMornings(ctx)) {
    try {
      mails += await ctx.db.transaction().execute((trx) => queueMorning(ctx, trx, morning));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `the morning mails of ${failures.length} facilities failed`);
  return mails;
}

async function findMornings(ctx: Context): Promise<Morning[]> {
  const facilities = await ctx.db
    .selectFrom('facilities')
    .select(['id', 'name', 'time_zone'])
    .orderBy('location_code')
    .execute();
  const now = Temporal.Instant.fromEpochMilliseconds(ctx.clock.now().getTime());
  const begun = facilities.flatMap(({ id, name, time_zone }): Morning[] => {
    // A zone that does not exist has its own alarm.
    if (!isTimeZone(time_zone)) return [];
    const local = now.toZonedDateTimeISO(time_zone);
    if (local.hour < HOUR) return [];
    const day = local.toPlainDate();
    const before = day.subtract({ days: 1 }).toString();
    return [{ facilityId: id, name, on: day.toString(), before }];
  });
  const { rows } = await sql<{ facilityId: string }>`
    SELECT r.facility_id AS "facilityId" FROM morning_runs r
    JOIN unnest(${begun.map(({ facilityId }) => facilityId)}::uuid[], ${begun.map(({ on }) => on)}::date[])
      AS day (facility_id, on_day) ON day.facility_id = r.facility_id AND day.on_day = r.on_day`.execute(
    ctx.db,
  );
  const done = new Set(rows.map(({ facilityId }) => facilityId));
  return begun.filter(({ facilityId }) => !done.has(facilityId));
}

/** Waits for another process that queues the same morning, and then does nothing. */
async function queueMorning(
  ctx: Context,
  trx: DatabaseTransaction,
  morning: Morning,
): Promise<number> {
  const { facilityId, on } = morning;
  const claimed = await trx
    .insertInto('morning_runs')
    .values({ facility_id: facilityId, on_day: on, mails: 0, created_at: ctx.clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('facility_id')
    .executeTakeFirst();
  if (claimed === undefined) return 0;
  const recipients = await trx
    .selectFrom('morning_recipients')
    .select(['kind', 'address'])
    .where('facility_id', '=', facilityId)
    .orderBy('kind')
    .orderBy('address')
    .execute();
  // Each is read once, however many it goes to.
  const emails = new Map<MorningKind, Email | null>();
  let mails = 0;
  for (const { kind, address } of recipients) {
    if (!emails.has(kind)) emails.set(kind, await write[kind]({ ...ctx, db: trx }, morning));
    const email = emails.get(kind);
    if (email == null) continue;
    const mail = { to: address, kind: 'morning', tenantId: null, email: () => email } as const;
    if ((await queueMail(ctx, trx, mail)) !== null) mails += 1;
  }
  await trx
    .updateTable('morning_runs')
    .set({ mails })
    .where('facility_id', '=', facilityId)
    .where('on_day', '=', on)
    .execute();
  return mails;
}

/** The mail of each kind; null where there is nothing to say. */
const write: Record<MorningKind, (ctx: Context, morning: Morning) => Promise<Email | null>> = {
  morning_late: async (ctx, { facilityId, name, on }) => {
    const list = await readLateList(ctx, [facilityId], MOST_LISTED);
    return lateListEmail({ ...list, facilityName: name, on });
  },
  morning_deposit: async (ctx, { facilityId, name, before }) => {
    const deposits = await findDeposits(ctx.db, { on: before, facilityIds: [facilityId] });
    const both = { db: ctx.db, staffDb: ctx.db };
    const [found] = await readDrawers(both, [facilityId], { on: before, isUsed: true });
    const drawer = found && {
      lines: found.lines.map(drawerLineOf),
      closedBy: found.closing?.by ?? null,
    };
    return depositEmail({ deposits, drawer: drawer ?? null, facilityName: name });
  },
  morning_alarms: async (ctx, { facilityId, name }) => {
    const { rows } = await sql<{ sentence: string; kind: string; count: number }>`
      SELECT sentence, kind, (count(*) OVER ())::int AS count FROM alarms
      WHERE closed_at IS NULL AND facility_id = ${facilityId}
      ORDER BY raised_at DESC, id LIMIT ${MOST_LISTED}`.execute(ctx.db);
    if (rows[0] === undefined) return null;
    const alarms = rows.map(({ sentence, kind }) => ({ sentence, advice: adviceOf(kind) }));
    return openAlarmsEmail({ count: rows[0].count, alarms, facilityName: name });
  },
};
