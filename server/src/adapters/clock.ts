/** The time, injected everywhere so that a test can stand on any day (D16). */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
