import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { UploadMemory } from './upload-memory.ts';

const MEGABYTE = 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether a body has its memory by now. */
async function isGranted(entering: Promise<unknown>): Promise<boolean> {
  return Promise.race([
    entering.then(() => true),
    Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => false),
  ]);
}

describe('the memory for uploads', () => {
  test('is for many small bodies at once, or for two of the largest', async () => {
    const small = new UploadMemory();
    expect(await Promise.all(Array.from({ length: 40 }, () => small.acquire(400_000)))).toHaveLength(40);
    const large = new UploadMemory();
    await large.acquire(8 * MEGABYTE);
    await large.acquire(8 * MEGABYTE);
    expect(await isGranted(large.acquire(1))).toBe(false);
  });

  test('is granted in order when it is released; releasing it twice has the effect of once', async () => {
    const memory = new UploadMemory();
    const release = await memory.acquire(16 * MEGABYTE);
    const [large, small] = [memory.acquire(16 * MEGABYTE), memory.acquire(1)];
    expect([await isGranted(large), await isGranted(small)]).toEqual([false, false]);
    release();
    release();
    expect([await isGranted(large), await isGranted(small)]).toEqual([true, false]);
    (await large)();
    expect(await isGranted(small)).toBe(true);
  });

  test('that is not free within 10 seconds is refused with 503, and the queue moves up', async () => {
    const memory = new UploadMemory();
    const release = await memory.acquire(10 * MEGABYTE);
    const large = memory.acquire(8 * MEGABYTE);
    const refused = expect(large).rejects.toMatchObject({
      status: 503,
      message: 'Many photos are arriving right now. Please try again in a moment.',
    });
    vi.advanceTimersByTime(5_000);
    const small = memory.acquire(6 * MEGABYTE);
    expect(await isGranted(small)).toBe(false);
    vi.advanceTimersByTime(5_000);
    await refused;
    expect(await isGranted(small)).toBe(true);
    release();
  });

  test('has a queue of a hundred; the next is refused at once', async () => {
    const memory = new UploadMemory();
    await memory.acquire(16 * MEGABYTE);
    const waiting = Array.from({ length: 100 }, () => memory.acquire(1));
    await expect(memory.acquire(1)).rejects.toMatchObject({ status: 503 });
    const ended = Promise.allSettled(waiting);
    vi.advanceTimersByTime(10_000);
    expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['rejected']));
  });
});
