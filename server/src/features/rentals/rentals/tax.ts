import { calendarDateIn } from '@gatehouse/contract/dates';
import { toDollars } from '@gatehouse/contract/money';
import { changeTax } from '@gatehouse/contract/rentals';
import { changeTenantTax } from '@gatehouse/contract/tenant-marks';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { sql } from 'kysely';
import { isCurrentOn } from '#db/current-rental.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import { totalCents } from '#features/money/billing/bill.ts';
import { readBillable, type BillableLedger } from '#features/money/billing/billable.ts';
import { billLedger } from '#features/money/billing/ledger-bill.ts';
import { findPrepaid, prepaidRise } from '#features/money/billing/paid-ahead.ts';
import { firstBill } from '#features/money/billing/rate-notices.ts';
import { lockBooks } from '#features/base/ledgers/postings.ts';
import {
  getStaffLedgers,
  type StaffWork,
  workOf,
} from '#features/base/staff-actions/staff-actions.ts';
import { lockStaffRecord } from '#features/rentals/tenants/staff-records.ts';
import { Refusal } from '#errors/refusal.ts';
import { demandDayAhead } from './day-ahead.ts';

/**
 * `rentals.tax`: whether the facility's taxes on rent are on the bills that are due on a day or
 * later; it takes the place of a change that is scheduled. Refuses with 422 a day in the past and
 * what is so already, with 409 a rental that has ended by then.
 */
export const changeTaxOf = workOf(changeTax, async (work, { ledgerId, taxes, on }) => {
  const { trx } = work;
  const [ledger] = await getStaffLedgers(work, [ledgerId]);
  const { id, facilityId, tenantId, unitName, timeZone } = ledger!;
  const [books] = await lockBooks(trx, [id]);
  const willBe = taxes === 'charged';
  demandTaxDay(work, on, timeZone);
  const [before] = await readBillable(trx, [id]);
  if (!isCurrentOn(before!.movedOutOn, on))
    throw new Refusal(409, `Unit ${unitName} is moved out of on ${before!.movedOutOn}.`);
  if (before!.isTaxed === willBe && before!.scheduledTax === null)
    throw new Refusal(422, `Unit ${unitName} is ${willBe ? '' : 'not '}taxed already.`);
  const { firstBill: bill, rise } = await scheduleTax(trx, before!, willBe, on);
  return {
    reply: {
      isTaxed: willBe,
      on,
      firstBill: bill,
      ...(rise && { paidAhead: { through: rise.through, more: toDollars(rise.cents) } }),
      ledgers: [{ ledgerId: id, unitName, balance: toDollars(books!.balanceCents) }],
    },
    about: { facilityId, tenantId, ledgerIds: [id], details: { taxes, on } },
  };
});

/**
 * `tenants.tax`: keeps the certificate of a tenant, or removes it, and changes the tax of each
 * rental that is current on the day and is not like that already. Refuses with 404 a record that is
 * not there, and with 422 a day in the past and what is so already.
 */
export const changeTenantTaxOf = workOf(changeTenantTax, async (work, given) => {
  const { taxes, paper = null, on } = given;
  const { trx } = work;
  const { id: tenantId, facilityId, timeZone } = await lockStaffRecord(work, given.tenantId);
  demandTaxDay(work, on, timeZone);
  const willBe = taxes === 'charged';
  const { numUpdatedRows } = await trx
    .updateTable('tenants')
    .set({ tax_exempt_paper: paper })
    .where('id', '=', tenantId)
    .where('tax_exempt_paper', 'is distinct from', paper)
    .executeTakeFirst();
  const owned = await trx
    .selectFrom('ledgers')
    .innerJoin('units', 'units.id', 'ledgers.unit_id')
    .select(['ledgers.id', 'units.name'])
    .where('tenant_id', '=', tenantId)
    .orderBy('units.name')
    .execute();
  const ids = owned.map(({ id }) => id);
  await lockBooks(trx, ids);
  const rentals: VerbReply<typeof changeTenantTax>['rentals'] = [];
  const billable = new Map((await readBillable(trx, ids)).map((one) => [one.ledgerId, one]));
  for (const { id, name } of owned) {
    const before = billable.get(id)!;
    const { isTaxed, on: since } = before.scheduledTax ?? { isTaxed: before.isTaxed, on };
    const isSo = isTaxed === willBe && since === on;
    if (isSo || !isCurrentOn(before.movedOutOn, on)) continue;
    const { firstBill: bill } = await scheduleTax(trx, before, willBe, on);
    rentals.push({ ledgerId: id, unitName: name, firstBill: bill });
  }
  if (Number(numUpdatedRows) === 0 && rentals.length === 0)
    throw new Refusal(422, 'The tenant is taxed like that already.');
  return {
    reply: { paper, on, rentals },
    about: {
      facilityId,
      tenantId,
      ledgerIds: rentals.map(({ ledgerId }) => ledgerId),
      ...(paper !== null && { details: { paper } }),
    },
  };
});

/** Refuses with 422 a day in the past, or too far ahead. */
function demandTaxDay({ now }: StaffWork, on: string, timeZone: string): void {
  const today = calendarDateIn(timeZone, now);
  if (on < today)
    throw new Refusal(422, `The day ${on} is in the past: a tax changes today or later.`);
  demandDayAhead(on, today);
}

/**
 * Changes the tax of a locked ledger from a day on, in the place of what is scheduled. Answers its
 * first bill as it looks then, null for none, and by what prepaid months rise.
 */
async function scheduleTax(
  trx: DatabaseTransaction,
  before: BillableLedger,
  willBe: boolean,
  on: string,
) {
  const isBack = before.isTaxed === willBe;
  const [prepaid] = await findPrepaid(trx, sql<boolean>`l.id = ${before.ledgerId}`);
  await trx
    .updateTable('ledgers')
    .set(({ eb }) => ({
      scheduled_tax: isBack ? null : willBe,
      scheduled_tax_on: isBack ? null : on,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', before.ledgerId)
    .execute();
  const [after] = await readBillable(trx, [before.ledgerId]);
  const { dueOn } = firstBill(after!, after!.rateCents, on);
  const rise = prepaid === undefined ? null : prepaidRise(prepaid, after!, on);
  const [beforeCents, cents] = [billOn(before, dueOn), billOn(after!, dueOn)];
  return {
    firstBill:
      cents === null
        ? null
        : { dueOn, before: toDollars(beforeCents ?? 0), total: toDollars(cents) },
    rise,
  };
}

/** What is billed on a due date, as it looks today; null for nothing. */
function billOn(ledger: BillableLedger, dueOn: string): number | null {
  const period = billLedger(ledger, dueOn).periods.find((one) => one.dueOn === dueOn);
  return period === undefined ? null : totalCents(period.charges);
}
