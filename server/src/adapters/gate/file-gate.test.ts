import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testClock } from '#test/test-day.ts';
import { createFileGate } from './file-gate.ts';
import { describeGate } from './gate.contract.ts';

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'gatehouse-gate-'));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

const unit = {
  unitId: '5a9d2b7c-1e3f-4d6a-8b0c-9f8e7d6c5b4a',
  unit: 'A101',
  access: { code: '0482#', scheduleId: 1, schedule: 'Business Hours', isSuspended: false },
};
const message = (facility: string) => ({ facility, sequence: 1, at: testClock.now() });

describeGate('file', () => {
  const folder = join(parent, 'contract');
  /** Reads the file as the gate's own software does: cells may be quoted or plain. */
  const read = async (facility: string) => {
    const text = await readFile(join(folder, `${facility}.csv`), 'utf8');
    const [, ...lines] = text.trimEnd().split('\r\n');
    return lines.map((line) =>
      Array.from(line.matchAll(/"((?:[^"]|"")*)"|([^,]+)/g), ([, quoted, plain]) =>
        (quoted ?? plain ?? '').replaceAll('""', '"'),
      ),
    );
  };
  return Promise.resolve({
    gate: createFileGate(folder),
    known: async (facility) =>
      (await read(facility)).map(
        ([name, , schedule, , suspended]) =>
          `${name}${suspended === 'yes' ? ' suspended' : ''} on schedule ${schedule}`,
      ),
    opens: async (facility, { unit: name }, code) =>
      (await read(facility)).some((row) => row[0] === name && row[1] === code),
    async whileDown(work) {
      await rename(folder, `${folder}.away`);
      await writeFile(folder, 'a file where the folder should be');
      await work();
      await rm(folder);
      await rename(`${folder}.away`, folder);
    },
    close: () => Promise.resolve(),
  });
});

test('the file of a facility is CSV with a header, readable by its owner only, and leaves no temporary file', async () => {
  const folder = join(parent, 'one');
  await createFileGate(folder).replace(message('TXDFW03'), [
    unit,
    { ...unit, unit: 'A102', access: null },
  ]);
  expect(await readdir(folder)).toEqual(['TXDFW03.csv']);
  expect(await readFile(join(folder, 'TXDFW03.csv'), 'utf8')).toBe(
    'unit,code,schedule_id,schedule,suspended\r\n"A101","0482#",1,"Business Hours",no\r\n',
  );
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, 'TXDFW03.csv'))).mode & 0o777).toBe(0o600);
});

test('a location code cannot name another folder', async () => {
  const folder = join(parent, 'two', 'inside');
  await createFileGate(folder).replace(message('../../escaped'), [unit]);
  expect(await readdir(folder)).toEqual(['%2E%2E%2F%2E%2E%2Fescaped.csv']);
  expect(await readdir(join(parent, 'two'))).toEqual(['inside']);
});

test('a change made to the file by hand is reported and corrected', async () => {
  const folder = join(parent, 'three');
  const gate = createFileGate(folder);
  await gate.replace(message('F'), [unit]);
  const path = join(folder, 'F.csv');
  await writeFile(path, (await readFile(path, 'utf8')).replace('0482#', '1234#'));
  expect(await gate.replace(message('F'), [unit])).toEqual(['A101']);
  expect(await gate.replace(message('F'), [unit])).toEqual([]);
});
