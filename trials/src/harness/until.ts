import { setTimeout as delay } from 'node:timers/promises';
import type { NewDatabase } from './cluster.ts';
import { findRows } from '@gatehouse/server/test/rows.ts';

/**
 * What becomes no less for so long does so no more, however busy the machine is: this ends a proof
 * that hangs, and decides nothing else.
 */
const STANDSTILL_MS = 300_000;

/**
 * Counts until nothing is left, for as long as it becomes less within `patienceMs`; answers what is
 * left.
 */
export async function untilNoneLeft(
  count: () => Promise<number>,
  { everyMs = 250, patienceMs = STANDSTILL_MS } = {},
): Promise<number> {
  let [least, deadline] = [Infinity, 0];
  for (;;) {
    const left = await count();
    if (left < least) [least, deadline] = [left, performance.now() + patienceMs];
    if (left === 0 || performance.now() > deadline) return left;
    await delay(everyMs);
  }
}

/** Waits until there is one; throws where there is none for as long as `untilNoneLeft` waits. */
export async function untilSome(count: () => number | Promise<number>): Promise<void> {
  const missing = async () => ((await count()) === 0 ? 1 : 0);
  if ((await untilNoneLeft(missing, { everyMs: 10 })) > 0)
    throw new Error('what was waited for did not come');
}

/** Waits until every mail has gone out; throws where none does any more. */
export async function untilMailsAreSent({ owner }: NewDatabase): Promise<void> {
  const left = await untilNoneLeft(async () => {
    const rows = await findRows(owner, 'mails', 'id', { sent_at: null });
    return rows.length;
  });
  if (left > 0) throw new Error(`${left} mails were not sent`);
}
