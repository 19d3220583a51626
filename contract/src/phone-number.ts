import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { readPhone } from './read-phone.ts';
import { requiredMessage } from './text.ts';
import { plainNumber } from './typed.ts';

const required = requiredMessage(() => t('Phone'));

/** Ten digits, or more after + or 011, and perhaps an extension; without what groups them. */
const writing = /^(?:1?\d{10}|(?:\+|011)\d{7,15})(?:(?:;?ext(?:ension)?=?|x|#|,)\d{1,7})?$/i;

/**
 * A phone number, required, in any usual writing; one without its country is a US number. It
 * travels on as `readPhone` has it: `8175550142`, `8175550142 ext. 12`, `+4532123456`.
 */
export const phoneNumber = z.pipe(
  z.string(required).check(
    z.overwrite(plainNumber),
    z.trim(),
    z.minLength(1, required),
    z.refine((text) => writing.test(text.replace(/[\s().-]/g, '')), {
      error: () => t('Phone must have 10 digits.'),
      abort: true,
    }),
    z.refine((text) => readPhone(text) !== null, {
      error: () => t('Phone must be a number in use, such as (817) 555-0142 or +45 32 12 34 56.'),
      abort: true,
    }),
  ),
  z.transform((text) => readPhone(text)!),
);
