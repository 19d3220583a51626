/**
 * What gives this process a moved clock where `npm run prove -- calendar` runs it (by libfaketime):
 * for its children and its database, so that all have one clock.
 */
export const movedClock: Record<string, string> = Object.fromEntries(
  ['LD_PRELOAD', 'FAKETIME', 'DONT_FAKE_MONOTONIC', 'NO_FAKE_STAT'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
