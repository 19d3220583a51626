import { expect, it, vi } from 'vitest';
import { lazyPart, LoadError } from './lazy-part.tsx';

const module = { default: () => null, reads: [] };

it('is fetched once, however often it is asked for', async () => {
  const fetchModule = vi.fn(() => Promise.resolve(module));
  const part = lazyPart(fetchModule);
  part.fetchAhead();
  await Promise.all([part.load(), part.load()]);
  expect(await part.load()).toBe(module);
  expect(part.isLoaded()).toBe(true);
  expect(fetchModule).toHaveBeenCalledTimes(1);
});

it('fails with its cause and is fetched again on the next attempt', async () => {
  const cause = new TypeError('Failed to fetch');
  const fetchModule = vi.fn(() => Promise.resolve(module)).mockRejectedValueOnce(cause);
  const part = lazyPart(fetchModule);
  const failure: unknown = await part.load().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(LoadError);
  expect(failure).toMatchObject({ cause });
  expect(part.isLoaded()).toBe(false);
  await expect(part.load()).resolves.toBe(module);
});
