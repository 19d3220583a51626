import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { toCents, toDollars } from '@gatehouse/contract/money';
import { changeRate } from '@gatehouse/contract/rentals';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import type { Context } from '#context.ts';
import { isCurrentOn } from '#db/current-rental.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { readBillable, type BillableLedger } from '#features/billing/billable.ts';
import { isDecrease } from '#features/billing/ledger-bill.ts';
import { firstBill, sendNotice } from '#features/billing/rate-notices.ts';
import { lockBooks } from '#features/ledgers/postings.ts';
import {
  getStaffLedgers,
  runStaffVerb,
  type StaffCall,
  type StaffLedger,
  type StaffWork,
} from '#features/staff-actions/staff-actions.ts';
import { Refusal } from '#refusal.ts';

/**
 * `rentals.rate`: schedules a rent and queues its notice in the same transaction. Refuses with 422 a day in the past, a
 * rise whose notice would come too late, the rent that it is already and a tenant without a mail address, with 409 a rental
 * that has ended by then and a change that was billed already.
 */
export function changeRateOf(ctx: Context, call: StaffCall, body: unknown): Promise<VerbReply<typeof changeRate>> {
  return runStaffVerb(ctx, changeRate, call, body, async (on, { ledgerId, amount, on: day }) => {
    const [ledger] = await getStaffLedgers(on, [ledgerId]);
    const { id, facilityId, tenantId, unitName } = ledger!;
    await lockBooks(on.trx, [id]);
    const cents = toCents(amount);
    const billable = await scheduleRate(on, ledger!, { cents, day });
    const { dueOn, totalCents } = firstBill(billable, cents, day);
    return {
      reply: {
        from: toDollars(billable.rateCents),
        to: toDollars(cents),
        on: day,
        firstBill: { dueOn, total: toDollars(totalCents) },
        ledgers: [{ ledgerId: id, unitName, balance: toDollars(billable.balanceCents) }],
      },
      about: { facilityId, tenantId, ledgerIds: [id], details: { to: String(amount), on: day } },
    };
  });
}

/**
 * Schedules a rent, in cents, from the first bill that is due on `day` or later, and queues its notice (D13) in the caller's
 * transaction, which has locked the ledger. Answers the ledger as billing reads it, and refuses as `changeRateOf` says.
 */
export async function scheduleRate(
  { ctx, trx, now }: StaffWork,
  { id, timeZone, unitName }: StaffLedger,
  { cents, day }: { cents: number; day: string },
): Promise<BillableLedger> {
  const today = calendarDateIn(timeZone, now);
  await trx
    .updateTable('ledgers')
    .set(({ eb }) => ({ scheduled_rate_cents: cents, scheduled_rate_on: day, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
  const [ledger] = await readBillable(trx, [id]);
  const { rateCents, facility, movedOutOn, scheduled } = ledger!;
  if (day < today) throw new Refusal(422, `${day} is in the past: a rent changes today or later.`);
  if (!isCurrentOn(movedOutOn, day)) throw new Refusal(409, `Unit ${unitName} is moved out of on ${movedOutOn}.`);
  if (cents === rateCents) throw new Refusal(422, `The rent of unit ${unitName} is that already.`);
  const earliest = addDays(today, facility.rateNoticeDays);
  if (!isDecrease(ledger!, scheduled!) && day < earliest)
    throw new Refusal(
      422,
      `A rise needs its notice ${facility.rateNoticeDays} days before: it may begin on ${earliest} or later.`,
    );
  if (await wasApplied(trx, id, day, cents))
    throw new Refusal(409, `The change of unit ${unitName} on ${day} was billed already. Choose another day.`);
  await sendNotice(ctx, trx, ledger!, today);
  if (!(await isNoticed(trx, id, day, cents)))
    throw new Refusal(422, `The tenant of unit ${unitName} has no mail address for the notice.`);
  return ledger!;
}

async function wasApplied(trx: DatabaseTransaction, ledgerId: string, on: string, cents: number): Promise<boolean> {
  const change = await trx
    .selectFrom('rate_changes')
    .select('id')
    .where('ledger_id', '=', ledgerId)
    .where('effective_on', '=', on)
    .where('to_cents', '=', cents)
    .executeTakeFirst();
  return change !== undefined;
}

async function isNoticed(trx: DatabaseTransaction, ledgerId: string, on: string, cents: number): Promise<boolean> {
  const notice = await trx
    .selectFrom('rate_notices')
    .select('id')
    .where('ledger_id', '=', ledgerId)
    .where('effective_on', '=', on)
    .where('to_cents', '=', cents)
    .executeTakeFirst();
  return notice !== undefined;
}
