import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { faultsOf, readTable, type Repository } from './table.ts';
import { testTitles } from './test-titles.ts';

const root = new URL('../../', import.meta.url);
const titles = new Map<string, string[]>();
const repository: Repository = {
  has: (path) => existsSync(new URL(path, root)),
  testsIn(file) {
    const known = titles.get(file) ?? testTitles(file, readFileSync(new URL(file, root), 'utf8'));
    titles.set(file, known);
    return known;
  },
};
const table = readTable(readFileSync(new URL('docs/specification.md', root), 'utf8'));
const rowsOf = (section: number) =>
  table.rows.filter(({ number }) => number.startsWith(`${section}.`));

describe('every statement of the specification', () => {
  test('has a line of the table’s form, numbered in order', () => {
    expect(table.faults).toEqual([]);
    expect(table.rows.length).toBeGreaterThan(300);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'of section %d lives somewhere and is proved by a test',
    (section) => {
      expect(rowsOf(section).length).toBeGreaterThan(0);
      expect(rowsOf(section).flatMap((row) => faultsOf(row, repository))).toEqual([]);
    },
  );
});

describe('the calls of section 7', () => {
  const stated = rowsOf(7).flatMap(
    ({ statement }) => /^`((?:GET|POST|PATCH) [^`]+)`/.exec(statement)?.[1] ?? [],
  );

  test('are 35', () => {
    expect(stated).toHaveLength(35);
  });

  test('are endpoints of the contract', async () => {
    const known = await contractCalls();
    expect(stated.filter((call) => !known.includes(anyNames(call)))).toEqual([]);
  });

  test('and ours beside them are all that the contract has', async () => {
    const named = rowsOf(7).flatMap(({ statement }) =>
      Array.from(statement.matchAll(/`([^`]+)`/g), ([, span]) => span!),
    );
    const known = named.map(anyNames);
    expect((await contractCalls()).filter((call) => !known.includes(call))).toEqual([]);
  });
});

describe('section 8', () => {
  const texts = [
    'The verification code is invalid',
    'An error was encountered while submitting the request.',
    'The request to receive the e-sign documents has been successfully submitted. Once the submission has been reviewed, you will recieve an email at {email}.',
    'Request successfully sent',
    'Contact information update request successfully sent',
    'Your maintenance request has been successfully submitted.',
    'You have successfully added a protection plan to unit {unit}',
    'There was an issue loading the rental data',
    'Error loading unit names. Please refresh the page.',
    'An error was encountered when getting payment history',
    'No gate access data available',
    'Nothing to E-sign',
  ];

  test.each(texts)('has the text, and a browser test that makes it happen: %s', (text) => {
    const row = rowsOf(8).find(({ statement }) => statement.includes(`'${text}'`));
    expect(row?.tests.map(({ file }) => file)).toContainEqual(
      expect.stringMatching(/^e2e\/specs\//),
    );
  });
});

/** Every endpoint value that the contract exports, as the specification writes a call. */
async function contractCalls(): Promise<string[]> {
  const folder = new URL('contract/src/', root);
  const files = readdirSync(folder).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, folder).href) as Promise<Record<string, unknown>>),
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
