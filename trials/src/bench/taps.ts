import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { say } from '../harness/report.ts';
import { loadPage } from './page-load.ts';
import type { Link } from './shaper.ts';
import { type Sites, withSites } from './sites.ts';

/** A phone with one bar. */
const LINK: Link = { rttMs: 150, downKbit: 400, upKbit: 400, windowBytes: 14_600 };
const SLOWDOWN = 4;

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { film: { type: 'string' } },
});

/** One pixel. */
const photo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** What a tenant comes for: its presses, from My Units with a cold cache to what was asked for. */
const ways: Way[] = [
  {
    name: 'the gate code, when nothing is owed',
    walk: (page) =>
      page
        .getByText(/^\d{4}#$/)
        .first()
        .waitFor(),
  },
  {
    name: 'paid with a saved card, and the gate code',
    async walk(page, tap) {
      await tap(page.getByRole('link', { name: /^Pay \$[\d.,]+ for A101 and open the gate$/ }));
      await tap(page.getByRole('dialog').getByRole('button', { name: /^Pay \$/ }));
      await page.getByText(/The gate is open/).waitFor({ state: 'attached' });
    },
  },
  {
    name: 'the last receipt',
    async walk(page, tap) {
      const download = page.waitForEvent('download');
      await tap(page.getByRole('button', { name: 'Last receipt of B207 as PDF' }));
      await download;
    },
  },
  {
    name: 'a repair request with a photo, from the unit’s card',
    // The photo in the phone's own picker.
    elsewhere: 1,
    async walk(page, tap) {
      await tap(page.getByRole('link', { name: 'Repair request for C014' }));
      await page.getByLabel('Description').fill('The door does not close.');
      const issue = page.getByLabel('Issue Type');
      await tap(issue);
      await issue.selectOption({ index: 1 });
      const chooser = page.waitForEvent('filechooser');
      await tap(page.getByText('Choose a photo'));
      await (await chooser).setFiles({ name: 'door.png', mimeType: 'image/png', buffer: photo });
      await tap(page.getByRole('button', { name: 'Submit' }));
      await page
        .getByText(/Reference R-/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'autopay for all units',
    async walk(page, tap) {
      await tap(page.getByRole('link', { name: 'Setup autopay for A101' }));
      const dialog = page.getByRole('dialog');
      await tap(dialog.getByRole('checkbox', { name: 'All units' }));
      await tap(dialog.getByRole('button', { name: /^Setup and pay/ }));
      await dialog.getByText('The autopay payment method has been updated successfully').waitFor();
    },
  },
];

type Way = {
  name: string;
  walk: (page: Page, tap: Tap) => Promise<void>;
  /** Presses besides those on the page. */
  elsewhere?: number;
};

type Tap = (target: Locator) => Promise<void>;

await withSites(LINK, measure);

async function measure({ portal, floor, session, browser }: Sites): Promise<void> {
  const floorPaint = await loadPage(browser, `${floor}/`, {
    session,
    slowdown: SLOWDOWN,
  });
  say(`Link: ${JSON.stringify(LINK)}; processor ${SLOWDOWN} times slower; 390 x 844; cold cache`);
  say(
    `Floor (the same cards as plain HTML): ready after ${(floorPaint.ready / 1000).toFixed(1)} s`,
  );
  say();
  say('| way | presses | seconds | times of the floor |');
  say('| --- | --- | --- | --- |');
  for (const [index, { name, walk, elsewhere = 0 }] of ways.entries()) {
    const { taps, ms } = await walked(browser, portal, session, walk, index);
    say(
      `| ${name} | ${taps + elsewhere} | ${(ms / 1000).toFixed(1)} | ${(ms / floorPaint.ready).toFixed(2)} |`,
    );
  }
}

/** Walks one way in a new browser context, filmed where a folder is given. */
async function walked(
  browser: Browser,
  address: string,
  session: string,
  walk: Way['walk'],
  index: number,
): Promise<{ taps: number; ms: number }> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  try {
    const page = await context.newPage();
    await page.addInitScript(
      (value) => location.protocol === 'http:' && localStorage.setItem('gatehouse', value),
      session,
    );
    const devTools = await context.newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const film =
      options.film === undefined
        ? null
        : await startFilm(context, page, join(options.film, String(index)));
    let taps = 0;
    const began = performance.now();
    await page.goto(`${address}/`, { waitUntil: 'commit' });
    await walk(page, async (target) => {
      await target.tap();
      taps += 1;
    });
    const ms = performance.now() - began;
    await film?.();
    return { taps, ms };
  } finally {
    await context.close();
  }
}

/**
 * Writes a picture of every frame that is painted, named by its milliseconds; returns how to stop.
 */
async function startFilm(
  context: BrowserContext,
  page: Page,
  folder: string,
): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const devTools = await context.newCDPSession(page);
  const began = performance.now();
  const written: Promise<void>[] = [];
  devTools.on('Page.screencastFrame', ({ data, sessionId }) => {
    const name = `${String(Math.round(performance.now() - began)).padStart(6, '0')}.jpg`;
    written.push(writeFile(join(folder, name), Buffer.from(data, 'base64')));
    void devTools.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
  });
  await devTools.send('Page.startScreencast', { format: 'jpeg', quality: 50 });
  return async () => {
    await devTools.send('Page.stopScreencast');
    await Promise.all(written);
  };
}
