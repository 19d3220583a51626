import { compileMessage } from '@lingui/message-utils/compileMessage';
import { afterEach, describe, expect, test } from 'vitest';
import { writeTexts } from '../vite-language.ts';
import { language, languages, setLanguageSource } from './language.ts';
import { type Message, spanish } from './spanish.ts';
import { account } from './spanish/account.ts';
import { contract } from './spanish/contract.ts';
import { gate } from './spanish/gate.ts';
import { mails } from './spanish/mails.ts';
import { notices } from './spanish/notices.ts';
import { payments } from './spanish/payments.ts';
import { portal } from './spanish/portal.ts';
import { profile } from './spanish/profile.ts';
import { refusals } from './spanish/refusals.ts';
import { units } from './spanish/units.ts';
import { t } from './t.ts';

const messages = Object.entries(spanish) as [Message, string][];

afterEach(() => setLanguageSource(() => 'en'));

describe('the catalogue', () => {
  // spec 10.72
  test('has the Spanish of each text, with the same values', () => {
    const wrong = messages.filter(
      ([english, text]) => text.trim() === '' || namesIn(text).join() !== namesIn(english).join(),
    );
    expect(wrong).toEqual([]);
  });

  test('has each text once', () => {
    const areas = {
      portal,
      profile,
      units,
      payments,
      gate,
      account,
      contract,
      refusals,
      mails,
      notices,
    };
    const placed = new Map<string, string>();
    for (const [area, texts] of Object.entries(areas))
      for (const english of Object.keys(texts)) {
        expect([english, placed.get(english)]).toEqual([english, undefined]);
        placed.set(english, area);
      }
  });

  test('addresses the tenant formally, in words of the Americas', () => {
    const informal = /\b(tú|tu|tus|tienes|puedes|vosotros|ordenador|móvil)\b/i;
    expect(messages.filter(([, text]) => informal.test(text))).toEqual([]);
  });

  test('ends a sentence as the English does', () => {
    const end = (text: string) => /[.?!:…]?$/.exec(text)![0].replace(':', '');
    expect(messages.filter(([english, text]) => end(english) !== end(text))).toEqual([]);
  });
});

/** The values that a text takes, sorted. */
function namesIn(text: string): string[] {
  const names = compileMessage(text).flatMap((token) =>
    typeof token === 'string' ? [] : token[0],
  );
  return [...new Set(names)].sort();
}

describe('a text', () => {
  test('is English where no language was chosen', () => {
    expect(language()).toBe('en');
    expect(t('Try again')).toBe('Try again');
  });

  test('is in the current language', () => {
    setLanguageSource(() => 'es');
    expect(t('Try again')).toBe('Intentar de nuevo');
  });

  test.each(languages)('takes its values as they are, in %s', (of) => {
    setLanguageSource(() => of);
    for (const firstName of [
      "Siobhán O'Brien",
      "'{' {x} {firstName} # ''",
      String.raw`\u0000 \x0a \\u0041 \u005c`,
      '%__lingui_octothorpe__%',
      '<b>$& `${1}`',
    ])
      expect(t('Hello {firstName},', { firstName })).toBe(
        of === 'en' ? `Hello ${firstName},` : `Hola, ${firstName}:`,
      );
    expect(t('{browser} on {system}', { browser: '\\', system: 'u0041' })).toBe(
      of === 'en' ? '\\ on u0041' : '\\ en u0041',
    );
  });
});

describe('the build of a page', () => {
  const code = `import { t } from '@gatehouse/language/t';
export const said = t('Try again');`;

  // spec 10.76
  test.each(languages)('writes the texts in %s, and no call is left', (of) => {
    const made = writeTexts(code, 'page.ts', of);
    expect(made).toBe(
      `\nexport const said = ${of === 'en' ? '"Try again"' : '"Intentar de nuevo"'};`,
    );
  });

  test('writes a number with its noun', () => {
    const plural = Object.keys(spanish).find((message) => /^\{\w+, plural,/.test(message))!;
    const [, name] = /^\{(\w+),/.exec(plural)!;
    const made = writeTexts(
      `import { t } from '@gatehouse/language/t';
export const said = t(${JSON.stringify(plural)}, { ${name}: days.length });`,
      'page.ts',
      'es',
    );
    expect(made).toContain('export const said = `${((days.length) === 1 ? `${days.length} ');
  });

  test('refuses a text that is not in the catalogue, or no literal', () => {
    expect(() => writeTexts(code.replace('again', 'never'), 'page.ts', 'en')).toThrow(
      'page.ts: "Try never" has no Spanish',
    );
    expect(() => writeTexts(code.replace("'Try again'", 'text'), 'page.ts', 'en')).toThrow(
      'page.ts: t takes its message as a literal',
    );
  });

  test('refuses what only a server can ask for', () => {
    const asked = "import { setLanguageSource } from '@gatehouse/language/language';";
    expect(() => writeTexts(asked, 'page.ts', 'en')).toThrow(
      'page.ts: setLanguageSource is not for pages',
    );
  });
});
