import type { NewDatabase } from './cluster.ts';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Counts until nothing is left, for as long as it becomes less within `patienceMs`; answers what is
 * left.
 */
export async function untilNoneLeft(
  patienceMs: number,
  count: () => Promise<number>,
): Promise<number> {
  let [least, deadline] = [Infinity, 0];
  for (;;) {
    const left = await count();
    if (left < least) [least, deadline] = [left, performance.now() + patienceMs];
    if (left === 0 || performance.now() > deadline) return left;
    await delay(250);
  }
}

/** Waits until there is one; throws where there is none within 30 seconds. */
export async function untilSome(count: () => number | Promise<number>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while ((await count()) === 0) {
    if (performance.now() > deadline) throw new Error('what was waited for did not come');
    await delay(10);
  }
}

/** Waits until every mail has gone out; throws where none does within so long. */
export async function untilMailsAreSent({ owner }: NewDatabase, patienceMs: number): Promise<void> {
  const left = await untilNoneLeft(patienceMs, async () => {
    const rows = await owner
      .selectFrom('mails')
      .select('id')
      .where('sent_at', 'is', null)
      .execute();
    return rows.length;
  });
  if (left > 0) throw new Error(`${left} mails were not sent`);
}
