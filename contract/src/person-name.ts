import { z } from 'zod/mini';
import { FORMULA } from './formula.ts';
import { optionalText, requiredText } from './text.ts';

/** What a mail program makes a link of. */
const LINK = /:\/\/|@|[\p{L}\p{N}-]\.\p{L}{2,}/u;

/**
 * The name of a person as staff type it, which others read in lists, spreadsheets and mails: none
 * with the beginning of a formula or with an address. Invisible characters, among them those that
 * turn the direction of text, are removed (`plainText`).
 */
export function personName(label: string, most = 100) {
  return requiredText(label, most).check(...harmless(label));
}

/** A name that may be missing or empty, likewise. */
export function optionalName(label: string, most = 100) {
  return optionalText(label, most).check(...harmless(label));
}

function harmless(label: string) {
  return [
    z.refine<string | undefined>((name = '') => !FORMULA.test(name), {
      error: `${label} must not begin with =, +, - or @.`,
    }),
    z.refine<string | undefined>((name = '') => !LINK.test(name), {
      error: `${label} must not contain a mail or web address; write a space after a full stop.`,
    }),
  ];
}
