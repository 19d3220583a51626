import type { Context } from '#context/context.ts';
import { keyOf } from '#features/base/limits/limits.ts';

/**
 * Normalizes an address for comparing and counting: trimmed, in NFC, with each letter in lower case
 * by itself. Addresses on file are compared with it by PostgreSQL's lower(), which differs for İ
 * (U+0130) only: two letters here and `i` there, so an account is never found under a name with a
 * different count.
 */
export function foldEmail(email: string): string {
  return Array.from(email.normalize().trim(), (letter) => letter.toLowerCase()).join('');
}

/** The digest that identifies an account, known or not, in all counts. */
export function accountOf(ctx: Context, corporationCode: string, email: string): Buffer {
  return keyOf(ctx, 'account', corporationCode, foldEmail(email));
}
