import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { attacks, byProofs, byTests } from '../../trials/src/attacks.ts';
import { proofs } from '../../trials/src/proofs.ts';
import {
  deviationsIn,
  missingEvidence,
  numbersOf,
  readRequirements,
  type Evident,
} from './asvs.ts';
import { allTags } from './tags.ts';

/** The requirements of ASVS 5.0.0 that fit this product, by level. */
const levels = {
  1: '1.2.1-5, 1.3.2, 2.1.1, 2.2.1-2, 2.3.1, 3.2.1-2, 3.4.1-2, 3.5.1-3, 4.1.1, 5.2.1-2, 5.3.1-2, 6.1.1, 6.2.1-8, 6.3.1-2, 6.4.1-2, 7.2.1-4, 7.4.1-2, 8.1.1, 8.2.1-2, 8.3.1, 11.3.1-2, 11.4.1, 12.1.1, 12.2.1-2, 13.4.1, 14.2.1, 14.3.1, 15.1.1, 15.2.1, 15.3.1',
  2: '1.1.1-2, 1.2.9, 1.3.3-7, 1.3.10-11, 1.4.2, 1.5.2, 2.1.2-3, 2.2.3, 2.3.2-4, 2.4.1, 3.4.3-6, 3.5.4-5, 3.7.1-2, 4.1.2-3, 4.2.1, 5.1.1, 5.4.1-3, 6.1.2-3, 6.2.9-12, 6.3.3-4, 6.4.3, 6.5.1-5, 6.6.2-3, 7.1.1-2, 7.3.1-2, 7.4.3-5, 7.5.1-2, 8.1.2, 8.2.3, 8.4.1, 11.1.1-2, 11.2.1-3, 11.3.3, 11.4.2-3, 11.5.1, 11.6.1, 12.1.2, 12.3.1-4, 13.1.1, 13.2.1-5, 13.3.1-2, 13.4.2-5, 14.1.1-2, 14.2.2-4, 14.3.2-3, 15.1.2-3, 15.2.2-3, 15.3.2-7, 16.1.1, 16.2.1-5, 16.3.1-4, 16.4.1-3, 16.5.1-3',
  3: '1.2.10, 1.3.12, 3.4.7-8, 3.5.8, 3.6.1, 4.1.4, 5.2.4, 5.2.6, 6.3.5, 6.3.7-8, 7.5.3, 13.1.2-3, 13.2.6, 14.2.6-8, 15.4.2-3, 16.5.4',
};

describe('a line of the page of ASVS', () => {
  const repository: Evident = {
    has: (path) => ['docs/page.md', 'rules.js'].includes(path),
    text: (file) => (file === 'rules.js' ? 'no-eval' : '# A page\n\n## Keys\n\nlocks\n'),
    runs: ['T1'],
  };
  const sound = '1.2.4 holds [docs/page.md "Keys"; rules.js "no-eval"; T1]';
  const faultsOf = (line: string) =>
    readRequirements(`## Level 1 (1)\n\n${line}\n`).flatMap((one) =>
      missingEvidence(one, repository),
    );

  test('whose pages, rules and attacks exist is sound', () => {
    expect(faultsOf(sound)).toEqual([]);
    expect(faultsOf(sound.replace('T1', 'not yet'))).toEqual([]);
    expect(readRequirements('## Level 1 (1)\n\n1.2.4 is shown by tests only')).toEqual([
      { number: '1.2.4', level: 1, evidence: [] },
    ]);
  });

  test.each([
    ['T1', 'b.md "Keys"', '1.2.4: there is no b.md'],
    ['Keys', 'locks', '1.2.4: docs/page.md has no "locks"'],
    ['no-eval', 'no-new', '1.2.4: rules.js has no "no-new"'],
    ['T1', 'T2', '1.2.4: T2 is not run'],
  ])('that cites something that is missing is a fault: %s, %s', (what, by, fault) => {
    expect(faultsOf(sound.replace(what, by))).toEqual([fault]);
  });

  test('that cites words is no line', () => {
    expect(() => faultsOf(sound.replace('T1', 'surely'))).toThrow('"surely" shows nothing');
  });
});

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const requirements = readRequirements(read('docs/asvs.md'));
const { files } = allTags();
const security = read('SECURITY.md');
const repository: Evident = {
  has: (path) => existsSync(new URL(path, root)),
  text: read,
  runs: [
    ...[...attacks, ...proofs].map(({ name }) => name),
    ...Object.keys(byProofs),
    ...Object.keys(byTests),
  ],
};

describe('docs/asvs.md', () => {
  test.each([1, 2, 3] as const)(
    'has every requirement of level %d that fits, once and in order',
    (level) => {
      const numbers = requirements.filter((one) => one.level === level).map(({ number }) => number);
      expect(numbers).toEqual(numbersOf(levels[level]));
    },
  );

  test('has 57, 122 and 22', () => {
    expect(Object.values(levels).map((text) => numbersOf(text).length)).toEqual([57, 122, 22]);
  });

  test('cites pages, rules, attacks and proofs that there are', () => {
    expect(requirements.flatMap((one) => missingEvidence(one, repository))).toEqual([]);
  });

  test('has for every requirement something that shows it', () => {
    const shown = requirements.filter(
      ({ number, evidence }) => evidence.length > 0 || files.has(`asvs ${number}`),
    );
    expect(requirements.filter((one) => !shown.includes(one))).toEqual([]);
  });

  test('has every requirement that a test names', () => {
    const known = requirements.map(({ number }) => `asvs ${number}`);
    const tagged = [...files.keys()].filter((tag) => tag.startsWith('asvs '));
    expect(tagged.filter((tag) => !known.includes(tag))).toEqual([]);
  });

  test('deviates where SECURITY.md says so, and nowhere else', () => {
    const deviating = requirements.filter(({ evidence }) =>
      evidence.some((one) => one.kind === 'mark' && one.mark === 'deviation'),
    );
    expect(deviating.map(({ number }) => number).toSorted()).toEqual(
      deviationsIn(security).toSorted(),
    );
  });
});

test('the tests that cover a threat are there', () => {
  expect(
    Object.values(byTests)
      .flat()
      .filter((file) => !repository.has(file)),
  ).toEqual([]);
});

test('SECURITY.md names each threat once, with an attack, proofs or tests that are run', () => {
  const threats = Array.from(
    security.matchAll(/^\| (T\d+) +\| [^|]+\| ([^|]+) \|$/gm),
    ([, name, where]) => [name, where],
  );
  expect(threats.map(([name]) => name)).toEqual(
    Array.from({ length: 26 }, (_, nth) => `T${nth + 1}`),
  );
  const missing = threats.flatMap(([name, where]) => {
    const spec = /^e2e\/specs\/[\w-]+\.spec\.ts/.exec(where!)?.[0];
    if (spec !== undefined) return repository.has(spec) ? [] : [spec];
    const tests = byTests[name!];
    if (tests !== undefined) return tests.includes(where!.trim()) ? [] : [name!];
    const cited = Array.from(where!.matchAll(/\bR\d+/g), ([proof]) => proof);
    expect(cited, name).toEqual(byProofs[name!] ?? []);
    const isAttack = cited.length === 0 || where!.includes('trials/src/attacks/');
    const wanted = [...cited, ...(isAttack ? [name!] : [])];
    return wanted.filter((one) => !repository.runs.includes(one));
  });
  expect(missing).toEqual([]);
});
