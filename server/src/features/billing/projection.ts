import type { Database } from '#db/database.ts';
import { totalCents } from './bill.ts';
import { readBillable } from './billable.ts';
import { billLedger, periodAfter } from './ledger-bill.ts';

/** The next bill of a ledger: its due date and its sum in cents. */
export type NextBill = { dueOn: string; cents: number };

/**
 * What the next period of each ledger will be billed at and when, by ledger id, in one query: with the
 * protection plan, discount, taxes and card fee as they are now, without a plan that has ended by then,
 * and with a scheduled rate whose notice went out in time. Credits are not taken off. A ledger that
 * cannot be billed, or is moved out of by then, has none.
 */
export async function projectNextBills(db: Database, ledgerIds: string[]): Promise<Map<string, NextBill>> {
  const ledgers = await readBillable(db, ledgerIds);
  return new Map(
    ledgers.flatMap((ledger) => {
      const { dueOn } = periodAfter(ledger, ledger.billedThrough);
      const [period] = billLedger(ledger, dueOn).periods;
      return period === undefined ? [] : [[ledger.ledgerId, { dueOn, cents: totalCents(period.charges) }]];
    }),
  );
}
