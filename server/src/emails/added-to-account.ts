import { formatPhone } from '@gatehouse/contract/phone';
import type { Email } from './email.ts';

const names = { license: "A driver's license", phone: 'A phone number' };

/**
 * Notifies the address on file of what was added to a tenant record (D24), without the number
 * itself.
 */
export function addedToAccountEmail(
  part: keyof typeof names,
  {
    firstName,
    facilityName,
    facilityPhone,
  }: { firstName: string; facilityName: string; facilityPhone: string | null },
): Email {
  const sentence = `${names[part]} was added to your account`;
  const call = facilityPhone === null ? '' : ` at ${formatPhone(facilityPhone)}`;
  return {
    subject: sentence,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      { kind: 'paragraph', text: `${sentence} at ${facilityName}.` },
      { kind: 'paragraph', text: `If you did not add it, please call your facility${call}.` },
    ],
  };
}
