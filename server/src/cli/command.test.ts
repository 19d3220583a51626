import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childEnvironment } from '../../test/child-environment.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

let folder: string;
let settings: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  settings = join(folder, 'gatehouse.env');
  await writeFile(settings, "MAIL_FROM='no address'\n");
});
afterAll(() => rm(folder, { recursive: true }));

const environment = () => ({ ...childEnvironment, GATEHOUSE_ENV: settings });

test('an operator who types gatehouse is told of gatehouse', async () => {
  const { stdout } = await run(join(root, 'ops/bin/gatehouse'), ['import', '--help'], { env: environment() });
  expect(stdout).toContain('Usage: gatehouse import');
  expect(stdout).toContain('  gatehouse import ./from-the-old-system --dry-run');
  expect(stdout).not.toContain('npm run');
});

test('in a checkout they are told of npm', async () => {
  const { stdout } = await run(process.execPath, ['server/src/cli/main.ts', 'import', '--help'], {
    cwd: root,
    env: childEnvironment,
  });
  expect(stdout).toContain('Usage: npm run cli -- import');
  expect(stdout).toContain('  npm run cli -- import ./from-the-old-system --dry-run');
});

test('a command does its work though nobody reads on', async () => {
  const piped = `"${join(root, 'ops/bin/gatehouse')}" doctor | true; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await run('bash', ['--norc', '-c', piped], { env: environment(), cwd: folder });
  expect(stderr).not.toContain('EPIPE');
  expect(stdout).toBe('1\n');
});

test('gatehouse takes the settings of the server', async () => {
  const ending = run(join(root, 'ops/bin/gatehouse'), ['doctor'], { env: environment(), cwd: folder });
  await expect(ending).rejects.toMatchObject({ stdout: expect.stringContaining('MAIL_FROM') as string });
});
