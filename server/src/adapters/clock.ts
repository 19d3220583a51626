/** The current time, injected everywhere so that a test can choose the day. */
export type Clock = { now(): Date };

/** The clock of a server or command: the machine's; in a test it may be ahead (CLOCK_SHIFT_MS). */
export function clockOf({ clockShiftMs }: { clockShiftMs: number }): Clock {
  return { now: () => new Date(Date.now() + clockShiftMs) };
}
