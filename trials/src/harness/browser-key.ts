import { generateKeyPairSync, sign } from 'node:crypto';
import { testClock } from '@gatehouse/server/test/test-day.ts';

/** The key of a browser to which a session can be bound (decision 37). */
export type BrowserKey = {
  /** The public key as a sign-in sends it. */
  proofKey: string;
  /** The proof header of a token at this time, by default now. */
  prove: (token: string, at?: Date) => { 'session-proof': string };
};

export function newBrowserKey(): BrowserKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-65);
  return {
    proofKey: point.toString('base64'),
    prove(token, at = testClock.now()) {
      const seconds = Math.floor(at.getTime() / 1000);
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
      const signature = sign('sha256', Buffer.from(`${seconds}.${token}`), key);
      return { 'session-proof': `${seconds}.${signature.toString('base64')}` };
    },
  };
}
