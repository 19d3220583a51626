/**
 * Whether the tenant is to be asked which language to keep: the sign-in page was in another than
 * the account, whose language was never chosen. Of this tab, until it is answered.
 */
let isOpen = false;

export function isLanguageAsked(): boolean {
  return isOpen;
}

export function askLanguage(asks: boolean): void {
  isOpen = asks;
}
