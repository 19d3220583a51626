import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import { action, hello, paragraph, type Email } from './email.ts';

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
    subject: t('Pay {amount} for {unitName}', { amount, unitName }),
    blocks: [
      hello(firstName),
      paragraph(
        t(
          '{amount} is owed on {unitName} at {facilityName}. With this link you can pay it by card or bank account, without signing in:',
          { amount, unitName, facilityName: facility.name },
        ),
      ),
      action(t('Pay {amount}', { amount }), url),
      paragraph(
        t(
          'The link works once, for {days} days, and for this sum alone: nothing is saved, and autopay is not set up. Whoever has it can pay, and sees no more than the sum.',
          { days },
        ),
      ),
      paragraph(t('If you have questions, {ask}.', { ask: howToAsk(facility) })),
    ],
  };
}
