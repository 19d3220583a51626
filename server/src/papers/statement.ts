import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { facilityLines, type Letterhead } from './letterhead.ts';
import type { Block, Paper } from './paper.ts';

/** An entry of the month: above 0 it was charged or taken back, below 0 paid or credited. */
export type StatementLine = { postedOn: string; description: string; cents: number };

/**
 * A rental over the month, named by its units in it; what is owed is below 0 where there is a
 * credit.
 */
export type StatementUnit = {
  unitName: string;
  openingCents: number;
  lines: StatementLine[];
  closingCents: number;
};

/** A month of a tenant record, `month` as `YYYY-MM`. */
export type StatementOfMonth = Letterhead & {
  number: string;
  month: string;
  createdAt: Date;
  tenant: { name: string; lines: string[] };
  units: StatementUnit[];
};

/** A monthly statement: what was owed, every entry, and what is owed, for each unit and in all. */
export function statementPaper(statement: StatementOfMonth): Paper {
  const { number, month, tenant, units } = statement;
  const opening = units.reduce((cents, unit) => cents + unit.openingCents, 0);
  const closing = units.reduce((cents, unit) => cents + unit.closingCents, 0);
  return {
    issuer: statement.issuer,
    title: `Statement for ${monthName(month)}`,
    at: statement.createdAt,
    blocks: [
      {
        kind: 'columns',
        columns: [
          { title: 'Tenant', lines: [tenant.name, ...tenant.lines] },
          { title: 'Facility', lines: facilityLines(statement) },
        ],
      },
      {
        kind: 'facts',
        facts: [
          ['Statement', number],
          ['Owed at the beginning', formatMoney(toDollars(opening))],
          ['Owed at the end', formatMoney(toDollars(closing))],
        ],
      },
      ...units.flatMap(unitBlocks),
    ],
  };
}

function unitBlocks({ unitName, openingCents, lines, closingCents }: StatementUnit): Block[] {
  return [
    { kind: 'heading', text: `Unit ${unitName}` },
    {
      kind: 'rows',
      head: ['Entry', 'Charged', 'Paid or credited'],
      rows: [
        { cells: ['Owed at the beginning', { cents: openingCents }, null] },
        ...lines.map(({ postedOn, description, cents }) => ({
          cells: [
            `${formatDate(postedOn)}  ${description}`,
            ...(cents < 0 ? [null, { cents }] : [{ cents }, null]),
          ],
        })),
        { cells: ['Owed at the end', { cents: closingCents }, null], look: 'strong' },
      ],
    },
  ];
}

/** `2026-10` as `October 2026`. */
export function monthName(month: string): string {
  return monthFormat.format(new Date(`${month}-01T00:00:00Z`));
}

const monthFormat = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
