import { availableParallelism } from 'node:os';
import { PassThrough } from 'node:stream';
import type { Urgency } from '@gatehouse/contract/endpoint';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { calm, type Pressure } from '#pressure.ts';
import { Refusal } from '#refusal.ts';
import { Admission, bounds } from './admission.ts';

const urgencies: Urgency[] = ['photo', 'usual', 'sign-in', 'payment'];

let pressure: Pressure;
let admission: Admission;
beforeEach(() => {
  vi.useFakeTimers();
  pressure = calm;
  admission = new Admission(() => pressure);
});
afterEach(() => vi.useRealTimers());

const connection = () => new PassThrough();

/** The state of each call so far. */
function watch(calls: Promise<void>[]): string[] {
  const states = calls.map(() => 'waiting');
  calls.forEach((call, index) => {
    void call.then(
      () => (states[index] = 'in'),
      (error: unknown) => (states[index] = error instanceof Refusal ? 'refused' : 'fault'),
    );
  });
  return states;
}

const enterAll = (urgency: Urgency, count: number) =>
  Array.from({ length: count }, () => admission.enter(urgency, connection()));
const countOf = (states: string[], state: string) => states.filter((one) => one === state).length;

/** The urgencies that an idle process admits at once. */
async function takenUnder(given: Partial<Pressure>): Promise<Urgency[]> {
  pressure = { ...calm, ...given };
  const taken = await Promise.all(
    urgencies.map((urgency) =>
      admission.enter(urgency, connection()).then(
        () => {
          admission.leave(urgency);
          return true;
        },
        () => false,
      ),
    ),
  );
  return urgencies.filter((_, index) => taken[index]);
}

test('a late event loop or a full heap sheds photos first, then the usual, then sign-ins, payments last', async () => {
  const late = [0, 249, 250, 500, 1000, 1999, 2000].map((delayMs) => ({ delayMs }));
  const full = [0.79, 0.8, 0.85, 0.9, 0.94, 0.95].map((heap) => ({ heap }));
  const taken = [];
  for (const given of [...late, ...full]) taken.push((await takenUnder(given)).length);
  expect(taken).toEqual([4, 4, 3, 2, 1, 1, 0, 4, 3, 2, 1, 1, 0]);
  expect(await takenUnder({ delayMs: 250 })).toEqual(['usual', 'sign-in', 'payment']);
  expect(await takenUnder({ delayMs: 500 })).toEqual(['sign-in', 'payment']);
  expect(await takenUnder({ delayMs: 1000 })).toEqual(['payment']);
});

test('while the process is busy no call waits, in the same order, and payments still do', async () => {
  const waits = async (urgency: Urgency, busyMs: number) => {
    admission = new Admission(() => ({ ...calm, busyMs }));
    const states = watch(enterAll(urgency, bounds[urgency].atOnce + 1));
    await vi.advanceTimersByTimeAsync(0);
    return states.at(-1) === 'waiting';
  };
  const waiting = [];
  for (const busyMs of [0, 1000, 5000, 10_000, 60_000])
    waiting.push((await Promise.all(urgencies.map((urgency) => waits(urgency, busyMs)))).filter(Boolean).length);
  expect(waiting).toEqual([4, 3, 2, 1, 1]);
});

test.each(urgencies)('%s: calls up to the limits run and wait, and the rest is refused at once', async (urgency) => {
  const { atOnce, queued } = bounds[urgency];
  const states = watch(enterAll(urgency, atOnce + queued + 7));
  await vi.advanceTimersByTimeAsync(0);
  const counts = ['in', 'waiting', 'refused'].map((state) => countOf(states, state));
  expect(counts).toEqual([atOnce, queued, 7]);
  expect(admission.refused[urgency]).toBe(7);
});

test('a call that ends admits the one that has waited longest', async () => {
  const { atOnce } = bounds.usual;
  const states = watch(enterAll('usual', atOnce + 3));
  admission.leave('usual');
  await vi.advanceTimersByTimeAsync(0);
  expect(states.slice(atOnce)).toEqual(['in', 'waiting', 'waiting']);
});

test('a call that waits too long is refused and removed from the queue', async () => {
  const { atOnce, waitMs } = bounds.usual;
  const states = watch(enterAll('usual', atOnce + 1));
  await vi.advanceTimersByTimeAsync(waitMs - 1);
  const later = watch([admission.enter('usual', connection())]);
  await vi.advanceTimersByTimeAsync(1);
  expect([states.at(-1), later[0]]).toEqual(['refused', 'waiting']);
  admission.leave('usual');
  await vi.advanceTimersByTimeAsync(0);
  expect(later[0]).toBe('in');
});

test('a call whose client disconnects is removed from the queue and not counted as refused', async () => {
  const { atOnce } = bounds.usual;
  watch(enterAll('usual', atOnce));
  const callers = Array.from({ length: 3 }, connection);
  callers[1]!.destroy();
  const states = watch(callers.map((caller) => admission.enter('usual', caller)));
  callers[0]!.destroy();
  await vi.advanceTimersByTimeAsync(0);
  expect(states).toEqual(['refused', 'refused', 'waiting']);
  admission.leave('usual');
  await vi.advanceTimersByTimeAsync(0);
  expect(states[2]).toBe('in');
  expect(admission.refused.usual).toBe(0);
});

test('at most fifty sign-ins wait for their password hash, and no processor is idle meanwhile (D20)', () => {
  const { atOnce, queued } = bounds['sign-in'];
  expect(queued).toBe(50);
  expect(atOnce).toBeGreaterThan(availableParallelism());
});

test('calls other than payments leave two of the ten connections to the database free', () => {
  expect(bounds.photo.atOnce + bounds.usual.atOnce).toBe(10 - 2);
});
