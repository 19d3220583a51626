/** The languages of the portal, English first: the specification's texts are English. */
export const languages = ['en', 'es'] as const;

export type Language = (typeof languages)[number];

let current: () => Language = () => 'en';

/**
 * The current language: of the call that is answered, or of the recipient of a mail
 * (server/src/context/language.ts). In the code of pages the build replaces the call by a literal
 * (language/vite-language.ts).
 */
export function language(): Language {
  return current();
}

/** Sets where `language` reads the current language. */
export function setLanguageSource(source: () => Language): void {
  current = source;
}

/** What `Intl` needs: dates, times and numbers as they are written in the United States. */
export const locales = { en: 'en-US', es: 'es-US' } as const satisfies Record<Language, string>;

/** The current one of them. */
export function locale(): (typeof locales)[Language] {
  return locales[language()];
}
