import { addDays, daysBetween } from '@gatehouse/contract/dates';
import { daysText, roundedShare } from '#features/money/billing/bill.ts';
import { findCauselessFee } from '#features/money/billing/late-fees.ts';
import { unwaivedCents } from '#features/base/ledgers/rules.ts';
import type { DescribedCharge } from '#features/base/ledgers/books.ts';

/** A waiver that a move-out makes, in cents. */
export type Settled = { charge: DescribedCharge; cents: number; description: string };

/**
 * What a move-out on `day`, the first day that is not rented, gives back of the charges: deposits,
 * what was billed for periods that begin on the day or later, where the facility prorates the
 * unused days of what was billed for the period that the day is in, and the late fees, posted since
 * the day, that only this rent was the cause of. Of what was waived of a charge before, nothing is
 * given back again. Each rounded half up to the cent, with its share of the taxes.
 */
export function settle(charges: DescribedCharge[], day: string, prorates: boolean): Settled[] {
  const settled = charges.flatMap((charge) => settleOne(charge, day, prorates) ?? []);
  const fees = settled.flatMap(({ charge, cents }) => {
    const fee = findCauselessFee(charges, charge, cents);
    return fee !== undefined && fee.dueOn >= day ? notRented(fee) : [];
  });
  return [...settled, ...fees];
}

function settleOne(charge: DescribedCharge, day: string, prorates: boolean): Settled | null {
  const { dueOn, periodEnd, category } = charge;
  const leftCents = unwaivedCents(charge);
  if (leftCents <= 0) return null;
  if (category === 'deposit')
    return { charge, cents: leftCents, description: 'Deposit given back' };
  if (periodEnd === null || periodEnd < day) return null;
  if (dueOn >= day) return notRented(charge);
  if (!prorates) return null;
  const unused = daysBetween(day, periodEnd) + 1;
  const cents = roundedShare(leftCents, unused, daysBetween(dueOn, addDays(periodEnd, 1)));
  if (cents === 0) return null;
  const what = category === 'insurance' ? 'Protection plan' : charge.description;
  const days = `Unused days ${daysText(day, periodEnd)}`;
  return { charge, cents, description: category === 'rent' ? days : `${days}: ${what}` };
}

function notRented(charge: DescribedCharge): Settled {
  const description = `Not rented any more: ${charge.description}`;
  return { charge, cents: unwaivedCents(charge), description };
}
