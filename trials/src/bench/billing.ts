import { parseArgs } from 'node:util';
import { readConfig } from '@gatehouse/server/src/config/config.ts';
import type { Context } from '@gatehouse/server/src/context/context.ts';
import type { Database } from '@gatehouse/server/src/db/database.ts';
import { runAutopay } from '@gatehouse/server/src/features/money/autopay/run.ts';
import { runBilling } from '@gatehouse/server/src/features/money/billing/billing.ts';
import { openContext } from '@gatehouse/server/src/app/start.ts';
import { pino } from 'pino';
import { aimRow, reportAims, type AimRow } from './aims.ts';
import { makeAutopayWorld } from './autopay-world.ts';
import { DUE_ON, makeBillingWorld } from './billing-world.ts';
import { inProcesses, withBareFixture, type BareFixture } from './fixture.ts';
import { measure, type Took } from './measure.ts';
import { printMachine, say, settle } from '../harness/report.ts';

/** What one run over this many ledgers took. */
type Figures = { run: string; ledgers: number } & Took;
type Run = (ctx: Context, facilityId: string) => Promise<number>;
/** What is made before a run, outside its figures. */
type Preparation = (owner: Database, ctx: Context) => Promise<void>;

const AIM_MB = 300;
/** Ledgers a second that are not to become fewer, of 100,000 (docs/benchmarks.md). */
const AIMS = { ledgers: 100_000, perSecond: { billing: 4232, autopay: 261 } };

/** In their order on one world; each answers how many ledgers it worked on. */
const runs: Record<string, Run> = {
  billing: async (ctx, facilityId) => (await runBilling(ctx, { facilityId, date: DUE_ON })).ledgers,
  'billing again': async (ctx, facilityId) =>
    (await runBilling(ctx, { facilityId, date: DUE_ON })).ledgers,
  autopay: async (ctx, facilityId) => (await runAutopay(ctx, { facilityId, date: DUE_ON })).taken,
  'autopay again': async (ctx, facilityId) =>
    (await runAutopay(ctx, { facilityId, date: DUE_ON })).taken,
};

const preparations: Record<string, Preparation> = {
  autopay: async (owner, ctx) => {
    say('Making autopay for each ledger');
    await makeAutopayWorld(owner, ctx.vault);
    await settle(owner);
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
else await withBareFixture((fixture) => benchOne(fixture, Number(options.ledgers[0]), report));

/** Each size in a child process, so that only its memory is measured. */
async function benchAll(): Promise<void> {
  const named = options.run.flatMap((run) => ['--run', run]);
  const all = await inProcesses<Figures>(
    import.meta.url,
    options.ledgers.map((ledgers) => ['billing', '--ledgers', ledgers, ...named]),
  );
  say();
  say('| run | ledgers | seconds | ledgers/s | peak memory, MB |');
  say('|---|---|---|---|---|');
  for (const { run, ledgers, seconds, peakMb } of all)
    say(
      `| ${run} | ${ledgers} | ${seconds.toFixed(1)} | ${Math.round(ledgers / seconds)} | ${Math.round(peakMb)} |`,
    );
  say();
  say(`Aims: as many ledgers a second at every size, and less than ${AIM_MB} MB.`);
  reportAims(aimsOf(all));
}

function aimsOf(all: Figures[]): AimRow[] {
  const smallest = Number(options.ledgers[0]);
  return Object.entries(AIMS.perSecond).flatMap(([run, atLeast]) => {
    const of = (size: number) => all.find((one) => one.run === run && one.ledgers === size);
    const [large, small] = [of(AIMS.ledgers), of(smallest)];
    if (large === undefined || small === undefined) return [];
    const perSecond = ({ ledgers, seconds }: Figures) => ledgers / seconds;
    return aimRow({
      what: `${run} of ${AIMS.ledgers} ledgers`,
      ours: `${large.seconds.toFixed(1)} s`,
      bare: `${perSecond(small).toFixed(0)}/s of ${smallest}`,
      value: perSecond(large),
      digits: 0,
      unit: '/s',
      atLeast,
    });
  });
}

async function benchOne(
  { url, owner, folder, closers }: BareFixture,
  ledgers: number,
  report: (figures: Figures) => void,
): Promise<void> {
  say(`Making a world of ${ledgers} ledgers`);
  const facilityId = await makeBillingWorld(owner, ledgers);
  await settle(owner);
  await printMachine(owner);
  const config = readConfig({ ...process.env, DATABASE_URL: undefined, DATA_DIR: folder });
  const stopping = new AbortController();
  const { ctx } = await openContext(
    config,
    url,
    pino({ level: 'silent' }),
    closers,
    stopping.signal,
  );
  closers.push(() => {
    stopping.abort();
    return Promise.resolve();
  });
  for (const [run, work] of Object.entries(runs).filter(([name]) => options.run.includes(name))) {
    await preparations[run]?.(owner, ctx);
    const { done, ...took } = await measure(() => work(ctx, facilityId));
    say(
      `${run}: ${done} of ${ledgers} ledgers in ${took.seconds.toFixed(1)} s, at most ${Math.round(took.peakMb)} MB`,
    );
    report({ run, ledgers, ...took });
  }
  await settle(owner);
  // Not before: it brings the test runner, whose memory is none of the server's.
  const { expectSoundBooks } = await import('@gatehouse/server/test/books.ts');
  await expectSoundBooks(owner);
  say('The books are sound.');
}
