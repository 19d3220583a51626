/**
 * Does something with each, so many at once, whatever becomes of the others. Throws all failures as one in the end; `what`
 * says of how many: `payments could not be resolved`.
 */
export async function doEach<Item>(
  items: Item[],
  { atOnce, what }: { atOnce: number; what: string },
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} ${what}`);
}
