import { createHash, randomBytes } from 'node:crypto';

/**
 * A session ends this long after its last call, and this long after it began; a kept one on a day
 * of its own (features/people/session/session.ts).
 */
export const SESSION_IDLE_MINUTES = 30;
export const SESSION_ABSOLUTE_HOURS = 12;
/** A device token expires this many days after its last sign-in. */
export const DEVICE_DAYS = 180;
/** A user's session beyond this number ends the oldest. */
export const SESSIONS_PER_USER = 5;

/** A new session token: 256 random bits, sent once and never stored. */
export function newToken(): string {
  return `rvt_${randomBytes(32).toString('base64url')}`;
}

/** A new device token: 256 random bits behind its own prefix; it is never a session. */
export function newDeviceToken(): string {
  return `rdt_${randomBytes(32).toString('base64url')}`;
}

/** A new session token of staff, which the browser keeps in a cookie. */
export function newStaffToken(): string {
  return `rot_${randomBytes(32).toString('base64url')}`;
}

/** The digest of a token, which is stored. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
