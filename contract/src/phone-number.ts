import { z } from 'zod/mini';
import { nationalDigits } from './phone.ts';

/** A US phone number, required, in any usual writing; it travels on as its ten digits. */
export const phoneNumber = z.pipe(
  z.string('Phone is required.').check(
    z.trim(),
    z.minLength(1, 'Phone is required.'),
    z.refine((text) => /^[\d\s().+-]{10,25}$/.test(text) && nationalDigits(text).length === 10, {
      error: 'Phone must have 10 digits.',
      abort: true,
    }),
  ),
  z.transform(nationalDigits),
);
