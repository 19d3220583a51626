import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import type { FinalSums } from '#db/tables.ts';
import { howToAsk, type FacilityContact } from './call-facility.ts';
import type { Email } from './email.ts';

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
  const money = (cents: number) => formatMoney(toDollars(cents));
  const after = [
    ...(balanceCents > 0 ? [`Please pay ${money(balanceCents)}: ${howToAsk(statement)}.`] : []),
    ...(refundedCents > 0
      ? [`${money(refundedCents)} goes back to the card or account that it was paid with.`]
      : []),
    ...(byHandCents > 0 ? [`The facility gives ${money(byHandCents)} back to you.`] : []),
  ];
  return {
    subject: `Final statement of unit ${unitName}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},` },
      {
        kind: 'paragraph',
        text: `Your rental of unit ${unitName} at ${name} ended on ${formatDate(movedOutOn)}.`,
      },
      {
        kind: 'facts',
        facts: [
          ['Balance before', money(beforeCents)],
          ...lines.map(({ description, cents }): [string, string] => [description, money(cents)]),
          [balanceCents < 0 ? 'Credit' : 'Balance', money(Math.abs(balanceCents))],
        ],
      },
      ...after.map((text) => ({ kind: 'paragraph' as const, text })),
      { kind: 'paragraph', text: `If something is wrong with it, ${howToAsk(statement)}.` },
    ],
  };
}
