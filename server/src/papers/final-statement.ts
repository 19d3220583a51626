import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
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
    ['Goes back to the card or account that it was paid with', refundedCents],
    ['Given back by the facility', byHandCents],
  ].flatMap(([label, cents]): [string, string][] =>
    cents === 0 ? [] : [[label as string, formatMoney(toDollars(cents as number))]],
  );
  return {
    issuer: statement.issuer,
    title: `Final statement of unit ${unitName}`,
    at: statement.settledAt,
    blocks: [
      {
        kind: 'columns',
        columns: [
          { title: 'Tenant', lines: [tenant.name, ...tenant.lines] },
          { title: 'Facility', lines: facilityLines(statement) },
        ],
      },
      { kind: 'facts', facts: [['First day that is not rented', formatDate(movedOutOn)]] },
      {
        kind: 'rows',
        head: ['Entry', 'Amount'],
        rows: [
          { cells: ['Balance before', { cents: beforeCents }] },
          ...lines.map(({ description, cents }) => ({ cells: [description, { cents }] })),
          {
            cells: [balanceCents < 0 ? 'Credit' : 'Balance', { cents: Math.abs(balanceCents) }],
            look: 'strong',
          },
        ],
      },
      ...(givenBack.length > 0 ? [{ kind: 'facts' as const, facts: givenBack }] : []),
    ],
  };
}
