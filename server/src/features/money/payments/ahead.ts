import { addDays } from '@gatehouse/contract/dates';
import { t } from '@gatehouse/language/t';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { Refusal } from '#errors/refusal.ts';
import { projectBills, type ComingBill } from '#features/money/billing/projection.ts';

/** A period is a month at most, and the first may begin a period from today. */
const DAYS_A_PERIOD = 31;

/** Paying ahead, as one reading found it. */
export type Ahead = {
  /** How many bills are asked for. */
  months: number;
  /** Whether the facility takes payments ahead. */
  isOffered: boolean;
  /** The bills to come that are asked for: fewer where no more are known. */
  bills: ComingBill[];
};

/** The next bills of a rental, this many `months` of them, from the facility's `today`. */
export async function readAhead(
  db: Database,
  ledgerId: string,
  months: number,
  today: string,
): Promise<Ahead> {
  const until = addDays(today, DAYS_A_PERIOD * (months + 1));
  const [facility, outlooks] = await Promise.all([
    db
      .selectFrom('ledgers')
      .innerJoin('units', 'units.id', 'ledgers.unit_id')
      .innerJoin('facilities', 'facilities.id', 'units.facility_id')
      .select('facilities.pay_ahead')
      .where('ledgers.id', '=', ledgerId)
      .executeTakeFirst(),
    projectBills(db, sql<boolean>`l.id = ${ledgerId}`, until),
  ]);
  const bills = outlooks.get(ledgerId)?.bills ?? [];
  return { months, isOffered: facility?.pay_ahead ?? false, bills: bills.slice(0, months) };
}

/**
 * What the balance and this many bills to come are paid by, in cents: less than the bills where
 * there is a credit. Refuses with 422 where the facility does not take it, where fewer bills are
 * known, and where the credit covers them.
 */
export function centsAhead({ months, isOffered, bills }: Ahead, balanceCents: number): number {
  if (!isOffered)
    throw new Refusal(422, t('This facility does not take payments ahead online. Please call it.'));
  if (bills.length < months)
    throw new Refusal(
      422,
      bills.length === 0
        ? t('This unit cannot be paid ahead. Please call your facility.')
        : t(
            'This unit can be paid ahead for {months, plural, one {# month} other {# months}} at most.',
            { months: bills.length },
          ),
    );
  const cents = bills.reduce((sum, bill) => sum + bill.cents, balanceCents);
  if (cents <= 0)
    throw new Refusal(422, t('Your credit covers these bills. There is nothing to pay.'));
  return cents;
}
