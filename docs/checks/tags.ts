import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A number in the comment above a test: a statement of `spec`, or a requirement of `asvs`. */
export type Tag = { page: 'spec' | 'asvs'; number: string };

/**
 * The tags of a test file, each of which is in comments directly above a test or a step of one:
 *
 *   // spec 4.12, 4.13
 *   // asvs 6.3.1
 *   test('the fifth wrong password must wait', …)
 *
 * `faults` names the lines of tags that are above no test that runs.
 */
export function tagsIn(text: string): { tags: Tag[]; faults: number[] } {
  const tags: Tag[] = [];
  const faults: number[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const [, kind, numbers] = /^ *\/\/ (spec|asvs) (\d[\d., ]*)$/.exec(line) ?? [];
    if (numbers === undefined) continue;
    const page: Tag['page'] = kind === 'spec' ? 'spec' : 'asvs';
    const below = lines.slice(index + 1).find((next) => !/^ *\/\/ (spec|asvs) \d/.test(next));
    if (!isTest(below ?? '')) faults.push(index + 1);
    else tags.push(...numbers.split(', ').map((number) => ({ page, number })));
  }
  return { tags, faults };
}

function isTest(line: string): boolean {
  return (
    /^ *(for \(.*\) |await )?(test|it|describe)\b/.test(line) && !/\.(skip|todo|fixme)\b/.test(line)
  );
}

/** The test files that have a tag, by its page and number (`spec 4.12`), and tags above no test. */
export function allTags(): { files: Map<string, string[]>; faults: string[] } {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const files = new Map<string, string[]>();
  const faults: string[] = [];
  const tests = globSync(
    '{contract,language,server,web,office,e2e,trials}/**/*.{test,spec,contract}.{ts,tsx}',
    { cwd: root, exclude: (path) => path.includes('node_modules') },
  );
  for (const file of tests.toSorted()) {
    const found = tagsIn(readFileSync(join(root, file), 'utf8'));
    for (const { page, number } of found.tags) {
      const tag = `${page} ${number}`;
      files.set(tag, [...(files.get(tag) ?? []), file]);
    }
    faults.push(...found.faults.map((line) => `${file}:${line} is above no test`));
  }
  return { files, faults };
}
