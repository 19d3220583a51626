import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** The load of the process, for load shedding. */
export type Pressure = {
  /** Mean delay of the event loop in the last sample, in milliseconds. */
  delayMs: number;
  /** How long the utilisation of the event loop has been at least 0.95, in milliseconds. */
  busyMs: number;
  /** The used share of the heap's limit. */
  heap: number;
};

export const calm: Pressure = { delayMs: 0, busyMs: 0, heap: 0 };

const LOOK_MS = 250;
const RESOLUTION_MS = 10;
const BUSY = 0.95;

/**
 * Samples the process four times a second until it ends; the returned function gives the last
 * sample.
 */
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
    seen = {
      delayMs: Math.max(0, late),
      busyMs: isBusy ? seen.busyMs + at - seenAt : 0,
      heap: used / most,
    };
    [before, seenAt] = [now, at];
    delay.reset();
  };
  setInterval(look, LOOK_MS).unref();
  return () => seen;
}
