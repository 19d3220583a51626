import { expect, test } from 'vitest';
import { inLanguage } from '#context/language.ts';
import { browserText, nameBrowser } from './browser-name.ts';

const CHROME =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile Safari/537.36';

test('a browser is named in English, and shown in the language of the call', () => {
  const name = inLanguage('es', () => nameBrowser(CHROME))!;
  expect(name).toBe('Chrome on Android');
  expect(browserText(name)).toBe(name);
  expect(inLanguage('es', () => browserText(name))).toBe('Chrome en Android');
  expect(inLanguage('es', () => browserText('curl'))).toBe('curl');
});

test.each(['Visit https://evil.example/ now', 'curl/8.5.0', 'Pay June Park/1 x', 'x'.repeat(8000)])(
  'what is no browser’s name is none: %s',
  (userAgent) => {
    expect(nameBrowser(userAgent)).toBeNull();
  },
);
