/** The current time, injected everywhere so that a test can choose the day (D16). */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
