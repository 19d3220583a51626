import type { Language } from './language.ts';

/** The folder in the built portal of files that have the same name in every language. */
export function folderOf(language: Language): string {
  return language === 'en' ? '' : `${language}/`;
}
