import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NotEnforced } from '#features/base/ledgers/owed-since.ts';
import { nextChargeOf, problemOf, type Standing } from './next-charge.ts';

const paid: Standing = {
  today: '2026-11-21',
  hasRunToday: true,
  balanceCents: 0,
  notEnforcedCents: 0,
  enforcedLater: [],
  newestDueOn: '2026-11-14',
  isTakenUp: true,
  waiting: null,
  nextBill: { dueOn: '2026-12-14', cents: 19_300 },
};

const again = { balanceCents: 15_000, notEnforcedCents: 10_000 };

describe('the next charge', () => {
  test.each<[string, Partial<Standing>, { date: string; cents: number } | null]>([
    [
      'after a leap day is due on 1 March',
      { today: '2028-02-20', nextBill: { dueOn: '2028-03-01', cents: 100 } },
      { date: '2028-03-01', cents: 100 },
    ],
    ['with nothing owed is the next bill in full', {}, { date: '2026-12-14', cents: 19_300 }],
    [
      'takes a credit off the bill',
      { balanceCents: -5_000 },
      { date: '2026-12-14', cents: 14_300 },
    ],
    [
      'is nothing where the credit covers the bill',
      { balanceCents: -20_000 },
      { date: '2026-12-14', cents: 0 },
    ],
    [
      'of what is owed comes with tomorrow’s run where today’s is over',
      { balanceCents: 20_000, isTakenUp: false },
      { date: '2026-11-22', cents: 20_000 },
    ],
    [
      'of what is owed comes today where the run is still to come',
      { balanceCents: 20_000, isTakenUp: false, hasRunToday: false },
      { date: '2026-11-21', cents: 20_000 },
    ],
    [
      'after a decline is the next try, for no more than failed',
      { balanceCents: 22_000, waiting: { tryOn: '2026-11-24', cents: 20_000 } },
      { date: '2026-11-24', cents: 20_000 },
    ],
    [
      'after a decline that was partly paid is what is left',
      { balanceCents: 9_500, waiting: { tryOn: '2026-11-24', cents: 7_000 } },
      { date: '2026-11-24', cents: 7_000 },
    ],
    [
      'of a try whose day has passed comes with the next run',
      { balanceCents: 20_000, waiting: { tryOn: '2026-11-19', cents: 20_000 } },
      { date: '2026-11-22', cents: 20_000 },
    ],
    [
      'after a try that is paid by hand is the next bill',
      { balanceCents: 0, waiting: { tryOn: '2026-11-24', cents: 20_000 } },
      { date: '2026-12-14', cents: 19_300 },
    ],
    [
      'takes what has failed for good with the next bill',
      { balanceCents: 20_000 },
      { date: '2026-12-14', cents: 39_300 },
    ],
    [
      'takes what is owed with a bill that comes first',
      { balanceCents: 20_000, waiting: { tryOn: '2026-12-14', cents: 20_000 } },
      { date: '2026-12-14', cents: 39_300 },
    ],
    [
      'of a bill that is overdue comes with the next run',
      { nextBill: { dueOn: '2026-11-20', cents: 19_300 } },
      { date: '2026-11-22', cents: 19_300 },
    ],
    [
      'takes what was opened again from its day on',
      { ...again, enforcedLater: [{ from: '2026-12-14', cents: 0 }] },
      { date: '2026-12-14', cents: 34_300 },
    ],
    [
      'leaves out what was opened again and is given until later',
      { ...again, enforcedLater: [{ from: '2026-12-15', cents: 0 }] },
      { date: '2026-12-14', cents: 24_300 },
    ],
    ['is none where nothing is billed any more', { nextBill: null }, null],
  ])('%s', (_, part, expected) => {
    expect(nextChargeOf({ ...paid, ...part })).toEqual(expected);
  });

  test('is never before the next run and never below nothing', () => {
    const day = fc
      .integer({ min: 1, max: 28 })
      .map((of) => `2026-11-${String(of).padStart(2, '0')}`);
    const standing = fc.record({
      today: day,
      hasRunToday: fc.boolean(),
      balanceCents: fc.integer({ min: -50_000, max: 50_000 }),
      notEnforcedCents: fc.constant(0),
      enforcedLater: fc.constant<NotEnforced[]>([]),
      newestDueOn: fc.option(day),
      isTakenUp: fc.boolean(),
      waiting: fc.option(fc.record({ tryOn: day, cents: fc.integer({ min: 0, max: 50_000 }) })),
      nextBill: fc.option(fc.record({ dueOn: day, cents: fc.integer({ min: 0, max: 50_000 }) })),
    });
    fc.assert(
      fc.property(standing, (any) => {
        const ofWaiting = Math.min(any.waiting?.cents ?? 0, Math.max(0, any.balanceCents));
        const of = { ...any, waiting: any.waiting && { ...any.waiting, cents: ofWaiting } };
        const charge = nextChargeOf(of);
        if (charge === null) return;
        expect(charge.cents).toBeGreaterThanOrEqual(0);
        expect(charge.date >= of.today && !(of.hasRunToday && charge.date === of.today)).toBe(true);
        expect(charge.cents).toBeLessThanOrEqual(
          Math.max(0, of.balanceCents + (of.nextBill?.cents ?? 0)),
        );
      }),
    );
  });
});

describe('what keeps autopay from charging', () => {
  const fine = { hasMandate: true, isRefused: false, isOnHold: false, expiresOn: '2028-04' };
  const charge = { date: '2026-12-14', cents: 19_300 };
  test.each([
    ['nothing', {}, null],
    ['a bank account, which does not expire', { expiresOn: null }, null],
    ['a card that holds to the end of the month of the charge', { expiresOn: '2026-12' }, null],
    [
      'a card that ends before the charge',
      { expiresOn: '2026-11' },
      /^Your card expires before the next charge/,
    ],
    ['a card that has ended', { expiresOn: '2026-10' }, /^Your card has expired/],
    ['no authorization', { hasMandate: false }, /no authorization on file/],
    ['a method that was refused for good', { isRefused: true }, /^Your bank refused/],
    ['a hold', { isOnHold: true }, /Please call your facility/],
  ])('%s', (_, part, sentence) => {
    const problem = problemOf({ ...fine, ...part }, charge, '2026-11-21');
    if (sentence === null) expect(problem).toBeNull();
    else expect(problem).toMatch(sentence);
  });
});
