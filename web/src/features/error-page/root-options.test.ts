import { afterEach, expect, it, vi } from 'vitest';
import { rootOptions } from './root-options.tsx';

afterEach(() => vi.unstubAllGlobals());

it('reports an error after the one that has replaced the page, and does no more', () => {
  vi.stubGlobal('document', { createElement: () => ({}), getElementById: () => null });
  const report = vi.fn();
  const error = new Error('again');
  rootOptions(report).onUncaughtError!(error, {});
  expect(report).toHaveBeenCalledWith(error);
});
