/** Runs work for 0 to `count` - 1, `lanes` at a time. */
export async function inLanes(
  count: number,
  lanes: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Repeats `flood` in this many lanes until `meanwhile` has ended. */
export async function floodUntil(
  lanes: number,
  flood: () => Promise<unknown>,
  meanwhile: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const lane = async () => {
    while (!isOver) await flood();
  };
  const flooding = Promise.all(Array.from({ length: lanes }, lane));
  await meanwhile().finally(() => (isOver = true));
  await flooding;
}
