import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '@gatehouse/server/src/config/config.ts';
import { openOwnerDatabase } from '@gatehouse/server/src/db/database.ts';
import { importFolder } from '@gatehouse/server/src/operator/imports/import.ts';
import { openLog } from '@gatehouse/server/src/telemetry/log.ts';
// What the command stands on, because it decides how the heap grows.
import '@gatehouse/server/src/app/start.ts';
import { openVault } from '@gatehouse/server/src/crypto/vault.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { writeCsvWorld } from './csv-world.ts';
import { inProcesses, withBareFixture, type BareFixture } from './fixture.ts';
import { measure, type Took } from './measure.ts';
import { printMachine, say } from '../harness/report.ts';
import { CORPORATION } from '../harness/world.ts';

/** What an import of so many rows took. */
type Figures = { run: string; ledgers: number; rows: number } & Took;

const AIM_MB = 400;

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    ledgers: { type: 'string', multiple: true, default: ['10000', '1000000'] },
    /** Periods of rent of each rental, each with its payment. */
    months: { type: 'string', default: '3' },
    /** Whether the same files are imported a second time. */
    again: { type: 'boolean', default: false },
  },
});
const report = process.send?.bind(process);
if (report === undefined) await benchAll();
else await withBareFixture((fixture) => benchOne(fixture, Number(options.ledgers[0]), report));

/** Each size in a child process, so that its memory is measured alone. */
async function benchAll(): Promise<void> {
  const more = ['--months', options.months, ...(options.again ? ['--again'] : [])];
  const all = await inProcesses<Figures>(
    import.meta.url,
    options.ledgers.map((ledgers) => ['import', '--ledgers', ledgers, ...more]),
  );
  say();
  say('| run | ledgers | rows | seconds | rows/s | peak memory, MB |');
  say('|---|---|---|---|---|---|');
  for (const { run, ledgers, rows, seconds, peakMb } of all)
    say(
      `| ${run} | ${ledgers} | ${rows} | ${seconds.toFixed(1)} | ${Math.round(rows / seconds)} | ${Math.round(peakMb)} |`,
    );
  say();
  say(`Aim: less than ${AIM_MB} MB at every size.`);
}

async function benchOne(
  { url, owner, folder }: BareFixture,
  ledgers: number,
  report: (figures: Figures) => void,
): Promise<void> {
  await printMachine(owner);
  const files = join(folder, 'files');
  await mkdir(files);
  say(`Writing the files of ${ledgers} ledgers`);
  const rows = await writeCsvWorld(files, ledgers, Number(options.months));
  const config = readConfig({ ...process.env, DATA_DIR: folder });
  const vault = openVault(config.dataKeys);
  const enqueue = () => Promise.reject(new Error('the files change no address'));
  const mail = { config, clock: testClock, log: openLog('warn'), vault, enqueue };
  for (const run of ['import', ...(options.again ? ['import again'] : [])]) {
    const db = openOwnerDatabase(url);
    let said = '';
    const onProgress = (of: string, { done, total }: { done: number; total: number }) => {
      if (of !== said) say(`${of}: ${done} of ${total}`);
      said = of;
    };
    const fixture = {
      db,
      vault,
      clock: testClock,
      mail,
      corporationCode: CORPORATION,
      onProgress,
    };
    const { done, ...took } = await measure(() => importFolder(fixture, files, false));
    await db.destroy();
    if (done.faults.total > 0)
      throw new Error(`the files have faults: ${JSON.stringify(done.faults.listed[0])}`);
    say(
      `${run}: ${rows} rows in ${took.seconds.toFixed(1)} s, at most ${Math.round(took.peakMb)} MB`,
    );
    report({ run, ledgers, rows, ...took });
  }
  // Not before: it brings the test runner, whose memory is none of the import's.
  const { expectSoundBooks } = await import('@gatehouse/server/test/books.ts');
  await expectSoundBooks(owner);
  say('The books are sound.');
}
