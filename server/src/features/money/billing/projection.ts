import type { RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { type BilledCharge, totalCents } from './bill.ts';
import { readBillableWhere } from './billable.ts';
import { billLedger, periodAfter } from './ledger-bill.ts';

/**
 * The next bill of a ledger, in cents: its due date and sum, its lines without the card fee, and
 * that fee as it is with a credit card.
 */
export type NextBill = { dueOn: string; cents: number; lines: BillLine[]; cardFeeCents: number };

/** A line of a bill as a tenant reads it; a discount is negative. */
export type BillLine = { description: string; cents: number };

/**
 * What the next period of each ledger `l` that is `which` will be billed at and when, by ledger id,
 * in one query: with the protection plan, discount, taxes and card fee as they are now, without a
 * plan that has ended by then, and with a scheduled rate whose notice went out in time. Credits are
 * not taken off. A ledger that cannot be billed, or is moved out of by then, has none.
 */
export async function projectNextBills(
  db: Database,
  which: RawBuilder<boolean>,
): Promise<Map<string, NextBill>> {
  const ledgers = await readBillableWhere(db, which);
  return new Map(
    ledgers.flatMap((ledger) => {
      const { dueOn } = periodAfter(ledger, ledger.billedThrough);
      const [period] = billLedger({ ...ledger, paysByCreditCard: true }, dueOn).periods;
      if (period === undefined) return [];
      const fees = period.charges.filter(isCardFee);
      const charges = period.charges.filter((charge) => !isCardFee(charge));
      const cardFeeCents = totalCents(fees);
      const cents = totalCents(charges) + (ledger.paysByCreditCard ? cardFeeCents : 0);
      return [[ledger.ledgerId, { dueOn, cents, lines: linesOf(charges), cardFeeCents }]];
    }),
  );
}

/**
 * A bill to come: its due date, the last day that it covers, and its sum in cents, as far as it is
 * known.
 */
export type ComingBill = { dueOn: string; periodEnd: string; cents: number };

/** The bills of a ledger to come, and the day on which it is moved out of, where that is known. */
export type Outlook = { movedOutOn: string | null; bills: ComingBill[] };

/**
 * What each ledger `l` that is `which` will be billed on every due date through `until`, by ledger
 * id, in one query: as `projectNextBills`, and up to a move-out.
 */
export async function projectBills(
  db: Database,
  which: RawBuilder<boolean>,
  until: string,
): Promise<Map<string, Outlook>> {
  const ledgers = await readBillableWhere(db, which);
  return new Map(
    ledgers.map((ledger) => {
      const bills = billLedger(ledger, until).periods.map(({ dueOn, periodEnd, charges }) => ({
        dueOn,
        periodEnd,
        cents: totalCents(charges),
      }));
      return [ledger.ledgerId, { movedOutOn: ledger.movedOutOn, bills }];
    }),
  );
}

function isCardFee({ category }: BilledCharge): boolean {
  return category === 'fee';
}

/** A line for each charge, one for all discounts and one for all taxes. */
function linesOf(charges: BilledCharge[]): BillLine[] {
  const sumOf = (part: (charge: BilledCharge) => number) =>
    charges.reduce((sum, charge) => sum + part(charge), 0);
  return [
    ...charges.map(({ description, priceCents }) => ({ description, cents: priceCents })),
    { description: 'Discount', cents: -sumOf(({ discountCents }) => discountCents) },
    { description: 'Taxes', cents: sumOf(({ tax1Cents, tax2Cents }) => tax1Cents + tax2Cents) },
  ].filter(({ cents }) => cents !== 0);
}
