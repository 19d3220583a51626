/**
 * A string or a number in JSON text. An unterminated string extends to the end, so that the regex
 * stays linear.
 */
const PARTS = /"(?:[^"\\]|\\[^]?)*(?:"|$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/**
 * Tokens of sessions, of staff too, of devices and registrations, of links by which a tenant
 * objects, and of pay links.
 */
const TOKEN = /r(?:[dvgpo]t|qo)_[\w-]{16,}/g;
/**
 * Digits as a card's number is written, with spaces or dashes or none; not a piece of an id or a
 * name.
 */
const CARD = /(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])/g;
/** As an account's number is written. */
const ACCOUNT = /(?<![\w-])\d{9,17}(?![\w-])/g;

/**
 * Redacts in a line of JSON what looks like a token, a card number (13 to 19 digits that pass the
 * Luhn check) or a bank account number (9 to 17 digits), in addition to the list of allowed fields.
 * The line's time is kept.
 */
export function scrub(line: string): string {
  return line.replace(PARTS, (part, at: number) => {
    if (part.startsWith('"')) return scrubText(part);
    const isLong = part.replace(/\D/g, '').length >= 9;
    return isLong && !line.slice(0, at).endsWith('"time":') ? '"[number]"' : part;
  });
}

function scrubText(text: string): string {
  return text
    .replace(TOKEN, '[token]')
    .replace(CARD, (digits) => (passesLuhn(digits) ? '[number]' : digits))
    .replace(ACCOUNT, '[number]');
}

/** The Luhn check, which every card number passes, and one in ten other numbers. */
export function passesLuhn(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = digit * 2;
    sum += place % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/**
 * Digits with spaces or dashes, once as one block and once in the groups of a card number, because
 * the digits that follow may not belong to it.
 */
const CARD_NUMBERS = [
  /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g,
  /(?<!\d)\d{13,19}(?!\d)/g,
  /(?<!\d)\d{4}(?:[ -]\d{4}){3}(?!\d)/g,
  /(?<!\d)\d{4}[ -]\d{6}[ -]\d{4,5}(?!\d)/g,
];

/**
 * Whether a text holds what looks like a card's number: 13 to 19 digits, with spaces or dashes,
 * that pass Luhn's check.
 */
export function holdsCardNumber(text: string): boolean {
  if (text.length < 13) return false;
  const searched = text.replace(UUID, ' ');
  return CARD_NUMBERS.some((pattern) => searched.match(pattern)?.some(passesLuhn));
}
