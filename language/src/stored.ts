import { type Message, spanish } from './spanish.ts';
import { t } from './t.ts';

/**
 * A sentence that is stored or passed on in English, such as why a payment was declined, in the
 * current language; unchanged where the catalogue does not have it. For the server only: a page has
 * no catalogue.
 */
export function translateStored(english: string): string {
  return isMessage(english) ? (t as (message: Message) => string)(english) : english;
}

function isMessage(text: string): text is Message {
  return Object.hasOwn(spanish, text);
}
