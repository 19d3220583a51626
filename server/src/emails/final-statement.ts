import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { t } from '@gatehouse/language/t';
import type { FinalSums } from '#db/tables.ts';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import { facts, hello, money, paragraph, type Email, type Fact } from './email.ts';
import { seePayments } from './owed.ts';

/** The settlement of a rental that has ended. */
export type FinalStatement = FacilityContact &
  FinalSums & { firstName: string; unitName: string; movedOutOn: string };

/**
 * The final statement of a rental: what was owed, what the move-out gives back, and what is left.
 */
export function finalStatementEmail(statement: FinalStatement): Email {
  const {
    firstName,
    unitName,
    name,
    movedOutOn,
    beforeCents,
    lines,
    balanceCents,
    refundedCents,
    byHandCents,
  } = statement;
  const after = [
    ...(balanceCents > 0
      ? [t('Please pay {sum}: {ask}.', { sum: money(balanceCents), ask: howToAsk(statement) })]
      : []),
    ...(refundedCents > 0
      ? [
          t('{sum} goes back to the card or account that it was paid with.', {
            sum: money(refundedCents),
          }),
        ]
      : []),
    ...(byHandCents > 0
      ? [t('The facility gives {sum} back to you.', { sum: money(byHandCents) })]
      : []),
  ];
  return {
    subject: t('Final statement of unit {unitName}', { unitName }),
    blocks: [
      hello(firstName),
      paragraph(
        t('Your rental of unit {unitName} at {name} ended on {day}.', {
          unitName,
          name,
          day: formatDate(movedOutOn),
        }),
      ),
      facts([
        [t('Balance before'), money(beforeCents)],
        ...lines.map(({ description, cents }): Fact => [entryName(description), money(cents)]),
        [balanceCents < 0 ? t('Credit') : t('Balance'), money(Math.abs(balanceCents))],
      ]),
      ...after.map((text) => paragraph(text)),
      seePayments(),
      paragraph(t('If something is wrong with it, {ask}.', { ask: howToAsk(statement) })),
    ],
  };
}
