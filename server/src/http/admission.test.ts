import { availableParallelism } from 'node:os';
import { PassThrough } from 'node:stream';
import type { Urgency } from '@gatehouse/contract/endpoint';
import { inLanguage } from '#context/language.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { calm, type Pressure } from '#telemetry/pressure.ts';
import { Refusal } from '#errors/refusal.ts';
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
function watch(calls: Promise<unknown>[]): string[] {
  const states = calls.map(() => 'waiting');
  calls.forEach((call, index) => {
    void call.then(
      () => (states[index] = 'in'),
      (error: unknown) => (states[index] = error instanceof Refusal ? 'refused' : 'fault'),
    );
  });
  return states;
}

const enter = (urgency: Urgency, client = 'one') => admission.enter(urgency, client, connection());
const enterAll = (urgency: Urgency, count: number, client?: string) =>
  Array.from({ length: count }, () => enter(urgency, client));
const countOf = (states: string[], state: string) => states.filter((one) => one === state).length;

/** The urgencies that an idle process admits at once. */
async function takenUnder(given: Partial<Pressure>): Promise<Urgency[]> {
  pressure = { ...calm, ...given };
  const taken = await Promise.all(
    urgencies.map((urgency) =>
      enter(urgency).then(
        (leave) => {
          leave();
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
    waiting.push(
      (await Promise.all(urgencies.map((urgency) => waits(urgency, busyMs)))).filter(Boolean)
        .length,
    );
  expect(waiting).toEqual([4, 3, 2, 1, 1]);
});

test.each(urgencies)(
  '%s: calls up to the limits run and wait, and the rest is refused at once',
  async (urgency) => {
    const { atOnce, queued } = bounds[urgency];
    const states = watch(enterAll(urgency, atOnce + queued + 7));
    await vi.advanceTimersByTimeAsync(0);
    const counts = ['in', 'waiting', 'refused'].map((state) => countOf(states, state));
    expect(counts).toEqual([atOnce, queued, 7]);
    expect(admission.refused[urgency]).toBe(7);
  },
);

test('a call that ends admits the one that has waited longest', async () => {
  const { atOnce } = bounds.usual;
  const calls = enterAll('usual', atOnce + 3);
  const states = watch(calls);
  (await calls[0]!)();
  await vi.advanceTimersByTimeAsync(0);
  expect(states.slice(atOnce)).toEqual(['in', 'waiting', 'waiting']);
});

test('a call that waits too long is refused and removed from the queue', async () => {
  const { atOnce, waitMs } = bounds.usual;
  const calls = enterAll('usual', atOnce + 1);
  const states = watch(calls);
  await vi.advanceTimersByTimeAsync(waitMs - 1);
  const later = watch([enter('usual')]);
  await vi.advanceTimersByTimeAsync(1);
  expect([states.at(-1), later[0]]).toEqual(['refused', 'waiting']);
  (await calls[0]!)();
  await vi.advanceTimersByTimeAsync(0);
  expect(later[0]).toBe('in');
});

test('a call waits as long as its client where waits are not ended', async () => {
  admission = new Admission(() => pressure, { endsWaits: false });
  const { atOnce, waitMs } = bounds.usual;
  const calls = enterAll('usual', atOnce + 1);
  const states = watch(calls);
  await vi.advanceTimersByTimeAsync(1000 * waitMs);
  expect(states.at(-1)).toBe('waiting');
  (await calls[0]!)();
  await vi.advanceTimersByTimeAsync(0);
  expect(states.at(-1)).toBe('in');
});

test('a call whose client disconnects is removed from the queue and not counted as refused', async () => {
  const { atOnce } = bounds.usual;
  const [first] = enterAll('usual', atOnce);
  const callers = Array.from({ length: 3 }, connection);
  callers[1]!.destroy();
  const states = watch(callers.map((caller) => admission.enter('usual', 'one', caller)));
  callers[0]!.destroy();
  await vi.advanceTimersByTimeAsync(0);
  expect(states).toEqual(['refused', 'refused', 'waiting']);
  (await first!)();
  await vi.advanceTimersByTimeAsync(0);
  expect(states[2]).toBe('in');
  expect(admission.refused.usual).toBe(0);
});

// asvs 15.2.2
test('at most fifty sign-ins wait for their password hash, and no processor is idle meanwhile', () => {
  const { atOnce, queued } = bounds['sign-in'];
  expect(queued).toBe(50);
  expect(atOnce).toBeGreaterThan(availableParallelism());
});

test('calls other than payments leave two of the ten connections to the database free', () => {
  expect(bounds.photo.atOnce + bounds.usual.atOnce).toBe(10 - 2);
});

describe('one client that fills a class', () => {
  test.each(urgencies)(
    '%s: shares its places with another from the next free one on, and loses its newest calls to it',
    async (urgency) => {
      const { atOnce, queued } = bounds[urgency];
      const flood = enterAll(urgency, atOnce + queued, 'flood');
      const states = watch(flood);
      const other = watch(enterAll(urgency, 3, 'other'));
      await vi.advanceTimersByTimeAsync(0);
      expect([other, states.slice(-4)]).toEqual([
        ['waiting', 'waiting', 'waiting'],
        ['waiting', 'refused', 'refused', 'refused'],
      ]);
      expect(admission.refused[urgency]).toBe(3);
      (await flood[0]!)();
      await vi.advanceTimersByTimeAsync(0);
      expect([other[0], states[atOnce]]).toEqual(['in', 'waiting']);
    },
  );

  test('shares also while the process is busy, when its own calls do not wait', async () => {
    const { atOnce, busyMs } = bounds.usual;
    pressure = { ...calm, busyMs };
    const flood = enterAll('usual', atOnce, 'flood');
    const more = watch(enterAll('usual', 5, 'flood'));
    const other = watch(enterAll('usual', atOnce, 'other'));
    await vi.advanceTimersByTimeAsync(0);
    expect(countOf(more, 'refused')).toBe(5);
    // One fewer than the flood has places: with as many the other would be the larger one.
    expect([countOf(other, 'waiting'), countOf(other, 'refused')]).toEqual([atOnce - 1, 1]);
    for (const call of flood.slice(0, atOnce / 2)) (await call)();
    await vi.advanceTimersByTimeAsync(0);
    expect(countOf(other, 'in')).toBe(atOnce / 2);
  });

  test('is refused at once while it waits with the most, and the others are not', () => {
    const { atOnce, queued } = bounds.usual;
    watch(enterAll('usual', atOnce + queued, 'flood'));
    expect(admission.shed('usual', () => 'flood')).toBeInstanceOf(Refusal);
    expect(admission.shed('usual', () => 'other')).toBeNull();
  });
});

test('many clients with a call each are refused as one is where the queue is full, and while the process is busy', async () => {
  const { atOnce, queued, busyMs } = bounds.usual;
  const states = watch(
    Array.from({ length: atOnce + queued + 7 }, (_, nth) => enter('usual', `client ${nth}`)),
  );
  await vi.advanceTimersByTimeAsync(0);
  expect([countOf(states, 'waiting'), countOf(states.slice(-7), 'refused')]).toEqual([queued, 7]);
  pressure = { ...calm, busyMs };
  expect(admission.shed('usual', () => 'another')).toBeInstanceOf(Refusal);
});

test('a call is refused in its own language, also where another one takes its place', async () => {
  const { atOnce, queued } = bounds.usual;
  watch(enterAll('usual', atOnce));
  const spanish = inLanguage('es', () => enterAll('usual', queued));
  watch(spanish);
  watch([enter('usual', 'other')]);
  await expect(spanish.at(-1)).rejects.toThrow('El servicio está ocupado por un momento.');
});
