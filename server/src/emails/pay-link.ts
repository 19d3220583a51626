import { formatMoney } from '@gatehouse/contract/money';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import type { Email } from './email.ts';

/** A link to pay what a rental owes; `amount` in dollars. */
export type MailedPayLink = {
  facility: FacilityContact;
  firstName: string;
  unitName: string;
  amount: number;
  url: string;
  days: number;
};

/** Mails a tenant the pay link that staff have made. */
export function payLinkEmail(link: MailedPayLink): Email {
  const { facility, firstName, unitName, url, days } = link;
  const amount = formatMoney(link.amount);
  return {
    subject: `Pay ${amount} for ${unitName}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      {
        kind: 'paragraph',
        text: `${amount} is owed on ${unitName} at ${facility.name}. With this link you can pay it by card or bank account, without signing in:`,
      },
      { kind: 'link', label: `Pay ${amount}`, url },
      {
        kind: 'paragraph',
        text: `The link works once, for ${days} days, and for this sum alone: nothing is saved, and autopay is not set up. Whoever has it can pay, and sees no more than the sum.`,
      },
      { kind: 'paragraph', text: `If you have questions, ${howToAsk(facility)}.` },
    ],
  };
}
