import { addDays, calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import { endHold, hold } from '@gatehouse/contract/rentals';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { Refusal } from '#errors/refusal.ts';
import {
  getStaffLedgers,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';

/** A hold lasts at most this many days from today: a later day is a slip of the keyboard. */
const MOST_DAYS = 366;

/** `rentals.hold`: refuses with 422 a day that is not from tomorrow to a year ahead. */
export const holdRentalOf = workOf(hold, async (on, { ledgerId, until = null }) => {
  const { why, by } = on.call;
  const { today, ...rental } = await lockRental(on, ledgerId);
  if (until !== null && (until <= today || until > addDays(today, MOST_DAYS)))
    throw new Refusal(
      422,
      `A hold ends on a day from ${formatDate(addDays(today, 1))} to ${formatDate(addDays(today, MOST_DAYS))}.`,
    );
  const row = { until_on: until, by_name: by, why, created_at: on.now };
  await on.trx
    .insertInto('rental_holds')
    .values({ ledger_id: rental.id, ...row })
    .onConflict((conflict) => conflict.column('ledger_id').doUpdateSet(row))
    .execute();
  return setHold(on, rental, true, until);
});

/** `rentals.endHold`: refuses with 409 a rental that is not on hold. */
export const endHoldOf = workOf(endHold, async (on, { ledgerId }) => {
  const rental = await lockRental(on, ledgerId);
  if (!rental.isOnHold) throw new Refusal(409, `Unit ${rental.unitName} is not on hold.`);
  await on.trx.deleteFrom('rental_holds').where('ledger_id', '=', rental.id).execute();
  return setHold(on, rental, false, null);
});

async function lockRental(on: StaffWork, ledgerId: string) {
  const [ledger] = await getStaffLedgers(on, [ledgerId]);
  const { is_on_hold, balance_cents } = await on.trx
    .selectFrom('ledgers')
    .select(['is_on_hold', 'balance_cents'])
    .where('id', '=', ledger!.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const today = calendarDateIn(ledger!.timeZone, on.now);
  return { ...ledger!, today, isOnHold: is_on_hold, balanceCents: balance_cents };
}

type Rental = Omit<Awaited<ReturnType<typeof lockRental>>, 'today'>;

async function setHold(
  { trx }: StaffWork,
  { id, facilityId, tenantId, unitName, balanceCents }: Rental,
  isOnHold: boolean,
  until: string | null,
) {
  await trx.updateTable('ledgers').set({ is_on_hold: isOnHold }).where('id', '=', id).execute();
  return {
    reply: {
      isOnHold,
      until,
      ledgers: [{ ledgerId: id, unitName, balance: toDollars(balanceCents) }],
    },
    about: {
      facilityId,
      tenantId,
      ledgerIds: [id],
      ...(until !== null && { details: { until } }),
    },
  };
}

/** Ends the holds of a facility whose day has come; a step of its day. Answers how many. */
export async function endHolds(
  { db }: Context,
  { facilityId, date }: { facilityId: string; date: string },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      SELECT l.id FROM rental_holds h JOIN ledgers l ON l.id = h.ledger_id JOIN units u ON u.id = l.unit_id
      WHERE u.facility_id = ${facilityId} AND h.until_on <= ${date}::date
      ORDER BY l.id FOR NO KEY UPDATE OF l`.execute(trx);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    // The day may have been put off since the rows were found.
    const ended = await sql<{ id: string }>`
      DELETE FROM rental_holds WHERE ledger_id = ANY(${ids}::uuid[]) AND until_on <= ${date}::date
      RETURNING ledger_id AS id`.execute(trx);
    const over = ended.rows.map(({ id }) => id);
    await sql`UPDATE ledgers SET is_on_hold = false WHERE id = ANY(${over}::uuid[])`.execute(trx);
    return over.length;
  });
}
