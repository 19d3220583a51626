import type { Clock } from '#adapters/clock.ts';

/** Says yes so many times in a minute of this process, by the clock: for what anybody could make happen without end. */
export function perMinute(clock: Clock, most: number): () => boolean {
  let minute = { begun: 0, count: 0 };
  return () => {
    const now = clock.now().getTime();
    if (now - minute.begun >= 60_000) minute = { begun: now, count: 0 };
    minute.count += 1;
    return minute.count <= most;
  };
}
