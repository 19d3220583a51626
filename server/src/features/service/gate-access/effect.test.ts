import { expect, test } from 'vitest';
import { gateEffect } from './effect.ts';
import type { GateDebt } from './suspension.ts';

const TODAY = '2026-11-20';
/** By default: anything owed closes the gate at once. */
const debt = (part: Partial<GateDebt>): GateDebt => ({
  notEnforcedCents: 0,
  enforcedLater: [],
  balanceCents: 2500,
  owedSince: null,
  waitingCents: null,
  waitingSince: null,
  isOverlocked: false,
  lateFrom: null,
  graceDays: 0,
  leastCents: 1,
  ...part,
});
const effectOf = (before: Partial<GateDebt>, after: Partial<GateDebt>) => {
  const found = gateEffect(debt(before), debt(after), TODAY);
  return [found?.effect, found?.sentence];
};

test('the gate closes at once where anything owed closes it, until all of it is paid', () => {
  expect(effectOf({ balanceCents: 0 }, {})).toEqual([
    'closes',
    'The gate closes at once. It opens again once $25.00 is paid.',
  ]);
});

test('from the facility’s sum on, it opens below it', () => {
  const leastCents = 5000;
  expect(effectOf({ leastCents }, { leastCents, balanceCents: 4999 })).toEqual([
    'none',
    'The gate stays open.',
  ]);
  expect(effectOf({ leastCents }, { leastCents, balanceCents: 5000 })).toEqual([
    'closes',
    'The gate closes at once. It opens again once less than $50.00 is owed.',
  ]);
});

test('with days of grace it closes on the day after them, unless it is paid before', () => {
  const graceDays = 5;
  const before = { graceDays, balanceCents: 0 };
  expect(effectOf(before, { graceDays, owedSince: TODAY })).toEqual([
    'closesLater',
    'The gate stays open, and closes on 11/25/2026 unless $25.00 is paid before.',
  ]);
  const older = { graceDays, owedSince: '2026-11-18' };
  expect(effectOf(older, { ...older, balanceCents: 5000 })).toEqual([
    'none',
    'The gate stays open, and closes on 11/23/2026 unless $50.00 is paid before.',
  ]);
  // What is owed for long enough was too little.
  const old = { graceDays, leastCents: 3000, owedSince: '2026-11-01' };
  expect(effectOf(old, { ...old, balanceCents: 3000 })[0]).toBe('closes');
});

test('one that is closed stays closed until everything that closes it is gone', () => {
  expect(effectOf({}, { balanceCents: 5000 })).toEqual([
    'staysClosed',
    'The gate is closed already and stays closed. It opens again once $50.00 is paid.',
  ]);
  const isOverlocked = true;
  expect(effectOf({ isOverlocked, balanceCents: 0 }, { isOverlocked })[1]).toMatch(
    /It opens again once \$25\.00 is paid and staff release the lock\.$/,
  );
  const locked = { isOverlocked, leastCents: 5000 };
  expect(effectOf(locked, locked)[1]).toMatch(/It opens again once staff release the lock\.$/);
  const waiting = { waitingCents: 10_000 };
  expect(effectOf({ ...waiting, balanceCents: 0 }, waiting)[1]).toMatch(
    /once \$25\.00 is paid and the bank payments that are pending have settled\.$/,
  );
  expect(effectOf({ ...waiting, leastCents: 5000 }, { ...waiting, leastCents: 5000 })[1]).toMatch(
    /It opens again once the bank payments that are pending have settled\.$/,
  );
});

test('what an act of ours opened again is neither asked for before its day nor forgotten', () => {
  const later = [{ from: '2026-11-30', cents: 0 }];
  const again = { balanceCents: 12_500, notEnforcedCents: 10_000, enforcedLater: later };
  expect(effectOf({ ...again, balanceCents: 10_000 }, again)).toEqual([
    'closes',
    'The gate closes at once. It opens again once $25.00 is paid.',
  ]);
  const all = { ...again, balanceCents: 10_000 };
  expect(effectOf({ balanceCents: 0 }, all)).toEqual([
    'closesLater',
    'The gate stays open, and closes on 11/30/2026 unless $100.00 is paid before.',
  ]);
});

test('of a rental that has not begun or has ended nothing is said', () => {
  expect(gateEffect(null, debt({}), TODAY)).toBeNull();
  expect(gateEffect(debt({}), null, TODAY)).toBeNull();
});
