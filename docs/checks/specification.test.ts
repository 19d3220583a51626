import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allTags } from './tags.ts';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/specification.md', root), 'utf8');
/** The statements by their numbers, in the order of the page. */
const statements = Array.from(page.matchAll(/^(\d+\.\d+) (.+)$/gm), ([, number, words]) => ({
  number: number!,
  words: words!,
}));
const { files } = allTags();

describe('every statement of the specification', () => {
  test('has its number once, in order', () => {
    const places = statements.map(({ number }) => {
      const [section, place] = number.split('.').map(Number);
      return section! * 1_000 + place!;
    });
    expect(places).toEqual([...new Set(places)].toSorted((one, other) => one - other));
    expect(statements.length).toBeGreaterThan(500);
  });

  test('is shown by a test', () => {
    expect(statements.filter(({ number }) => !files.has(`spec ${number}`))).toEqual([]);
  });

  test('is known by the number that a test has', () => {
    const known = statements.map(({ number }) => `spec ${number}`);
    const tagged = [...files.keys()].filter((tag) => tag.startsWith('spec '));
    expect(tagged.filter((tag) => !known.includes(tag))).toEqual([]);
  });
});

test('the 35 calls of section 7 are endpoints of the contract', async () => {
  const stated = statements.flatMap(
    ({ number, words }) =>
      (number.startsWith('7.') && /^`((?:GET|POST|PATCH) [^`]+)`/.exec(words)?.[1]) || [],
  );
  const known = await contractCalls();
  expect(stated).toHaveLength(35);
  expect(stated.filter((call) => !known.includes(anyNames(call)))).toEqual([]);
});

test.each(statements.filter(({ number, words }) => number.startsWith('8.') && words.includes("'")))(
  'a browser test reads the text of $number: $words',
  ({ number }) => {
    expect(files.get(`spec ${number}`)).toContainEqual(expect.stringMatching(/^e2e\/specs\//));
  },
);

/** Every endpoint value that the contract exports, as the specification writes a call. */
async function contractCalls(): Promise<string[]> {
  const folder = new URL('contract/src/', root);
  const modules = await Promise.all(
    readdirSync(folder)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => import(new URL(file, folder).href) as Promise<Record<string, unknown>>),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .filter(isEndpoint)
    .map(({ method, path }) => anyNames(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`));
}

function isEndpoint(value: unknown): value is { method: string; path: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'method' in value &&
    'path' in value &&
    'reply' in value
  );
}

/**
 * A call without the names of its parameters: `GET {prefix}/units/{unitId}/gate-access` as `GET
 * {prefix}/units/{}/gate-access`.
 */
function anyNames(call: string): string {
  return call
    .replace(/\/corporations\/\{[^}]+\}\/locations\/\{[^}]+\}/, '{prefix}')
    .replace(/\{(?!prefix\})[^}]*\}/g, '{}');
}
