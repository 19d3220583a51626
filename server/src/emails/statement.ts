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
    subject: `Your statement for ${monthName(month)}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      {
        kind: 'paragraph',
        text: `Your statement for ${monthName(month)} at ${facilityName} is attached. It lists everything that was charged and paid.`,
      },
      { kind: 'facts', facts: [['Statement number', number]] },
    ],
  };
}
