import type { Clock } from '#adapters/clock.ts';

/**
 * Returns true at most this many times a minute in this process; limits what unauthenticated
 * requests can cause.
 */
export function perMinute(clock: Clock, most: number): () => boolean {
  let minute = { begun: 0, count: 0 };
  return () => {
    const now = clock.now().getTime();
    if (now - minute.begun >= 60_000) minute = { begun: now, count: 0 };
    minute.count += 1;
    return minute.count <= most;
  };
}
