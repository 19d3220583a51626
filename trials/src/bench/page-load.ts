import type { Browser } from '@playwright/test';

/**
 * What one load showed: times in ms since the navigation; `ready` is when the page is of use;
 * `shift` is unexpected movement.
 */
export type Paint = { fcp: number; lcp: number; ready: number; shift: number };

type Conditions = { session: string | null; slowdown: number };

/** Loads a page as a phone that was never there; signed in where a session is given. */
export async function loadPage(
  browser: Browser,
  url: string,
  { session, slowdown }: Conditions,
): Promise<Paint> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  try {
    const page = await context.newPage();
    await page.addInitScript(watch, session);
    const devTools = await context.newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => (globalThis as unknown as { paint: Paint }).paint.ready > 0);
    await page.waitForLoadState('networkidle');
    return await page.evaluate(() => (globalThis as unknown as { paint: Paint }).paint);
  } finally {
    await context.close();
  }
}

/**
 * Runs in the page before anything else. Ready is the sign-in page whose states can be chosen, the
 * rentals with three cards, and any other page with its first heading; portal and floor are asked
 * the same.
 */
function watch(session: string | null): void {
  const paint: Paint = { fcp: 0, lcp: 0, ready: 0, shift: 0 };
  Object.assign(globalThis, { paint });
  if (location.protocol !== 'http:') return;
  if (session !== null) localStorage.setItem('gatehouse', session);
  const isReady: Record<string, () => boolean> = {
    '/login': () =>
      (document.querySelector<HTMLSelectElement>('select[name=state]:enabled')?.length ?? 0) > 1,
    '/': () => document.querySelectorAll('h3').length >= 3,
  };
  const check = isReady[location.pathname] ?? (() => document.querySelector('h1') !== null);
  new MutationObserver((_changes, observer) => {
    if (!check()) return;
    observer.disconnect();
    // When it is painted, not when it is made.
    requestAnimationFrame(() => (paint.ready = performance.now()));
  }).observe(document, { subtree: true, childList: true, attributes: true });
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') paint.fcp = startTime;
  });
  observe('largest-contentful-paint', ({ startTime }) => (paint.lcp = startTime));
  observe('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    };
    if (!hadRecentInput) paint.shift += value;
  });

  function observe(type: string, heed: (entry: PerformanceEntry) => void): void {
    new PerformanceObserver((list) => list.getEntries().forEach(heed)).observe({
      type,
      buffered: true,
    });
  }
}
