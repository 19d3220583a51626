import { PASS_PLACE } from '#session/kept-pass.ts';
import { inStore, resultOf } from '#session/proof.ts';
import { type KeptPass, shownOf } from './kept-pass.ts';

/**
 * The kept passes in IndexedDB, each sealed (AES-GCM) by a key that this browser does not give out:
 * a copy of the stored bytes by itself is useless. A holder of the unlocked phone can open them.
 */

/** What the store has besides the passes. */
const PASS_KEY = 'key';
const PASS_SEEN = 'seen';

type Sealed = { iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer };

/** Whether this browser can keep one: over https, and where storage is not blocked. */
export function canKeepPass(): boolean {
  // Service workers need a secure context, and so does `crypto.subtle`.
  return 'serviceWorker' in navigator && 'indexedDB' in globalThis;
}

/** Keeps the pass of a tenant record in place of the last one. */
export function keepPass(tenantId: string, pass: KeptPass): Promise<void> {
  return renewPass(tenantId, pass, makeStore);
}

/**
 * Replaces the pass of a tenant record; null deletes it. Rejects where another tab has removed the
 * passes from this phone, also meanwhile: only `make` makes a place for them.
 */
export async function renewPass(
  tenantId: string,
  pass: KeptPass | null,
  make?: typeof makeStore,
): Promise<void> {
  if (pass === null) return dropPass(tenantId);
  const key = await openKey(make);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(JSON.stringify(pass));
  const sealed: Sealed = {
    iv,
    bytes: await crypto.subtle.encrypt(boundTo(tenantId, iv), key, text),
  };
  await inPasses(async (store) => {
    await resultOf(store.put(sealed, tenantId));
    await resultOf(store.put(pass.asOf, PASS_SEEN));
  });
}

async function dropPass(tenantId: string): Promise<void> {
  await inPasses((store) => resultOf(store.delete(tenantId)));
}

/** Whether the tenant keeps passes on this phone. */
export async function isPassKept(): Promise<boolean> {
  const keys = await keysOf();
  return keys.includes(PASS_KEY);
}

/** Whether there is a pass; there is none while every gate is closed. */
export async function hasPass(): Promise<boolean> {
  return (await tenantsOf()).length > 0;
}

/**
 * Every pass that may be shown at this instant. Those that may not, because they have ended or the
 * clock was set back, are deleted.
 */
export async function readPasses(now: number): Promise<KeptPass[]> {
  const shown = await readAll(now);
  for (const tenantId of await tenantsOf()) if (!shown.has(tenantId)) await dropPass(tenantId);
  if (shown.size > 0) await inPasses((store) => resultOf(store.put(now, PASS_SEEN)));
  return [...shown.values()];
}

async function readAll(now: number): Promise<Map<string, KeptPass>> {
  const shown = new Map<string, KeptPass>();
  const tenants = await tenantsOf();
  if (tenants.length === 0) return shown;
  const [key, seenAt, ...sealed] = await inPasses((store) =>
    Promise.all(
      [PASS_KEY, PASS_SEEN, ...tenants].map((name) => resultOf<unknown>(store.get(name))),
    ),
  );
  for (const [index, tenantId] of tenants.entries()) {
    const pass = await unseal(key as CryptoKey, tenantId, sealed[index] as Sealed);
    const part = pass && shownOf(pass, now, Number(seenAt ?? 0));
    if (part) shown.set(tenantId, part);
  }
  return shown;
}

/** Null where it is not what this browser has sealed for the record. */
async function unseal(
  key: CryptoKey,
  tenantId: string,
  { iv, bytes }: Sealed,
): Promise<KeptPass | null> {
  try {
    const text = await crypto.subtle.decrypt(boundTo(tenantId, iv), key, bytes);
    return JSON.parse(new TextDecoder().decode(text)) as KeptPass;
  } catch {
    return null;
  }
}

/** A sealed pass that is moved to another record does not open. */
function boundTo(tenantId: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(tenantId) };
}

async function openKey(make?: typeof makeStore): Promise<CryptoKey> {
  const found = await inPasses((store) => resultOf<unknown>(store.get(PASS_KEY)), make);
  if (found !== undefined) return found as CryptoKey;
  const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  // Of two tabs at once the first one's stays.
  return inPasses(async (store) => {
    const first = await resultOf<unknown>(store.get(PASS_KEY));
    if (first === undefined) await resultOf(store.put(made, PASS_KEY));
    return (first as CryptoKey | undefined) ?? made;
  });
}

async function tenantsOf(): Promise<string[]> {
  return (await keysOf()).filter((key) => key !== PASS_KEY && key !== PASS_SEEN);
}

async function keysOf(): Promise<string[]> {
  try {
    return (await inPasses((store) => resultOf(store.getAllKeys()))).map(String);
  } catch {
    return [];
  }
}

function inPasses<T>(
  act: (store: IDBObjectStore) => Promise<T>,
  make?: (opening: IDBOpenDBRequest) => void,
): Promise<T> {
  return inStore(act, make, PASS_PLACE);
}

function makeStore({ result }: IDBOpenDBRequest): void {
  result.createObjectStore(PASS_PLACE[1]);
}
