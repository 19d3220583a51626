import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Answer, areEarlyAnswersHere, fetchOrTakeEarly } from './early.ts';

const url = '/api/corporations/ANCHOR/locations/TXDFW03';
const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  fetched.mockImplementation(() => Promise.resolve(new Response('late')));
});
afterEach(() => {
  fetched.mockReset();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What the HTML's own script left behind: one read, sent with this header. */
function leave(answer: Promise<Answer>, authorization: string | null = 'Bearer rvt_1') {
  const stop = new AbortController();
  answer.catch(() => {});
  globalThis.early = {
    authorization,
    calls: new Map([[url, { answer, isHere: false, stop }]]),
    sentAt: 0,
    pressed: null,
    sendReadsOf: () => {},
    begun: () => {},
    loadSheet: () => Promise.resolve(),
  };
  return stop;
}

function init({
  method = 'GET',
  token = 'rvt_1',
  signal,
}: { method?: string; token?: string; signal?: AbortSignal } = {}) {
  const headers = new Headers({ Authorization: `Bearer ${token}` });
  return { method, headers, ...(signal && { signal }) };
}

const text = async (answer: Promise<Answer>) => (await answer).text();
const early = () => Promise.resolve(new Response('early'));

it('takes the early answer once, and asks from then on', async () => {
  leave(early());
  expect(await text(fetchOrTakeEarly(url, init()))).toBe('early');
  expect(fetched).not.toHaveBeenCalled();
  expect(await text(fetchOrTakeEarly(url, init()))).toBe('late');
});

it('asks where nothing was sent early, or not this', async () => {
  expect(await text(fetchOrTakeEarly(url, init()))).toBe('late');
  leave(early());
  expect(await text(fetchOrTakeEarly(`${url}/tenants/1`, init()))).toBe('late');
});

it('leaves an answer that was taken by another call', async () => {
  leave(early());
  expect(await text(fetchOrTakeEarly(url, init({ token: 'rvt_2' })))).toBe('late');
  leave(early(), null);
  expect(await text(fetchOrTakeEarly(url, init()))).toBe('late');
});

it('asks again when the early read failed', async () => {
  leave(Promise.reject(new TypeError('Failed to fetch')));
  expect(await text(fetchOrTakeEarly(url, init()))).toBe('late');
});

it('forgets what was read before a change', async () => {
  leave(early());
  await fetchOrTakeEarly(`${url}/tenants/1/payments`, init({ method: 'POST' }));
  expect(await text(fetchOrTakeEarly(url, init()))).toBe('late');
});

it('drops an answer that was not taken for half a minute', async () => {
  leave(early());
  const clock = vi.spyOn(performance, 'now').mockReturnValue(30_001);
  expect(await text(fetchOrTakeEarly(url, init()))).toBe('late');
  clock.mockRestore();
});

it('stops the early read when the caller gives up', () => {
  const stop = leave(new Promise(() => {}));
  const caller = new AbortController();
  void fetchOrTakeEarly(url, init({ signal: caller.signal })).catch(() => {});
  caller.abort();
  expect(stop.signal.aborted).toBe(true);
});

it('knows whether all that was sent early is answered', () => {
  expect(areEarlyAnswersHere()).toBe(false);
  leave(early());
  expect(areEarlyAnswersHere()).toBe(false);
  globalThis.early!.calls.get(url)!.isHere = true;
  expect(areEarlyAnswersHere()).toBe(true);
  globalThis.early!.calls.clear();
  expect(areEarlyAnswersHere()).toBe(false);
});
