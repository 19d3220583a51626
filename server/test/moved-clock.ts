/**
 * What gives this process a moved clock in the calendar step (scripts/moved-clock.c): for its
 * children and its database, so that all have one clock.
 */
export const movedClock: Record<string, string> = Object.fromEntries(
  ['LD_PRELOAD', 'CLOCK_AHEAD_SECONDS'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
