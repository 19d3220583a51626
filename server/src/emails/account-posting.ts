import { entryName } from '@gatehouse/contract/entry-names';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import { facts, hello, paragraph, type Email, type Fact } from './email.ts';

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
    subject: t('A change to your account at {name}', { name }),
    blocks: [
      hello(firstName),
      paragraph(t('{name} has posted this to your account.', { name })),
      facts([
        ...entries.map(({ unitName, description, amount }): Fact => [
          t('Unit {unit}: {entry}', { unit: unitName, entry: entryName(description) }),
          formatMoney(amount),
        ]),
        ...balances.map(({ unitName, balance }): Fact => [
          balance < 0
            ? t('Credit of unit {unit}', { unit: unitName })
            : t('Balance of unit {unit}', { unit: unitName }),
          formatMoney(Math.abs(balance)),
        ]),
      ]),
      paragraph(t('If you have questions, {ask}.', { ask: howToAsk(posting) })),
    ],
  };
}
