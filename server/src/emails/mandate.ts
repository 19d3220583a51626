import { formatPhone } from '@gatehouse/contract/phone';
import type { Email } from './email.ts';

/** The consent to mail; `text` word for word, a paragraph a line. */
export type MandateCopy = {
  firstName: string;
  unitName: string;
  facilityName: string;
  facilityPhone: string | null;
  text: string;
};

/**
 * The tenant's own copy of the consent to autopay (D13), which also notifies the address on file
 * that it was set (D24).
 */
export function mandateEmail({
  firstName,
  unitName,
  facilityName,
  facilityPhone,
  text,
}: MandateCopy): Email {
  const call = facilityPhone === null ? '' : ` at ${formatPhone(facilityPhone)}`;
  return {
    subject: `Autopay is on for unit ${unitName}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      {
        kind: 'paragraph',
        text: `Autopay is set up for unit ${unitName} at ${facilityName}. This is the authorization that you gave; please keep it.`,
      },
      ...text.split('\n').map((paragraph) => ({ kind: 'paragraph' as const, text: paragraph })),
      {
        kind: 'paragraph',
        text: `If you did not set up autopay, please call your facility${call}.`,
      },
    ],
  };
}
