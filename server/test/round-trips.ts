import pg from 'pg';
import { vi } from 'vitest';

/**
 * How many round trips to the database some work takes. A statement that is sent while its
 * connection waits for another takes none of its own.
 */
export async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  type Query = (this: pg.Client, ...given: unknown[]) => Promise<unknown>;
  const query = Reflect.get(pg.Client.prototype, 'query') as Query;
  const waiting = new Map<pg.Client, number>();
  let trips = 0;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ): unknown {
    const [asked] = given as [string | { text: string }];
    const text = typeof asked === 'string' ? asked : asked.text;
    const answer = query.apply(this, given);
    // Whose rows a connection may reach is sent together with the statement that follows.
    if (text.includes('pgboss') || text.includes('app.ledger_ids')) return answer;
    const before = waiting.get(this) ?? 0;
    if (before === 0) trips += 1;
    waiting.set(this, before + 1);
    const answered = () => {
      waiting.set(this, waiting.get(this)! - 1);
    };
    answer.then(answered, answered);
    return answer;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return trips;
}
