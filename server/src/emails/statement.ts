import { t } from '@gatehouse/language/t';
import { periodName, type StatementPeriod } from '#papers/statement.ts';
import { facts, hello, paragraph, type Email } from './email.ts';
import { seePayments } from './owed.ts';

/** Sends a statement, which is attached as a PDF. */
export function statementEmail({
  firstName,
  facilityName,
  number,
  period,
}: {
  firstName: string;
  facilityName: string;
  number: string;
  period: StatementPeriod;
}): Email {
  return {
    subject: t('Your statement for {month}', { month: periodName(period) }),
    blocks: [
      hello(firstName),
      paragraph(
        t(
          'Your statement for {month} at {facilityName} is attached. It lists everything that was charged and paid.',
          { month: periodName(period), facilityName },
        ),
      ),
      facts([[t('Statement number'), number]]),
      seePayments(),
    ],
  };
}
