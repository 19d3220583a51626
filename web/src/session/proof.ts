/**
 * The key of this browser, to which its session is bound (decision 37). It is stored in IndexedDB
 * and cannot be exported: a copy of the token by itself is useless. The inline script of the HTML
 * sends proofs too, so this file imports nothing.
 */

/** The header of a request that carries the proof. */
export const PROOF_HEADER = 'Session-Proof';

const DATABASE = 'gatehouse';
export const STORE = 'proof';
/** How long a proof is sent again; the server takes it for five minutes. */
const REUSED_MS = 60_000;

type Proof = { token: string; madeAt: number; text: Promise<string | undefined> };

declare global {
  /** The last proof, which the HTML's own script leaves to the app. */
  var proof: Proof | undefined;
}

/** The proof for a token, undefined where this browser has no key. One is reused for a minute. */
export function prove(token: string): Promise<string | undefined> {
  const { proof } = globalThis;
  if (proof?.token === token && Math.abs(Date.now() - proof.madeAt) < REUSED_MS) return proof.text;
  const text = sign(token).catch(() => undefined);
  globalThis.proof = { token, madeAt: Date.now(), text };
  return text;
}

/** Deletes the key: the session is over. */
export function forgetProofKey(): void {
  globalThis.proof = undefined;
  indexedDB.deleteDatabase(DATABASE);
}

async function sign(token: string): Promise<string> {
  const [keys, offset] = await inStore((store) =>
    Promise.all(['keys', 'offset'].map((name) => resultOf<unknown>(store.get(name)))),
  );
  const seconds = Math.floor((Date.now() + ((offset as number | undefined) ?? 0)) / 1000);
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    (keys as CryptoKeyPair).privateKey,
    new TextEncoder().encode(`${seconds}.${token}`),
  );
  return `${seconds}.${base64(signature)}`;
}

/**
 * Opens a store for one use: an open connection would keep a logout from deleting its database.
 * Rejects where there is none, unless `make` makes it. `place` is its database and its name.
 */
export async function inStore<T>(
  act: (store: IDBObjectStore) => Promise<T>,
  make = ({ transaction }: IDBOpenDBRequest): void => transaction!.abort(),
  [name, storeName]: readonly [string, string] = [DATABASE, STORE],
): Promise<T> {
  const opening = indexedDB.open(name);
  opening.onupgradeneeded = () => make(opening);
  const database = await resultOf(opening);
  try {
    return await act(database.transaction(storeName, 'readwrite').objectStore(storeName));
  } finally {
    database.close();
  }
}

/** The result of a request to IndexedDB. */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = reject;
  });
}

/** As the proofs and keys go over the wire. */
export function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
