import { beforeEach, describe, expect, it, vi } from 'vitest';

const first = { id: '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31' };
const second = { id: '0b8f3d1e-6f3a-4c55-9d35-3f1d2a7c9b10' };
const stored = {
  token: 'rvt_1',
  tenants: [first, second],
  currentTenantId: first.id,
  locationCode: 'TXDFW03',
};

/** What stays of a sign-in that asked for nothing to be remembered. */
const remembered = { locationCode: 'TXDFW03' };

let storage: Map<string, string>;
let events: EventTarget;

/** A tab opened now. */
async function openTab() {
  vi.resetModules();
  const session = await import('./session.ts');
  session.openSession();
  return session;
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

describe('signing in, choosing a tenant, logging out', () => {
  // spec 3.1, 4.1
  it('is empty until the user is set', async () => {
    const { getSession } = await openTab();
    expect(getSession()).toBeNull();
  });

  // spec 3.3, 3.4, 3.7, 4.1, 4.8, 7.16, 7.66
  it('stores token, tenants and location and makes the first tenant the current one', async () => {
    const { getSession, setUser } = await openTab();
    setUser({ token: 'rvt_1', tenants: [first, second], locationCode: 'TXDFW03' });
    expect(getSession()).toEqual(stored);
  });

  // spec 3.1, 3.2, 4.5, 4.6, 6.1
  // asvs 14.3.3
  it('keeps one key with the four fields and the location to remember, and of a tenant only its id', async () => {
    const { setUser } = await openTab();
    const tenants = [{ ...first, email: 'dana@example.com' }, second];
    setUser({ token: 'rvt_1', tenants, locationCode: 'TXDFW03' });
    expect([...storage.keys()]).toEqual(['gatehouse']);
    expect(JSON.parse(storage.get('gatehouse')!)).toEqual({ ...stored, remembered });
  });

  it('notes of a session that is kept that it is, also when another tenant is chosen', async () => {
    const { chooseTenant, getSession, setUser } = await openTab();
    setUser({ ...stored, isKept: true });
    chooseTenant(second.id);
    expect(getSession()).toEqual({ ...stored, currentTenantId: second.id, isKept: true });
    expect((await openTab()).getSession()).toMatchObject({ isKept: true });
    setUser({ ...stored, isKept: false });
    expect(getSession()).toEqual({ ...stored, currentTenantId: first.id });
  });

  // spec 3.5, 4.2, 6.5
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

  // spec 2.17, 3.6, 4.3, 4.6
  it('forgets everything on logout', async () => {
    const { clearSession, getSession, getSessionEnd, setUser } = await openTab();
    setUser(stored);
    clearSession();
    expect(getSession()).toBeNull();
    expect(getSessionEnd()).toBe('logout');
    expect([...storage]).toEqual([['gatehouse', JSON.stringify({ remembered })]]);
  });

  it('remembers the email address only where the sign-in asked for it', async () => {
    const { clearSession, getRemembered, setUser } = await openTab();
    setUser({ ...stored, email: 'dana@example.com' });
    clearSession();
    expect(getRemembered()).toEqual({ ...remembered, email: 'dana@example.com' });
    const { getRemembered: inNextTab, setUser: signIn } = await openTab();
    expect(inNextTab()).toEqual({ ...remembered, email: 'dana@example.com' });
    signIn(stored);
    expect(storage.get('gatehouse')).not.toContain('dana@example.com');
  });

  // asvs 14.3.3
  it('keeps only device token and location after a logout, for the next sign-in', async () => {
    const { chooseTenant, clearSession, getDevice, setUser } = await openTab();
    setUser({ ...stored, device: 'rdt_1' });
    chooseTenant(second.id);
    const signedIn = { ...stored, currentTenantId: second.id, device: 'rdt_1', remembered };
    expect(JSON.parse(storage.get('gatehouse')!)).toEqual(signedIn);
    clearSession();
    const left = JSON.stringify({ device: 'rdt_1', remembered });
    expect([...storage]).toEqual([['gatehouse', left]]);
    expect(getDevice()).toBe('rdt_1');
    const { getDevice: inNextTab, getSession } = await openTab();
    expect([getSession(), inNextTab()]).toEqual([null, 'rdt_1']);
  });

  it('keeps device token and location of a new password, next to a session or without one; its address is not stored', async () => {
    const { clearSession, getDevice, getRegistered, keepDevice, setUser } = await openTab();
    const lookup = { locationCode: 'TXDFW03', email: 'dana@example.com' };
    keepDevice('rdt_1', lookup);
    expect(getRegistered()).toBe('dana@example.com');
    const left = JSON.stringify({ device: 'rdt_1', remembered });
    expect([...storage]).toEqual([['gatehouse', left]]);
    setUser({ ...stored, device: 'rdt_2' });
    expect(getRegistered()).toBeUndefined();
    keepDevice('rdt_3', lookup);
    const both = { ...stored, device: 'rdt_3', remembered };
    expect(JSON.parse(storage.get('gatehouse')!)).toEqual(both);
    clearSession();
    expect(getDevice()).toBe('rdt_3');
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

describe('reading storage', () => {
  // spec 4.4, 7.66
  it('continues with a stored session', async () => {
    storage.set('gatehouse', JSON.stringify(stored));
    const { getSession } = await openTab();
    expect(getSession()).toEqual(stored);
  });

  // asvs 3.5.5
  it.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['a field too many', JSON.stringify({ ...stored, cardNumber: '4242424242424242' })],
    [
      'a tenant with more than its id',
      JSON.stringify({ ...stored, tenants: [{ ...first, name: 'Dana' }] }),
    ],
    ['no token', JSON.stringify({ ...stored, token: '' })],
    ['a device and more', '{"device":"rdt_1","email":"dana@example.com"}'],
    ['remembered things and more', JSON.stringify({ remembered: { ...remembered, name: 'Dana' } })],
    ['nothing', '{}'],
    ['an empty device', '{"device":""}'],
    ['a session with a device that is no text', JSON.stringify({ ...stored, device: 7 })],
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

describe('other tabs', () => {
  it('follows a logout', async () => {
    storage.set('gatehouse', JSON.stringify(stored));
    const { getSession, getSessionEnd } = await openTab();
    otherTabWrites(null);
    expect(getSession()).toBeNull();
    expect(getSessionEnd()).toBe('logout');
  });

  it('follows a logout that leaves the device token', async () => {
    storage.set('gatehouse', JSON.stringify({ ...stored, device: 'rdt_1' }));
    const { getDevice, getSession, getSessionEnd } = await openTab();
    expect(getSession()).toEqual(stored);
    otherTabWrites({ device: 'rdt_1' });
    expect([getSession(), getSessionEnd(), getDevice()]).toEqual([null, 'logout', 'rdt_1']);
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
