import { z } from 'zod/mini';
import { calendarDate } from './calendar-date.ts';
import { addDays, formatDate } from './dates.ts';
import { gateCode } from './gate-code.ts';
import { dollars, formatMoney, paymentAmount } from './money.ts';
import { field, rentalId, staffVerb, touchedLedger } from './staff-verb.ts';

const ledgerId = '3f0c8a52-77f4-4b0e-9a64-0d5e1c2b3a49';

export const taxWords = {
  title: 'Taxes on rent',
  names: { charged: 'Charged', none: 'Not charged' },
};

/** The scheduled change whose place another one takes; absent where there is none. */
export const replacedRate = z.optional(z.object({ to: dollars, on: calendarDate }));

/** What the preview of a change says besides its rent and its day, of one rental as of many. */
export function rateNotes({
  replaced,
  paidAheadThrough,
}: {
  replaced?: z.output<typeof replacedRate>;
  paidAheadThrough?: string | undefined;
}): string[] {
  return [
    ...(replaced
      ? [`It replaces ${formatMoney(replaced.to)} from ${formatDate(replaced.on)}.`]
      : []),
    ...(paidAheadThrough
      ? [
          `The months through ${formatDate(paidAheadThrough)} are paid ahead and keep their rent: it rises on ${formatDate(addDays(paidAheadThrough, 1))}.`,
        ]
      : []),
  ];
}

/**
 * `rentals rate`: another rent from the first bill on that is due on `on` or later; it takes the
 * place of a change that is scheduled. A rise needs its notice, as many days before as the facility
 * asks, and the notice is mailed at once. A rise begins after the months that are paid ahead.
 * `cancel` takes the scheduled change back, and mails that where the tenant was notified of it.
 */
export const changeRate = staffVerb({
  name: 'rentals.rate',
  title: 'Change a rent, or cancel it',
  summary: 'Schedules another rent and mails its notice, or takes a scheduled one back',
  role: 'manager',
  isReasonNeeded: true,
  body: z
    .object({
      ledgerId: rentalId,
      amount: field(z.optional(paymentAmount), {
        title: 'New rent',
        unit: 'dollars',
        isNeeded: true,
      }),
      on: field(z.optional(calendarDate), {
        title: 'From',
        description: 'It applies from the first bill that is due on this day or later.',
        isNeeded: true,
      }),
      cancel: z.optional(z.boolean().check(z.describe('cancel the scheduled change'))),
    })
    .check(
      z.refine(
        ({ amount, on, cancel = false }) =>
          (amount === undefined) === cancel && (on === undefined) === cancel,
        'Give an amount and a day, or cancel the change.',
      ),
    ),
  reply: z.object({
    from: dollars,
    to: dollars,
    on: calendarDate,
    isCancelled: z.boolean(),
    replaced: replacedRate,
    /** The last day of what is paid ahead, where the rise waits for that. */
    paidAheadThrough: z.optional(calendarDate),
    /** The first bill at the new rent, as it looks today; null where the change is cancelled. */
    firstBill: z.nullable(z.object({ dueOn: calendarDate, total: dollars })),
    ledgers: z.array(touchedLedger),
  }),
  example: {
    from: 200,
    to: 215,
    on: '2027-01-01',
    isCancelled: false,
    firstBill: { dueOn: '2027-01-14', total: 215 },
    ledgers: [{ ledgerId, unitName: 'A101', balance: 0 }],
  },
  says: ({ from, to, on, isCancelled, replaced, paidAheadThrough, firstBill }) =>
    isCancelled
      ? [`The rent stays ${formatMoney(to)}.`]
      : [
          `From ${formatMoney(from)} to ${formatMoney(to)}, from ${formatDate(on)} on.`,
          ...rateNotes({ replaced, paidAheadThrough }),
          ...(firstBill
            ? [`First bill: ${formatMoney(firstBill.total)} on ${formatDate(firstBill.dueOn)}.`]
            : []),
        ],
});

/**
 * `rentals tax`: whether the facility's taxes on rent are charged, from the first bill on that is
 * due on `on` or later. What is billed already stays; it is corrected by a charge or a waiver.
 */
export const changeTax = staffVerb({
  name: 'rentals.tax',
  title: 'Change the tax of a rental',
  summary: 'Says whether taxes on rent are charged from a day on',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({
    ledgerId: rentalId,
    taxes: field(z.enum(['charged', 'none']), taxWords),
    on: field(calendarDate, {
      title: 'From',
      description: 'It applies from the first bill that is due on this day or later.',
    }),
  }),
  reply: z.object({
    isTaxed: z.boolean(),
    on: calendarDate,
    /** The first bill that is due on the day or later, as it looks today; null for none. */
    firstBill: z.nullable(z.object({ dueOn: calendarDate, before: dollars, total: dollars })),
    /** By how much the bills through a day rise that are paid ahead. */
    paidAhead: z.optional(z.object({ through: calendarDate, more: dollars })),
    ledgers: z.array(touchedLedger),
  }),
  example: {
    isTaxed: true,
    on: '2026-12-01',
    firstBill: { dueOn: '2026-12-14', before: 200, total: 216.5 },
    ledgers: [{ ledgerId, unitName: 'A101', balance: 0 }],
  },
  says: ({ isTaxed, on, firstBill, paidAhead }) => [
    `${isTaxed ? 'With' : 'Without'} the facility’s taxes on rent from ${formatDate(on)} on.`,
    ...(firstBill
      ? [
          `First bill: ${formatMoney(firstBill.total)} on ${formatDate(firstBill.dueOn)}, instead of ${formatMoney(firstBill.before)}.`,
        ]
      : []),
    ...(paidAhead
      ? [
          `The months through ${formatDate(paidAhead.through)} are paid ahead: ${formatMoney(paidAhead.more)} more will be owed for them.`,
        ]
      : []),
  ],
});

const lockReply = z.object({ isOverlocked: z.boolean(), ledgers: z.array(touchedLedger) });
const lockExample = { isOverlocked: true, ledgers: [{ ledgerId, unitName: 'A101', balance: 0 }] };

/**
 * `rentals overlock`: locks a unit by hand, whatever is owed: no code, and the tenant is asked to
 * call. Autopay stays.
 */
export const overlock = staffVerb({
  name: 'rentals.overlock',
  title: 'Overlock',
  summary: 'Locks a unit by hand, whatever is owed',
  role: 'clerk',
  isReasonNeeded: false,
  body: z.object({ ledgerId: rentalId }),
  reply: lockReply,
  example: lockExample,
  says: (_, isDone) => [isDone ? 'The unit is locked.' : 'The unit will be locked.'],
});

/** `rentals release`: takes the lock by hand off; what is owed may lock the unit all the same. */
export const release = staffVerb({
  name: 'rentals.release',
  title: 'Release a lock',
  summary: 'Takes the lock by hand off a unit',
  role: 'clerk',
  isReasonNeeded: false,
  body: z.object({ ledgerId: rentalId }),
  reply: lockReply,
  example: { ...lockExample, isOverlocked: false },
  says: (_, isDone) => [isDone ? 'The lock is off.' : 'The lock will be taken off.'],
});

/** What a hold stops, in words. */
export const HOLD_STOPS =
  'While it is on hold the rental is billed as before, but autopay does not charge it, no late fee is posted and no late notice is mailed or printed.';

const holdReply = z.object({
  isOnHold: z.boolean(),
  /** The first day that is not on hold; null until staff end it. */
  until: z.nullable(calendarDate),
  ledgers: z.array(touchedLedger),
});
const holdExample = {
  isOnHold: true,
  until: '2026-12-15',
  ledgers: [{ ledgerId, unitName: 'A101', balance: 214.5 }],
};

/**
 * `rentals hold`: stops what is done because a rental is late (`HOLD_STOPS`), until a day or until
 * staff end it. A rental that is on hold gets the new day and reason. The reason is demanded.
 */
export const hold = staffVerb({
  name: 'rentals.hold',
  title: 'Hold a rental',
  summary: 'Puts a rental on hold: no autopay, late fee or late notice',
  role: 'manager',
  isReasonNeeded: 'everywhere',
  body: z.object({
    ledgerId: rentalId,
    until: field(z.optional(calendarDate), {
      title: 'Until, the first day that is not on hold',
      description: 'Until you end it unless a day is named.',
    }),
  }),
  reply: holdReply,
  example: holdExample,
  says: ({ until, ledgers }, isDone) => [
    `${ledgers[0]?.unitName ?? ''} ${isDone ? 'is' : 'will be'} on hold until ${until === null ? 'you end it' : formatDate(until)}.`,
  ],
});

/** `rentals end-hold`: from the next day of the facility on what is late counts again. */
export const endHold = staffVerb({
  name: 'rentals.endHold',
  title: 'End a hold',
  summary: 'Ends the hold of a rental',
  role: 'manager',
  isReasonNeeded: true,
  body: z.object({ ledgerId: rentalId }),
  reply: holdReply,
  example: { ...holdExample, isOnHold: false, until: null },
  says: ({ ledgers }, isDone) => [
    `${ledgers[0]?.unitName ?? ''} ${isDone ? 'is' : 'will be'} no longer on hold.`,
  ],
});

/**
 * `rentals change-code`: another gate code, as after a returned payment or where a code got about.
 * The old one stops at once in the portal, and at the gate with the next push. The tenant is mailed
 * that it has changed; the code is in no mail and in no answer.
 */
export const changeCode = staffVerb({
  name: 'rentals.changeCode',
  title: 'Change a gate code',
  summary: 'Gives a rental another gate code',
  role: 'manager',
  isReasonNeeded: false,
  body: z.object({
    ledgerId: rentalId,
    gateCode: field(z.optional(gateCode), {
      title: 'New code',
      description: 'A random one unless one is named.',
    }),
  }),
  reply: z.object({ ledgers: z.array(touchedLedger) }),
  example: { ledgers: [{ ledgerId, unitName: 'A101', balance: 0 }] },
  says: (_, isDone) => [isDone ? 'The code is changed.' : 'The code will be changed.'],
});
