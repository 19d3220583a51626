import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setLanguageSource } from '@gatehouse/language/language';
import { expect, test } from 'vitest';
import { loadTimeTexts } from './load-time-texts.ts';

const root = join(import.meta.dirname, '..', '..');

/** The files of code in a folder, by their paths. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(root, folder, file));
}

test('a text that is asked for while a file is loaded is found, and one in a function is not', () => {
  const code = `import { t as say } from '@gatehouse/language/t';
import { language, setLanguageSource } from '@gatehouse/language/language';
export const lazy = { error: () => say('Not found.') };
export const early = { error: say('Not found.') };
setLanguageSource(() => 'es');
export const spoken = [language()];
export function late() { return say('Not found.'); }`;
  expect(loadTimeTexts('x.ts', code)).toEqual([4, 6]);
});

test('neither the server nor the contract asks for a text while it is loaded', () => {
  const found = [...filesIn('server/src'), ...filesIn('contract/src')].flatMap((file) =>
    loadTimeTexts(file, readFileSync(file, 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
});

test('nor does the contract in a function that it calls then', async () => {
  setLanguageSource(() => {
    throw new Error('the language is asked for while a file is loaded');
  });
  for (const file of filesIn('contract/src')) await import(file);
});
