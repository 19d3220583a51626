import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { browserArgs, findBrowser } from '../../../scripts/browser.mjs';
import { freePort } from '../harness/free-port.ts';
import { say } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';
import { aimRow, reportAims, type AimRow } from './aims.ts';
import { startSites } from './sites.ts';

/** The least performance score of each page, and the longest blocking time of My Units. */
const SCORES: Record<string, number> = {
  '/login': 100,
  '/': 97,
  '/billing-info': 98,
  '/payment-history': 99,
};
const BLOCKING = { path: '/', atMost: 90 };
/** What there is by hand. */
const FLOOR_PATHS = ['/login', '/'];

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    runs: { type: 'string', default: '5' },
    page: { type: 'string', multiple: true, default: Object.keys(SCORES) },
  },
});

/** One run: the score of 100, and times in ms. */
type Run = { score: number; fcp: number; lcp: number; blocking: number; shift: number };

await using closers = new AsyncDisposableStack();
const { portal, floor, session } = await startSites(closers);
const { executablePath } = await findBrowser();
await measure();

/** Lighthouse's mobile preset on each page of the portal and of the floor, in turns. */
async function measure(): Promise<void> {
  const rows: AimRow[] = [];
  for (const path of options.page) {
    const sites = { portal, ...(FLOOR_PATHS.includes(path) && { floor }) };
    const runs: Record<string, Run[]> = {};
    for (let turn = 0; turn < Number(options.runs); turn += 1)
      for (const [site, address] of Object.entries(sites))
        (runs[site] ??= []).push(await runOn(address, path));
    rows.push(...report(path, runs));
  }
  reportAims(rows);
}

/** A new browser for each run: its cache is empty, and it is signed in where the page needs it. */
async function runOn(address: string, path: string): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-lighthouse-'));
  const port = await freePort();
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: [...browserArgs, `--remote-debugging-port=${port}`],
  });
  try {
    if (path !== '/login') {
      const page = await context.newPage();
      // A document of the site that loads nothing else.
      await page.goto(`${address}/openapi.json`);
      await page.evaluate((value) => localStorage.setItem('gatehouse', value), session);
      await page.close();
    }
    const found = await lighthouse(address + path, {
      port,
      output: 'json',
      logLevel: 'error',
      onlyCategories: ['performance'],
      // It would sign the tenant out.
      disableStorageReset: true,
    });
    if (found === undefined) throw new Error('Lighthouse has no result');
    const { audits, categories, runtimeError, finalDisplayedUrl } = found.lhr;
    if (runtimeError !== undefined) throw new Error(`Lighthouse: ${runtimeError.message}`);
    if (finalDisplayedUrl !== address + path)
      throw new Error(`Lighthouse was sent from ${path} to ${finalDisplayedUrl}`);
    const of = (audit: string) => audits[audit]?.numericValue ?? NaN;
    return {
      score: (categories['performance']?.score ?? NaN) * 100,
      fcp: of('first-contentful-paint'),
      lcp: of('largest-contentful-paint'),
      blocking: of('total-blocking-time'),
      shift: of('cumulative-layout-shift'),
    };
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function report(path: string, runs: Record<string, Run[]>): AimRow[] {
  const middle = (site: string, key: keyof Run) =>
    median((runs[site] ?? []).map((run) => run[key]));
  say();
  say(`| ${path} | score | FCP | LCP | blocking | layout shift |`);
  say('| --- | --- | --- | --- | --- | --- |');
  for (const [site, all] of Object.entries(runs)) {
    const scores = all.map(({ score }) => score.toFixed(0)).join(' ');
    const cells = (['fcp', 'lcp', 'blocking'] as const).map((key) => middle(site, key).toFixed(0));
    say(`| ${site} | ${scores} | ${cells.join(' | ')} | ${middle(site, 'shift').toFixed(3)} |`);
  }
  const bare = (key: 'score' | 'blocking', unit = '') =>
    runs['floor'] === undefined ? '' : middle('floor', key).toFixed(0) + unit;
  const rows = [
    aimRow({
      what: `Lighthouse 13, mobile: ${path}`,
      ours: middle('portal', 'score').toFixed(0),
      bare: bare('score'),
      value: middle('portal', 'score'),
      digits: 0,
      atLeast: SCORES[path]!,
    }),
  ];
  if (path === BLOCKING.path)
    rows.push(
      aimRow({
        what: `Lighthouse 13, mobile: blocking time of ${path}`,
        ours: `${middle('portal', 'blocking').toFixed(0)} ms`,
        bare: bare('blocking', ' ms'),
        value: middle('portal', 'blocking'),
        digits: 0,
        unit: ' ms',
        atMost: BLOCKING.atMost,
      }),
    );
  return rows;
}
