import { hoursLabel } from '@gatehouse/contract/gate-access';
import type { Email } from '#emails/email.ts';
import {
  factsOf,
  NOTHING_CHANGED,
  quoteOf,
  staffEmail,
  type StaffMessage,
} from './staff-message.ts';

/**
 * 24-hour access is asked for; `schedule` is the name of the unit's gate schedule. The gate code is
 * never mailed.
 */
export type GateAccessFacts = { schedule: string; reason: string };

export function gateAccessRequestEmail(
  message: StaffMessage,
  { schedule, reason }: GateAccessFacts,
): Email {
  return staffEmail('24-hour access request', message, [
    factsOf([['Access hours now', hoursLabel(schedule)]]),
    ...quoteOf('Reason', reason),
    NOTHING_CHANGED,
  ]);
}
