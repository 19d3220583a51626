import { readFileSync } from 'node:fs';
import { Refusal } from '#refusal.ts';

/** What a password of this sign-in must not be made of. */
export type PasswordContext = { operatorName: string; city: string; email: string };

const commonPasswords = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== ''),
);

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

/** Each word of the operator's name, the city and the address before its @; shorter ones occur anywhere. */
function contextWords({ operatorName, city, email }: PasswordContext): string[] {
  const words = `${operatorName} ${city} ${email.split('@')[0]}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  // The longest first: a word may begin with another.
  return words.filter((word) => word.length >= 3).toSorted((a, b) => b.length - a.length);
}

function isMadeOf(password: string, words: string[]): boolean {
  const letters = password.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), letters);
  return rest !== letters && Array.from(rest).length < OWN_CHARACTERS;
}
