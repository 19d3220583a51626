import { addDays, daysBetween } from '@gatehouse/contract/dates';
import { daysText, roundedShare } from '#features/money/billing/bill.ts';
import type { PostedCharge } from '#features/base/ledgers/books.ts';

/** A charge as it is, with what decides whether a move-out gives it back. */
export type RentalCharge = PostedCharge & { description: string; periodEnd: string | null };

/** A waiver that a move-out makes, in cents. */
export type Settled = { charge: RentalCharge; cents: number; description: string };

/** Fees of this name are billed with a period (features/money/billing/bill.ts). */
const CARD_FEE = 'Card fee';

/**
 * What a move-out on `day`, the first day that is not rented, gives back of the charges: deposits,
 * what was billed for periods that begin on the day or later, and, where the facility prorates, the
 * unused days of the period that the day is in. Of what was waived of a charge before, nothing is
 * given back again. Each rounded half up to the cent, with its share of the taxes.
 */
export function settle(charges: RentalCharge[], day: string, prorates: boolean): Settled[] {
  return charges.flatMap((charge) => {
    const { totalCents, waived, dueOn, periodEnd, category } = charge;
    const leftCents = totalCents - waived.cents;
    if (leftCents <= 0) return [];
    if (category === 'deposit')
      return [{ charge, cents: leftCents, description: 'Deposit given back' }];
    const isOfPeriod =
      category === 'rent' || category === 'insurance' || charge.description === CARD_FEE;
    if (isOfPeriod && dueOn >= day)
      return [
        { charge, cents: leftCents, description: `Not rented any more: ${charge.description}` },
      ];
    if (!prorates || periodEnd === null || periodEnd < day) return [];
    const unused = daysBetween(day, periodEnd) + 1;
    const share = roundedShare(leftCents, unused, daysBetween(dueOn, addDays(periodEnd, 1)));
    if (share === 0) return [];
    const description = `Unused days ${daysText(day, periodEnd)}`;
    return [{ charge, cents: share, description }];
  });
}
