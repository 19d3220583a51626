import { formatPhone } from '@gatehouse/contract/phone';
import type { Email } from './email.ts';

/**
 * Autopay was switched off: by the tenant, or by us, because the bank returned a payment (`because`
 * says why) or a card payment was disputed.
 */
export type AutopayOff = {
  firstName: string;
  unitNames: string[];
  facilityName: string;
  facilityPhone: string | null;
} & ({ reason: 'switchedOff' } | { reason: 'disputed' } | { reason: 'returned'; because: string });

/** Notifies the address on file that autopay is off (D15, D24). */
export function autopayOffEmail(off: AutopayOff): Email {
  const units = `unit${off.unitNames.length === 1 ? '' : 's'} ${off.unitNames.join(', ')}`;
  const call = off.facilityPhone === null ? '' : ` at ${formatPhone(off.facilityPhone)}`;
  return {
    subject: `Autopay is off for ${units}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${off.firstName},` },
      { kind: 'paragraph', text: whatHappened(off, units) },
      {
        kind: 'paragraph',
        text: 'What is owed, and what becomes due, is yours to pay in the portal.',
      },
      {
        kind: 'paragraph',
        text:
          off.reason === 'switchedOff'
            ? `If you did not switch it off, please call your facility${call}.`
            : `You can set up autopay again with another card or account under Billing Info. If you have a question, please call your facility${call}.`,
      },
    ],
  };
}

function whatHappened(off: AutopayOff, units: string): string {
  if (off.reason === 'switchedOff')
    return `Autopay was switched off for ${units} at ${off.facilityName}. Nothing is charged automatically any more.`;
  const why =
    off.reason === 'disputed'
      ? 'A payment by the card was disputed with its issuer.'
      : `The bank returned a payment: ${off.because}.`;
  return `${why} Autopay is off for ${units} at ${off.facilityName}, and nothing is charged automatically any more.`;
}
