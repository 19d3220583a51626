import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { median } from '../harness/statistics.ts';
import { say } from '../harness/report.ts';
import { aimRow, reportAims, type AimRow } from './aims.ts';
import { loadPage, openOffice, signInOn, type Paint } from './page-load.ts';
import { sessionOf } from './session.ts';
import type { Link } from './shaper.ts';
import { type Sites, withSites } from './sites.ts';

const LINK: Link = { rttMs: 150, downKbit: 1638, upKbit: 675, windowBytes: 14_600 };
const SLOWDOWN = 4;
/** What must hold, as times of the floor or as it is. */
const AIMS: Record<string, { fcp: number; ready: number; isReady: string }> = {
  '/login': { fcp: 1.15, ready: 1.5, isReady: 'the states can be chosen' },
  '/': { fcp: 1.15, ready: 1.6, isReady: 'code or sum, and cards' },
};
const MOST_SHIFT = 0.01;
/** From a sign-in to the cards, as times of the floor. */
const SIGN_IN = 1.35;
const OFFICE_MS = { cold: 3000, warm: 1000 };

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    loads: { type: 'string', default: '7' },
    /** Loads of each page that are not counted. */
    'warm-ups': { type: 'string', default: '1' },
    /** Addresses of further sites, which serve the same paths. */
    peer: { type: 'string', multiple: true, default: [] },
    /** A selector of what makes a peer's page of use; without it it is asked like the portal. */
    'peer-ready': { type: 'string' },
  },
});

await withSites(LINK, measure, options.peer);

/** A site in the comparison, and who is signed in there. */
type Site = { address: string; session: string; ready?: string | undefined };

async function measure({ browser, session, portal, floor, peers }: Sites): Promise<void> {
  say(
    `Chromium ${browser.version()}, ${cpus()[0]?.model}, ${cpus().length} cores; ${new Date().toISOString().slice(0, 10)}`,
  );
  say(
    `Link: ${JSON.stringify(LINK)}; processor ${SLOWDOWN} times slower; 390 x 844; cold cache; ${options.loads} loads`,
  );
  const sites: Record<string, Site> = {
    portal: { address: portal, session },
    floor: { address: floor, session },
  };
  const ready = options['peer-ready'];
  for (const [peer, address] of Object.entries(peers))
    // One without sign-in like the portal's has other users, and no use for its session.
    sites[peer] = {
      address,
      session: ready === undefined ? await sessionOf(peer) : session,
      ready,
    };
  const load = (path: string) => (site: Site) =>
    loadPage(browser, site.address + path, {
      session: path === '/login' ? null : site.session,
      slowdown: SLOWDOWN,
      ready: site.ready,
    });
  const rows: AimRow[] = [];
  for (const path of Object.keys(AIMS))
    rows.push(...report(path, await inTurns(sites, load(path))));
  const { portal: ours, floor: bare, ...others } = sites as Record<'portal' | 'floor', Site>;
  for (const path of ['/billing-info', '/payment-history']) {
    const { portal: loads = [] } = await inTurns({ portal: ours }, load(path));
    say(`${path}: FCP ${ms(loads, 'fcp')}, layout shift ${shiftOf(loads)} (at most ${MOST_SHIFT})`);
  }
  // Another product's form has other fields.
  const alike = ready === undefined ? others : {};
  const signIns = await inTurns({ portal: ours, floor: bare, ...alike }, ({ address }) =>
    signInOn(browser, address, SLOWDOWN),
  );
  rows.push(reportSignIns(signIns));
  const { portal: offices = [] } = await inTurns({ portal: ours }, ({ address }) =>
    openOffice(browser, address),
  );
  rows.push(...(['cold', 'warm'] as const).map((cache) => officeRow(cache, offices)));
  reportAims(rows);
}

/** Does something with every site in turn, after some times of each that are not counted. */
async function inTurns<Result>(
  sites: Record<string, Site>,
  work: (site: Site) => Promise<Result>,
): Promise<Record<string, Result[]>> {
  const results: Record<string, Result[]> = {};
  for (let turn = -Number(options['warm-ups']); turn < Number(options.loads); turn += 1)
    for (const [name, site] of Object.entries(sites)) {
      const result = await work(site);
      if (turn >= 0) (results[name] ??= []).push(result);
    }
  return results;
}

function report(path: string, loads: Record<string, Paint[]>): AimRow[] {
  say();
  say(`| ${path} | FCP | LCP | ready | layout shift |`);
  say('| --- | --- | --- | --- | --- |');
  for (const [site, paints] of Object.entries(loads))
    say(
      `| ${site} | ${ms(paints, 'fcp')} | ${ms(paints, 'lcp')} | ${ms(paints, 'ready')} | ${shiftOf(paints)} |`,
    );
  const { portal = [], ...others } = loads;
  // Of loads that follow each other: a slow moment of the machine touches both.
  const ratio = (site: string, key: 'fcp' | 'lcp' | 'ready') =>
    median(portal.map((paint, turn) => paint[key] / (others[site]?.[turn]?.[key] ?? NaN)));
  for (const site of Object.keys(others))
    say(
      `| portal / ${site} | ${(['fcp', 'lcp', 'ready'] as const).map((key) => ratio(site, key).toFixed(2)).join(' | ')} | |`,
    );
  const aim = AIMS[path]!;
  const { floor = [] } = others;
  const row = (what: string, key: 'fcp' | 'ready', atMost: number) =>
    aimRow({
      what: `${path}: ${what}, against the hand-written page`,
      ours: `${middleOf(portal, key).toFixed(0)} ms`,
      bare: `${middleOf(floor, key).toFixed(0)} ms`,
      value: ratio('floor', key),
      atMost,
    });
  return [
    row('first paint', 'fcp', aim.fcp),
    row(aim.isReady, 'ready', aim.ready),
    aimRow({
      what: `${path}: layout shift, the worst load`,
      ours: shiftOf(portal),
      bare: shiftOf(floor),
      value: worstShift(portal),
      digits: 3,
      atMost: MOST_SHIFT,
    }),
  ];
}

function reportSignIns(signIns: Record<string, number[]>): AimRow {
  say();
  for (const [site, times] of Object.entries(signIns))
    say(`Sign-in pressed to cards, ${site}: ${spread(times)} ms`);
  const { portal = [], floor = [] } = signIns;
  return aimRow({
    what: 'sign-in pressed to cards, against the hand-written page',
    ours: `${median(portal).toFixed(0)} ms`,
    bare: `${median(floor).toFixed(0)} ms`,
    value: median(portal) / median(floor),
    atMost: SIGN_IN,
  });
}

/** On a desktop over the phone's link. */
function officeRow(cache: 'cold' | 'warm', offices: { cold: number; warm: number }[]): AimRow {
  const times = offices.map((one) => one[cache]);
  say(`The office, ${cache}: ${spread(times)} ms`);
  return aimRow({
    what: `the office opened, ${cache}`,
    ours: `${median(times).toFixed(0)} ms`,
    bare: '–',
    value: median(times),
    digits: 0,
    unit: ' ms',
    atMost: OFFICE_MS[cache],
  });
}

function middleOf(paints: Paint[], key: keyof Paint): number {
  return median(paints.map((paint) => paint[key]));
}

function ms(paints: Paint[], key: 'fcp' | 'lcp' | 'ready'): string {
  return spread(paints.map((paint) => paint[key]));
}

function spread(values: number[]): string {
  return `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`;
}

function worstShift(paints: Paint[]): number {
  return Math.max(...paints.map(({ shift }) => shift));
}

function shiftOf(paints: Paint[]): string {
  return worstShift(paints).toFixed(3);
}
