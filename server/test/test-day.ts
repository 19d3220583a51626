import { clockOf, type Clock } from '#adapters/clock.ts';

/** The day on which every run of tests begins, in the time zone of every demo facility. */
export const TEST_DAY = '2026-11-25';

/** The instant at which it begins: noon at TXDFW03, far from every midnight. */
const TEST_DAY_BEGINS = Date.parse('2026-11-25T18:00:00Z');

/**
 * How far the clock of the run is ahead of the machine's, in milliseconds. The first process of the
 * run decides, and the others inherit it, so that all of them and the templates share one time.
 */
export function testClockShift(): number {
  process.env['TEST_CLOCK_SHIFT_MS'] ??= String(TEST_DAY_BEGINS - Date.now());
  return Number(process.env['TEST_CLOCK_SHIFT_MS']);
}

/** The clock of the run: begins at noon of the test day, whatever the machine's calendar says. */
export const testClock: Clock = clockOf({ clockShiftMs: testClockShift() });

/** The instant `ms` after the present of the run, or before it where that is negative. */
export function fromNow(ms: number): Date {
  return new Date(testClock.now().getTime() + ms);
}
