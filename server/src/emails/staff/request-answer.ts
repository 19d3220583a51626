import type { Email } from '#emails/email.ts';
import { staffEmail, type StaffMessage } from './staff-message.ts';

/** The name of the request's kind, such as "Maintenance request", and what the tenant wrote. */
type AnswerFacts = { title: string; text: string };

/** To staff: the tenant answered what they replied to a request. */
export function requestAnswerEmail(message: StaffMessage, { title, text }: AnswerFacts): Email {
  return staffEmail(`Answer: ${title}`, message, [{ kind: 'quote', text }]);
}
