import { addDays, calendarDateIn, daysBetween } from '@gatehouse/contract/dates';
import { SOON_DAYS } from '@gatehouse/contract/vehicle-papers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REMINDER_DAYS, reminderStep } from './reminder-step.ts';

const ZONES = [
  'America/Chicago',
  'America/Phoenix',
  'Pacific/Honolulu',
  'America/New_York',
  'America/Los_Angeles',
  'America/Anchorage',
];

const filedOn = '2026-01-01';
const step = (expiresOn: string, today: string, filed = filedOn) =>
  reminderStep({ expiresOn, filedOn: filed }, today);

test.each([
  ['2026-10-31', null],
  ['2026-11-01', 60],
  ['2026-11-30', 60],
  ['2026-12-01', 30],
  ['2026-12-23', 30],
  ['2026-12-24', 7],
  ['2026-12-31', 7],
  ['2027-01-01', null],
])('of a paper that expires on 12/31/2026 the reminder of %s is %s', (today, days) => {
  expect(step('2026-12-31', today)).toBe(days);
});

test('the first reminder is on the day from which on a paper expires soon', () => {
  expect(Math.max(...REMINDER_DAYS)).toBe(SOON_DAYS);
});

test('a reminder whose day was over, or came, when the paper was filed is left out', () => {
  expect(step('2026-12-31', '2026-11-20', '2026-11-01')).toBeNull();
  expect(step('2026-12-31', '2026-12-01', '2026-11-30')).toBe(30);
  expect(step('2026-12-31', '2026-12-05', '2026-12-01')).toBeNull();
  expect(step('2026-12-31', '2026-12-24', '2026-12-01')).toBe(7);
});

/** Days of a facility's calendar from the filing on, and which of them have a run. */
const life = fc.record({
  zone: fc.constantFrom(...ZONES),
  filedAt: fc.date({
    min: new Date('2026-01-01T00:00:00Z'),
    max: new Date('2028-03-31T00:00:00Z'),
    noInvalidDate: true,
  }),
  validFor: fc.integer({ min: 0, max: 150 }),
  missed: fc.uniqueArray(fc.integer({ min: 0, max: 160 }), { maxLength: 40 }),
});

// spec 10.21
test('in six zones each reminder goes out once at most, on the first run of its days and never in another’s', () => {
  fc.assert(
    fc.property(life, ({ zone, filedAt, validFor, missed }) => {
      const filed = calendarDateIn(zone, filedAt);
      const expiresOn = addDays(filed, validFor);
      const sent = new Map<number, string>();
      const runs = Array.from({ length: 161 }, (_, nth) => nth).filter(
        (nth) => !missed.includes(nth),
      );
      for (const nth of runs) {
        const today = addDays(filed, nth);
        const days = reminderStep({ expiresOn, filedOn: filed }, today);
        // As the primary key of the reminders.
        if (days !== null && !sent.has(days)) sent.set(days, today);
      }
      for (const [place, days] of REMINDER_DAYS.entries()) {
        const from = validFor - days;
        const until = place === 0 ? validFor : validFor - REMINDER_DAYS[place - 1]! - 1;
        const first = runs.find((nth) => nth >= from && nth <= until);
        const isDue = from > 0 && first !== undefined;
        expect(sent.get(days)).toBe(isDue ? addDays(filed, first) : undefined);
      }
      for (const on of sent.values()) expect(daysBetween(on, expiresOn)).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 2000 },
  );
});
