import { z } from 'zod/mini';
import { calendarDate, namedDay } from './calendar-date.ts';
import { dollars, formatMoney } from './money.ts';
import { field, staffVerb } from './staff-verb.ts';

/** What lies in the drawer of a counter. */
export const drawerTypes = { cash: 'Cash', check: 'Checks', moneyOrder: 'Money orders' } as const;
export type DrawerType = keyof typeof drawerTypes;

/** What was counted, in dollars: 0 or more, to the cent. */
const counted = z.number('Enter what was counted.').check(
  z.gte(0, 'What was counted must be 0 or more.'),
  z.lte(1_000_000, 'What was counted is too large.'),
  z.refine(
    (value) => Number(value.toFixed(2)) === value,
    'What was counted must have at most two decimals.',
  ),
);

/**
 * A type of money in the drawer of a day. `count` are the payments that lie in it: a check that
 * paid several rentals is one. `back` was given back in cash and `mistaken` recorded by mistake, of
 * payments of this day or an earlier one; `expected` is `taken` less both. `counted` is null until
 * the day is closed, `difference` what is over (below 0: short).
 */
export const drawerLine = z.object({
  type: z.enum(Object.keys(drawerTypes) as DrawerType[]),
  count: z.int(),
  taken: dollars,
  back: dollars,
  mistaken: dollars,
  expected: dollars,
  counted: z.nullable(dollars),
  difference: z.nullable(dollars),
});
export type DrawerLine = z.infer<typeof drawerLine>;

/** What `expected` of a line comes from, such as `$340.00 taken, $20.00 given back`. */
export function drawerSums({
  type,
  taken,
  back,
  mistaken,
}: Pick<DrawerLine, 'type' | 'taken' | 'back' | 'mistaken'>): string {
  return [
    `${formatMoney(taken)} taken`,
    ...(type === 'cash' || back > 0 ? [`${formatMoney(back)} given back`] : []),
    ...(mistaken > 0 ? [`${formatMoney(mistaken)} recorded by mistake`] : []),
  ].join(', ');
}

/** What a closed line is over or short, such as `$1.50 short`. */
export function overOrShort(difference: number): string {
  if (difference === 0) return 'Even';
  return `${formatMoney(Math.abs(difference))} ${difference > 0 ? 'over' : 'short'}`;
}

/**
 * `drawers close`: closes a facility's day with what was counted. What is taken or taken back later
 * belongs to the next day. A member who took any of the day's cash closes it only where no other
 * active account of the facility could; a manager may.
 */
export const closeDrawer = staffVerb({
  name: 'drawers.close',
  title: 'Close a day’s drawer',
  summary: 'Closes the drawer of a facility’s day with what was counted',
  role: 'clerk',
  isReasonNeeded: true,
  isByAccount: true,
  body: z.object({
    on: namedDay('The day must be like 2026-11-24.').check(z.describe('the day that is closed')),
    cash: field(counted, { title: 'Cash counted', unit: 'dollars' }),
    check: field(counted, { title: 'Checks counted', unit: 'dollars' }),
    moneyOrder: field(counted, { title: 'Money orders counted', unit: 'dollars' }),
  }),
  reply: z.object({
    locationCode: z.string(),
    on: calendarDate,
    lines: z.array(drawerLine),
    /** What is over in all; below 0: short. */
    difference: dollars,
  }),
  example: {
    locationCode: 'TXDFW03',
    on: '2026-11-24',
    lines: [
      {
        type: 'cash',
        count: 2,
        taken: 340,
        back: 20,
        mistaken: 0,
        expected: 320,
        counted: 318.5,
        difference: -1.5,
      },
    ],
    difference: -1.5,
  },
});
