/** The languages of the portal, English first: the specification's texts are English. */
export const languages = ['en', 'es'] as const;

export type Language = (typeof languages)[number];

let current: () => Language = () => 'en';

/**
 * The language of what is written now: of the call that is answered, or of who gets the mail
 * (server/src/context/language.ts). In the pages of portal and office the build puts it in
 * (language/vite-language.ts).
 */
export function language(): Language {
  return current();
}

/** From now on the language is asked for here. */
export function setLanguageSource(source: () => Language): void {
  current = source;
}

/** What `Intl` needs: dates, times and numbers as they are written in the United States. */
export function locale(): 'en-US' | 'es-US' {
  return language() === 'es' ? 'es-US' : 'en-US';
}
