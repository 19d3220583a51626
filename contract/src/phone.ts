import { z } from 'zod/mini';

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

/**
 * A ten-digit phone number as `(817) 555-0142` (spec section 9); anything else is shown as it was
 * given.
 */
export function formatPhone(phone: string): string {
  const digits = nationalDigits(phone);
  if (digits.length !== 10) return phone;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}

/** The link that dials a phone number. */
export function phoneHref(phone: string): string {
  const digits = nationalDigits(phone);
  return digits.length === 10 ? `tel:+1${digits}` : `tel:${phone.replace(/[^\d+]/g, '')}`;
}

function nationalDigits(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}
