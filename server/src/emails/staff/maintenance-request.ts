import { issueTypes, type IssueType } from '@gatehouse/contract/maintenance';
import type { Email } from '#emails/email.ts';
import { factsOf, quoteOf, staffEmail, type StaffMessage } from './staff-message.ts';

/**
 * A repair is asked for; `photo` is the name of the photo that is kept with the request, null where
 * there is none.
 */
export type MaintenanceFacts = { issueType: IssueType; description: string; photo: string | null };

export function maintenanceRequestEmail(message: StaffMessage, facts: MaintenanceFacts): Email {
  return staffEmail('Maintenance request', message, [
    factsOf([
      ['Issue type', issueTypes[facts.issueType]()],
      ['Photo', facts.photo === null ? 'none' : `kept with the request (${facts.photo})`],
    ]),
    ...quoteOf('Description', facts.description),
  ]);
}
