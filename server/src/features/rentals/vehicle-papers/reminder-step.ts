import { addDays } from '@gatehouse/contract/dates';

/** A paper is reminded of this many days before its last day, the nearest first. */
export const REMINDER_DAYS = [7, 30, 60] as const;
export type ReminderDays = (typeof REMINDER_DAYS)[number];

/**
 * Which reminder of a paper has come on the facility's `today`; null for none, also after its last
 * day. Only the nearest counts, so that days without a run bring no two at once. A reminder whose
 * day was over, or came, when the paper was filed is left out: the tenant has just typed the date.
 */
export function reminderStep(
  { expiresOn, filedOn }: { expiresOn: string; filedOn: string },
  today: string,
): ReminderDays | null {
  if (expiresOn < today) return null;
  const days = REMINDER_DAYS.find((most) => addDays(expiresOn, -most) <= today);
  if (days === undefined || addDays(expiresOn, -days) <= filedOn) return null;
  return days;
}
