import { t } from '@gatehouse/language/t';
import { monthName } from '#papers/statement.ts';
import { facts, hello, paragraph, type Email } from './email.ts';
import { seePayments } from './owed.ts';

/** Sends a monthly statement, which is attached as a PDF. `month` is `YYYY-MM`. */
export function statementEmail({
  firstName,
  facilityName,
  number,
  month,
}: {
  firstName: string;
  facilityName: string;
  number: string;
  month: string;
}): Email {
  return {
    subject: t('Your statement for {month}', { month: monthName(month) }),
    blocks: [
      hello(firstName),
      paragraph(
        t(
          'Your statement for {month} at {facilityName} is attached. It lists everything that was charged and paid.',
          { month: monthName(month), facilityName },
        ),
      ),
      facts([[t('Statement number'), number]]),
      seePayments(),
    ],
  };
}
