import { expect, it, vi } from 'vitest';
import { lazyPart } from './lazy-part.tsx';

const Part = () => null;

it('is fetched once, however often it is asked for', async () => {
  const fetchPart = vi.fn(() => Promise.resolve(Part));
  const { load } = lazyPart(fetchPart);
  await Promise.all([load(), load()]);
  await load();
  expect(fetchPart).toHaveBeenCalledTimes(1);
});

it('fails with what the error page shows and is fetched again on the next attempt', async () => {
  const fetchPart = vi.fn(() => Promise.resolve(Part)).mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const { load } = lazyPart(fetchPart);
  await expect(load()).rejects.toMatchObject({ status: 503, statusText: 'Service Unavailable' });
  await expect(load()).resolves.toBe(Part);
});
