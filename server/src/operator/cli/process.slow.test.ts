import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFacility, makeLedger, makeTenant, postCharges } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { childEnvironment } from '#test/child-environment.ts';
import { cliOf, endOf, interruptAtWork, startCliOf, urlOf } from '#test/cli.ts';
import { getRow } from '#test/rows.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');

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
  const { stdout } = await run(join(root, 'ops/bin/gatehouse'), ['import', '--help'], {
    env: environment(),
  });
  expect(stdout).toContain('Usage: gatehouse import');
  expect(stdout).toContain('  gatehouse import ./from-the-old-system --dry-run');
  expect(stdout).not.toContain('npm run');
});

test('in a checkout they are told of npm', async () => {
  const { stdout } = await run(
    process.execPath,
    ['server/src/operator/cli/main.ts', 'import', '--help'],
    {
      cwd: root,
      env: childEnvironment,
    },
  );
  expect(stdout).toContain('Usage: npm run cli -- import');
  expect(stdout).toContain('  npm run cli -- import ./from-the-old-system --dry-run');
});

test('a command does its work though nobody reads on', async () => {
  const piped = `"${join(root, 'ops/bin/gatehouse')}" doctor | true; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await run('bash', ['--norc', '-c', piped], {
    env: environment(),
    cwd: folder,
  });
  expect(stderr).not.toContain('EPIPE');
  expect(stdout).toBe('1\n');
});

test('gatehouse takes the settings of the server', async () => {
  const ending = run(join(root, 'ops/bin/gatehouse'), ['doctor'], {
    env: environment(),
    cwd: folder,
  });
  await expect(ending).rejects.toMatchObject({
    stdout: expect.stringContaining('MAIL_FROM') as string,
  });
});

describe('a command on a database', () => {
  const api = useTestApp('empty_template');
  let ledgerId: string;
  beforeAll(async () => {
    // Where nothing is to be billed, whatever the day.
    await makeFacility(api.owner, { location_code: 'TXDFW03' });
    const facility_id = await makeFacility(api.owner, { location_code: 'AZPHX01' });
    const tenant_id = await makeTenant(api.owner, { facility_id });
    ({ ledgerId } = await makeLedger(api.owner, api.ctx.vault, {
      tenant_id,
      unit: { facility_id },
    }));
    await postCharges(api.owner, ledgerId, [
      { category: 'fee', description: 'Cleaning', dueOn: '2026-11-19', priceCents: 20_000 },
    ]);
  });

  const startCli = startCliOf(() => api);

  test('ends in order on Ctrl-C, and says that it can be run again', async () => {
    const DATABASE_URL = await urlOf(api);
    const end = await interruptAtWork(api, () =>
      startCli({ DATABASE_URL, LOG_LEVEL: 'error' }, 'billing', 'run'),
    );
    expect(end).toEqual({
      code: 130,
      signal: null,
      out: '',
      said: 'Stopped. What was done stays done; run it again for the rest.\n',
    });
  });

  test('that is stopped before its answer names its key, under which a payment is recorded once', async () => {
    const DATABASE_URL = await urlOf(api);
    const args = ['record', '--ledger', ledgerId, '--amount', '100', '--type', 'cash'];
    const end = await interruptAtWork(api, () =>
      startCli({ DATABASE_URL, LOG_LEVEL: 'error' }, 'payments', ...args),
    );
    expect(end.code).toBe(130);
    const [, key] =
      /^Stopped\. What was done stays done; run it again with --key (\S+), under which it is done once\.\n$/.exec(
        end.said,
      )!;
    const payments = cliOf(api, 'payments');
    for (let round = 0; round < 2; round++) await payments(...args, '--key', key!);
    const { balance_cents } = await getRow(api.owner, 'ledgers', 'balance_cents', { id: ledgerId });
    expect(balance_cents).toBe(10_000);
  });

  test('says what stands in its way, or writes the result alone to standard output', async () => {
    const DATABASE_URL = await urlOf(api);
    const dry = ['run', '--dry-run', '--facility', 'TXDFW03', '--json'];
    const [whole, misused, away, foreign] = await Promise.all([
      endOf(startCli({ DATABASE_URL }, 'billing', ...dry)),
      endOf(startCli({ DATABASE_URL }, 'billing', 'go')),
      endOf(
        startCli({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nowhere' }, 'billing', 'run'),
      ),
      endOf(startCli({ DATABASE_URL, DATA_KEYS: '5a'.repeat(32) }, 'billing', 'run')),
    ]);
    expect(whole).toMatchObject({ code: 0, said: '' });
    expect(JSON.parse(whole.out)).toMatchObject({ dryRun: true, total: { ledgers: 0, parked: 0 } });
    expect(misused).toMatchObject({ code: 2, out: '' });
    expect(away).toMatchObject({ code: 1, out: '' });
    expect(away.said).toMatch(/^The database that DATABASE_URL names cannot be used: .+\.\n$/);
    expect(foreign).toMatchObject({ code: 1, out: '' });
    expect(foreign.said).toMatch(/^A sealed value in .+ opens with none of the keys; .+\n$/);
    await api.sql`ALTER TABLE kysely_migration RENAME TO away`;
    const refused = await endOf(startCli({ DATABASE_URL }, 'billing', 'run'));
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.said).toMatch(/^The database is not up to date\./);
  });

  test('without a database says how to name one, and makes no data folder', async () => {
    const DATA_DIR = `${api.ctx.config.dataDir}/none`;
    const { code, out, said } = await endOf(
      startCli({ DATA_DIR, DATA_KEYS: '' }, 'billing', 'run'),
    );
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(said).toBe(
      `There is no database in ${DATA_DIR} yet, and DATABASE_URL is not set. Start this version of the server once, which prepares one there, or set DATABASE_URL: on a live machine run the \`gatehouse\` command, which reads its settings.\n`,
    );
    expect(existsSync(DATA_DIR)).toBe(false);
  });
});
