import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PASSWORD_MAX, PASSWORD_MIN } from '@gatehouse/contract/registration';
import { Refusal } from '#refusal.ts';

/** What a password of this sign-in must not be made of. */
export type PasswordContext = { operatorName: string; facilityName: string; city: string; email: string };

/** Two lists that need no network (D20): the commonest ones of published breaches, and what people make of this trade. */
const commonPasswords = new Set([...readBreached(), ...readOwn()]);

/** Fewer characters than these beside the words of the context are guessed at once. */
const OWN_CHARACTERS = 6;

/** Refuses with 422 one of the commonest passwords and one made of what everybody knows (D20); its length is the contract's. */
export function checkPassword(password: string, context: PasswordContext): void {
  if (commonPasswords.has(password.toLowerCase()))
    throw new Refusal(422, 'This password is one of the most common ones. Please choose another.');
  if (isMadeOf(password, contextWords(context)))
    throw new Refusal(
      422,
      'This password is too close to your email address, the city or our name. Please choose another.',
    );
}

/** How many there are to compare with. */
export const commonPasswordCount = commonPasswords.size;

/** Of 49,000, those that could be chosen at all: nothing else is worth the memory. */
function readBreached(): string[] {
  const file = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json');
  const passwords = JSON.parse(readFileSync(file, 'utf8')) as string[];
  return passwords
    .filter(({ length }) => length >= PASSWORD_MIN && length <= PASSWORD_MAX)
    .map((password) => password.toLowerCase());
}

function readOwn(): string[] {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

/** Each word of the operator's and the facility's name, the city and the address before its @; shorter ones occur anywhere. */
function contextWords({ operatorName, facilityName, city, email }: PasswordContext): string[] {
  const words = `${operatorName} ${facilityName} ${city} ${email.split('@')[0]}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  // The longest first: a word may begin with another.
  return words.filter((word) => word.length >= 3).toSorted((a, b) => b.length - a.length);
}

function isMadeOf(password: string, words: string[]): boolean {
  const letters = password.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), letters);
  return rest !== letters && Array.from(rest).length < OWN_CHARACTERS;
}
