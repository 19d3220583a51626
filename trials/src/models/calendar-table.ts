import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { lockedOutAdvice } from '@gatehouse/contract/gate-access';
import { nextChargeOf } from '@gatehouse/server/src/features/autopay/next-charge.ts';
import { nextPeriod } from '@gatehouse/server/src/features/billing/periods.ts';
import { daysPastDue, paidThrough } from '@gatehouse/server/src/features/ledgers/rules.ts';

/**
 * One line: the question, the product's answer, and the right answer as read off a wall calendar.
 */
export type Line = { what: string; found: unknown; right: unknown };

/**
 * The due dates of anniversary billing from December 2027 on: through a leap year and into one that
 * is none.
 */
const dueDates: Record<number, string> = {
  28: '2027-12-28 2028-01-28 2028-02-28 2028-03-28 2028-04-28 2028-05-28 2028-06-28 2028-07-28 2028-08-28 2028-09-28 2028-10-28 2028-11-28 2028-12-28 2029-01-28 2029-02-28 2029-03-28',
  29: '2027-12-29 2028-01-29 2028-02-29 2028-03-29 2028-04-29 2028-05-29 2028-06-29 2028-07-29 2028-08-29 2028-09-29 2028-10-29 2028-11-29 2028-12-29 2029-01-29 2029-02-28 2029-03-29',
  30: '2027-12-30 2028-01-30 2028-02-29 2028-03-30 2028-04-30 2028-05-30 2028-06-30 2028-07-30 2028-08-30 2028-09-30 2028-10-30 2028-11-30 2028-12-30 2029-01-30 2029-02-28 2029-03-30',
  31: '2027-12-31 2028-01-31 2028-02-29 2028-03-31 2028-04-30 2028-05-31 2028-06-30 2028-07-31 2028-08-31 2028-09-30 2028-10-31 2028-11-30 2028-12-31 2029-01-31 2029-02-28 2029-03-31',
};

export function anchorLines(): Line[] {
  return Object.entries(dueDates).map(([day, dates]) => {
    const right = dates.split(' ');
    const found = [right[0]!];
    while (found.length < right.length) {
      const { periodEnd, days, ofDays } = nextPeriod('anniversary', Number(day), found.at(-1)!);
      found.push(days === ofDays ? addDays(periodEnd, 1) : `cut short to ${days} of ${ofDays}`);
    }
    return { what: `anniversary on the ${day}th`, found, right };
  });
}

export function periodLines(): Line[] {
  const line = (what: string, found: object, right: object): Line => ({ what, found, right });
  return [
    line(
      'the leap day is a whole day of its month',
      nextPeriod('first_of_month', 1, '2028-02-29'),
      {
        dueOn: '2028-02-29',
        periodEnd: '2028-02-29',
        days: 1,
        ofDays: 29,
      },
    ),
    line('February of a leap year', nextPeriod('first_of_month', 1, '2028-02-01'), {
      dueOn: '2028-02-01',
      periodEnd: '2028-02-29',
      days: 29,
      ofDays: 29,
    }),
    line('28 days over a leap day', nextPeriod('twenty_eight_days', 2, '2028-02-02'), {
      dueOn: '2028-02-02',
      periodEnd: '2028-02-29',
      days: 28,
      ofDays: 28,
    }),
    line('28 days over 28 February', nextPeriod('twenty_eight_days', 2, '2027-02-02'), {
      dueOn: '2027-02-02',
      periodEnd: '2027-03-01',
      days: 28,
      ofDays: 28,
    }),
    line(
      'moved in between anniversaries of the 31st',
      nextPeriod('anniversary', 31, '2028-02-10'),
      {
        dueOn: '2028-02-10',
        periodEnd: '2028-02-28',
        days: 19,
        ofDays: 29,
      },
    ),
  ];
}

/**
 * The domain's own sample: paid through 9/12, a period of 9/13 to 10/12 that is open, the next
 * charge on 10/13.
 */
export function paidThroughLines(): Line[] {
  const charge = (billedThrough: string, today: string) =>
    nextChargeOf({
      today,
      hasRunToday: true,
      balanceCents: 0,
      newestDueOn: null,
      isTakenUp: true,
      waiting: null,
      nextBill: { dueOn: addDays(billedThrough, 1), cents: 100 },
    })?.date;
  return [
    {
      what: 'paid through, one period open',
      found: paidThrough([{ dueOn: '2026-09-13' }], '2026-10-12'),
      right: '2026-09-12',
    },
    {
      what: 'next charge after it',
      found: charge('2026-10-12', '2026-09-20'),
      right: '2026-10-13',
    },
    { what: 'paid through, all paid', found: paidThrough([], '2026-10-12'), right: '2026-10-12' },
    {
      what: 'paid through, the older of two open',
      found: paidThrough([{ dueOn: '2026-10-13' }, { dueOn: '2026-09-13' }], '2026-11-12'),
      right: '2026-09-12',
    },
    {
      what: 'paid through a leap day',
      found: paidThrough([{ dueOn: '2028-03-01' }], '2028-03-31'),
      right: '2028-02-29',
    },
    {
      what: 'next charge after a leap day',
      found: charge('2028-02-29', '2028-02-20'),
      right: '2028-03-01',
    },
    {
      what: 'next charge after 28 February',
      found: charge('2027-02-28', '2027-02-20'),
      right: '2027-03-01',
    },
  ];
}

/**
 * Midnight after the 13th day past due: by UTC, in winter after a due date in summer time, and the
 * reverse.
 */
const midnights: Record<string, [string, string]> = {
  'America/Chicago': ['2026-11-15T06:00:00Z', '2027-03-15T05:00:00Z'],
  'America/Phoenix': ['2026-11-15T07:00:00Z', '2027-03-15T07:00:00Z'],
  'Pacific/Honolulu': ['2026-11-15T10:00:00Z', '2027-03-15T10:00:00Z'],
  'America/New_York': ['2026-11-15T05:00:00Z', '2027-03-15T04:00:00Z'],
  'America/Los_Angeles': ['2026-11-15T08:00:00Z', '2027-03-15T07:00:00Z'],
  'America/Anchorage': ['2026-11-15T09:00:00Z', '2027-03-15T08:00:00Z'],
};
const paidThroughOf = ['2026-10-31', '2027-02-28'];

export function daysPastDueLines(): Line[] {
  return Object.entries(midnights).flatMap(([zone, instants]) =>
    instants.flatMap((instant, index) =>
      [-60_000, -1, 0, 60_000].map((ms) => {
        const today = calendarDateIn(zone, new Date(Date.parse(instant) + ms));
        const days = daysPastDue(paidThroughOf[index]!, true, today);
        const right = ms < 0 ? [13, 'Balance Due!'] : [14, 'Please call facility to resolve!'];
        return {
          what: `days past due, ${zone}, ${ms} ms from ${instant}`,
          found: [days, lockedOutAdvice(days)],
          right,
        };
      }),
    ),
  );
}

/** When a private policy is submitted, the day on which it ends, and whether it is accepted. */
export const policyCases = Object.entries(midnights).flatMap(([zone, [instant]]) => [
  { zone, at: Date.parse(instant) - 1000, coverageEnd: '2026-11-14', isTaken: false },
  { zone, at: Date.parse(instant) - 1000, coverageEnd: '2026-11-15', isTaken: true },
  { zone, at: Date.parse(instant), coverageEnd: '2026-11-15', isTaken: false },
  { zone, at: Date.parse(instant), coverageEnd: '2026-11-16', isTaken: true },
]);
