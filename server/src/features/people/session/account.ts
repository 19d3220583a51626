import type { Context } from '#context/context.ts';
import { keyOf } from '#features/base/limits/limits.ts';

/**
 * Normalizes an address for comparing and counting: trimmed, in NFC, with each letter in lower case
 * by itself. Addresses on file are compared with it by PostgreSQL's lower(), which makes the same
 * of every letter (account.test.ts): an account is never found under a name with another count. İ
 * is one letter there and would be two here.
 */
export function foldEmail(email: string): string {
  return Array.from(email.normalize().trim(), (letter) =>
    letter === '\u0130' ? 'i' : letter.toLowerCase(),
  ).join('');
}

/** The digest that identifies an account, known or not, in all counts. */
export function accountOf(ctx: Context, corporationCode: string, email: string): Buffer {
  return keyOf(ctx, 'account', corporationCode, foldEmail(email));
}
