import { calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import { changeTax } from '@gatehouse/contract/rentals';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import type { Context } from '#context/context.ts';
import { isCurrentOn } from '#db/current-rental.ts';
import { totalCents } from '#features/money/billing/bill.ts';
import { readBillable, type BillableLedger } from '#features/money/billing/billable.ts';
import { billLedger } from '#features/money/billing/ledger-bill.ts';
import { findPrepaid, prepaidRise } from '#features/money/billing/paid-ahead.ts';
import { firstBill } from '#features/money/billing/rate-notices.ts';
import { lockBooks } from '#features/base/ledgers/postings.ts';
import {
  getStaffLedgers,
  runStaffVerb,
  type StaffCall,
} from '#features/base/staff-actions/staff-actions.ts';
import { Refusal } from '#errors/refusal.ts';
import { demandDayAhead } from './day-ahead.ts';

/**
 * `rentals.tax`: whether the facility's taxes on rent are on the bills that are due on a day or
 * later; it takes the place of a change that is scheduled. Refuses with 422 a day in the past and
 * what is so already, with 409 a rental that has ended by then.
 */
export function changeTaxOf(
  ctx: Context,
  call: StaffCall,
  body: unknown,
): Promise<VerbReply<typeof changeTax>> {
  return runStaffVerb(ctx, changeTax, call, body, async (work, { ledgerId, taxes, on }) => {
    const { trx, now } = work;
    const [ledger] = await getStaffLedgers(work, [ledgerId]);
    const { id, facilityId, tenantId, unitName, timeZone } = ledger!;
    const [books] = await lockBooks(trx, [id]);
    const [before] = await readBillable(trx, [id]);
    const [prepaid] = await findPrepaid(trx, sql<boolean>`l.id = ${id}`);
    const { isTaxed, scheduledTax, movedOutOn } = before!;
    const willBe = taxes === 'charged';
    const today = calendarDateIn(timeZone, now);
    if (on < today)
      throw new Refusal(422, `The day ${on} is in the past: a tax changes today or later.`);
    demandDayAhead(on, today);
    if (!isCurrentOn(movedOutOn, on))
      throw new Refusal(409, `Unit ${unitName} is moved out of on ${movedOutOn}.`);
    if (isTaxed === willBe && scheduledTax === null)
      throw new Refusal(422, `Unit ${unitName} is ${willBe ? '' : 'not '}taxed already.`);
    await trx
      .updateTable('ledgers')
      .set(({ eb }) => ({
        scheduled_tax: isTaxed === willBe ? null : willBe,
        scheduled_tax_on: isTaxed === willBe ? null : on,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .execute();
    const [after] = await readBillable(trx, [id]);
    const { dueOn } = firstBill(after!, after!.rateCents, on);
    const rise = prepaid === undefined ? null : prepaidRise(prepaid, after!, on);
    const [beforeCents, cents] = [billOn(before!, dueOn), billOn(after!, dueOn)];
    return {
      reply: {
        isTaxed: willBe,
        on,
        firstBill:
          cents === null
            ? null
            : { dueOn, before: toDollars(beforeCents ?? 0), total: toDollars(cents) },
        ...(rise && { paidAhead: { through: rise.through, more: toDollars(rise.cents) } }),
        ledgers: [{ ledgerId: id, unitName, balance: toDollars(books!.balanceCents) }],
      },
      about: { facilityId, tenantId, ledgerIds: [id], details: { taxes, on } },
    };
  });
}

/** What is billed on a due date, as it looks today; null for nothing. */
function billOn(ledger: BillableLedger, dueOn: string): number | null {
  const period = billLedger(ledger, dueOn).periods.find((one) => one.dueOn === dueOn);
  return period === undefined ? null : totalCents(period.charges);
}
