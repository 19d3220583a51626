import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** How hard-pressed the process is (D32). */
export type Pressure = {
  /** How late the event loop comes to what is due, in milliseconds, on average over the last look. */
  delayMs: number;
  /** For how long its utilisation has been 0.95 or more, in milliseconds. */
  busyMs: number;
  /** The share of the heap that it may have at most. */
  heap: number;
};

export const calm: Pressure = { delayMs: 0, busyMs: 0, heap: 0 };

const LOOK_MS = 250;
const RESOLUTION_MS = 10;
const BUSY = 0.95;

/** Looks at the process four times a second from now on, for as long as it lives; answers what was seen last. */
export function watchPressure(): () => Pressure {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let before = performance.eventLoopUtilization();
  let seenAt = performance.now();
  let seen = calm;
  const look = () => {
    const now = performance.eventLoopUtilization();
    const isBusy = performance.eventLoopUtilization(now, before).utilization >= BUSY;
    const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics();
    const late = delay.count === 0 ? 0 : delay.mean / 1e6 - RESOLUTION_MS;
    const at = performance.now();
    seen = { delayMs: Math.max(0, late), busyMs: isBusy ? seen.busyMs + at - seenAt : 0, heap: used / most };
    [before, seenAt] = [now, at];
    delay.reset();
  };
  setInterval(look, LOOK_MS).unref();
  return () => seen;
}
