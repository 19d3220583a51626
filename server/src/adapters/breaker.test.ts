import { describe, expect, test, vi } from 'vitest';
import { NotSent } from './payments/gateway.ts';
import { createBreaker } from './breaker.ts';
import { patience } from '#test/patience.ts';

const patient = new AbortController().signal;

class Ill extends Error {}

function breaker(faults = 3, atOnce = 2) {
  let ms = 0;
  const run = createBreaker({
    isFault: (error) => error instanceof Ill,
    now: () => ms,
    faults,
    openMs: 100,
    atOnce,
  });
  let sent = 0;
  return {
    pass: (more: number) => void (ms += more),
    sent: () => sent,
    send: (call: () => Promise<string>, signal = patient) =>
      run(() => {
        sent += 1;
        return call();
      }, signal),
  };
}

const works = () => Promise.resolve('yes');
const isIll = () => Promise.reject(new Ill('ill'));
const saysNo = () => Promise.reject(new Error('declined'));

describe('the breaker', () => {
  // asvs 13.2.6
  test('sends nothing for a while after some faults in a row', async () => {
    const { send, sent, pass } = breaker();
    for (let round = 0; round < 3; round++) await expect(send(isIll)).rejects.toBeInstanceOf(Ill);
    await expect(send(works)).rejects.toBeInstanceOf(NotSent);
    pass(99);
    await expect(send(works)).rejects.toBeInstanceOf(NotSent);
    expect(sent()).toBe(3);
  });

  test('does not count a refusal, and restarts the count after an answer', async () => {
    const { send } = breaker();
    for (const call of [isIll, isIll, saysNo, isIll, isIll, works, isIll, isIll])
      await send(call).catch((error: unknown) => expect(error).not.toBeInstanceOf(NotSent));
    expect(await send(works)).toBe('yes');
  });

  test('sends one probe when the pause is over, and the others after its answer', async () => {
    const { send, pass } = breaker();
    for (let round = 0; round < 3; round++) await send(isIll).catch(() => undefined);
    pass(100);
    const { promise, resolve } = Promise.withResolvers<string>();
    const probe = send(() => promise);
    await expect(send(works)).rejects.toBeInstanceOf(NotSent);
    resolve('yes');
    expect(await probe).toBe('yes');
    expect(await send(works)).toBe('yes');
  });

  test('pauses again for as long when the probe fails', async () => {
    const { send, pass, sent } = breaker();
    for (let round = 0; round < 3; round++) await send(isIll).catch(() => undefined);
    pass(100);
    await expect(send(isIll)).rejects.toBeInstanceOf(Ill);
    pass(99);
    await expect(send(works)).rejects.toBeInstanceOf(NotSent);
    pass(1);
    expect(await send(works)).toBe('yes');
    expect(sent()).toBe(5);
  });
});

describe('the semaphore', () => {
  test('runs a limited number of calls at once and the others in their order', async () => {
    const { send, sent } = breaker(3, 2);
    const calls = Array.from({ length: 5 }, () => Promise.withResolvers<string>());
    const answers = calls.map(({ promise }) => send(() => promise));
    await vi.waitFor(() => expect(sent()).toBe(2), patience);
    calls[1]!.resolve('b');
    expect(await answers[1]).toBe('b');
    await vi.waitFor(() => expect(sent()).toBe(3), patience);
    for (const [index, { resolve }] of calls.entries()) resolve(String(index));
    expect(await Promise.all(answers)).toEqual(['0', 'b', '2', '3', '4']);
    expect(await send(works)).toBe('yes');
  });

  test('does not send a call that was aborted before or while it waited', async () => {
    const { send, sent } = breaker(3, 1);
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = send(() => promise);
    const impatience = new AbortController();
    const second = send(works, impatience.signal);
    impatience.abort();
    await expect(second).rejects.toBeInstanceOf(NotSent);
    await expect(send(works, impatience.signal)).rejects.toBeInstanceOf(NotSent);
    resolve('yes');
    await first;
    expect(await send(works)).toBe('yes');
    expect(sent()).toBe(2);
  });
});
