import { formatDate } from '@gatehouse/contract/dates';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import type { ChargeCategory } from '#db/tables.ts';
import { facilityLines, type Letterhead } from './letterhead.ts';
import type { Block, Paper } from './paper.ts';

/** A payment of the year, above 0, or what was taken back of a payment in the year, below 0. */
export type YearLine = { postedOn: string; unitName: string; description: string; cents: number };

/** A calendar year of a tenant record; money in cents, days by the facility's calendar. */
export type YearOfPayments = Letterhead & {
  year: string;
  /** The facility's day on which it is drawn. */
  today: string;
  drawnAt: Date;
  tenant: { name: string; lines: string[] };
  lines: YearLine[];
  /** What the payments paid, taxes included, less what was taken back. */
  paidFor: { category: ChargeCategory; cents: number }[];
};

/**
 * What was paid in a calendar year: every payment and what was taken back, and what they paid. Made
 * for a tax adviser, so it counts by the day of payment, whatever period was paid for.
 */
export function yearStatementPaper(statement: YearOfPayments): Paper {
  const { year, today, tenant, lines, paidFor } = statement;
  const sumOf = (cents: number[]) => cents.reduce((sum, one) => sum + one, 0);
  const paid = sumOf(lines.map(({ cents }) => Math.max(0, cents)));
  const takenBack = sumOf(lines.map(({ cents }) => Math.min(0, cents)));
  const total = paid + takenBack;
  const ahead = total - sumOf(paidFor.map(({ cents }) => cents));
  return {
    issuer: statement.issuer,
    title: `Payments in ${year}`,
    at: statement.drawnAt,
    blocks: [
      {
        kind: 'columns',
        columns: [
          { title: 'Tenant', lines: [tenant.name, ...tenant.lines] },
          { title: 'Facility', lines: facilityLines(statement) },
        ],
      },
      ...soFar(year, today),
      {
        kind: 'facts',
        facts: [
          ['Paid', money(paid)],
          ...(takenBack === 0
            ? []
            : [['Returned or refunded', money(takenBack)] as [string, string]]),
          [`Paid in ${year} in all`, money(total)],
        ],
      },
      { kind: 'heading', text: 'What was paid for' },
      {
        kind: 'rows',
        head: ['Taxes are included', 'Amount'],
        rows: [
          ...paidFor.map(({ category, cents }) => ({
            cells: [categoryNames[category], { cents }],
          })),
          ...(ahead === 0 ? [] : [{ cells: ['Not used for a charge yet', { cents: ahead }] }]),
          { cells: ['In all', { cents: total }], look: 'strong' as const },
        ],
      },
      { kind: 'heading', text: 'Payments' },
      {
        kind: 'rows',
        head: ['Day and payment', 'Unit', 'Amount'],
        rows: [
          ...lines.map(({ postedOn, unitName, description, cents }) => ({
            cells: [`${formatDate(postedOn)}  ${description}`, unitName, { cents }],
          })),
          { cells: ['In all', null, { cents: total }], look: 'strong' as const },
        ],
      },
    ],
  };
}

function soFar(year: string, today: string): Block[] {
  if (today.slice(0, 4) > year) return [];
  return [
    {
      kind: 'notice',
      text: `This year is not over: it has the payments through ${formatDate(today)}.`,
    },
  ];
}

const categoryNames: Record<ChargeCategory, string> = {
  rent: 'Rent',
  insurance: 'Protection plans',
  service: 'Services',
  fee: 'Fees',
  deposit: 'Deposits',
};

function money(cents: number): string {
  return formatMoney(toDollars(cents));
}
