import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { toCents, toDollars } from '@gatehouse/contract/money';
import { changeRate } from '@gatehouse/contract/rentals';
import { sql } from 'kysely';
import { isCurrentOn } from '#db/current-rental.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { rateCancelledEmail } from '#emails/rate-cancelled.ts';
import { readBillable, type BillableLedger } from '#features/money/billing/billable.ts';
import { isDecrease, lastCovered } from '#features/money/billing/ledger-bill.ts';
import { findPrepaid } from '#features/money/billing/paid-ahead.ts';
import type { Period } from '#features/money/billing/periods.ts';
import { firstBill, sendNotice } from '#features/money/billing/rate-notices.ts';
import { lockBooks } from '#features/base/ledgers/postings.ts';
import { mailTenantOf } from '#features/base/staff-actions/mail-tenant.ts';
import {
  getStaffLedgers,
  type StaffLedger,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { demandDayAhead } from './day-ahead.ts';

/**
 * `rentals.rate`: schedules a rent and queues its notice in the same transaction. Months that are
 * paid ahead keep their rent: a rise begins after them. Refuses with 422
 * a day in the past, a rise whose notice would come too late, the rent that it is already and a
 * tenant without a mail address, with 409 a rental that has ended by then, a change that was billed
 * already, and to cancel where none is scheduled.
 */
export const changeRateOf = workOf(changeRate, async (on, { ledgerId, amount, on: day }) => {
  const [ledger] = await getStaffLedgers(on, [ledgerId]);
  const { id, facilityId, tenantId, unitName } = ledger!;
  const [books] = await lockBooks(on.trx, [id]);
  const change =
    amount === undefined || day === undefined
      ? await cancelChange(on, ledger!)
      : await makeChange(on, ledger!, { cents: toCents(amount), day });
  const details = { to: change.isCancelled ? 'cancelled' : String(change.to), on: change.on };
  return {
    reply: {
      ...change,
      ledgers: [{ ledgerId: id, unitName, balance: toDollars(books!.balanceCents) }],
    },
    about: { facilityId, tenantId, ledgerIds: [id], details },
  };
});

async function makeChange(
  on: StaffWork,
  ledger: StaffLedger,
  { cents, day }: { cents: number; day: string },
) {
  const { billable, ...change } = await scheduleRate(on, ledger, { cents, day });
  const { dueOn, totalCents } = firstBill(billable, cents, change.on);
  return {
    from: toDollars(billable.rateCents),
    to: toDollars(cents),
    isCancelled: false,
    ...change,
    firstBill: { dueOn, total: toDollars(totalCents) },
  };
}

/** The last bill that is paid ahead. */
async function findPaidAhead(trx: DatabaseTransaction, ledgerId: string): Promise<Period | null> {
  const [prepaid] = await findPrepaid(trx, sql<boolean>`l.id = ${ledgerId}`);
  return prepaid === undefined ? null : lastCovered(prepaid.ledger, prepaid.creditCents);
}

async function cancelChange(on: StaffWork, ledger: StaffLedger) {
  const [billable] = await readBillable(on.trx, [ledger.id]);
  const { scheduled, rateCents } = billable!;
  if (scheduled === null)
    throw new Refusal(409, `No change of the rent of unit ${ledger.unitName} is scheduled.`);
  await cancelRate(on, ledger);
  return {
    from: toDollars(rateCents),
    to: toDollars(scheduled.toCents),
    on: scheduled.on,
    isCancelled: true,
    firstBill: null,
  };
}

/** What a change took the place of, in dollars; absent where nothing was scheduled. */
type Replaced = { replaced?: { to: number; on: string } };

/** From when on a change is scheduled, and the last day of what is paid ahead that it waits for. */
type Scheduled = { on: string; paidAheadThrough?: string } & Replaced;

/**
 * Schedules a rent, in cents, from the first bill that is due on `day` or later, a rise not before
 * the months that are paid ahead are over, and queues its notice in the caller's transaction, which
 * has locked the ledger. Answers the ledger as billing reads it and the change whose place it
 * takes, and refuses as `changeRateOf` says.
 */
export async function scheduleRate(
  { ctx, trx, now }: StaffWork,
  { id, timeZone, unitName }: StaffLedger,
  { cents, day: asked }: { cents: number; day: string },
): Promise<{ billable: BillableLedger } & Scheduled> {
  const today = calendarDateIn(timeZone, now);
  const [before] = await readBillable(trx, [id]);
  const ahead = cents > before!.rateCents ? await findPaidAhead(trx, id) : null;
  // A day in the past is refused as such.
  const isAhead = ahead !== null && asked <= ahead.dueOn && asked >= today;
  const day = isAhead ? addDays(ahead.periodEnd, 1) : asked;
  await trx
    .updateTable('ledgers')
    .set(({ eb }) => ({
      scheduled_rate_cents: cents,
      scheduled_rate_on: day,
      transfer_rate_cents: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
  const [ledger] = await readBillable(trx, [id]);
  const { rateCents, facility, movedOutOn, scheduled } = ledger!;
  if (day < today)
    throw new Refusal(422, `The day ${day} is in the past: a rent changes today or later.`);
  demandDayAhead(day, today);
  if (!isCurrentOn(movedOutOn, day))
    throw new Refusal(409, `Unit ${unitName} is moved out of on ${movedOutOn}.`);
  if (cents === rateCents) throw new Refusal(422, `The rent of unit ${unitName} is that already.`);
  const earliest = addDays(today, facility.rateNoticeDays);
  if (!isDecrease(ledger!, scheduled!) && day < earliest)
    throw new Refusal(
      422,
      `A rise needs its notice ${facility.rateNoticeDays} days before: it may begin on ${earliest} or later.`,
    );
  if (await wasApplied(trx, id, day, cents))
    throw new Refusal(
      409,
      `The change of unit ${unitName} on ${day} was billed already. Choose another day.`,
    );
  if (scheduled!.noticeId === null && !(await sendNotice(ctx, trx, ledger!, today)))
    throw new Refusal(422, `The tenant of unit ${unitName} has no mail address for the notice.`);
  return {
    billable: ledger!,
    on: day,
    ...(isAhead && { paidAheadThrough: ahead.periodEnd }),
    ...(before!.scheduled !== null && {
      replaced: { to: toDollars(before!.scheduled.toCents), on: before!.scheduled.on },
    }),
  };
}

/**
 * Takes back the rent that is scheduled, in the caller's transaction, which has locked the ledger.
 * Where the tenant was notified of a change that was not billed, a mail says that it does not come.
 */
export async function cancelRate(on: StaffWork, { id, unitName }: StaffLedger): Promise<void> {
  const { trx, now } = on;
  const { rental_rate_cents: rateCents } = await trx
    .updateTable('ledgers')
    .set(({ eb }) => ({
      scheduled_rate_cents: null,
      scheduled_rate_on: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .returning('rental_rate_cents')
    .executeTakeFirstOrThrow();
  const notice = await trx
    .updateTable('rate_notices as n')
    .set({ replaced_at: now })
    .where('n.ledger_id', '=', id)
    .where('n.replaced_at', 'is', null)
    .where(sql<boolean>`NOT EXISTS (SELECT FROM rate_changes c WHERE c.rate_notice_id = n.id)`)
    .returning(['n.to_cents as toCents', 'n.effective_on as on'])
    .executeTakeFirst();
  if (notice !== undefined)
    await mailTenantOf(on, id, 'legal', (to) =>
      rateCancelledEmail({ ...to, unitName, rateCents, ...notice }),
    );
}

async function wasApplied(
  trx: DatabaseTransaction,
  ledgerId: string,
  on: string,
  cents: number,
): Promise<boolean> {
  const change = await trx
    .selectFrom('rate_changes')
    .select('id')
    .where('ledger_id', '=', ledgerId)
    .where('effective_on', '=', on)
    .where('to_cents', '=', cents)
    .executeTakeFirst();
  return change !== undefined;
}
