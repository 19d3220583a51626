import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureWebBuilt } from '../../../scripts/web.mjs';
import { freePort } from '../harness/free-port.ts';
import { say } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';
import { aimRow, reportAims } from './aims.ts';

const MOST_SECONDS = 1.2;
const LOOK_MS = 5;
const root = fileURLToPath(new URL('../../../', import.meta.url));
const bareStart = fileURLToPath(import.meta.resolve('./bare-start.ts'));

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: { starts: { type: 'string', default: '5' } },
});

await ensureWebBuilt();
await using closers = new AsyncDisposableStack();
const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
closers.defer(() => rm(dataDir, { recursive: true, force: true }));

const first = await secondsUntilReady(startPortal);
say(`First npm start, with the database and the demo world made: ${first.toFixed(2)} s`);
const times = { portal: [] as number[], bare: [] as number[] };
for (let index = 0; index < Number(options.starts); index += 1) {
  times.portal.push(await secondsUntilReady(startPortal));
  times.bare.push(await secondsUntilReady(startBare));
}
for (const [side, seconds] of Object.entries(times))
  say(`${side}: ${seconds.map((one) => one.toFixed(2)).join(', ')} s`);
reportAims([
  aimRow({
    what: 'second npm start until it is ready',
    ours: `${median(times.portal).toFixed(2)} s`,
    bare: `${median(times.bare).toFixed(2)} s for only PostgreSQL and node:http`,
    value: median(times.portal),
    unit: ' s',
    atMost: MOST_SECONDS,
  }),
]);

/** As `npm start` is typed, on the same data folder each time. */
function startPortal(port: number): ChildProcess {
  return spawn('npm', ['start'], {
    cwd: root,
    // So that all of it is interrupted together, as by Ctrl-C.
    detached: true,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, METRICS_PORT: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function startBare(port: number): ChildProcess {
  return fork(bareStart, [dataDir, String(port)], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** From the command to the first answer of `/readyz`; then it is stopped, with its PostgreSQL. */
async function secondsUntilReady(start: (port: number) => ChildProcess): Promise<number> {
  const port = await freePort();
  const begun = performance.now();
  const child = start(port);
  const ended = once(child, 'exit');
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('the server ended before it was ready');
    await delay(LOOK_MS);
  }
  const seconds = (performance.now() - begun) / 1000;
  process.kill(-child.pid!, 'SIGINT');
  await ended;
  while (existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) await delay(LOOK_MS);
  return seconds;
}
