import { addDays, daysBetween } from '@gatehouse/contract/dates';

/** A rent charge that still has something owed, by its period's first day, which is its due date. */
export type OpenRent = { dueOn: string };

/**
 * The last day that the rent covers (domain.md section 5): the day before the first period not fully paid, or the last day
 * that has been billed. It moves back when a payment is reversed.
 */
export function paidThrough(openRent: OpenRent[], billedThrough: string): string {
  const firstOpen = openRent.map((rent) => rent.dueOn).sort()[0];
  return firstOpen === undefined ? billedThrough : addDays(firstOpen, -1);
}

/**
 * Days past due, counted from the due date (the day after `paidThrough`) in the facility's calendar: 0 on the due date
 * itself, and 0 while the rent is covered even if a fee is owed (domain.md section 5).
 */
export function daysPastDue(paidThrough: string, owesRent: boolean, today: string): number {
  return owesRent ? Math.max(0, daysBetween(addDays(paidThrough, 1), today)) : 0;
}
