import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Faults } from './faults.ts';
import { importFiles } from './files.ts';
import { readFile, type Row } from './read.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-hostile-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const HEADER = 'facility,unit,width_feet,length_feet,unit_type';
const ROW = 'TXDFW03,A101,12,40,RV';

async function read(content: string | Buffer): Promise<{ says: string[]; rows: Row[] }> {
  await writeFile(join(folder, 'units.csv'), content);
  return readUnits();
}

async function readUnits(): Promise<{ says: string[]; rows: Row[] }> {
  const faults = new Faults();
  const rows: Row[] = [];
  await readFile(folder, importFiles.units, faults, {
    onHeader: () => {},
    onRows: (some) => void rows.push(...some),
    onProgress: () => {},
  });
  return { says: faults.listed.map(({ says }) => says), rows };
}

const MEGABYTES = 10 * 1024 * 1024;

// asvs 1.3.3, 2.2.1
test.each<[string, string | Buffer, RegExp]>([
  ['a cell of 10 MB', `${HEADER}\n${'x'.repeat(MEGABYTES)},A101,12,40,RV\n`, /longer than 100000/],
  [
    'a quote that is never closed',
    `${HEADER}\n"${`${ROW}\n`.repeat(20_000)}`,
    /longer than 100000/,
  ],
  ['a header of 10 MB', 'a,'.repeat(MEGABYTES / 2), /longer than 100000/],
  ['10 MB of quotes', `${HEADER}\n${'"'.repeat(MEGABYTES)}`, /longer than 100000|not closed/],
  ['a null byte', `${HEADER}\nTXDFW03,A1\0,12,40,RV\n`, /is not UTF-8/],
  ['bytes of Windows-1252', Buffer.from(`${HEADER}\nTXDFW03,Ñ1,12,40,RV\n`, 'latin1'), /not UTF-8/],
  ['UTF-16 without a mark', Buffer.from(`${HEADER}\n${ROW}\n`, 'utf16le'), /none of facility/],
  ['a column __proto__', `__proto__,${HEADER}\nx,${ROW}\n`, /"__proto__", that is none of/],
  ['a column constructor', `constructor,${HEADER}\nx,${ROW}\n`, /"constructor", that is none of/],
  ['a column twice', `${HEADER},unit\n${ROW},A102\n`, /has the column unit twice/],
  ['a negative width', `${HEADER}\nTXDFW03,A101,-12,40,RV\n`, /must be from 1 to 10000/],
  [
    'digits for a width that are too many',
    `${HEADER}\nTXDFW03,A101,${'9'.repeat(90_000)},40,RV\n`,
    /must be|card number/,
  ],
  ['a card number', `${HEADER}\nTXDFW03,4111 1111 1111 1111,12,40,RV\n`, /a card number/],
])('a file with %s has a fault and no sound row', async (_, content, fault) => {
  const { says, rows } = await read(content);
  expect(says.join('\n')).toMatch(fault);
  expect(rows.filter(({ isSound }) => isSound)).toEqual([]);
  // A fault names what is wrong in a sentence, never the cell.
  for (const one of says) expect(one.length).toBeLessThan(500);
});

test.each([
  ['of UTF-8', Buffer.from(`\uFEFF${HEADER}\n${ROW}\n`)],
  ['of UTF-16', Buffer.from(`\uFEFF${HEADER}\n${ROW}\n`, 'utf16le')],
])('a file with the mark %s is read', async (_, content) => {
  const { says, rows } = await read(content);
  expect([says, rows.map(({ values }) => values[1])]).toEqual([[], ['A101']]);
});

test('a formula in a cell is a text, and stays one', async () => {
  const formula = "=cmd|' /C calc'!A0";
  const { says, rows } = await read(`${HEADER}\nTXDFW03,A101,12,40,${formula}\n`);
  expect([says, rows[0]!.values.at(-1)]).toEqual([[], formula]);
});

test('a file that leads nowhere, or to a folder, is a fault', async () => {
  const path = join(folder, 'units.csv');
  for (const target of [folder, path]) {
    await rm(path, { force: true });
    await symlink(target, path);
    const { says, rows } = await readUnits();
    expect([says.length, rows]).toEqual([1, []]);
  }
});
