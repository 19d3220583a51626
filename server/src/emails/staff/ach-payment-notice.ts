import { formatDate, formatWeekday } from '@gatehouse/contract/dates';
import { gateWaitReasons } from '@gatehouse/contract/tenant-records';
import { money, paragraph, type Email } from '#emails/email.ts';
import { factsOf, staffEmail, type StaffMessage } from './staff-message.ts';

/** A bank payment was taken for a unit; `method` ends in the account's last four digits. */
export type AchPaymentFacts = {
  date: string;
  amountCents: number;
  method: string;
  receiptNumber: string;
  /** About when the unit's gate opens, where it waits for the payment to settle, and why. */
  gateWait?: { date: string; reason: keyof typeof gateWaitReasons };
};

export function achPaymentNoticeEmail(message: StaffMessage, facts: AchPaymentFacts): Email {
  return staffEmail('ACH payment', message, [
    factsOf([
      ['Date', formatDate(facts.date)],
      ['Amount', money(facts.amountCents)],
      ['Paid with', facts.method],
      ['Receipt number', facts.receiptNumber],
    ]),
    paragraph('The payment counts at once. The bank may still return it.'),
    ...(facts.gateWait === undefined ? [] : [paragraph(gateSentence(facts.gateWait))]),
  ]);
}

function gateSentence({ date, reason }: NonNullable<AchPaymentFacts['gateWait']>): string {
  return `The gate of the unit opens when it has settled, about ${formatWeekday(date)}, because ${gateWaitReasons[reason]}.`;
}
