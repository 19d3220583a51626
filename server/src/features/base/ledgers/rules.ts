import { addDays, daysBetween } from '@gatehouse/contract/dates';

/** A charge that still has something owed; for rent that is its period's first day. */
export type OpenDue = { dueOn: string };

/** The due date of the first of some open charges; null where there is none. */
export function firstDue(open: OpenDue[]): string | null {
  return open.map(({ dueOn }) => dueOn).sort()[0] ?? null;
}

/**
 * The last day that the rent covers: the day before the first period not fully paid, or the last
 * day that has been billed. It moves back when a payment is reversed.
 */
export function paidThrough(openRent: OpenDue[], billedThrough: string): string {
  const firstOpen = firstDue(openRent);
  return firstOpen === null ? billedThrough : addDays(firstOpen, -1);
}

/**
 * Days past due, counted from the due date of the rent (`rentLateSince`) in the facility's
 * calendar: 0 on the due date itself, and 0 while the rent is covered even if a fee is owed.
 */
export function daysPastDue(since: string | null, today: string): number {
  return since === null ? 0 : Math.max(0, daysBetween(since, today));
}

/** A charge's taxes and total in cents, and what of them was waived before. */
export type TaxedCharge = {
  totalCents: number;
  tax1Cents: number;
  tax2Cents: number;
  waived: { cents: number; tax1Cents: number; tax2Cents: number };
};

/** What of a charge is not waived, in cents. */
export function unwaivedCents({
  totalCents,
  waived,
}: {
  totalCents: number;
  waived: { cents: number };
}): number {
  return totalCents - waived.cents;
}

/**
 * The taxes in a waiver of `cents`, in proportion to the whole charge (a charge is settled together
 * with its tax). Rounded so that waivers which come to the whole charge come to exactly its taxes.
 * At least 0 and at most `cents`, also where an earlier waiver that had more or less than its share
 * was taken back.
 */
export function waivedTax(
  charge: TaxedCharge,
  cents: number,
): { tax1Cents: number; tax2Cents: number } {
  const { totalCents, waived } = charge;
  const shareOf = (taxCents: number, waivedCents: number) => {
    const missingCents = Math.round((taxCents * (waived.cents + cents)) / totalCents) - waivedCents;
    return Math.min(Math.max(0, missingCents), cents);
  };
  return {
    tax1Cents: shareOf(charge.tax1Cents, waived.tax1Cents),
    tax2Cents: shareOf(charge.tax2Cents, waived.tax2Cents),
  };
}
