/**
 * A phone number as it is stored (`phone-number.ts`), as people read it: `(817) 555-0142`, with
 * ` ext. 12` where it has one; a number of another country with its `+`, as it is.
 */
export function formatPhone(phone: string): string {
  const { digits, extension } = partsOf(phone);
  if (digits === undefined) return phone;
  const shown = `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
  return extension === undefined ? shown : `${shown} ext. ${extension}`;
}

/** The link that dials a phone number. */
export function phoneHref(phone: string): string {
  const { digits, extension, rest } = partsOf(phone);
  const number = digits === undefined ? rest.replace(/[^\d+]/g, '') : `+1${digits}`;
  return `tel:${number}${extension === undefined ? '' : `;ext=${extension}`}`;
}

/** The ten digits of a US number, undefined for any other, and its extension. */
function partsOf(phone: string) {
  const [rest = '', extension] = phone.split(' ext. ');
  const [, digits] = /^(?:\+?1)?(\d{10})$/.exec(rest.replace(/[\s().-]/g, '')) ?? [];
  return { digits, extension, rest };
}
