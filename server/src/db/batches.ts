/**
 * Repeats `work`, which changes at most `limit` rows and returns their number, until it changes
 * fewer. Each batch commits by itself, so that none holds many locks or runs for long.
 */
export async function inBatches(
  limit: number,
  work: (limit: number) => Promise<number>,
): Promise<void> {
  while ((await work(limit)) === limit);
}
