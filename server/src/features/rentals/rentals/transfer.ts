import { calendarDateIn } from '@gatehouse/contract/dates';
import { toCents, toDollars } from '@gatehouse/contract/money';
import { transfer } from '@gatehouse/contract/moves';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { isCurrentOn } from '#db/current-rental.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { doEach } from '#context/each.ts';
import { unitTransferEmail } from '#emails/unit-transfer.ts';
import { readBillable } from '#features/money/billing/billable.ts';
import { firstBill } from '#features/money/billing/rate-notices.ts';
import { lockBooks } from '#features/base/ledgers/postings.ts';
import { mailTenantOf } from '#features/base/staff-actions/mail-tenant.ts';
import {
  demandRoleOf,
  getStaffLedgers,
  type StaffLedger,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { demandDayAhead } from './day-ahead.ts';
import { cancelRate, scheduleRate } from './rate.ts';
import { isOverlap } from './unit-days.ts';
import { demandInService } from './units.ts';

/**
 * `rentals.transfer`: moves a rental to another unit of its facility, today at once, later by the
 * facility's day. Replaces a planned transfer and the rent scheduled with it. A `rate` is scheduled
 * as by `rentals.rate`, with its notice and its refusals. Refuses with 404 an unknown unit, with
 * 422 a day in the past or before the move-in and the unit that it is in, with 409 a unit that is
 * rented then, a rental that has ended by then, and to cancel where no transfer is planned.
 */
export const transferUnitOf = workOf(transfer, async (on, { ledgerId, unit, on: day, rate }) => {
  const [ledger] = await getStaffLedgers(on, [ledgerId]);
  const { id, facilityId, tenantId, unitName } = ledger!;
  const [books] = await lockBooks(on.trx, [id]);
  const made =
    unit === undefined || day === undefined
      ? await cancelTransfer(on, ledger!)
      : await makeTransfer(on, ledger!, {
          unit,
          day,
          cents: rate === undefined ? null : toCents(rate),
        });
  return {
    reply: {
      ...made,
      fromUnit: unitName,
      ledgers: [
        {
          ledgerId: id,
          unitName: made.isDone ? made.toUnit : unitName,
          balance: toDollars(books!.balanceCents),
        },
      ],
    },
    about: {
      facilityId,
      tenantId,
      ledgerIds: [id],
      details: {
        toUnit: made.toUnit,
        on: made.on,
        ...(made.cancelledRate !== null && { cancelledRate: String(made.cancelledRate) }),
      },
    },
  };
});

type Transfer = { unit: string; day: string; cents: number | null };

async function makeTransfer(on: StaffWork, ledger: StaffLedger, { unit, day, cents }: Transfer) {
  const { id, timeZone, unitName } = ledger;
  const today = calendarDateIn(timeZone, on.now);
  if (day < today)
    throw new Refusal(422, `The day ${day} is in the past: a transfer is today or later.`);
  demandDayAhead(day, today);
  const { moved_in_on: movedInOn, moved_out_on: movedOutOn } = await on.trx
    .selectFrom('ledgers')
    .select(['moved_in_on', 'moved_out_on'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (day < movedInOn)
    throw new Refusal(422, `The rental begins on ${movedInOn}: a transfer is then or later.`);
  if (!isCurrentOn(movedOutOn, day))
    throw new Refusal(409, `Unit ${unitName} is moved out of on ${movedOutOn}.`);
  const unitId = await getUnit(on, ledger, unit);
  const cancelledCents = cents === null ? await cancelRateOfTransfer(on, ledger) : null;
  const change = cents === null ? null : await scheduleRate(on, ledger, { cents, day });
  await plan(on, ledger, { unitId, unit, day, cents });
  if (day === today) await moveNow(on.trx, id, { date: today, at: on.now });
  await mailTenantOf(on, id, 'legal', (to) =>
    unitTransferEmail({
      ...to,
      fromUnit: unitName,
      toUnit: unit,
      on: day,
      rate: change && { cents: cents!, on: change.on },
    }),
  );
  return {
    on: day,
    toUnit: unit,
    isDone: day === today,
    isCancelled: false,
    cancelledRate: inDollars(cancelledCents),
    ...(change?.replaced && { replacedRate: change.replaced }),
    ...(change?.paidAheadThrough && { paidAheadThrough: change.paidAheadThrough }),
    rent: await readRent(on.trx, id, { day, cents, rateOn: change?.on ?? day }),
  };
}

/**
 * The rent before and after a transfer, which has been planned or made. It changes with a bill: by
 * the rent that came with the transfer, or by one that is scheduled for then anyway.
 */
async function readRent(
  trx: DatabaseTransaction,
  ledgerId: string,
  { day, cents, rateOn }: Pick<Transfer, 'day' | 'cents'> & { rateOn: string },
) {
  const [ledger] = await readBillable(trx, [ledgerId]);
  const { rateCents, scheduled, movedOutOn } = ledger!;
  const { dueOn } = firstBill(ledger!, rateCents, day);
  const isScheduled = scheduled !== null && scheduled.on <= dueOn;
  const afterCents = cents ?? (isScheduled ? scheduled.toCents : rateCents);
  const { totalCents } = firstBill(ledger!, dueOn < rateOn ? rateCents : afterCents, day);
  return {
    before: toDollars(rateCents),
    after: toDollars(afterCents),
    firstBill: isCurrentOn(movedOutOn, dueOn) ? { dueOn, total: toDollars(totalCents) } : null,
  };
}

async function cancelTransfer(on: StaffWork, ledger: StaffLedger) {
  const { id, unitName } = ledger;
  const planned = await on.trx
    .selectFrom('ledgers as l')
    .innerJoin('units as u', 'u.id', 'l.transfer_unit_id')
    .select(['u.name as toUnit', 'l.transfer_on as on'])
    .where('l.id', '=', id)
    .executeTakeFirst();
  if (planned?.on == null) throw new Refusal(409, `No transfer of unit ${unitName} is planned.`);
  const { toUnit, on: day } = planned;
  const cancelledCents = await cancelRateOfTransfer(on, ledger);
  await setTransfer(
    on,
    id,
    null,
    `Unit ${unitName} is rented again from ${day} or later: the transfer cannot be cancelled.`,
  );
  await mailTenantOf(on, id, 'legal', (to) =>
    unitTransferEmail({
      ...to,
      fromUnit: unitName,
      toUnit,
      on: day,
      rate: null,
      isCancelled: true,
    }),
  );
  return {
    on: day,
    toUnit,
    isDone: false,
    isCancelled: true,
    cancelledRate: inDollars(cancelledCents),
    rent: null,
  };
}

/**
 * Takes back the rent that the planned transfer has scheduled, in cents; null where there is none,
 * or another was scheduled since. Refuses with 403 a clerk, who may not change a rent.
 */
async function cancelRateOfTransfer(on: StaffWork, ledger: StaffLedger): Promise<number | null> {
  const scheduled = await on.trx
    .selectFrom('ledgers')
    .select('transfer_rate_cents as cents')
    .where('id', '=', ledger.id)
    .whereRef('scheduled_rate_cents', '=', 'transfer_rate_cents')
    .executeTakeFirst();
  if (scheduled === undefined) return null;
  demandRoleOf(on.call, 'manager', 'take back the rent that came with the planned transfer');
  await cancelRate(on, ledger);
  return scheduled.cents;
}

function inDollars(cents: number | null): number | null {
  return cents === null ? null : toDollars(cents);
}

/**
 * Moves the rentals of a facility whose transfer has come by `date`, the facility's day, each by
 * itself. Answers how many.
 */
export async function makeTransfers(
  ctx: Context,
  { facilityId, date }: { facilityId: string; date: string },
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    SELECT l.id FROM ledgers l JOIN units u ON u.id = l.transfer_unit_id
    WHERE u.facility_id = ${facilityId} AND l.transfer_on <= ${date}::date AND is_current_on(l.moved_out_on, ${date}::date)
    ORDER BY l.id`.execute(ctx.db);
  let moved = 0;
  await doEach(rows, { atOnce: 1, what: 'rentals could not be transferred' }, async ({ id }) => {
    const isMoved = await ctx.db.transaction().execute(async (trx) => {
      await lockBooks(trx, [id]);
      return moveNow(trx, id, { date, at: ctx.clock.now() });
    });
    if (isMoved) moved += 1;
  });
  return moved;
}

/** Locks the unit, after the rental's books, against a concurrent `units.close`. */
async function getUnit(
  { trx }: StaffWork,
  { facilityId, unitId, unitName }: StaffLedger,
  unit: string,
): Promise<string> {
  const row = await trx
    .selectFrom('units')
    .select(['id', 'name', 'out_of_service'])
    .where('facility_id', '=', facilityId)
    .where(sql<boolean>`lower(name) = lower(${unit})`)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new Refusal(404, `There is no unit ${unit} at this facility.`);
  if (row.id === unitId) throw new Refusal(422, `The rental is in unit ${unitName} already.`);
  demandInService(row.name, row.out_of_service);
  return row.id;
}

async function plan(
  on: StaffWork,
  { id, unitName }: StaffLedger,
  { unit, ...planned }: Planned & { unit: string },
): Promise<void> {
  await setTransfer(
    on,
    id,
    planned,
    `Unit ${unit} is rented on ${planned.day} or later, or unit ${unitName} is rented to somebody else before that.`,
  );
}

/** A transfer that is planned, with the rent that was scheduled for its day, in cents. */
type Planned = { unitId: string; day: string; cents: number | null };

/**
 * Sets what is planned, or nothing. Refuses with 409 and the sentence where a unit is rented on
 * some of its days then.
 */
async function setTransfer(
  { trx }: StaffWork,
  ledgerId: string,
  planned: Planned | null,
  whenRented: string,
): Promise<void> {
  try {
    await trx
      .updateTable('ledgers')
      .set(({ eb }) => ({
        transfer_unit_id: planned?.unitId ?? null,
        transfer_on: planned?.day ?? null,
        transfer_rate_cents: planned?.cents ?? null,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', ledgerId)
      .execute();
  } catch (error) {
    if (!isOverlap(error)) throw error;
    throw new Refusal(409, whenRented);
  }
}

/**
 * The planned unit of a locked ledger becomes its own, once; where it was is kept, unless it was
 * there for no instant. Answers whether it did: not where none is planned by `date` any more, or
 * the rental has ended by then.
 */
async function moveNow(
  trx: DatabaseTransaction,
  ledgerId: string,
  { date, at }: { date: string; at: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    WITH before AS (
      SELECT id, unit_id, coalesce(unit_since, moved_in_on) AS from_on, transfer_on FROM ledgers
      WHERE id = ${ledgerId} AND transfer_on <= ${date}::date AND is_current_on(moved_out_on, ${date}::date)
    ), past AS (
      INSERT INTO past_units (ledger_id, unit_id, from_on, until_on, left_at)
      SELECT id, unit_id, from_on, transfer_on, ${at}::timestamptz FROM before
      ON CONFLICT (ledger_id, left_at) DO NOTHING
    )
    UPDATE ledgers l SET unit_id = l.transfer_unit_id, unit_since = l.transfer_on, transfer_unit_id = NULL,
      transfer_on = NULL, transfer_rate_cents = NULL, version = l.version + 1
    FROM before WHERE l.id = before.id`.execute(trx);
  return numAffectedRows === 1n;
}
