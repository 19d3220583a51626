import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Browser } from '@playwright/test';
import { median } from '../harness/statistics.ts';
import { loadPage, type Paint } from './page-load.ts';
import { say } from '../harness/report.ts';
import type { Link } from './shaper.ts';
import { type Sites, withSites } from './sites.ts';

const LINK: Link = { rttMs: 150, downKbit: 1638, upKbit: 675, windowBytes: 14_600 };
const SLOWDOWN = 4;
/** What must hold, as times of the floor or as it is. */
const AIMS: Record<string, { fcp: number; ready: number }> = {
  '/login': { fcp: 1.2, ready: 1.9 },
  '/': { fcp: 1.2, ready: 1.9 },
};
const MOST_SHIFT = 0.02;

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { loads: { type: 'string', default: '7' } },
});

await withSites(LINK, measure);

async function measure({ browser, session, ...sites }: Sites): Promise<void> {
  say(
    `Chromium ${browser.version()}, ${cpus()[0]?.model}, ${cpus().length} cores; ${new Date().toISOString().slice(0, 10)}`,
  );
  say(
    `Link: ${JSON.stringify(LINK)}; processor ${SLOWDOWN} times slower; 390 x 844; cold cache; ${options.loads} loads`,
  );
  for (const path of Object.keys(AIMS))
    report(path, await inTurns(browser, sites, path, path === '/' ? session : null));
  for (const path of ['/billing-info', '/payment-history']) {
    const loads = await inTurns(browser, { portal: sites.portal }, path, session);
    say(
      `${path}: FCP ${ms(loads.portal!, 'fcp')}, layout shift ${shiftOf(loads.portal!)} (at most ${MOST_SHIFT})`,
    );
  }
}

type Loads = Record<string, Paint[]>;

/** Loads a page of every site in turn, after one load of each that is not counted. */
async function inTurns(
  browser: Browser,
  sites: Record<string, string>,
  path: string,
  session: string | null,
): Promise<Loads> {
  const loads: Loads = {};
  for (let turn = -1; turn < Number(options.loads); turn += 1) {
    for (const [site, address] of Object.entries(sites)) {
      const paint = await loadPage(browser, address + path, { session, slowdown: SLOWDOWN });
      if (turn >= 0) (loads[site] ??= []).push(paint);
    }
  }
  return loads;
}

function report(path: string, loads: Loads): void {
  say();
  say(`| ${path} | FCP | LCP | ready | layout shift |`);
  say('| --- | --- | --- | --- | --- |');
  for (const [site, paints] of Object.entries(loads))
    say(
      `| ${site} | ${ms(paints, 'fcp')} | ${ms(paints, 'lcp')} | ${ms(paints, 'ready')} | ${shiftOf(paints)} |`,
    );
  const { portal = [], floor = [] } = loads;
  // Of loads that follow each other: a slow moment of the machine touches both.
  const ratio = (key: 'fcp' | 'lcp' | 'ready') =>
    median(portal.map((paint, turn) => paint[key] / (floor[turn]?.[key] ?? NaN)));
  say(
    `| portal / floor | ${(['fcp', 'lcp', 'ready'] as const).map((key) => ratio(key).toFixed(2)).join(' | ')} | |`,
  );
  const aim = AIMS[path]!;
  say(
    `FCP ${verdict(ratio('fcp'), aim.fcp)}; ready ${verdict(ratio('ready'), aim.ready)}; layout shift ${verdict(worstShift(portal), MOST_SHIFT)}`,
  );
}

function verdict(value: number, most: number): string {
  return `${value <= most ? 'ok' : 'MISSED'} (${value.toFixed(2)}, aim ${most})`;
}

function middle(paints: Paint[], key: keyof Paint): number {
  return median(paints.map((paint) => paint[key]));
}

function ms(paints: Paint[], key: 'fcp' | 'lcp' | 'ready'): string {
  const values = paints.map((paint) => paint[key]);
  return `${middle(paints, key).toFixed(0)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`;
}

function worstShift(paints: Paint[]): number {
  return Math.max(...paints.map(({ shift }) => shift));
}

function shiftOf(paints: Paint[]): string {
  return worstShift(paints).toFixed(3);
}
