import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openOwnerDatabase } from '#db/database.ts';
import { openLog } from '#telemetry/log.ts';
import { useTestApp } from '#test/app.ts';
import { databaseUrl } from '#test/templates.ts';
import type { Money } from '#operator/imports/money.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import type { ExitCode, OwnerRunner } from './runner.ts';
import { findRows } from '#test/rows.ts';

let folder: string;
const api = useTestApp('demo_template');
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a command as the terminal would, on a connection of the owner's. */
async function cli(commandOf: (run: OwnerRunner) => Command, ...args: string[]) {
  const rows = await api.sql<{ name: string }>`SELECT current_database() AS name`;
  const db = openOwnerDatabase(databaseUrl(inject('clusterUrl'), rows[0]!.name));
  const lines: string[] = [];
  const said = new Set<string>();
  let code: ExitCode | undefined;
  const { config, vault, clock } = api.ctx;
  const command = commandOf(async (work) => {
    const terminal = {
      line: (text: string) => lines.push(text),
      progress: (of: string) => said.add(of),
    };
    code = await work({ db, config, vault, clock, log: openLog('warn') }, terminal);
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
  expect(await readdir(join(folder, 'all'))).toHaveLength(17);
  expect((await stat(join(folder, 'all', 'gate-codes.csv'))).mode & 0o777).toBe(0o600);
  const noted = await findRows(api.owner, 'audit_events', 'id', { kind: 'secrets_exported' });
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
  for (const stranger of ['Vehicles.csv', 'leases.csv'])
    await writeFile(join(folder, stranger), '');
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

test('import says in dollars what it does to balances, the same dry as in earnest', async () => {
  const place = join(folder, 'postings');
  await mkdir(place);
  const rental = (unit: string) =>
    api.owner
      .selectFrom('ledgers')
      .innerJoin('units', 'units.id', 'ledgers.unit_id')
      .select('ledgers.id')
      .where('units.name', '=', unit)
      .executeTakeFirstOrThrow();
  const [p118, c014] = [(await rental('P118')).id, (await rental('C014')).id];
  await writeFile(
    join(place, 'charges.csv'),
    `facility,charge_id,ledger_id,category,description,due_on,price\nAZPHX01,C1,${p118},fee,Lock cut,2026-11-20,50\n`,
  );
  await writeFile(
    join(place, 'payments.csv'),
    'facility,payment_id,ledger_id,kind,paid_on,amount,method,taken_back,taken_back_on,taken_back_reason\n' +
      `AZPHX01,P1,${p118},,2026-11-20,300,cash,,,\nTXDFW03,P2,${c014},,2026-11-20,100,check,100,2026-11-21,nsf\n` +
      `TXDFW03,P3,${c014},credit,2026-11-20,50,,,,\n`,
  );
  const money = async (...options: string[]) =>
    (
      JSON.parse((await cli(importCommand, place, '--json', ...options)).lines[0]!) as {
        money: Money;
      }
    ).money;
  const dry = await cli(importCommand, place, '--dry-run');
  expect(dry.lines.slice(3)).toEqual([
    '',
    'Balances, and what would change them:',
    expect.stringMatching(/^facility +before +charged +paid +credited +taken back +after$/),
    expect.stringMatching(
      /^AZPHX01 +\$175\.00 +\$50\.00 +-\$300\.00 +\$0\.00 +\$0\.00 +-\$75\.00$/,
    ),
    expect.stringMatching(/^TXDFW03 +\S+ +\$0\.00 +-\$100\.00 +-\$50\.00 +\$100\.00 +\S+$/),
    expect.stringMatching(/^in sum +\S+ +\$50\.00 +-\$400\.00 +-\$50\.00 +\$100\.00 +\S+$/),
    '',
    'The largest changes of a balance (2):',
    'facility  unit   before    after',
    'AZPHX01   P118  $175.00  -$75.00',
    'TXDFW03   C014  $450.00  $400.00',
    '',
    'What the first day will do after it:',
    'facility    bills  late fees  autopay  suspended  reminders  rate notices',
    'TXDFW03   0 $0.00    0 $0.00  0 $0.00          0          0             1',
    'in sum    0 $0.00    0 $0.00  0 $0.00          0          0             1',
    '',
    '2 facilities would be imported; nothing was changed.',
  ]);
  const before = await money('--dry-run');
  expect(before.total).toMatchObject({ charged: 50, paid: 400, credited: 50, takenBack: 100 });
  expect(before.total.after - before.total.before).toBe(-300);
  expect(before.largest).toEqual([
    { facility: 'AZPHX01', unit: 'P118', ledgerId: p118, before: 175, after: -75 },
    { facility: 'TXDFW03', unit: 'C014', ledgerId: c014, before: 450, after: 400 },
  ]);
  expect(await money()).toEqual(before);
});

test('export of one facility has that one alone, and refuses one that there is not', async () => {
  const { lines } = await cli(
    exportCommand,
    join(folder, 'one'),
    '--facility',
    'AZPHX01',
    '--json',
  );
  expect(JSON.parse(lines[0]!)).toMatchObject({
    rows: { 'facilities.csv': 1, 'tenants.csv': 1, 'ledgers.csv': 1 },
  });
  await expect(cli(exportCommand, join(folder, 'none'), '--facility', 'NOWHERE')).rejects.toThrow(
    'There is no facility NOWHERE.',
  );
});
