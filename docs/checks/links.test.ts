import { globSync, readdirSync, readFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const isOurs = (path: string) =>
  !/(^|\/)(node_modules|dist|data|test-results|\..+)(\/|$)/.test(path);
const find = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: (path) => !isOurs(path) }).toSorted();
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** A page's links to files and headings of this repository: `docs/a.md`, `docs/a.md#heading`. */
function linksIn(file: string): string[] {
  const prose = read(file).replace(/^```[^]*?^```/gm, '');
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link!)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => (link.startsWith('#') ? `${file}${link}` : join(dirname(file), link)));
}

/** The anchors that GitHub makes of a page's headings. */
function anchorsOf(file: string): string[] {
  return Array.from(read(file).matchAll(/^#+ (.+)$/gm), ([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link between our pages leads to a file and a heading that are there', () => {
  const dead = find('**/*.md').flatMap((file) =>
    linksIn(file)
      .filter((link) => {
        const [path, anchor] = link.split('#');
        if (!existsSync(join(root, path!))) return true;
        return anchor !== undefined && !anchorsOf(path!).includes(anchor);
      })
      .map((link) => `${file}: ${link}`),
  );
  expect(dead).toEqual([]);
});

test('every decision that is cited by its number has a record', () => {
  const records = readdirSync(join(root, 'docs/decisions')).map((name) => name.slice(0, 4));
  const files = find(
    '{contract,language,server,web,office,e2e,trials,ops,scripts,docs}/**/*',
  ).filter((file) => /\.(ts|tsx|css|sql|mjs|md|ya?ml|cfg|conf)$/.test(file));
  const missing = files.flatMap((file) =>
    Array.from(read(file).matchAll(/\bdecisions? (\d+)\b|\bdecisions\/(\d{4})/gi))
      .map(([, number, name]) => name ?? number!.padStart(4, '0'))
      .filter((number) => !records.includes(number))
      .map((number) => `${file}: ${number}`),
  );
  expect(missing).toEqual([]);
});
