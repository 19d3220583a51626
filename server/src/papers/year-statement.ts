import { addDays, formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { t } from '@gatehouse/language/t';
import type { ChargeCategory } from '#db/tables.ts';
import { facilityLines, type Letterhead } from './letterhead.ts';
import type { Block, Paper } from './paper.ts';

/** A payment of the year, above 0, or what was taken back of a payment in the year, below 0. */
export type YearLine = {
  postedOn: string;
  unitName: string;
  description: string;
  receiptNumber: string;
  cents: number;
};

/** A calendar year of a tenant record; money in cents, days by the facility's calendar. */
export type YearOfPayments = Letterhead & {
  year: string;
  /** The facility's day on which it is drawn. */
  today: string;
  drawnAt: Date;
  tenant: { name: string; lines: string[] };
  lines: YearLine[];
  /**
   * What was paid in the year, taxes included, less what was taken back. `owedAgain`: what went
   * back of a payment that had less left, below 0 until it is paid.
   */
  paidFor: { category: ChargeCategory | 'owedAgain'; cents: number }[];
  /** What of the payments until the year, and until its end, had settled no charge then. */
  beforeCents: number;
  leftCents: number;
  /** For how many days after it came a payment can be recorded. */
  daysBack: number;
};

/**
 * What was paid in a calendar year: every payment and what was taken back, and what they paid. Made
 * for a tax adviser, so it counts by the day of payment, whatever period was paid for.
 */
export function yearStatementPaper(statement: YearOfPayments): Paper {
  const { year, tenant, lines, paidFor, beforeCents, leftCents } = statement;
  const sumOf = (cents: number[]) => cents.reduce((sum, one) => sum + one, 0);
  const paid = sumOf(lines.map(({ cents }) => Math.max(0, cents)));
  const takenBack = sumOf(lines.map(({ cents }) => Math.min(0, cents)));
  const total = paid + takenBack;
  return {
    issuer: statement.issuer,
    title: t('Payments in {year}', { year }),
    at: statement.drawnAt,
    blocks: [
      {
        kind: 'columns',
        columns: [
          { title: t('Tenant'), lines: [tenant.name, ...tenant.lines] },
          { title: t('Facility'), lines: facilityLines(statement) },
        ],
      },
      ...soFar(statement),
      {
        kind: 'facts',
        facts: [
          [t('Paid'), money(paid)],
          ...(takenBack === 0
            ? []
            : [[t('Returned or refunded'), money(takenBack)] as [string, string]]),
          [t('Paid in {year} in all', { year }), money(total)],
        ],
      },
      { kind: 'heading', text: t('What was paid for') },
      {
        kind: 'rows',
        head: [t('Taxes are included'), t('Amount')],
        rows: [
          ...paidFor.map(({ category, cents }) => ({
            cells: [categoryNames[category](), { cents }],
          })),
          ...[
            { name: t('Not used for a charge in {year}', { year }), cents: leftCents },
            { name: t('Less what was not used before {year}', { year }), cents: -beforeCents },
          ].flatMap(({ name, cents }) => (cents === 0 ? [] : [{ cells: [name, { cents }] }])),
          { cells: [t('In all'), { cents: total }], look: 'strong' as const },
        ],
      },
      { kind: 'heading', text: t('Payments') },
      {
        kind: 'rows',
        head: [t('Day and payment'), t('Unit'), t('Amount')],
        rows: [
          ...lines.map(({ postedOn, unitName, description, receiptNumber, cents }) => {
            const entry = entryName(description);
            const text = t('{entry}, receipt {number}', { entry, number: receiptNumber });
            return { cells: [`${formatDate(postedOn)}  ${text}`, unitName, { cents }] };
          }),
          { cells: [t('In all'), null, { cents: total }], look: 'strong' as const },
        ],
      },
    ],
  };
}

function soFar({ year, today, daysBack }: YearOfPayments): Block[] {
  if (today.slice(0, 4) <= year)
    return [
      {
        kind: 'notice',
        text: t('This year is not over: it has the payments through {day}.', {
          day: formatDate(today),
        }),
      },
    ];
  const last = addDays(`${year}-12-31`, daysBack);
  if (today > last) return [];
  const text = t('A payment that came in {year} can still be recorded until {day}.', {
    year,
    day: formatDate(last),
  });
  return [{ kind: 'notice', text }];
}

const categoryNames: Record<ChargeCategory | 'owedAgain', () => string> = {
  rent: () => t('Rent'),
  insurance: () => t('Protection plans'),
  service: () => t('Services'),
  fee: () => t('Fees'),
  deposit: () => t('Deposits'),
  owedAgain: () => t('Owed again'),
};

function money(cents: number): string {
  return formatMoney(toDollars(cents));
}
