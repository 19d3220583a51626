import { base64, inStore, resultOf, STORE } from '#session/proof.ts';

/**
 * The public key for a sign-in, in base64, and made if there is none. Undefined where the browser
 * keeps no keys, as some do in private browsing: the token is then unbound.
 */
export async function getProofKey(): Promise<string | undefined> {
  try {
    const made = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'sign',
    ]);
    const { publicKey } = await inStore(
      async (store) => {
        // Two tabs may sign in at once: the second takes the key of the first.
        const kept = await resultOf(store.get('keys') as IDBRequest<CryptoKeyPair | undefined>);
        if (kept === undefined) await resultOf(store.put(made, 'keys'));
        return kept ?? made;
      },
      ({ result }) => result.createObjectStore(STORE),
    );
    return base64(await crypto.subtle.exportKey('raw', publicKey));
  } catch {
    return undefined;
  }
}

/**
 * Keeps how far this clock is from the server's, which is at `serverTime` now: proofs are of the
 * server's time.
 */
export async function keepClockOffset(serverTime: string): Promise<void> {
  const offset = Date.parse(serverTime) - Date.now();
  // Where nothing can be kept there is no key either.
  await inStore((store) => resultOf(store.put(offset, 'offset'))).catch(() => {});
}
