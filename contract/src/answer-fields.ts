import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { plainText } from './typed.ts';

/** The longest reply of staff or answer of a tenant to a request, in characters. */
export const REPLY_MAX = 2000;

const required = { error: () => t('Answer is required.') };

/** What the form of an answer asks for. */
export const answerFields = {
  text: z
    .string(required)
    .check(
      z.overwrite(plainText),
      z.trim(),
      z.minLength(1, required),
      z.maxLength(REPLY_MAX, { error: () => t('Answer is too long.') }),
    ),
};
