import { createPublicKey, verify } from 'node:crypto';

/** The request header that carries the proof of a bound token. */
export const PROOF_HEADER = 'session-proof';
/**
 * How far the time of a proof may be from the server's, in seconds: the minute for which the portal
 * reuses one, and a clock that is wrong by a few minutes.
 */
export const PROOF_SECONDS = 300;
/** The most proofs that a process remembers as verified. */
const MOST_VERIFIED = 10_000;

/** What comes before the point of a P-256 key in its SPKI form (RFC 5480). */
const SPKI_P256 = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

/**
 * Proofs whose signature was verified, with the token's digest before them. Whether a signature is
 * right never changes, so this only saves the 0.1 ms of a verification.
 */
const verified = new Set<string>();

/**
 * The public key of a browser, which a sign-in sends in base64; null where it
 * is no point of P-256.
 */
export function readProofKey(text: string): Buffer | null {
  const point = Buffer.from(text, 'base64');
  if (point.length !== 65) return null;
  try {
    publicKeyOf(point);
    return point;
  } catch {
    return null;
  }
}

/**
 * Whether a proof is of this token, by this key, and of about now. A proof is the time in seconds
 * and the ES256 signature of time and token: `<seconds>.<signature in base64>` (decision 37,
 * after RFC 9449).
 */
export function isProof(
  proof: unknown,
  { token, tokenHash, proofKey }: { token: string; tokenHash: Buffer; proofKey: Buffer },
  now: Date,
): boolean {
  const [, seconds, signature] =
    typeof proof === 'string' ? (/^(\d{10})\.([\w+/]{86}==)$/.exec(proof) ?? []) : [];
  if (seconds === undefined || signature === undefined) return false;
  if (Math.abs(now.getTime() / 1000 - Number(seconds)) > PROOF_SECONDS) return false;
  const name = `${tokenHash.toString('base64')} ${seconds}.${signature}`;
  if (verified.has(name)) return true;
  const isRight = verify(
    'sha256',
    Buffer.from(`${seconds}.${token}`),
    { key: publicKeyOf(proofKey), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64'),
  );
  if (isRight) remember(name);
  return isRight;
}

function publicKeyOf(point: Buffer) {
  return createPublicKey({ key: Buffer.concat([SPKI_P256, point]), format: 'der', type: 'spki' });
}

/** Forgets the oldest where there are too many. */
function remember(name: string): void {
  if (verified.size >= MOST_VERIFIED)
    for (const oldest of verified.values()) {
      verified.delete(oldest);
      break;
    }
  verified.add(name);
}
