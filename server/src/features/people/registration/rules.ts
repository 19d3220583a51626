import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { CODE_DIGITS } from '@gatehouse/contract/registration';

/** A registration's token expires this long after it was created. */
export const TOKEN_MINUTES = 15;

/** A new registration token: 256 random bits behind its own prefix; it is never a session. */
export function newRegistrationToken(): string {
  return `rgt_${randomBytes(32).toString('base64url')}`;
}

/** A new verification code: 8 digits, leading zeros among them. */
export function newCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/**
 * The stored hash of a code: keyed and bound to its token, so that the code of another token does
 * not match.
 */
export function hashCode(secret: Buffer, tokenHash: Buffer, code: string): Buffer {
  return createHmac('sha256', secret)
    .update('verification code')
    .update(tokenHash)
    .update(code)
    .digest();
}

/** The hash for an address that gets no code: no input matches it. */
export function dummyCodeHash(): Buffer {
  return randomBytes(32);
}

/** Compares two hashes in constant time. */
export function isSameHash(a: Buffer, b: Buffer): boolean {
  return timingSafeEqual(a, b);
}
