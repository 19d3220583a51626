/**
 * What a page in another language than English sends with each call, with its code: the answer's
 * sentences are in that language (server/src/http/language.ts).
 */
export const LANGUAGE_HEADER = 'gatehouse-language';
