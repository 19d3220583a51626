import { beforeEach, describe, expect, it, vi } from 'vitest';

const first = { id: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31' };
const second = { id: '0b8f3d1e-6f3a-4c55-9d35-3f1d2a7c9b10' };
const stored = { token: 'rvt_1', tenants: [first, second], currentTenantId: first.id, locationCode: 'TXDFW03' };

let storage: Map<string, string>;
let events: EventTarget;

/** A tab opened now: the module reads storage when it is loaded. */
async function openTab() {
  vi.resetModules();
  return import('./session.ts');
}

/** What other tabs hear when one of them writes. */
function otherTabWrites(value: unknown) {
  if (value === null) storage.delete('gatehouse');
  else storage.set('gatehouse', JSON.stringify(value));
  events.dispatchEvent(Object.assign(new Event('storage'), { key: 'gatehouse' }));
}

beforeEach(() => {
  storage = new Map();
  events = new EventTarget();
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
});

describe('signing in, choosing a tenant, logging out (spec section 3)', () => {
  it('is empty until the user is set', async () => {
    const { getSession } = await openTab();
    expect(getSession()).toBeNull();
  });

  it('stores token, tenants and location and makes the first tenant the current one', async () => {
    const { getSession, setUser } = await openTab();
    setUser({ token: 'rvt_1', tenants: [first, second], locationCode: 'TXDFW03' });
    expect(getSession()).toEqual(stored);
  });

  it('keeps one key with exactly the four fields, and of a tenant only its id', async () => {
    const { setUser } = await openTab();
    const tenants = [{ ...first, email: 'dana@example.com' }, second];
    setUser({ token: 'rvt_1', tenants, locationCode: 'TXDFW03' });
    expect([...storage.keys()]).toEqual(['gatehouse']);
    expect(JSON.parse(storage.get('gatehouse')!)).toEqual(stored);
  });

  it('changes only the current tenant when one is chosen', async () => {
    const { chooseTenant, getSession, setUser } = await openTab();
    setUser(stored);
    chooseTenant(second.id);
    expect(getSession()).toEqual({ ...stored, currentTenantId: second.id });
  });

  it("does not choose a tenant that is not the visitor's", async () => {
    const { chooseTenant, getSession, setUser } = await openTab();
    setUser(stored);
    chooseTenant('1c9e7f3b-5d2a-4f6e-8a0b-7c6d5e4f3a2b');
    expect(getSession()).toEqual(stored);
  });

  it('forgets everything on logout', async () => {
    const { clearSession, getSession, getSessionEnd, setUser } = await openTab();
    setUser(stored);
    clearSession();
    expect(getSession()).toBeNull();
    expect(getSessionEnd()).toBe('logout');
    expect(storage.size).toBe(0);
  });

  it('notifies its listeners of every change and of nothing else', async () => {
    const { chooseTenant, clearSession, setUser, subscribe } = await openTab();
    const heard = vi.fn();
    const stop = subscribe(heard);
    setUser(stored);
    chooseTenant(second.id);
    clearSession();
    clearSession();
    expect(heard).toHaveBeenCalledTimes(3);
    stop();
    setUser(stored);
    expect(heard).toHaveBeenCalledTimes(3);
  });
});

describe('reading storage (C4)', () => {
  it('goes on with a stored session', async () => {
    storage.set('gatehouse', JSON.stringify(stored));
    const { getSession } = await openTab();
    expect(getSession()).toEqual(stored);
  });

  it.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['a field too many', JSON.stringify({ ...stored, cardNumber: '4242424242424242' })],
    ['a tenant with more than its id', JSON.stringify({ ...stored, tenants: [{ ...first, name: 'Dana' }] })],
    ['no token', JSON.stringify({ ...stored, token: '' })],
    ['no tenant', JSON.stringify({ ...stored, tenants: [] })],
    ['a current tenant that is none of them', JSON.stringify({ ...stored, tenants: [second] })],
  ])('wipes what is not exactly a session: %s', async (_, text) => {
    storage.set('gatehouse', text);
    const { getSession } = await openTab();
    expect(getSession()).toBeNull();
    expect(storage.size).toBe(0);
  });

  it('lives without storage', async () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    const { getSession, setUser } = await openTab();
    setUser(stored);
    expect(getSession()).toEqual(stored);
  });
});

describe('other tabs (C5)', () => {
  it('follows a logout', async () => {
    storage.set('gatehouse', JSON.stringify(stored));
    const { getSession, getSessionEnd } = await openTab();
    otherTabWrites(null);
    expect(getSession()).toBeNull();
    expect(getSessionEnd()).toBe('logout');
  });

  it('follows a sign-in and a chosen tenant', async () => {
    const { getSession } = await openTab();
    otherTabWrites(stored);
    expect(getSession()).toEqual(stored);
    otherTabWrites({ ...stored, currentTenantId: second.id });
    expect(getSession()?.currentTenantId).toBe(second.id);
  });

  it('keeps the same object while nothing changes, so that nothing renders again', async () => {
    storage.set('gatehouse', JSON.stringify(stored));
    const { getSession } = await openTab();
    const before = getSession();
    otherTabWrites(stored);
    expect(getSession()).toBe(before);
  });
});
