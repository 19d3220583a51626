import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { environment } from '../../server/src/config/environment.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
/** What is set besides the server's own settings. */
const others = ['PROCESS', 'NODE_ENV', 'MALLOC_ARENA_MAX', 'POSTGRES_PASSWORD'];

/** The names of settings in a file of `ops`: `NAME: value`, `NAME='value'` or `NAME=value`. */
function settingsIn(text: string): string[] {
  return [...text.matchAll(/^(?!#)[\s{]*(?:Environment=)?([A-Z][A-Z_]{2,})(?:: |=)/gm)].map(
    ([, name]) => name!,
  );
}

test.each(['ops/gatehouse.env.example', 'compose.yaml', 'ops/chart/values.yaml', 'Dockerfile'])(
  '%s sets nothing that the server does not know',
  (file) => {
    const known = Object.keys(environment.shape).flatMap((name) => [name, `${name}_FILE`]);
    const named = settingsIn(read(file));
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !known.includes(name) && !others.includes(name))).toEqual([]);
  },
);

test('a setting that is not known is found', () => {
  expect(settingsIn("# NOT_THIS: 1\nMAIL_FORM='x'\n  FILES: disk\n")).toEqual([
    'MAIL_FORM',
    'FILES',
  ]);
});

test('the example of the live settings has all that the live profile needs', () => {
  const named = settingsIn(read('ops/gatehouse.env.example')).map((name) =>
    name.replace(/_FILE$/, ''),
  );
  for (const name of [
    'DATABASE_URL',
    'SECRET_KEY',
    'DATA_KEYS',
    'SMTP_URL',
    'MAIL_FROM',
    'PUBLIC_URL',
  ])
    expect(named).toContain(name);
  for (const name of [
    'OPERATOR_EMAIL',
    'TRUSTED_HOPS',
    'PAYMENTS',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ])
    expect(named).toContain(name);
});
