import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { formatMoney } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import { facts, hello, paragraph, type Email, type Fact } from './email.ts';
import { gateSubject, owedBlocks, seePayments, type Owed } from './owed.ts';

/** What staff posted to a tenant's rentals, in dollars: below 0 in the tenant's favour. */
export type AccountPosting = FacilityContact & {
  firstName: string;
  entries: { unitName: string; description: string; amount: number; dueOn: string | null }[];
  balances: { unitName: string; balance: number }[];
  /** By when what they opened again is to be paid; null where that is nothing of ours. */
  owedOn: string | null;
  /** What the rentals owe after it. */
  owed: Owed[];
};

/**
 * Notifies a tenant of charges, waivers, credits and reversals that staff posted, and of what the
 * rental owes then; a charge that closes the gate is its subject.
 */
export function accountPostingEmail(posting: AccountPosting): Email {
  const { firstName, name, entries, balances, owedOn, owed } = posting;
  const isMore = entries.some(({ amount }) => amount > 0);
  return {
    subject:
      (isMore ? gateSubject(owed) : null) ?? t('A change to your account at {name}', { name }),
    blocks: [
      hello(firstName),
      paragraph(t('{name} has posted this to your account.', { name })),
      facts([
        ...entries.map((entry): Fact => [
          t('Unit {unit}: {entry}', { unit: entry.unitName, entry: entryWithDay(entry) }),
          formatMoney(entry.amount),
        ]),
        ...balances.map(({ unitName, balance }): Fact => [
          balance < 0
            ? t('Credit of unit {unit}', { unit: unitName })
            : t('Balance of unit {unit}', { unit: unitName }),
          formatMoney(Math.abs(balance)),
        ]),
      ]),
      ...(owedOn === null
        ? []
        : [
            paragraph(t('What is owed again is to be paid by {day}.', { day: formatDate(owedOn) })),
          ]),
      ...owedBlocks(owed, seePayments()),
      paragraph(t('If you have questions, {ask}.', { ask: howToAsk(posting) })),
    ],
  };
}

function entryWithDay({ description, dueOn }: AccountPosting['entries'][number]): string {
  const entry = entryName(description);
  return dueOn === null ? entry : t('{entry}, due {day}', { entry, day: formatDate(dueOn) });
}
