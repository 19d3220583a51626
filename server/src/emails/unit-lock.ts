import { howToAsk, type FacilityContact } from './call-facility.ts';
import type { Email } from './email.ts';

/**
 * Notifies a tenant that staff have locked a unit by hand, or have taken that lock off.
 * `gateAdvice` is there where the gate then waits for a bank payment to settle.
 */
export function unitLockEmail(
  lock: FacilityContact & {
    firstName: string;
    unitName: string;
    isOverlocked: boolean;
    gateAdvice: string | null;
  },
): Email {
  const { firstName, name, unitName, isOverlocked, gateAdvice } = lock;
  const code = 'The portal shows your gate code, unless something is owed.';
  return {
    subject: isOverlocked
      ? `Unit ${unitName} at ${name} is locked`
      : `Unit ${unitName} at ${name} is no longer locked`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      {
        kind: 'paragraph',
        text: isOverlocked
          ? `${name} has locked unit ${unitName}. To resolve it, ${howToAsk(lock)}.`
          : `${name} has taken its lock off unit ${unitName}. ${gateAdvice ?? code}`,
      },
    ],
  };
}
