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

const someone = () => new PassThrough();

/** What became of each call so far. */
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
  Array.from({ length: count }, () => admission.enter(urgency, someone()));
const countOf = (states: string[], state: string) => states.filter((one) => one === state).length;

/** The urgencies of which a call is taken at once, by an idle process. */
async function takenUnder(given: Partial<Pressure>): Promise<Urgency[]> {
  pressure = { ...calm, ...given };
  const taken = await Promise.all(
    urgencies.map((urgency) =>
      admission.enter(urgency, someone()).then(
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

test('a late event loop or a full heap turns photos away first, then the usual, then sign-ins, payments last', async () => {
  const late = [0, 249, 250, 500, 1000, 1999, 2000].map((delayMs) => ({ delayMs }));
  const full = [0.79, 0.8, 0.85, 0.9, 0.94, 0.95].map((heap) => ({ heap }));
  const taken = [];
  for (const given of [...late, ...full]) taken.push((await takenUnder(given)).length);
  expect(taken).toEqual([4, 4, 3, 2, 1, 1, 0, 4, 3, 2, 1, 1, 0]);
  expect(await takenUnder({ delayMs: 250 })).toEqual(['usual', 'sign-in', 'payment']);
  expect(await takenUnder({ delayMs: 500 })).toEqual(['sign-in', 'payment']);
  expect(await takenUnder({ delayMs: 1000 })).toEqual(['payment']);
});

test('while the process is busy nobody waits, in the same order, and payments still do', async () => {
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

test.each(urgencies)('%s: so many are in, so many wait, and the rest is refused at once', async (urgency) => {
  const { atOnce, inLine } = bounds[urgency];
  const states = watch(enterAll(urgency, atOnce + inLine + 7));
  await vi.advanceTimersByTimeAsync(0);
  const counts = ['in', 'waiting', 'refused'].map((state) => countOf(states, state));
  expect(counts).toEqual([atOnce, inLine, 7]);
  expect(admission.refused[urgency]).toBe(7);
});

test('who leaves lets in who has waited longest', async () => {
  const { atOnce } = bounds.usual;
  const states = watch(enterAll('usual', atOnce + 3));
  admission.leave('usual');
  await vi.advanceTimersByTimeAsync(0);
  expect(states.slice(atOnce)).toEqual(['in', 'waiting', 'waiting']);
});

test('who waits too long is refused and leaves no gap in the line', async () => {
  const { atOnce, waitMs } = bounds.usual;
  const states = watch(enterAll('usual', atOnce + 1));
  await vi.advanceTimersByTimeAsync(waitMs - 1);
  const later = watch([admission.enter('usual', someone())]);
  await vi.advanceTimersByTimeAsync(1);
  expect([states.at(-1), later[0]]).toEqual(['refused', 'waiting']);
  admission.leave('usual');
  await vi.advanceTimersByTimeAsync(0);
  expect(later[0]).toBe('in');
});

test('who goes away leaves the line to the others, and is not counted as refused', async () => {
  const { atOnce } = bounds.usual;
  watch(enterAll('usual', atOnce));
  const callers = Array.from({ length: 3 }, someone);
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

test('fifty at most wait for their password to be looked at, and no processor waits for them (D20)', () => {
  const { atOnce, inLine } = bounds['sign-in'];
  expect(inLine).toBe(50);
  expect(atOnce).toBeGreaterThan(availableParallelism());
});

test('what is not a payment leaves two of the ten connections to the database free', () => {
  expect(bounds.photo.atOnce + bounds.usual.atOnce).toBe(10 - 2);
});
