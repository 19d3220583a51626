/** The current time, injected everywhere so that a test can choose the day (D16). */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** A clock that is ahead of the machine's by `ms`, or behind it where that is negative. */
export function shiftedClock(ms: number): Clock {
  return { now: () => new Date(Date.now() + ms) };
}
