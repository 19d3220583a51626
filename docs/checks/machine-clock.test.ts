import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readsOfMachineClock } from './machine-clock.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Tests, and what only they and trials use. */
const files = globSync(
  [
    '{language,contract,web,office,server}/src/**/*.{test,fixture,contract}.{ts,tsx}',
    '{server/test,server/src/seeds,e2e,trials/src,docs/checks}/**/*.ts',
  ],
  { cwd: root },
)
  .filter((file) => !file.includes('node_modules'))
  .sort();

/** The files that may ask for the machine's time, by the reason. */
const exceptions: Record<string, string[]> = {
  'It makes the clock of the run from it.': ['server/test/test-day.ts'],
  'It tests whether the machine and the database have one clock.': [
    'server/test/moved-clock.test.ts',
  ],
  'Retention, the queue and the doctor go by the database’s clock.': [
    'server/src/features/base/mail/mail.test.ts',
    'server/src/features/base/retention/retention.test.ts',
    'server/src/features/rentals/vehicle-papers/vehicle-papers.test.ts',
    'server/src/jobs/forget-old.test.ts',
    'server/src/operator/doctor/doctor.test.ts',
    'server/test/machines.slow.test.ts',
    'server/test/mail-outage.slow.test.ts',
    'server/test/metrics.test.ts',
  ],
  'The queue goes by the database’s clock.': [
    'trials/src/attacks/leaked-secrets.ts',
    'trials/src/harness/footprint.ts',
  ],
  'The page’s own clock, which is that of the run, or a wrong one on purpose.': [
    'e2e/specs/bound-token.spec.ts',
    'e2e/specs/error-reporting.spec.ts',
    'e2e/specs/kept-gate-pass.spec.ts',
  ],
  'It dates a report of results.': [
    'trials/src/bench/paint.ts',
    'trials/src/harness/report.ts',
    'trials/src/run.ts',
  ],
  'It is this check.': ['docs/checks/machine-clock.test.ts', 'docs/checks/machine-clock.ts'],
};

test('tests and trials take the time from the clock of the run, and not from the machine', () => {
  const allowed = Object.values(exceptions).flat();
  const found = files
    .map((file) => ({
      file,
      reads: readsOfMachineClock(file, readFileSync(join(root, file), 'utf8')),
    }))
    .filter(({ reads }) => reads.length > 0);
  expect(found.filter(({ file }) => !allowed.includes(file))).toEqual([]);
  expect(allowed.filter((file) => !found.some((one) => one.file === file))).toEqual([]);
});

test('what asks for the machine’s time is found, and what derives a day is not', () => {
  const found = (code: string) => readsOfMachineClock('a.ts', code);
  expect(found('const a = new Date();\nconst b = Date.now();\nrun({ now: Date.now });')).toEqual([
    '1: new Date()',
    '2: Date.now',
    '3: Date.now',
  ]);
  expect(found('sql`SELECT now() - ${age}`; sql`UPDATE a SET b = ${c}, d = now()`;')).toEqual([
    '1: now() in SQL',
    '1: now() in SQL',
  ]);
  expect(
    found(
      "new Date('2026-11-25'); new Date(0); ctx.clock.now(); const now = () => 1; now(); // new Date()",
    ),
  ).toEqual([]);
});
