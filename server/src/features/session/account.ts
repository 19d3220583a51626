import type { Context } from '#context.ts';
import { keyOf } from '#features/limits/limits.ts';

/**
 * An address as it is compared and counted: without the spaces around it, each letter's lower case by itself. Addresses on
 * file are compared with it by lower() of PostgreSQL, which agrees but for İ (U+0130): that is two letters here and `i`
 * there, so that nobody finds an account under a name that is counted as another one.
 */
export function foldEmail(email: string): string {
  return Array.from(email.trim(), (letter) => letter.toLowerCase()).join('');
}

/** The digest that stands for an account, known or not, wherever it is counted (D21). */
export function accountOf(ctx: Context, corporationCode: string, email: string): Buffer {
  return keyOf(ctx, 'account', corporationCode, foldEmail(email));
}
