import { id } from '@gatehouse/contract/ids';
import { useSyncExternalStore } from 'react';
import { z } from 'zod/mini';
import { STORAGE_KEY as KEY } from './storage-key.ts';

const sessionShape = z
  .strictObject({
    token: z.string().check(z.minLength(1)),
    tenants: z.array(z.strictObject({ id })),
    currentTenantId: id,
    locationCode: z.string().check(z.minLength(1)),
  })
  .check(z.refine(({ tenants, currentTenantId }) => tenants.some((tenant) => tenant.id === currentTenantId)));

/** A signed-in visitor (spec section 3). Signed out is `null`. */
export type Session = z.infer<typeof sessionShape>;

/** Why a session of this tab ended: the visitor left, was away too long, or the server no longer knows the token. */
export type SessionEnd = 'logout' | 'idle' | 'expired';

const listeners = new Set<() => void>();
let session = read();
let end: SessionEnd | null = null;

export function getSession(): Session | null {
  return session;
}

export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, getSession, getSession);
}

/** Why the last session of this tab ended, or null where none did. */
export function getSessionEnd(): SessionEnd | null {
  return end;
}

/** Signs in: stores the answer of the sign-in call with its location; the first tenant becomes the current one. */
export function setUser(user: { token: string; tenants: { id: string }[]; locationCode: string }): void {
  const [first] = user.tenants;
  if (first === undefined) throw new Error('This sign-in has no rental account at this location.');
  write({
    token: user.token,
    tenants: user.tenants.map((tenant) => ({ id: tenant.id })),
    currentTenantId: first.id,
    locationCode: user.locationCode,
  });
}

/** Changes the current tenant and nothing else; an id that is not the visitor's own changes nothing. */
export function chooseTenant(tenantId: string): void {
  if (session?.tenants.some((tenant) => tenant.id === tenantId)) write({ ...session, currentTenantId: tenantId });
}

export function clearSession(why: SessionEnd = 'logout'): void {
  if (session === null) return;
  end = why;
  write(null);
}

/** Calls `listener` after every change, in this tab or another; returns how to stop. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function write(next: Session | null): void {
  session = next;
  if (next !== null) end = null;
  try {
    if (next === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Storage may be blocked or full: the session then lives as long as the tab.
  }
  for (const listener of listeners) listener();
}

/** What storage holds, if it is exactly a session; anything else is wiped. */
function read(): Session | null {
  try {
    const text = localStorage.getItem(KEY);
    if (text === null) return null;
    const parsed = z.safeParse(sessionShape, parseJson(text));
    if (parsed.success) return parsed.data;
    localStorage.removeItem(KEY);
  } catch {
    // Blocked storage reads as signed out.
  }
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Another tab signed in, out or chose a tenant, or this page came back from the browser's page cache. */
function follow(): void {
  const next = read();
  if (JSON.stringify(next) === JSON.stringify(session)) return;
  end = next === null ? 'logout' : null;
  session = next;
  for (const listener of listeners) listener();
}

addEventListener('storage', (event) => {
  if (event.key === KEY || event.key === null) follow();
});
addEventListener('pageshow', (event) => {
  if (event.persisted) follow();
});
