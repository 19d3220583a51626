/** A string of a JSON text, or a number. One that nobody closes goes on to the end: it is looked for once. */
const PARTS = /"(?:[^"\\]|\\[^]?)*(?:"|$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Tokens of sessions and registrations, and of the links in mails to staff. */
const TOKEN = /r[vgq]t_[\w-]{16,}/g;
/** Digits as a card's number is written, with spaces or dashes or none; not a piece of an id or a name. */
const CARD = /(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])/g;
/** As an account's number is written. */
const ACCOUNT = /(?<![\w-])\d{9,17}(?![\w-])/g;

/**
 * A line of JSON without what looks like a token, a card's number (13 to 19 digits that pass Luhn's check) or a bank account's
 * (9 to 17 digits): the second net under the list of what a line may say (D26). Its own time stays.
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

/** The check that every card's number passes, and one in ten of others. */
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
/** Digits with spaces or dashes between them, in one block, and as they stand on cards: what comes after may be no part of it. */
const CARD_NUMBERS = [
  /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g,
  /(?<!\d)\d{13,19}(?!\d)/g,
  /(?<!\d)\d{4}(?:[ -]\d{4}){3}(?!\d)/g,
  /(?<!\d)\d{4}[ -]\d{6}[ -]\d{4,5}(?!\d)/g,
];

/** Whether a text holds what looks like a card's number: 13 to 19 digits, with spaces or dashes, that pass Luhn's check. */
export function holdsCardNumber(text: string): boolean {
  if (text.length < 13) return false;
  const searched = text.replace(UUID, ' ');
  return CARD_NUMBERS.some((pattern) => searched.match(pattern)?.some(passesLuhn));
}
