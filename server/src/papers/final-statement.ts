import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import type { FinalSums } from '#db/tables.ts';
import { facilityLines, type Letterhead } from './letterhead.ts';
import type { Paper } from './paper.ts';

/** What the settlement of a rental came to, with whom and what it is about. */
export type FinalStatement = Letterhead &
  FinalSums & {
    settledAt: Date;
    movedOutOn: string;
    unitName: string;
    tenant: { name: string; lines: string[] };
  };

/** The final statement of a rental: what was owed, what the move-out gave back, what is left. */
export function finalStatementPaper(statement: FinalStatement): Paper {
  const { unitName, movedOutOn, tenant, beforeCents, lines, balanceCents } = statement;
  const { refundedCents, byHandCents } = statement;
  const givenBack: [string, string][] = [
    [t('Goes back to the card or account that it was paid with'), refundedCents],
    [t('Given back by the facility'), byHandCents],
  ].flatMap(([label, cents]): [string, string][] =>
    cents === 0 ? [] : [[label as string, formatMoney(toDollars(cents as number))]],
  );
  return {
    issuer: statement.issuer,
    title: t('Final statement of unit {unitName}', { unitName }),
    at: statement.settledAt,
    blocks: [
      {
        kind: 'columns',
        columns: [
          { title: t('Tenant'), lines: [tenant.name, ...tenant.lines] },
          { title: t('Facility'), lines: facilityLines(statement) },
        ],
      },
      { kind: 'facts', facts: [[t('First day that is not rented'), formatDate(movedOutOn)]] },
      {
        kind: 'rows',
        head: [t('Entry'), t('Amount')],
        rows: [
          { cells: [t('Balance before'), { cents: beforeCents }] },
          ...lines.map(({ description, cents }) => ({
            cells: [entryName(description), { cents }],
          })),
          {
            cells: [
              balanceCents < 0 ? t('Credit') : t('Balance'),
              { cents: Math.abs(balanceCents) },
            ],
            look: 'strong',
          },
        ],
      },
      ...(givenBack.length > 0 ? [{ kind: 'facts' as const, facts: givenBack }] : []),
    ],
  };
}
