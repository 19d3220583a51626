import { howToAsk, type FacilityContact } from './call-facility.ts';
import type { Email } from './email.ts';

/**
 * Notifies a tenant that the gate code of a unit has changed. The code is not in it: a mail is read
 * on the way and kept for long.
 */
export function gateCodeChangedEmail(
  change: FacilityContact & { firstName: string; unitName: string },
): Email {
  const { firstName, name, unitName } = change;
  return {
    subject: `The gate code of unit ${unitName} at ${name} has changed`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      {
        kind: 'paragraph',
        text: `${name} has changed the gate code of unit ${unitName}. The old code no longer opens the gate. The portal shows the new one while the gate is open to you. If you have questions, ${howToAsk(change)}.`,
      },
    ],
  };
}
