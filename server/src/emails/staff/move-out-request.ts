import { formatDate } from '@gatehouse/contract/dates';
import type { Email } from '#emails/email.ts';
import {
  factsOf,
  NOTHING_CHANGED,
  quoteOf,
  staffEmail,
  type StaffMessage,
} from './staff-message.ts';

/** The tenant wants to move out; a date and a reason may be given. */
export type MoveOutFacts = { date: string | null; reason: string | null };

export function moveOutRequestEmail(message: StaffMessage, { date, reason }: MoveOutFacts): Email {
  return staffEmail('Move-out', message, [
    factsOf([['Date', date === null ? 'not given' : formatDate(date)]]),
    ...(reason === null ? [] : quoteOf('Reason', reason)),
    NOTHING_CHANGED,
  ]);
}
