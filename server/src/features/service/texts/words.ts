import type { TextWord } from '#adapters/text-messages/text-messages.ts';

/** What a whole message must be, or be part of, to be taken for a word. */
const stops = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'];
const starts = ['START', 'UNSTOP'];
const helps = ['HELP', 'INFO'];

/** The same in Spanish; the provider knows none of these. */
const spanishStops = ['ALTO', 'BAJA', 'CANCELAR', 'DETENER', 'PARA', 'PARAR', 'PARE', 'TERMINAR'];
const spanishHelps = ['AYUDA'];

/**
 * Words that stop wherever they are: consent ends by whatever reasonable words (47 CFR
 * 64.1200(a)(10)), and rather once too often than once too little.
 */
const STOPS_WITHIN =
  /\b(STOP|STOPALL|UNSUBSCRIBE|REVOKE|OPT ?OUT|REMOVE ME|NO MORE|(DO ?NOT|DON ?T) (TEXT|MESSAGE|CONTACT)|LEAVE ME ALONE)\b/;
const SPANISH_STOPS_WITHIN =
  /\b(NO MAS|NO ME (ESCRIBA|MANDE|ENVIE|CONTACTE|MOLESTE)N?|DEJEN? DE|DE BAJA|QUITENME|REVOCO)\b/;

/**
 * What a message asks for. `known` is what the provider took it for, which counts where it says so;
 * null for anything else.
 */
export function readWord(body: string, known: TextWord | null): TextWord | null {
  if (known !== null) return known;
  const said = body
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if ([...stops, ...spanishStops].includes(said)) return 'stop';
  if (STOPS_WITHIN.test(said) || SPANISH_STOPS_WITHIN.test(said)) return 'stop';
  if (starts.includes(said)) return 'start';
  return [...helps, ...spanishHelps].includes(said) ? 'help' : null;
}

/** Whether the provider answers such a message itself: one that is a word of its own list. */
export function isOwnWord(body: string): boolean {
  const said = body.trim().toUpperCase();
  return stops.includes(said) || starts.includes(said);
}
