import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PASSWORD_MAX, PASSWORD_MIN } from '@gatehouse/contract/registration';
import { t } from '@gatehouse/language/t';
import { Refusal } from '#errors/refusal.ts';

/** The words that a password of this account must not consist of. */
export type PasswordContext = {
  operatorName: string;
  facilityName: string;
  city: string;
  email: string;
};

let common: Set<string> | undefined;

/**
 * Two local lists: the commonest passwords of published breaches, and words of self-storage. They
 * are read for the first password, because a start has no use for them.
 */
export function commonPasswords(): Set<string> {
  common ??= new Set([...readBreached(), ...readOwn()]);
  return common;
}

/** A password with fewer characters besides such words is too easy to guess. */
const OWN_CHARACTERS = 6;

/**
 * Refuses with 422 one of the commonest passwords and one made of public words; the contract checks
 * its length.
 */
export function checkPassword(password: string, context: PasswordContext): void {
  if (commonPasswords().has(password.toLowerCase()))
    throw new Refusal(
      422,
      t('This password is one of the most common ones. Please choose another.'),
    );
  if (isMadeOf(password, contextWords(context)))
    throw new Refusal(
      422,
      t(
        'This password is too close to your email address, the city or our name. Please choose another.',
      ),
    );
}

/** Of 49,000, only those that the length rules allow, to save memory. */
function readBreached(): string[] {
  const file = createRequire(import.meta.url).resolve(
    '@zxcvbn-ts/language-common/src/passwords.json',
  );
  const passwords = JSON.parse(readFileSync(file, 'utf8')) as string[];
  return passwords
    .filter(({ length }) => length >= PASSWORD_MIN && length <= PASSWORD_MAX)
    .map((password) => password.toLowerCase());
}

function readOwn(): string[] {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

/**
 * The words of the operator's and the facility's name, the city and the local part of the address;
 * shorter ones are too frequent to count.
 */
function contextWords({ operatorName, facilityName, city, email }: PasswordContext): string[] {
  const words = `${operatorName} ${facilityName} ${city} ${email.split('@')[0]}`
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  // Longest first, because a word may be the beginning of another.
  return words.filter((word) => word.length >= 3).toSorted((a, b) => b.length - a.length);
}

function isMadeOf(password: string, words: string[]): boolean {
  const letters = password.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), letters);
  return rest !== letters && Array.from(rest).length < OWN_CHARACTERS;
}
