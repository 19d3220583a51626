import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { CODE_DIGITS } from '@gatehouse/contract/registration';

/** A registration's token dies this long after it was made (D19). */
export const TOKEN_MINUTES = 15;

/** A new registration token: 256 random bits behind a prefix of its own; it is never a session (D19). */
export function newRegistrationToken(): string {
  return `rgt_${randomBytes(32).toString('base64url')}`;
}

/** A new verification code: 8 digits, leading zeros among them (D22). */
export function newCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/** What is kept of a code: keyed, and bound to its token, so that no other token's code fits (D22). */
export function hashCode(secret: Buffer, tokenHash: Buffer, code: string): Buffer {
  return createHmac('sha256', secret).update('verification code').update(tokenHash).update(code.trim()).digest();
}

/** Stands where an address gets no code: nothing that is typed has this hash. */
export function dummyCodeHash(): Buffer {
  return randomBytes(32);
}

/** Whether both are the same; takes as long when they are not. */
export function isSameHash(a: Buffer, b: Buffer): boolean {
  return timingSafeEqual(a, b);
}
