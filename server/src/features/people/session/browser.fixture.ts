import { generateKeyPairSync, sign } from 'node:crypto';

/** A browser with a key of its own: `proofKey` for its sign-in, and proofs of its tokens. */
export type Browser = {
  proofKey: string;
  prove: (token: string, at: Date, hash?: string) => string;
};

export function newBrowser(): Browser {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-65);
  return {
    proofKey: point.toString('base64'),
    prove(token, at, hash = 'sha256') {
      const seconds = Math.floor(at.getTime() / 1000);
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
      const signature = sign(hash, Buffer.from(`${seconds}.${token}`), key);
      return `${seconds}.${signature.toString('base64')}`;
    },
  };
}
