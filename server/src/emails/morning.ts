import { formatDate } from '@gatehouse/contract/dates';
import { drawerSums, drawerTypes, overOrShort, type DrawerLine } from '@gatehouse/contract/drawers';
import { formatMoney, sumDollars } from '@gatehouse/contract/money';
import { lateBuckets, type LateRow } from '@gatehouse/contract/office/late';
import { depositTypes, type Deposits } from '@gatehouse/contract/reports';
import { action, facts, heading, paragraph, type Email, type Fact } from './email.ts';

/** The most rentals or alarms that are listed; the sums are of all of them. */
export const MOST_LISTED = 100;

type Place = { facilityName: string };

type Late = Pick<
  LateRow,
  'unitName' | 'firstName' | 'lastName' | 'balance' | 'daysOwed' | 'bucket' | 'isOnHold'
>;

/** Who is late, as the office lists it: `rows` are the first, `sums` by bucket are of all. */
export function lateListEmail({
  facilityName,
  on,
  rows,
  sums,
}: Place & {
  on: string;
  rows: Late[];
  sums: { bucket: LateRow['bucket']; count: number; owed: number }[];
}): Email {
  const count = sums.reduce((all, sum) => all + sum.count, 0);
  const owed = formatMoney(sumDollars(sums.map((sum) => sum.owed)));
  return {
    subject:
      count === 0
        ? `Nothing is late at ${facilityName}`
        : `Late at ${facilityName}: ${rentals(count)}, ${owed}`,
    blocks: [
      paragraph(
        count === 0
          ? `On the morning of ${formatDate(on)} nothing is past due at ${facilityName}.`
          : `On the morning of ${formatDate(on)} ${rentals(count)} at ${facilityName} owe ${owed} that is past due.`,
      ),
      ...(count === 0
        ? []
        : [
            heading('By days'),
            facts(
              lateBuckets.flatMap((bucket): Fact[] => {
                const sum = sums.find((one) => one.bucket === bucket);
                return sum === undefined
                  ? []
                  : [[`${bucket} days`, `${rentals(sum.count)}, ${formatMoney(sum.owed)}`]];
              }),
            ),
            heading('Rentals'),
            facts(
              rows.map((row): Fact => [
                `${row.unitName}, ${row.lastName}, ${row.firstName}`,
                `${formatMoney(row.balance)}, ${row.daysOwed} days${row.isOnHold ? ', on hold' : ''}`,
              ]),
            ),
            ...more(count - rows.length, 'rentals'),
          ]),
      action('Open the list', '/office/late'),
    ],
  };
}

const vias = {
  gateway: 'gateway',
  counter: 'counter',
  import: 'imported',
  dispute: 'won dispute',
} as const;

/**
 * What came in and went back on a day, and what is or was in its drawer, as the office shows it
 * under Deposits; `drawer` is null where nothing went through it.
 */
export function depositEmail({
  facilityName,
  deposits: { on, facilities, taken, back },
  drawer,
}: Place & {
  deposits: Deposits;
  drawer: { lines: DrawerLine[]; closedBy: string | null } | null;
}): Email {
  const [facility] = facilities;
  const { takings = [], takenBack = [] } = facility ?? {};
  return {
    subject: `Taken at ${facilityName} on ${formatDate(on)}: ${formatMoney(taken)}`,
    blocks: [
      paragraph(
        `On ${formatDate(on)} ${formatMoney(taken)} came in at ${facilityName}, and ${formatMoney(back)} went back.`,
      ),
      ...(facility === undefined
        ? []
        : [
            facts([
              ...takings.map(({ type, via, payout, count, amount }): Fact => [
                `${depositTypes[type]}, ${vias[via]}${payout === null ? '' : `, paid out ${formatDate(payout.arrivesOn)}`}`,
                `${formatMoney(amount)} (${count})`,
              ]),
              ...takenBack.map(({ type, reason, count, amount }): Fact => [
                `Back: ${depositTypes[type]}, ${reason}`,
                `${formatMoney(amount)} (${count})`,
              ]),
            ]),
          ]),
      ...(drawer === null
        ? []
        : [
            heading('Drawer'),
            facts(
              drawer.lines.map((line): Fact => [
                `${drawerTypes[line.type]} (${line.count})`,
                `${formatMoney(line.expected)} expected: ${drawerSums(line)}${countedText(line)}`,
              ]),
            ),
            paragraph(
              drawer.closedBy === null
                ? 'The day is not closed yet.'
                : `Closed by ${drawer.closedBy}.`,
            ),
          ]),
      action('Open the day', '/office/deposits'),
    ],
  };
}

function countedText({ counted, difference }: DrawerLine): string {
  if (counted === null || difference === null) return '';
  return `; ${formatMoney(counted)} counted: ${overOrShort(difference).toLowerCase()}`;
}

/** The open alarms of a facility, the newest first, each with what to do; `count` are all. */
export function openAlarmsEmail({
  facilityName,
  count,
  alarms,
}: Place & { count: number; alarms: { sentence: string; advice: string }[] }): Email {
  return {
    subject: `${count === 1 ? '1 open alarm' : `${count} open alarms`} at ${facilityName}`,
    blocks: [
      ...alarms.flatMap(({ sentence, advice }): Email['blocks'] => [
        heading(sentence),
        paragraph(advice),
      ]),
      ...more(count - alarms.length, 'alarms'),
      action('Open the alarms', '/office/alarms'),
    ],
  };
}

function rentals(count: number): string {
  return count === 1 ? '1 rental' : `${count} rentals`;
}

function more(count: number, what: string): Email['blocks'] {
  return count <= 0 ? [] : [paragraph(`And ${count} more ${what}.`)];
}
