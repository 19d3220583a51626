import { formatDate } from '@gatehouse/contract/dates';
import { entryName } from '@gatehouse/contract/entry-names';
import { formatMoney, toDollars } from '@gatehouse/contract/money';
import { locale } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import { facilityLines, type Letterhead } from './letterhead.ts';
import type { Block, Paper } from './paper.ts';

/** An entry of the period: above 0 it was charged or taken back, below 0 paid or credited. */
export type StatementLine = {
  postedOn: string;
  description: string;
  /** Of a payment only. */
  receiptNumber: string | null;
  cents: number;
};

/**
 * A rental over the period, named by its units in it; what is owed is below 0 where there is a
 * credit.
 */
export type StatementUnit = {
  unitName: string;
  openingCents: number;
  lines: StatementLine[];
  closingCents: number;
};

/** A month, as `YYYY-MM`, or the days that staff named. */
export type StatementPeriod =
  | { month: string; firstOn: null; lastOn: null }
  | { month: null; firstOn: string; lastOn: string };

/** A period of a tenant record. */
export type Statement = Letterhead & {
  number: string;
  period: StatementPeriod;
  createdAt: Date;
  tenant: { name: string; lines: string[] };
  units: StatementUnit[];
};

/**
 * A statement: what was owed, every entry with what was owed after it, and what is owed, for each
 * unit and in all.
 */
export function statementPaper(statement: Statement): Paper {
  const { number, period, tenant, units } = statement;
  const opening = units.reduce((cents, unit) => cents + unit.openingCents, 0);
  const closing = units.reduce((cents, unit) => cents + unit.closingCents, 0);
  return {
    issuer: statement.issuer,
    title: t('Statement for {month}', { month: periodName(period) }),
    at: statement.createdAt,
    blocks: [
      {
        kind: 'columns',
        columns: [
          { title: t('Tenant'), lines: [tenant.name, ...tenant.lines] },
          { title: t('Facility'), lines: facilityLines(statement) },
        ],
      },
      {
        kind: 'facts',
        facts: [
          [t('Statement'), number],
          [t('Owed at the beginning'), formatMoney(toDollars(opening))],
          [t('Owed at the end'), formatMoney(toDollars(closing))],
        ],
      },
      ...units.flatMap(unitBlocks),
    ],
  };
}

function unitBlocks({ unitName, openingCents, lines, closingCents }: StatementUnit): Block[] {
  let owed = openingCents;
  return [
    { kind: 'heading', text: t('Unit {unit}', { unit: unitName }) },
    {
      kind: 'rows',
      head: [t('Entry'), t('Charged'), t('Paid or credited'), t('Balance')],
      rows: [
        { cells: [t('Owed at the beginning'), null, null, { cents: openingCents }] },
        ...lines.map((line) => ({
          cells: [
            `${formatDate(line.postedOn)}  ${textOf(line)}`,
            ...(line.cents < 0 ? [null, { cents: line.cents }] : [{ cents: line.cents }, null]),
            { cents: (owed += line.cents) },
          ],
        })),
        { cells: [t('Owed at the end'), null, null, { cents: closingCents }], look: 'strong' },
      ],
    },
  ];
}

function textOf({ description, receiptNumber }: StatementLine): string {
  const entry = entryName(description);
  return receiptNumber === null
    ? entry
    : t('Payment, {entry}, receipt {number}', { entry, number: receiptNumber });
}

/** A month's name, or the first and last day. */
export function periodName({ month, firstOn, lastOn }: StatementPeriod): string {
  return month === null
    ? t('{from} to {to}', { from: formatDate(firstOn), to: formatDate(lastOn) })
    : monthName(month);
}

/** `2026-10` as `October 2026`; `octubre de 2026`. */
function monthName(month: string): string {
  const format = new Intl.DateTimeFormat(locale(), {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
