import { listLocations } from '@gatehouse/contract/facilities';
import { getUnitGateAccess } from '@gatehouse/contract/gate-access';
import { makePayment } from '@gatehouse/contract/payments';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const tenant = { id: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31' };
const unitId = '5a9d2b7c-1e3f-4d6a-8b0c-9f8e7d6c5b4a';
const params = { corp: 'ANCHOR', locationCode: 'TXDFW03', unitId };
const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();

vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
vi.stubGlobal('fetch', fetched);
const { call } = await import('./call.ts');
const { clearSession, getSession, getSessionEnd, setUser } = await import('#session/session.ts');

beforeEach(() => setUser({ token: 'rvt_1', tenants: [tenant], locationCode: 'TXDFW03' }));
afterEach(() => fetched.mockReset());

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  fetched.mockResolvedValueOnce(
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }),
  );
}

/** As the server says that it does not know the token. */
const DEAD = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };

function sent() {
  const [url, init] = fetched.mock.calls[0]!;
  return { url, init, headers: init.headers as Headers };
}

describe('what is sent', () => {
  // spec 6.6, 7.1
  it('goes below /api with the bearer token', async () => {
    answer(200, getUnitGateAccess.example);
    await expect(call(getUnitGateAccess, { params })).resolves.toEqual(getUnitGateAccess.example);
    expect(sent().url).toBe(
      `/api/corporations/ANCHOR/locations/TXDFW03/units/${unitId}/gate-access`,
    );
    expect(sent().headers.get('Authorization')).toBe('Bearer rvt_1');
  });

  // spec 6.7, 7.4, 7.5, 7.9, 7.12
  it('carries no token to a public endpoint, even when signed in', async () => {
    answer(200, listLocations.example);
    await call(listLocations, { params: { corp: 'ANCHOR' } });
    expect(sent().headers.has('Authorization')).toBe(false);
  });

  it('carries the body as JSON and the idempotency key', async () => {
    answer(200, makePayment.example);
    const body = {
      payments: [{ ledgerId: unitId, unitId, amount: 0.1 }],
      ach: { paymentMethodId: unitId },
    };
    await call(
      makePayment,
      { params: { ...params, tenantId: tenant.id }, body },
      { idempotencyKey: 'k1' },
    );
    expect(JSON.parse(sent().init.body as string)).toEqual(body);
    expect(sent().headers.get('Idempotency-Key')).toBe('k1');
  });
});

describe('what goes wrong', () => {
  // spec 7.8, 7.71, 8.23
  it("is refused with the server's status and sentence, at most 200 characters of it", async () => {
    answer(402, { message: 'The card was declined.' });
    const declined = { kind: 'refused', status: 402, message: 'The card was declined.' };
    await expect(call(getUnitGateAccess, { params })).rejects.toMatchObject(declined);
    answer(422, { message: 'x'.repeat(500) });
    await expect(call(getUnitGateAccess, { params })).rejects.toMatchObject({
      message: `${'x'.repeat(199)}…`,
    });
  });

  it('has a sentence of ours where the server gave none', async () => {
    answer(502, '<html>Bad Gateway</html>');
    await expect(call(getUnitGateAccess, { params })).rejects.toMatchObject({
      status: 502,
      message: 'Something went wrong on our side. Please try again. (502)',
    });
  });

  it.each([302, 400, 403, 404, 407, 409, 429, 451])(
    'is a parsing error where a proxy refuses with %i: what the server made of it is not known',
    async (status) => {
      answer(status, '<html>Blocked</html>');
      await expect(call(getUnitGateAccess, { params })).rejects.toMatchObject({
        kind: 'parsing',
        status: 0,
      });
    },
  );

  // spec 8.19
  it.each(['<html>', JSON.stringify({ unitId: 7 })])(
    'is a parsing error when the answer is no reply: %s',
    async (body) => {
      answer(200, body);
      await expect(call(getUnitGateAccess, { params })).rejects.toMatchObject({
        kind: 'parsing',
        status: 0,
      });
    },
  );

  // spec 8.17
  it('is a fetch error when nothing answers', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(call(getUnitGateAccess, { params })).rejects.toMatchObject({
      kind: 'fetch',
      status: 0,
    });
  });

  // spec 8.18
  it('is a timeout error when the answer takes too long', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    fetched.mockRejectedValueOnce(new DOMException('aborted', 'AbortError'));
    await expect(call(getUnitGateAccess, { params })).rejects.toMatchObject({
      kind: 'timeout',
      status: 0,
    });
    expect(timeout).toHaveBeenCalledWith(20_000);
    timeout.mockRestore();
  });

  it('is not reported when the caller gave up', async () => {
    fetched.mockRejectedValueOnce(new DOMException('aborted', 'AbortError'));
    const signal = AbortSignal.abort();
    await expect(call(getUnitGateAccess, { params }, { signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

describe('a dead token', () => {
  // asvs 14.3.1
  it('wipes the session', async () => {
    answer(401, { message: 'Please sign in again.' }, DEAD);
    await expect(call(getUnitGateAccess, { params })).rejects.toMatchObject({ status: 401 });
    expect(getSession()).toBeNull();
    expect(getSessionEnd()).toBe('expired');
  });

  it('does not wipe a session that began after the call', async () => {
    fetched.mockImplementationOnce(() => {
      clearSession();
      setUser({ token: 'rvt_2', tenants: [tenant], locationCode: 'TXDFW03' });
      const body = JSON.stringify({ message: 'Please sign in again.' });
      return Promise.resolve(new Response(body, { status: 401, headers: DEAD }));
    });
    await expect(call(getUnitGateAccess, { params })).rejects.toMatchObject({ status: 401 });
    expect(getSession()?.token).toBe('rvt_2');
  });

  // spec 8.23
  it.each<[of: string, body: unknown, headers: Record<string, string>]>([
    ['a page of HTML', '<html>Sign in to the network</html>', {}],
    ['HTML with a challenge of its own', '<html>', { 'WWW-Authenticate': 'Basic realm="proxy"' }],
    ['HTML with our challenge', '<html>', DEAD],
    ['JSON of its own', { message: 'Unauthorized' }, {}],
    ['JSON without a sentence', { error: 'unauthorized' }, DEAD],
    ['nothing', '', {}],
  ])('is not what a proxy says by a 401 with %s', async (_, body, headers) => {
    answer(401, body, headers);
    await expect(call(getUnitGateAccess, { params })).rejects.toMatchObject({
      kind: 'parsing',
      status: 0,
    });
    expect(getSession()?.token).toBe('rvt_1');
  });

  it('is not what a refused sign-in means', async () => {
    answer(401, { message: 'No such email and password at this location.' }, DEAD);
    await expect(call(listLocations, { params: { corp: 'ANCHOR' } })).rejects.toMatchObject({
      status: 401,
    });
    expect(getSession()).not.toBeNull();
  });
});
