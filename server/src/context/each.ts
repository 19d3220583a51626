import PQueue from 'p-queue';

/**
 * Runs `work` for each item, `atOnce` at a time; a failure does not stop the others. Throws an
 * AggregateError of all failures at the end, with `what` in its message, such as `payments could
 * not be resolved`.
 */
export async function doEach<Item>(
  items: Item[],
  { atOnce, what }: { atOnce: number; what: string },
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  if (items.length === 0) return;
  const queue = new PQueue({ concurrency: atOnce });
  const ended = await Promise.allSettled(items.map((item) => queue.add(() => work(item))));
  const failures = ended.flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  );
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} ${what}`);
}
