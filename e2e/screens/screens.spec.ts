import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import {
  expectAccessible,
  expectContrast,
  expectNoSidewaysScroll,
  expectTouchable,
  settled,
} from '../support/axe.ts';
import { expect, test } from '../support/portal.ts';
import { walks } from '../support/states.ts';

/**
 * Where every state is pictured at every width, light and dark, and checked on the way; without it
 * the pictures of docs/screens are made again. With SCREENS_LANGUAGE=es the pages are Spanish.
 */
const { SCREENS: folder } = process.env;

const docs = join(import.meta.dirname, '../../docs/screens');
const shown = [
  ...['sign-in', 'account-lookup', 'verify-email', 'my-units', 'insurance', 'unit-contents'],
  ...['gate-request', 'esign-resend', 'profile', 'contact-update', 'account', 'drivers-license'],
  ...['maintenance-request', 'schedule-move-out', 'error', 'payment-history', 'billing-info'],
  ...['payment-method', 'paid-once'],
];
const widths = [360, 390, 768, 1024, 1280];
/** The longest picture. */
const MOST_HEIGHT = 5000;

// A pay link that was paid is not found, and a wrong password is refused.
test.use({
  mayLog: [/404|^Sign-in failed/],
  language: process.env['SCREENS_LANGUAGE'] === 'es' ? 'es' : 'en',
});

for (const [name, walk] of Object.entries(walks))
  test(`pictures: ${name}`, async ({ page, portal }) => {
    test.slow();
    for await (const state of walk(page, portal))
      if (folder !== undefined) await pictures(page, state, folder);
      else if (shown.includes(state)) await picturesOfDocs(page, state);
  });

/** More than one screen high: enough to judge, small enough to keep (under 80 kB). */
async function picturesOfDocs(page: Page, state: string) {
  const before = page.viewportSize()!;
  for (const [device, width, height] of [
    ['phone', 390, 1480],
    ['desktop', 1280, 1200],
  ] as const) {
    await page.setViewportSize({ width, height });
    await settled(page, 'light');
    const path = join(docs, `${state}-${device}.jpg`);
    await page.screenshot({ path, type: 'jpeg', quality: 60 });
  }
  await page.setViewportSize(before);
}

async function pictures(page: Page, state: string, to: string) {
  const before = page.viewportSize()!;
  await mkdir(to, { recursive: true });
  for (const width of widths) {
    const height = width < 768 ? 844 : 900;
    await page.setViewportSize({ width, height });
    // As it came into view when it appeared, which was at another width.
    await page.evaluate(() =>
      document.activeElement?.closest('dialog *')?.scrollIntoView({ block: 'nearest' }),
    );
    await test.step(`${state} at ${width} px`, async () => {
      // Each is a finding; the walk continues.
      await expect.soft(check(page), `${state} at ${width} px`).resolves.toBeUndefined();
    });
    for (const scheme of ['light', 'dark'] as const) {
      await settled(page, scheme);
      const isOpen = await page.locator('dialog[open]').isVisible();
      const whole = await page.evaluate(() => document.documentElement.scrollHeight);
      // The bar sticks to where the page was scrolled to.
      if (!isOpen) await page.evaluate(() => scrollTo(0, 0));
      // As high as the page: `fullPage` leaves a strip that is scrolled between two of its passes.
      if (!isOpen)
        await page.setViewportSize({
          width,
          height: Math.min(Math.max(whole, height), MOST_HEIGHT),
        });
      await page.screenshot({ path: join(to, `${state}-${width}-${scheme}.png`) });
      await page.setViewportSize({ width, height });
    }
  }
  await page.setViewportSize(before);
}

async function check(page: Page): Promise<void> {
  // Under 768 px the next one looks at the dark colours too.
  if (page.viewportSize()!.width >= 768) {
    await settled(page, 'dark');
    await expectContrast(page);
  }
  await expectAccessible(page);
  await expectTouchable(page);
  await expectNoSidewaysScroll(page);
}
