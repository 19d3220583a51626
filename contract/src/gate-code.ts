import { z } from 'zod/mini';
import { requiredText } from './text.ts';

/**
 * A gate code as it is given by hand or by a file: at least 4 letters and digits, because shorter
 * ones are guessed at the keypad, with # or * before or after them.
 */
export const gateCode = requiredText('Gate code', 20).check(
  z.regex(/^[*#]?[0-9A-Za-z]{4,18}[*#]?$/, {
    error: 'Gate code must be 4 to 18 letters and digits, with # or * before or after them.',
  }),
);

/** A code as a keypad reads it: codes with the same key open the same gate. */
export function gateCodeKey(code: string): string {
  return code.replace(/[*#]/g, '').toUpperCase();
}
