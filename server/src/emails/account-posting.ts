import { formatMoney } from '@gatehouse/contract/money';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import type { Email } from './email.ts';

/** What staff posted to a tenant's rentals, in dollars: below 0 in the tenant's favour. */
export type AccountPosting = FacilityContact & {
  firstName: string;
  entries: { unitName: string; description: string; amount: number }[];
  balances: { unitName: string; balance: number }[];
};

/**
 * Notifies a tenant of charges, waivers, credits and reversals that staff posted, and of what the
 * rental owes then.
 */
export function accountPostingEmail(posting: AccountPosting): Email {
  const { firstName, name, entries, balances } = posting;
  return {
    subject: `A change to your account at ${name}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      { kind: 'paragraph', text: `${name} has posted this to your account.` },
      {
        kind: 'facts',
        facts: [
          ...entries.map(({ unitName, description, amount }): [string, string] => [
            `Unit ${unitName}: ${description}`,
            formatMoney(amount),
          ]),
          ...balances.map(({ unitName, balance }): [string, string] => [
            balance < 0 ? `Credit of unit ${unitName}` : `Balance of unit ${unitName}`,
            formatMoney(Math.abs(balance)),
          ]),
        ],
      },
      { kind: 'paragraph', text: `If you have questions, ${howToAsk(posting)}.` },
    ],
  };
}
