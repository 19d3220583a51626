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

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * The rows of a walk in the order of their ids, a batch at a time, so that memory does not grow
 * with their number. `read` answers those that come after an id, and none at the end.
 */
export async function* batchesById<Row>(
  read: (after: string) => Promise<Row[]>,
  idOf: (row: Row) => string,
): AsyncGenerator<Row[]> {
  for (let after = FIRST; ;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = idOf(last);
  }
}
