import { expect, it, vi } from 'vitest';

vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
const fetchNothing = vi.fn();
vi.stubGlobal('fetch', fetchNothing);
const { createCache } = await import('./base.ts');
const { overviewRead } = await import('./overview.ts');

it('asks for nothing and fails in no effect once the session has ended', async () => {
  const cache = createCache();
  await expect(overviewRead('11111111-1111-4111-8111-111111111111')(cache)).resolves.toBe(
    undefined,
  );
  expect(fetchNothing).not.toHaveBeenCalled();
});
