import { formatDate } from '@gatehouse/contract/dates';
import { t } from '@gatehouse/language/t';
import type { Letter } from '#db/tables.ts';
import type { Block, Paper } from './paper.ts';

/** Letters for envelopes with a window, each on a page of its own. */
export function lettersPaper(letters: [Letter, ...Letter[]], at: Date): Paper {
  return {
    issuer: letters[0].from[0] ?? '',
    title: letters[0].subject,
    at,
    isOfLetters: true,
    blocks: letters.flatMap(blocksOf),
  };
}

function blocksOf({ from, to, on, subject, text, units }: Letter): Block[] {
  const cents = units.reduce((sum, unit) => sum + unit.cents, 0);
  return [
    { kind: 'letter', from, to },
    { kind: 'paragraph', text: formatDate(on) },
    { kind: 'heading', text: subject },
    ...text
      .split('\n')
      .filter((part) => part.trim() !== '')
      .map((part): Block => ({ kind: 'paragraph', text: part })),
    {
      kind: 'rows',
      head: [t('Unit'), t('Due'), t('Amount')],
      rows: [
        ...units.map((unit) => ({
          cells: [unit.unitName, formatDate(unit.since), { cents: unit.cents }],
        })),
        { cells: [t('Balance'), null, { cents }], look: 'strong' },
      ],
    },
  ];
}
