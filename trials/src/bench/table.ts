import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { say } from '../harness/report.ts';
import { AIMS_FILE, printAims, type AimRow } from './aims.ts';
import { benches, longBenches, tableBenches } from './benches.ts';
import { runBench } from './children.ts';

/**
 * Runs the benches of the table of aims, one after the other, and prints the table: each figure
 * with the one that it is held against in the same run. A missed aim is no error.
 */
const { values: options, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    /** Each at its smallest size: to see the table, not its figures. */
    small: { type: 'boolean', default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-aims-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'rows.jsonl');
writeFileSync(file, '');

const chosen =
  positionals.length > 0 ? positionals : [...tableBenches, ...(options.long ? longBenches : [])];
const failed: string[] = [];
for (const name of chosen) {
  say(`\n## ${name}\n`);
  const args = options.small ? (benches[name]?.small ?? []) : [];
  const { isWell } = await runBench([name, ...args], { env: { [AIMS_FILE]: file } });
  if (!isWell) failed.push(name);
}

const rows = readFileSync(file, 'utf8').split('\n').filter(Boolean);
printAims(rows.map((row) => JSON.parse(row) as AimRow));
if (failed.length > 0) {
  say(`These benches failed: ${failed.join(', ')}.`);
  process.exitCode = 1;
}
