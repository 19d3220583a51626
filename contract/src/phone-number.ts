import { t } from '@gatehouse/language/t';
import { z } from 'zod/mini';
import { nationalDigits } from './phone.ts';
import { requiredMessage } from './text.ts';
import { plainNumber } from './typed.ts';

const required = requiredMessage(() => t('Phone'));

/** A US phone number, required, in any usual writing; it travels on as its ten digits. */
export const phoneNumber = z.pipe(
  z.string(required).check(
    z.overwrite(plainNumber),
    z.trim(),
    z.minLength(1, required),
    z.refine((text) => /^[\d\s().+-]{10,25}$/.test(text) && nationalDigits(text).length === 10, {
      error: () => t('Phone must have 10 digits.'),
      abort: true,
    }),
  ),
  z.transform(nationalDigits),
);
