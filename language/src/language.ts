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
export const locales = { en: 'en-US', es: 'es-US' } as const satisfies Record<Language, string>;

/** The current one of them. */
export function locale(): (typeof locales)[Language] {
  return locales[language()];
}
