import { PAPER_BODY_BYTES } from '@gatehouse/contract/vehicle-papers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Refusal } from '#errors/refusal.ts';
import { UploadRoom } from './upload-room.ts';

const MEGABYTE = 1024 * 1024;
/** The room has space for two of the largest uploads. */
const HALF = PAPER_BODY_BYTES;
const MANY = 'Many photos are arriving right now. Please try again in a moment.';

let room: UploadRoom;
/** The users whose upload was ended to make room. */
let ended: string[];
beforeEach(() => {
  vi.useFakeTimers();
  room = new UploadRoom();
  ended = [];
});
afterEach(() => vi.useRealTimers());

function begin(userId: string) {
  return room.begin(userId, (why: () => Refusal) => {
    const { status, message } = why();
    expect([status, message]).toEqual([503, MANY]);
    ended.push(userId);
  });
}

/** Whether the bytes fit by now. */
async function fits(holding: Promise<void>): Promise<boolean> {
  let isHeld = false;
  void holding.then(() => (isHeld = true));
  await vi.advanceTimersByTimeAsync(0);
  return isHeld;
}

// asvs 15.2.2
test('an upload holds what has arrived of it, so slow ones leave room to others', async () => {
  for (let nth = 0; nth < 40; nth += 1) expect(await fits(begin(`${nth}`).hold(5000))).toBe(true);
  expect(await fits(begin('other').hold(8 * MEGABYTE))).toBe(true);
});

// asvs 5.2.1
test('a second upload of a user is refused with 429 until the first ends', () => {
  const first = begin('dana');
  expect(() => begin('dana')).toThrow('Another photo of yours is still arriving.');
  begin('lee');
  first.end();
  const second = begin('dana');
  first.end();
  expect(() => begin('dana')).toThrow(expect.objectContaining({ status: 429 }));
  second.end();
  begin('dana');
});

test('bytes that do not fit wait in order for an upload that ends; ending it twice has the effect of once', async () => {
  const [first, other] = [begin('first'), begin('other')];
  await first.hold(HALF);
  await other.hold(HALF);
  const [large, small] = [begin('large').hold(HALF), begin('small').hold(1)];
  expect([await fits(large), await fits(small)]).toEqual([false, false]);
  first.end();
  first.end();
  expect([await fits(large), await fits(small)]).toEqual([true, false]);
  other.end();
  expect(await fits(small)).toBe(true);
});

test('bytes that wait 5 seconds end the largest upload that is still arriving', async () => {
  const [arrived, largest, slow] = [begin('arrived'), begin('largest'), begin('slow')];
  await arrived.hold(HALF);
  arrived.arrive();
  await largest.hold(HALF - MEGABYTE);
  await slow.hold(MEGABYTE);
  const asked = begin('asked').hold(65_536);
  await vi.advanceTimersByTimeAsync(4999);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual(['largest']);
  expect(await fits(asked)).toBe(true);
});

test('an upload that waits 5 seconds and is the largest itself is ended', async () => {
  const arrived = begin('arrived');
  await arrived.hold(HALF);
  arrived.arrive();
  const asking = begin('asking');
  await asking.hold(HALF);
  const asked = asking.hold(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect([ended, await fits(asked)]).toEqual([['asking'], false]);
  expect(await fits(begin('next').hold(8 * MEGABYTE))).toBe(true);
});

test('a hundred users upload at once; the next is refused with 503', () => {
  for (let nth = 0; nth < 100; nth += 1) begin(`${nth}`);
  expect(() => begin('next')).toThrow(MANY);
});
