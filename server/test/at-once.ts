import { expect } from 'vitest';

/** Of works that run at once one is done, and the others are refused. */
export async function expectOneDone(works: Promise<unknown>[]): Promise<void> {
  const done = await Promise.allSettled(works);
  const refused = works.slice(1).map(() => 'rejected');
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', ...refused]);
}
