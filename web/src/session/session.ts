import { id } from '@gatehouse/contract/ids';
import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { forgetPass } from './kept-pass.ts';
import { forgetProofKey } from './proof.ts';
import { STORAGE_KEY as KEY } from './storage-key.ts';

const filledText = z.string().check(z.minLength(1));

/** A signed-in visitor. Signed out is `null`. */
const sessionShape = z.strictObject({
  token: filledText,
  tenants: z.array(z.strictObject({ id })),
  currentTenantId: id,
  locationCode: filledText,
  /** Whether it is kept on this phone for 30 days (decision 65). */
  isKept: z.optional(z.boolean()),
});
export type Session = z.infer<typeof sessionShape>;

/** What stays after a session. */
const keptShape = z.strictObject({
  /** This browser's device token of the account that signed in last, for its next sign-in only. */
  device: z.optional(filledText),
  /** What the next sign-in starts with: the email address only where the tenant asked for it. */
  remembered: z.optional(
    z.strictObject({ locationCode: z.string(), email: z.optional(z.string()) }),
  ),
});
type Kept = z.infer<typeof keptShape>;

/**
 * Why a session of this tab ended: the visitor left, was away too long, or the server no longer
 * knows the token.
 */
export type SessionEnd = 'logout' | 'idle' | 'expired';

const nothing: Stored = { session: null, kept: {} };
const listeners = new Set<() => void>();
let { session, kept } = nothing;
let registered: string | undefined;
let end: SessionEnd | null = null;

/** Takes what this browser has stored, and follows what its other tabs do. To be called once. */
export function openSession(): void {
  ({ session, kept } = read());
  addEventListener('storage', (event) => {
    if (event.key === KEY || event.key === null) follow();
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) follow();
  });
}

export function getSession(): Session | null {
  return session;
}

/** This browser's device token. */
export function getDevice(): string | undefined {
  return kept.device;
}

/** The location and email address that this device remembers. */
export function getRemembered(): Kept['remembered'] {
  return kept.remembered;
}

/** The email address that a new password was set for in this tab, until it signs in. */
export function getRegistered(): string | undefined {
  return registered;
}

/**
 * Stores the device token that a new password was answered with, and its location; the email
 * address is for this tab's next sign-in, and is not stored.
 */
export function keepDevice(
  device: string,
  { locationCode, email }: { locationCode: string; email: string },
): void {
  registered = email;
  kept = { device, remembered: { ...kept.remembered, locationCode } };
  write(session);
}

/** Why the last session of this tab ended, or null where none did. */
export function getSessionEnd(): SessionEnd | null {
  return end;
}

/**
 * Signs in: stores the answer of the sign-in call with its location; the first tenant becomes the
 * current one. `email` is remembered where it is given.
 */
export function setUser(user: {
  token: string;
  tenants: { id: string }[];
  locationCode: string;
  device?: string;
  email?: string | undefined;
  isKept?: boolean;
}): void {
  const [first] = user.tenants;
  if (first === undefined)
    throw new Error(t('This sign-in has no rental account at this location.'));
  const { locationCode, email } = user;
  registered = undefined;
  kept = { device: user.device, remembered: { locationCode, email } };
  write({
    token: user.token,
    tenants: user.tenants.map((tenant) => ({ id: tenant.id })),
    currentTenantId: first.id,
    locationCode,
    ...(user.isKept && { isKept: true }),
  });
}

/**
 * Changes the current tenant and nothing else; an id that is not the visitor's own changes nothing.
 */
export function chooseTenant(tenantId: string): void {
  if (session?.tenants.some((tenant) => tenant.id === tenantId))
    write({ ...session, currentTenantId: tenantId });
}

/**
 * Signs out: only the device token and what is remembered stay. The kept gate pass goes with a
 * session of 30 days: it may have been ended because the phone is lost.
 */
export function clearSession(why: SessionEnd = 'logout'): void {
  if (session === null) return;
  if (session.isKept) forgetPass();
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
    const text = JSON.stringify({ ...next, ...kept });
    if (text === '{}') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, text);
    if (next === null) forgetProofKey();
  } catch {
    // Storage may be blocked or full: the session then lives as long as the tab.
  }
  for (const listener of listeners) listener();
}

type Stored = { session: Session | null; kept: Kept };

/** What storage holds, if it is exactly a session or what stays of one; anything else is wiped. */
function read(): Stored {
  try {
    const text = localStorage.getItem(KEY);
    const found = text === null ? nothing : check(parseJson(text));
    if (found !== null) return found;
    localStorage.removeItem(KEY);
  } catch {
    // Blocked storage reads as signed out.
  }
  return nothing;
}

function check(value: unknown): Stored | null {
  const { device, remembered, ...rest } = Object(value) as Kept & Partial<Session>;
  const kept = z.safeParse(keptShape, { device, remembered }).data;
  if (kept === undefined) return null;
  // After a logout it is stored by itself.
  const isAlone = (device ?? remembered) !== undefined && Object.keys(rest).length === 0;
  if (isAlone) return { session: null, kept };
  const session = z.safeParse(sessionShape, rest).data;
  const isWhole = session?.tenants.some((tenant) => tenant.id === session.currentTenantId);
  return session && isWhole ? { session, kept } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Another tab signed in, out or chose a tenant, or this page came back from the browser's page
 * cache.
 */
function follow(): void {
  const stored = read();
  const next = stored.session;
  kept = stored.kept;
  if (JSON.stringify(next) === JSON.stringify(session)) return;
  end = next === null ? 'logout' : null;
  session = next;
  for (const listener of listeners) listener();
}
