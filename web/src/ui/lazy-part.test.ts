import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lazyPart, LoadError } from './lazy-part.tsx';

const module = { default: () => null, reads: [] };
const lost = () => new TypeError('Failed to fetch dynamically imported module');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.unstubAllGlobals());

/** A part whose module fails this often first. */
function failing(times: number) {
  const fetchModule = vi.fn(() => Promise.resolve(module));
  for (let time = 0; time < times; time++) fetchModule.mockRejectedValueOnce(lost());
  return { fetchModule, part: lazyPart(fetchModule) };
}

/** What a promise ends with, with the pause in it gone by. */
async function endOf(promise: Promise<unknown>): Promise<unknown> {
  const end = promise.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return end;
}

it('is fetched once, however often it is asked for', async () => {
  const { fetchModule, part } = failing(0);
  part.fetchAhead();
  await Promise.all([part.load(), part.load()]);
  expect(await part.load()).toBe(module);
  expect(part.isLoaded()).toBe(true);
  expect(fetchModule).toHaveBeenCalledTimes(1);
});

it('is fetched once more a second after a failure', async () => {
  const { fetchModule, part } = failing(1);
  const loading = part.load();
  await vi.advanceTimersByTimeAsync(999);
  expect(fetchModule).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await loading).toBe(module);
  expect(fetchModule).toHaveBeenCalledTimes(2);
});

it('fails with its cause after the second attempt, and each use says so without another', async () => {
  const { fetchModule, part } = failing(2);
  const failure = await endOf(part.load());
  expect(failure).toBeInstanceOf(LoadError);
  expect(failure).toMatchObject({ cause: lost() });
  expect(part.isLoaded()).toBe(false);
  for (let render = 0; render < 3; render++) expect(() => part({})).toThrow(failure);
  expect(fetchModule).toHaveBeenCalledTimes(2);
});

it('is fetched again when it is asked for after its failure was shown', async () => {
  const { part } = failing(2);
  const failure = (await endOf(part.load())) as LoadError;
  failure.forget();
  await expect(part.load()).resolves.toBe(module);
  expect(part.isLoaded()).toBe(true);
});

it('does not fail its first use because it could not be fetched ahead', async () => {
  const { part } = failing(2);
  part.fetchAhead();
  await vi.runAllTimersAsync();
  await expect(part.load()).resolves.toBe(module);
});

it('is asked for again without a reload where a field has text', async () => {
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('')));
  const inPage = (...values: string[]) =>
    vi.stubGlobal('document', {
      querySelector: () => null,
      querySelectorAll: () => values.map((value) => ({ value })),
    });
  const { part } = failing(3);
  inPage('', 'The door jams');
  expect(await endOf(part.tryAgain())).toBeInstanceOf(LoadError);
  expect(reload).not.toHaveBeenCalled();
  inPage('');
  const { part: other } = failing(1);
  void other.tryAgain();
  await vi.runAllTimersAsync();
  expect(reload).toHaveBeenCalledOnce();
});
