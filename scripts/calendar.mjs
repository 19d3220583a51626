import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say, Trouble } from './say.mjs';
import { node26, root } from './setup.mjs';

/** @typedef {import('./test-steps.mjs').Count} Count */

/**
 * The instants at which the tests must end as they do today, each in a time zone of its own: ends
 * of months, of a year and of summer time, a leap day, and a year that no test knows.
 */
const instants = [
  { name: '1/31/2027 18:00 UTC', zone: 'Pacific/Auckland', at: Date.UTC(2027, 0, 31, 18) },
  { name: '2/29/2028 04:00 UTC', zone: 'UTC', at: Date.UTC(2028, 1, 29, 4) },
  { name: '3/14/2027 09:30 UTC', zone: 'America/Los_Angeles', at: Date.UTC(2027, 2, 14, 9, 30) },
  { name: '11/7/2027 06:30 UTC', zone: 'America/Chicago', at: Date.UTC(2027, 10, 7, 6, 30) },
  { name: '12/31/2026 23:59:30 UTC', zone: 'Pacific/Auckland', at: Date.UTC(2027, 0, 1) - 30_000 },
  { name: '400 days from now', zone: 'America/Los_Angeles', at: Date.now() + 400 * 86_400_000 },
];

/**
 * Runs tests with the machine's clock moved to each instant, for Node, PostgreSQL and the browser
 * alike, and prints a table. A preloaded library moves it; without a C compiler to make that, the
 * step is skipped.
 * @param {{ isWhole: boolean, unit: Runner, browser: Runner }} options `isWhole`: all instants, and
 * the browser's tests at two; else the unit tests at two of them, another pair each day.
 * @typedef {(env: Record<string, string>) => Promise<Count>} Runner
 * @returns {Promise<Count>}
 */
export async function calendar({ isWhole, unit, browser }) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-clock-'));
  try {
    const library = join(folder, 'moved-clock.so');
    if (!makeLibrary(library)) {
      say(
        'The calendar was not tested: that needs Linux and a C compiler (Debian: apt-get install gcc libc6-dev).',
      );
      return { passed: 0, failed: 0, skipped: 1 };
    }
    // The database may run as another user.
    chmodSync(folder, 0o755);
    const total = { passed: 0, failed: 0, skipped: 0, titles: /** @type {string[]} */ ([]) };
    /** @type {string[]} */
    const table = [];
    /** @type {(what: string, instant: typeof instants[number], run: Runner) => Promise<void>} */
    const runAt = async (what, { name, zone, at }, run) => {
      say(`calendar: ${what} at ${name}, TZ=${zone}`);
      const count = await run(movedTo(at, zone, library));
      total.passed += count.passed;
      total.failed += count.failed;
      total.skipped += count.skipped;
      total.titles.push(...(count.titles ?? []).map((title) => `${name}: ${title}`));
      table.push(
        `${name.padEnd(24)} ${zone.padEnd(20)} ${what.padEnd(8)} ${String(count.passed).padStart(6)} ${String(count.failed).padStart(6)}`,
      );
    };
    const chosen = isWhole ? instants : pairOfToday();
    for (const instant of chosen) await runAt('unit', instant, unit);
    if (isWhole) for (const instant of pairOfToday()) await runAt('browser', instant, browser);
    say(`${'instant'.padEnd(24)} ${'time zone'.padEnd(20)} ${'tests'.padEnd(8)} passed failed`);
    for (const line of table) say(line);
    return total;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function pairOfToday() {
  const first = 2 * (Math.floor(Date.now() / 86_400_000) % (instants.length / 2));
  return instants.slice(first, first + 2);
}

/** @param {string} library */
function makeLibrary(library) {
  if (process.platform !== 'linux') return false;
  const source = join(root, 'scripts/moved-clock.c');
  return spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source]).status === 0;
}

/**
 * The environment of a process whose clock begins at an instant. An offset and not a date, which
 * would begin anew in each process.
 * @param {number} at
 * @param {string} zone
 * @param {string} library
 */
function movedTo(at, zone, library) {
  const ahead = Math.round((at - Date.now()) / 1000);
  const env = { LD_PRELOAD: library, CLOCK_AHEAD_SECONDS: String(ahead), TZ: zone };
  const { stdout } = spawnSync(node26(), ['-p', 'Date.now()'], { env, encoding: 'utf8' });
  if (!(Math.abs(Number(stdout) - at) < 60_000))
    throw new Trouble('The clock of Node could not be moved.');
  return env;
}
