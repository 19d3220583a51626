import { t } from '@gatehouse/language/t';
import { monthName } from '#papers/statement.ts';
import type { Email } from './email.ts';

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
      { kind: 'paragraph', text: t('Hello {firstName},', { firstName }) },
      {
        kind: 'paragraph',
        text: t(
          'Your statement for {month} at {facilityName} is attached. It lists everything that was charged and paid.',
          { month: monthName(month), facilityName },
        ),
      },
      { kind: 'facts', facts: [[t('Statement number'), number]] },
    ],
  };
}
