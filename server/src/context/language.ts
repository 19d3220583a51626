import { AsyncLocalStorage } from 'node:async_hooks';
import { type Language, setLanguageSource } from '@gatehouse/language/language';

const current = new AsyncLocalStorage<Language>();

setLanguageSource(() => current.getStore() ?? 'en');

/** Whatever `act` writes, it writes in this language; also what it does later. */
export function inLanguage<Made>(language: Language, act: () => Made): Made {
  return current.run(language, act);
}
