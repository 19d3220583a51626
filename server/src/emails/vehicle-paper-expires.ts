import { formatDate } from '@gatehouse/contract/dates';
import { formatPhone } from '@gatehouse/contract/phone';
import type { PaperKind } from '@gatehouse/contract/vehicle-papers';
import type { Email } from './email.ts';

/** A paper of a vehicle or vessel that ends soon; `expiresOn` is its last day. */
export type ExpiringPaper = {
  firstName: string;
  kind: PaperKind;
  expiresOn: string;
  unitName: string;
  facilityName: string;
  facilityPhone: string | null;
};

/** Reminds a tenant to file the renewed paper; the paper's number is not in it. */
export function paperExpiresEmail(paper: ExpiringPaper): Email {
  const { firstName, kind, unitName, facilityName, facilityPhone } = paper;
  const lastDay = formatDate(paper.expiresOn);
  const call = facilityPhone === null ? '' : ` at ${formatPhone(facilityPhone)}`;
  return {
    subject: `The ${kind} on file for unit ${unitName} expires on ${lastDay}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      {
        kind: 'paragraph',
        text: `The ${kind} of the vehicle or vessel in unit ${unitName} at ${facilityName} is valid until ${lastDay}.`,
      },
      {
        kind: 'paragraph',
        text: `Please file the renewed one under Account Management, as a photo or a PDF. If you have a question, please call your facility${call}.`,
      },
    ],
  };
}
