/** A ten-digit phone number as `(817) 555-0142`; anything else is shown as it was given. */
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

/** The digits of a phone number, without the country's 1. */
export function nationalDigits(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}
