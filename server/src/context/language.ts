import { AsyncLocalStorage } from 'node:async_hooks';
import { type Language, setLanguageSource } from '@gatehouse/language/language';

const current = new AsyncLocalStorage<Language>();

setLanguageSource(() => current.getStore() ?? 'en');

/** Runs `act`, and the asynchronous work that it starts, with this as the current language. */
export function inLanguage<Made>(language: Language, act: () => Made): Made {
  return current.run(language, act);
}
