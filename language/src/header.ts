/**
 * The header in which a page in another language than English sends its language with each call:
 * the sentences of the answer are in that language (server/src/http/language.ts).
 */
export const LANGUAGE_HEADER = 'gatehouse-language';
