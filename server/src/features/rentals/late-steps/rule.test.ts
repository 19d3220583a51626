import { addDays } from '@gatehouse/contract/dates';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSuspended, payBy, type GateDebt } from '#features/service/gate-access/suspension.ts';
import { lateSteps, type LateFacts } from './rule.ts';

const DUE = '2026-11-14';
const debt: GateDebt = {
  balanceCents: 20_000,
  notEnforcedCents: 0,
  enforcedLater: [],
  owedSince: DUE,
  waitingCents: null,
  waitingSince: null,
  isOverlocked: false,
  lateFrom: null,
  graceDays: 10,
  leastCents: 1,
};
const facts: LateFacts = {
  dueOn: DUE,
  owedFrom: DUE,
  debt,
  overlockedOn: null,
  isOnHold: false,
  reminders: [
    { on: '2026-11-09', isDone: true },
    { on: '2026-11-22', isDone: false },
  ],
  fees: [{ on: '2026-11-19', isDone: true, cents: 2_000 }],
  noticedOn: [],
  letteredOn: [],
};
const said = (more: Partial<LateFacts>, today: string) =>
  lateSteps({ ...facts, ...more }, today).map(
    ({ kind, on, isDone }) => `${isDone ? 'done' : 'coming'} ${kind} ${on}`,
  );

test('the steps of a rental are in order of their days, with what is done and what is to come', () => {
  expect(said({}, '2026-11-20')).toEqual([
    'done reminder 2026-11-09',
    'done due 2026-11-14',
    'done fee 2026-11-19',
    'coming letter 2026-11-20',
    'coming reminder 2026-11-22',
    'coming gate 2026-11-24',
  ]);
  expect(said({ noticedOn: ['2026-11-20'], reminders: [] }, '2026-11-25')).toEqual([
    'done due 2026-11-14',
    'done fee 2026-11-19',
    'done notice 2026-11-20',
    'done gate 2026-11-24',
  ]);
});

test('a hold takes the letter, a debt too small to lock the gate its step', () => {
  const small = { ...debt, leastCents: 30_000 };
  expect(said({ isOnHold: true, debt: small, fees: [], reminders: [] }, '2026-11-20')).toEqual([
    'done due 2026-11-14',
  ]);
});

test('a gate that was locked by hand is locked since that day, whatever is owed later', () => {
  const steps = said({ owedFrom: '2026-12-14', overlockedOn: '2026-11-18' }, '2026-11-20');
  expect(steps).toContain('done gate 2026-11-18');
});

const days = fc.integer({ min: -40, max: 40 }).map((count) => addDays(DUE, count));
const some = fc.record({
  today: days,
  graceDays: fc.integer({ min: 0, max: 30 }),
  lateFrom: fc.option(days),
  fees: fc.array(days, { maxLength: 3 }),
  notices: fc.array(days, { maxLength: 3 }),
  isOnHold: fc.boolean(),
});

test('whatever the settings, days are in order, done ones are past, and the gate is as payBy says', () => {
  fc.assert(
    fc.property(some, ({ today, graceDays, lateFrom, fees, notices, isOnHold }) => {
      const owing = { ...debt, graceDays, lateFrom, owedSince: graceDays > 0 ? DUE : null };
      const steps = lateSteps(
        {
          ...facts,
          debt: owing,
          isOnHold,
          reminders: [],
          fees: fees.map((on) => ({ on, isDone: on <= today, cents: 100 })),
          noticedOn: notices.filter((on) => on > DUE && on <= today),
        },
        today,
      );
      const on = steps.map((step) => step.on!);
      expect(on).toEqual(on.toSorted());
      for (const step of steps)
        expect(step.isDone ? step.on! <= today : step.on! >= today).toBe(true);
      const gate = steps.find(({ kind }) => kind === 'gate')!;
      if (today < DUE) return;
      expect(gate.isDone).toBe(isSuspended(owing, today));
      if (!gate.isDone) expect(addDays(gate.on!, -1)).toBe(payBy(owing, today)!.date);
      else expect(isSuspended(owing, gate.on!)).toBe(true);
    }),
  );
});
