import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readConfig } from '@gatehouse/server/src/config.ts';
import type { Context } from '@gatehouse/server/src/context.ts';
import { migrate, openOwnerDatabase } from '@gatehouse/server/src/db/database.ts';
import { startEmbedded } from '@gatehouse/server/src/db/embedded.ts';
import { runAutopay } from '@gatehouse/server/src/features/autopay/run.ts';
import { runBilling } from '@gatehouse/server/src/features/billing/billing.ts';
import { migrateQueue } from '@gatehouse/server/src/jobs/queue.ts';
import { openContext } from '@gatehouse/server/src/start.ts';
import { pino } from 'pino';
import { makeAutopayWorld } from './autopay-world.ts';
import { DUE_ON, makeBillingWorld } from './billing-world.ts';
import { measure, type Took } from './measure.ts';
import { printMachine, say } from './report.ts';
import { postgresVersion, settle } from './world.ts';

/** What one run over so many ledgers took. */
type Figures = { run: string; ledgers: number } & Took;
type Run = (ctx: Context, facilityId: string) => Promise<number>;
/** What is made before a run, outside its figures. */
type Preparation = (url: string, ctx: Context) => Promise<void>;

const AIM_MB = 300;

/** In their order on one world; each answers how many ledgers it worked on. */
const runs: Record<string, Run> = {
  billing: async (ctx, facilityId) => (await runBilling(ctx, { facilityId, date: DUE_ON })).ledgers,
  'billing again': async (ctx, facilityId) => (await runBilling(ctx, { facilityId, date: DUE_ON })).ledgers,
  autopay: async (ctx, facilityId) => (await runAutopay(ctx, { facilityId, date: DUE_ON })).taken,
  'autopay again': async (ctx, facilityId) => (await runAutopay(ctx, { facilityId, date: DUE_ON })).taken,
};

const preparations: Record<string, Preparation> = {
  autopay: async (url, ctx) => {
    say('Making autopay for each ledger');
    await makeAutopayWorld(url, ctx.vault);
    await settle(url);
  },
};

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    ledgers: { type: 'string', multiple: true, default: ['10000', '100000'] },
    run: { type: 'string', multiple: true, default: Object.keys(runs) },
  },
});
const report = process.send?.bind(process);
if (report === undefined) await benchAll();
else await benchOne(Number(options.ledgers[0]), report);

/** Each size in a process of its own, so that the memory is the size's own. */
async function benchAll(): Promise<void> {
  const all: Figures[][] = [];
  const named = options.run.flatMap((run) => ['--run', run]);
  for (const ledgers of options.ledgers) {
    const child = fork(fileURLToPath(import.meta.url), ['billing', '--ledgers', ledgers, ...named]);
    // It ends in its own order, and its figures are missed then.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
    const figures: Figures[] = [];
    child.on('message', (message) => figures.push(message as Figures));
    const [code] = (await once(child, 'exit')) as [number];
    if (code !== 0) throw new Error(`the run over ${ledgers} ledgers failed`);
    all.push(figures);
  }
  say();
  say('| run | ledgers | seconds | ledgers/s | peak memory, MB |');
  say('|---|---|---|---|---|');
  for (const { run, ledgers, seconds, peakMb } of all.flat())
    say(`| ${run} | ${ledgers} | ${seconds.toFixed(1)} | ${Math.round(ledgers / seconds)} | ${Math.round(peakMb)} |`);
  say();
  say(`Aims: as many ledgers a second at every size, and less than ${AIM_MB} MB.`);
}

async function benchOne(ledgers: number, report: (figures: Figures) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const closers: (() => Promise<unknown>)[] = [];
  const stopping = new AbortController();
  const closeAll = async () => {
    stopping.abort();
    for (const close of closers.splice(0).reverse()) await close();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const)
    process.once(signal, () => {
      // What is under way loses its database now, and that is no fault.
      process.on('uncaughtException', () => {});
      void closeAll().finally(() => process.exit(1));
    });
  try {
    const embedded = await startEmbedded({ dataDir: folder, log: say });
    closers.push(() => embedded.stop());
    const { url } = embedded;
    const owner = openOwnerDatabase(url);
    closers.push(() => owner.destroy());
    await migrate(owner);
    await migrateQueue(owner);
    say(`Making a world of ${ledgers} ledgers`);
    const facilityId = await makeBillingWorld(url, ledgers);
    await settle(url);
    printMachine(await postgresVersion(url));
    const config = readConfig({ ...process.env, DATABASE_URL: undefined, DATA_DIR: folder });
    const { ctx } = await openContext(config, url, pino({ level: 'silent' }), closers, stopping.signal);
    for (const [run, work] of Object.entries(runs).filter(([name]) => options.run.includes(name))) {
      await preparations[run]?.(url, ctx);
      const { done, ...took } = await measure(() => work(ctx, facilityId));
      say(
        `${run}: ${done} of ${ledgers} ledgers in ${took.seconds.toFixed(1)} s, at most ${Math.round(took.peakMb)} MB`,
      );
      report({ run, ledgers, ...took });
    }
    await settle(url);
    // Not before: it brings the test runner, whose memory is none of the server's.
    const { expectSoundBooks } = await import('@gatehouse/server/test/books.ts');
    await expectSoundBooks(owner);
    say('The books are sound.');
  } finally {
    await closeAll();
    process.removeAllListeners('disconnect');
    process.disconnect?.();
  }
}
