import { t } from '@gatehouse/language/t';
import Bowser from 'bowser';

const KNOWN: string[] = Object.values(Bowser.BROWSER_MAP);

/**
 * What a browser calls itself, such as "Chrome on Android": of what it claims in its User-Agent.
 * Null for an unknown browser: staff and tenants read a text that any client can send. In English,
 * as it is stored.
 */
export function nameBrowser(userAgent: string | null): string | null {
  if (userAgent === null || userAgent === '') return null;
  const { browser, os } = Bowser.parse(userAgent);
  if (browser.name === undefined || !KNOWN.includes(browser.name)) return null;
  return (os.name ? `${browser.name} on ${os.name}` : browser.name).slice(0, 60);
}

/** The same in the current language. */
export function browserText(name: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(name) ?? [];
  return browser === undefined || system === undefined
    ? name
    : t('{browser} on {system}', { browser, system });
}
