import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { formatPhone } from '@gatehouse/contract/phone';
import type { Email } from './email.ts';

/** An attempt of the autopay run that was declined; `retryOn` null where it is not tried again. */
export type AutopayDecline = {
  firstName: string;
  unitName: string;
  facilityName: string;
  facilityPhone: string | null;
  on: string;
  cents: number;
  /** `Visa ending in 4242`. */
  method: string;
  /** Why, in the gateway's sentence for the tenant. */
  message: string;
  retryOn: string | null;
};

/**
 * Notifies the tenant of a charge by autopay that was declined, why, and what happens next (D15).
 */
export function autopayDeclinedEmail(decline: AutopayDecline): Email {
  const { unitName, facilityName, facilityPhone, message, retryOn } = decline;
  const sum = formatMoney(toDollars(decline.cents));
  const call = facilityPhone === null ? '' : ` at ${formatPhone(facilityPhone)}`;
  return {
    subject: `Autopay of ${sum} for unit ${unitName} was declined`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${decline.firstName},` },
      {
        kind: 'paragraph',
        text: `Autopay could not charge ${sum} for unit ${unitName} at ${facilityName}. ${message}`.trim(),
      },
      {
        kind: 'facts',
        facts: [
          ['Date', formatDate(decline.on)],
          ['Amount', sum],
          ['Payment method', decline.method],
        ],
      },
      {
        kind: 'paragraph',
        text:
          retryOn === null
            ? 'We do not try this charge again. Please pay in the portal, and set up autopay with another payment method under Billing Info.'
            : `We try again on ${formatDate(retryOn)}. You can pay before, or set up autopay with another payment method under Billing Info.`,
      },
      { kind: 'paragraph', text: `If you have a question, please call your facility${call}.` },
    ],
  };
}
