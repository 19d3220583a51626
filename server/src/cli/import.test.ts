import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openOwnerDatabase } from '#db/database.ts';
import { openTestApp, type TestApp } from '../../test/app.ts';
import { databaseUrl } from '../../test/templates.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { seedCommand } from './many-ledgers.ts';
import type { ExitCode, OwnerRunner } from './runner.ts';

let api: TestApp;
let folder: string;
beforeAll(async () => {
  api = await openTestApp('demo_template');
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'));
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

/** Runs a command as the terminal would, on a connection of the owner's. */
async function cli(commandOf: (run: OwnerRunner) => Command, ...args: string[]) {
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(api.owner);
  const db = openOwnerDatabase(databaseUrl(inject('clusterUrl'), rows[0]!.name));
  const lines: string[] = [];
  const said = new Set<string>();
  let code: ExitCode | undefined;
  const { config, vault, clock } = api.ctx;
  const command = commandOf(async (work) => {
    const terminal = { line: (text: string) => lines.push(text), progress: (of: string) => said.add(of) };
    code = await work({ db, config, vault, clock }, terminal);
  });
  command.exitOverride().configureOutput({ writeErr: () => {} });
  try {
    await command.parseAsync(args, { from: 'user' });
  } finally {
    await db.destroy();
  }
  return { lines, code, said };
}

test('export writes all files, for their owner’s eyes alone, and import of them changes nothing', async () => {
  const out = await cli(exportCommand, join(folder, 'all'), '--with-secrets');
  expect(out.code).toBe(0);
  expect(await readdir(join(folder, 'all'))).toHaveLength(16);
  expect((await stat(join(folder, 'all', 'gate-codes.csv'))).mode & 0o777).toBe(0o600);
  const noted = await api.owner
    .selectFrom('audit_events')
    .select('id')
    .where('kind', '=', 'secrets_exported')
    .execute();
  expect(noted).toHaveLength(12);
  const back = await cli(importCommand, join(folder, 'all'), '--json');
  expect(back.code).toBe(0);
  const { files, imported } = JSON.parse(back.lines[0]!) as {
    files: { made: number; changed: number }[];
    imported: string[];
  };
  expect(files.map(({ made, changed }) => made + changed)).toEqual(files.map(() => 0));
  expect(imported).toHaveLength(12);
  expect([...back.said]).toContain('Importing, rentals');
});

test('import prints each fault with its place, a table and what was left out, and exits with 1', async () => {
  await writeFile(
    join(folder, 'units.csv'),
    'facility,unit,width_feet,length_feet,unit_type\nTXDFW03,A101,wide,40,RV\n',
  );
  for (const stranger of ['Vehicles.csv', 'leases.csv']) await writeFile(join(folder, stranger), '');
  const { code, lines } = await cli(importCommand, folder, '--dry-run');
  expect(code).toBe(1);
  expect(lines).toEqual([
    'units.csv, line 2, width_feet: must be a whole number.',
    '',
    'file       rows  new  changed  faults',
    'units.csv     1    0        0       1',
    '0 facilities would be imported; nothing was changed.',
    'Left out because of faults: TXDFW03.',
    'Not taken in, because no file of an import is called so: leases.csv, Vehicles.csv (did you mean vehicles.csv?).',
  ]);
});

test('export of one facility has that one alone, and refuses one that there is not', async () => {
  const { lines } = await cli(exportCommand, join(folder, 'one'), '--facility', 'AZPHX01', '--json');
  expect(JSON.parse(lines[0]!)).toMatchObject({ rows: { 'facilities.csv': 1, 'tenants.csv': 1, 'ledgers.csv': 1 } });
  await expect(cli(exportCommand, join(folder, 'none'), '--facility', 'NOWHERE')).rejects.toThrow(
    'There is no facility NOWHERE.',
  );
});

test('seed refuses what is no number of rentals', async () => {
  await expect(cli(seedCommand, '--ledgers', 'many')).rejects.toThrow('It must be a whole number from 1 to 4000000.');
});
