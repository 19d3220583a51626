import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { UploadRoom } from './upload-room.ts';

const MEGABYTE = 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether a body has room by now. */
async function isIn(entering: Promise<unknown>): Promise<boolean> {
  return Promise.race([
    entering.then(() => true),
    Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => false),
  ]);
}

describe('room for uploads', () => {
  test('is for many small bodies at once, or for two of the largest', async () => {
    const small = new UploadRoom();
    expect(await Promise.all(Array.from({ length: 40 }, () => small.enter(400_000)))).toHaveLength(40);
    const large = new UploadRoom();
    await large.enter(8 * MEGABYTE);
    await large.enter(8 * MEGABYTE);
    expect(await isIn(large.enter(1))).toBe(false);
  });

  test('is given first come, first served, when it is given back; giving it back twice gives it once', async () => {
    const room = new UploadRoom();
    const leave = await room.enter(16 * MEGABYTE);
    const [large, small] = [room.enter(16 * MEGABYTE), room.enter(1)];
    expect([await isIn(large), await isIn(small)]).toEqual([false, false]);
    leave();
    leave();
    expect([await isIn(large), await isIn(small)]).toEqual([true, false]);
    (await large)();
    expect(await isIn(small)).toBe(true);
  });

  test('that does not come in 10 seconds is refused with 503, and those behind move up', async () => {
    const room = new UploadRoom();
    const leave = await room.enter(10 * MEGABYTE);
    const large = room.enter(8 * MEGABYTE);
    const refused = expect(large).rejects.toMatchObject({
      status: 503,
      message: 'Many photos are arriving right now. Please try again in a moment.',
    });
    vi.advanceTimersByTime(5_000);
    const small = room.enter(6 * MEGABYTE);
    expect(await isIn(small)).toBe(false);
    vi.advanceTimersByTime(5_000);
    await refused;
    expect(await isIn(small)).toBe(true);
    leave();
  });

  test('has a waiting line of a hundred; the next is refused at once', async () => {
    const room = new UploadRoom();
    await room.enter(16 * MEGABYTE);
    const waiting = Array.from({ length: 100 }, () => room.enter(1));
    await expect(room.enter(1)).rejects.toMatchObject({ status: 503 });
    const ended = Promise.allSettled(waiting);
    vi.advanceTimersByTime(10_000);
    expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['rejected']));
  });
});
