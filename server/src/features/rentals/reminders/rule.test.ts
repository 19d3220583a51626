import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import {
  GATE_DAYS,
  RENT_DAYS,
  reminderKinds,
  type ReminderKind,
} from '@gatehouse/contract/reminders';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reminderOf, type Fact, type Standing } from './rule.ts';

const ZONES = [
  'America/Chicago',
  'America/Phoenix',
  'Pacific/Honolulu',
  'America/New_York',
  'America/Los_Angeles',
  'America/Anchorage',
];

const DUE = '2026-12-01';
const none: Standing = {
  balanceCents: 0,
  paysByAutopay: false,
  nextBill: null,
  isRentDueToday: false,
  gate: null,
  leastCents: 50,
  stopped: [],
  earlier: [],
};
const nextBill = { dueOn: DUE, cents: 15_000 };
const owing: Standing = { ...none, balanceCents: 15_000, isRentDueToday: true };
const soon = (more: Partial<Standing> = {}, today = '2026-11-26') =>
  reminderOf({ ...none, nextBill, ...more }, today);
const of = (kind: ReminderKind, on: string): Fact => ({ kind, on });

describe('rent that is due soon', () => {
  test.each([
    ['2026-11-25', null],
    ['2026-11-26', DUE],
    ['2026-11-30', DUE],
    ['2026-12-01', null],
  ])('is reminded of from five days before its due date on: on %s %s', (today, on) => {
    expect(soon({}, today)?.facts[0].on ?? null).toBe(on);
  });

  test('has the sum of the bill with what is owed, or less a credit', () => {
    expect(soon()?.cents).toBe(15_000);
    expect(soon({ balanceCents: 2_500 })?.cents).toBe(17_500);
    expect(soon({ balanceCents: -5_000 })?.cents).toBe(10_000);
  });

  test.each([
    ['autopay takes it', { paysByAutopay: true }],
    ['it is prepaid', { balanceCents: -15_000 }],
    ['more than it is prepaid', { balanceCents: -40_000 }],
    ['so little is left of it that it cannot be paid online', { balanceCents: -14_999 }],
    ['no bill is to come', { nextBill: null }],
    ['the tenant has stopped these', { stopped: ['rent_soon'] as ReminderKind[] }],
    ['it was sent before', { earlier: [{ ...of('rent_soon', DUE), remindedOn: '2026-11-25' }] }],
  ])('is not reminded of where %s', (_, more) => {
    expect(soon(more)).toBeNull();
  });
});

describe('rent that is due today', () => {
  const today = DUE;

  test('is reminded of with all that is owed', () => {
    expect(reminderOf({ ...owing, balanceCents: 18_000 }, today)).toEqual({
      facts: [of('rent_today', DUE)],
      cents: 18_000,
    });
  });

  test('is not where it is paid, autopay takes it, or the tenant has stopped these', () => {
    for (const more of [
      { balanceCents: 0, isRentDueToday: false },
      { paysByAutopay: true },
      { stopped: ['rent_today'] as ReminderKind[] },
    ])
      expect(reminderOf({ ...owing, ...more }, today)).toBeNull();
  });

  test('is about the gate too where that is suspended within two days', () => {
    const gate = of('gate_soon', '2026-12-02');
    const payBy = { date: DUE, cents: 15_000 };
    expect(reminderOf({ ...owing, gate: payBy }, today)?.facts).toEqual([
      of('rent_today', DUE),
      gate,
    ]);
    const stopped: ReminderKind[] = ['rent_today'];
    expect(reminderOf({ ...owing, gate: payBy, stopped }, today)?.facts).toEqual([gate]);
    expect(reminderOf({ ...owing, gate: { ...payBy, date: '2026-12-04' } }, today)?.facts).toEqual([
      of('rent_today', DUE),
    ]);
  });
});

describe('a gate that is about to be suspended', () => {
  const debt: Standing = {
    ...none,
    balanceCents: 15_000,
    gate: { date: '2026-12-05', cents: 15_000 },
  };

  test.each([
    ['2026-12-03', null],
    ['2026-12-04', '2026-12-06'],
    ['2026-12-05', '2026-12-06'],
  ])('is reminded of from two days before on: on %s %s', (today, on) => {
    expect(reminderOf(debt, today)?.facts[0].on ?? null).toBe(on);
  });

  test('is reminded of with autopay too, which has not taken what is owed', () => {
    expect(reminderOf({ ...debt, paysByAutopay: true }, '2026-12-04')?.cents).toBe(15_000);
  });

  test('comes before the next rent, which is reminded of on the next day', () => {
    const next = { ...debt, nextBill: { dueOn: '2026-12-08', cents: 15_000 } };
    const first = reminderOf(next, '2026-12-04')!.facts[0];
    expect(first.kind).toBe('gate_soon');
    const earlier = [{ ...first, remindedOn: '2026-12-04' }];
    expect(reminderOf({ ...next, earlier }, '2026-12-04')).toBeNull();
    expect(reminderOf({ ...next, earlier }, '2026-12-05')?.facts).toEqual([
      of('rent_soon', '2026-12-08'),
    ]);
  });
});

/** A rental by the days of its facility: bills, payments, autopay, and the days without a run. */
const life = fc.record({
  zone: fc.constantFrom(...ZONES),
  from: fc.date({
    min: new Date('2026-01-01T00:00:00Z'),
    max: new Date('2028-03-31T00:00:00Z'),
    noInvalidDate: true,
  }),
  graceDays: fc.integer({ min: 0, max: 12 }),
  paidAfter: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 4, maxLength: 4 }),
  missed: fc.uniqueArray(fc.integer({ min: 0, max: 120 }), { maxLength: 30 }),
  stopped: fc.uniqueArray(fc.constantFrom(...reminderKinds), { maxLength: 2 }),
});

// spec 10.27
test('in six zones each fact has one mail at most, none after payment, one a day, and all that had a run', () => {
  fc.assert(
    fc.property(life, ({ zone, from, graceDays, paidAfter, missed, stopped }) => {
      const first = calendarDateIn(zone, from);
      const dueDays = paidAfter.map((_, month) => addDays(first, month * 30));
      const sent = new Map<string, string>();
      const earlier: Standing['earlier'] = [];
      for (let day = 0; day <= 120; day += 1) {
        const today = addDays(first, day);
        const open = dueDays.filter(
          (due, nth) => due <= today && today < addDays(due, paidAfter[nth]!),
        );
        const [oldest] = open;
        const suspendsOn = oldest === undefined ? null : addDays(oldest, graceDays);
        const nextDue = dueDays.find((due) => due > today);
        const standing: Standing = {
          ...none,
          balanceCents: open.length * 10_000,
          isRentDueToday: open.includes(today),
          gate:
            suspendsOn === null || suspendsOn <= today
              ? null
              : { date: addDays(suspendsOn, -1), cents: 15_000 },
          nextBill: nextDue === undefined ? null : { dueOn: nextDue, cents: 10_000 },
          stopped,
          earlier,
        };
        if (missed.includes(day)) continue;
        const reminder = reminderOf(standing, today);
        if (reminder === null) continue;
        const [{ kind }] = reminder.facts;
        expect(stopped).not.toContain(kind);
        expect([...sent.values()]).not.toContain(today);
        if (kind !== 'rent_soon') expect(open.length).toBeGreaterThan(0);
        for (const fact of reminder.facts) {
          const key = `${fact.kind} ${fact.on}`;
          expect(sent.has(key)).toBe(false);
          sent.set(key, today);
          earlier.push({ ...fact, remindedOn: today });
          expect(fact.on >= today).toBe(true);
          const most = { rent_soon: RENT_DAYS, rent_today: 0, gate_soon: GATE_DAYS }[fact.kind];
          expect(addDays(fact.on, -most) <= today).toBe(true);
        }
      }
      for (const [nth, due] of dueDays.entries()) {
        const isRun = !missed.includes(nth * 30);
        const isWanted = !stopped.includes('rent_today') && paidAfter[nth]! > 0;
        expect(sent.has(`rent_today ${due}`)).toBe(isRun && isWanted);
      }
    }),
    { numRuns: 500 },
  );
});
