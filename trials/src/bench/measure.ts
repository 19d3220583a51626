/** How long something took, and the most memory that this process had meanwhile. */
export type Took = { seconds: number; peakMb: number };

/** Does a work, with its time and the process's memory. */
export async function measure<T>(work: () => Promise<T>): Promise<Took & { done: T }> {
  let peak = 0;
  const look = () => (peak = Math.max(peak, process.memoryUsage.rss()));
  const watch = setInterval(look, 20);
  const begun = performance.now();
  const done = await work();
  const seconds = (performance.now() - begun) / 1000;
  clearInterval(watch);
  look();
  return { done, seconds, peakMb: peak / 1_000_000 };
}
