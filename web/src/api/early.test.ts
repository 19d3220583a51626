import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Answer } from './call.ts';
import { earlyOrFetch } from './early.ts';

const url = '/api/corporations/ANCHOR/locations/TXDFW03';
const fetched = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  fetched.mockImplementation(() => Promise.resolve(new Response('late')));
});
afterEach(() => {
  fetched.mockReset();
  globalThis.early = undefined;
  vi.unstubAllGlobals();
});

/** What the HTML's own script left behind: one read, sent with this header. */
function leave(answer: Promise<Answer>, authorization: string | null = 'Bearer rvt_1') {
  const answers = new Map([[url, answer]]);
  globalThis.early = { authorization, answers, pressed: null, begun: () => {} };
}

async function read(address = url, token = 'rvt_1'): Promise<string> {
  const headers = new Headers({ Authorization: `Bearer ${token}` });
  const { signal } = new AbortController();
  return (await earlyOrFetch(address, { method: 'GET', headers, signal })).text();
}

const early = () => Promise.resolve(new Response('early'));

it('takes the early answer once, and asks from then on', async () => {
  leave(early());
  expect(await read()).toBe('early');
  expect(fetched).not.toHaveBeenCalled();
  expect(await read()).toBe('late');
});

it('asks where nothing was sent early, or not this', async () => {
  expect(await read()).toBe('late');
  leave(early());
  expect(await read(`${url}/tenants/1`)).toBe('late');
});

it('takes no answer of another session', async () => {
  leave(early());
  expect(await read(url, 'rvt_2')).toBe('late');
  leave(early(), null);
  expect(await read()).toBe('late');
});

it('asks again when the early read failed', async () => {
  leave(Promise.reject(new TypeError('Failed to fetch')));
  expect(await read()).toBe('late');
});
