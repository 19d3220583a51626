import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { CLERK, TENANT } from './session.ts';

/**
 * What one load showed: times in ms since the navigation; `ready` is when the page is of use;
 * `shift` is unexpected movement.
 */
export type Paint = { fcp: number; lcp: number; ready: number; shift: number };

/**
 * `ready` is a selector of what makes another product's page of use; without it the page is asked
 * what the portal's is asked.
 */
type Conditions = { session: string | null; slowdown: number; ready?: string | undefined };

/** What is left behind by the script that watches a page. */
type Watched = { paint: Paint };

/** Loads a page as a phone that was never there; signed in where a session is given. */
export async function loadPage(
  browser: Browser,
  url: string,
  { session, slowdown, ready }: Conditions,
): Promise<Paint> {
  return onPhone(browser, slowdown, async (page) => {
    await page.addInitScript(watch, { session, ready });
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => (globalThis as unknown as Watched).paint.ready > 0);
    await page.waitForLoadState('networkidle');
    return await page.evaluate(() => (globalThis as unknown as Watched).paint);
  });
}

/** The calls of the API that a first visit of a page makes until it is idle, one text each. */
export async function callsOf(browser: Browser, url: string, session: string): Promise<string[]> {
  return onPhone(browser, 1, async (page) => {
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`);
    });
    await page.addInitScript(watch, { session });
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => (globalThis as unknown as Watched).paint.ready > 0);
    await page.waitForLoadState('networkidle');
    return calls;
  });
}

/**
 * Signs in on a first visit like a tenant who has typed everything and then presses; ms from the
 * press to the cards of My Units.
 */
export async function signInOn(
  browser: Browser,
  address: string,
  slowdown: number,
): Promise<number> {
  return onPhone(browser, slowdown, async (page) => {
    await page.addInitScript(watch, { session: null });
    await page.addInitScript(watchSignIn);
    await page.goto(`${address}/login`, { waitUntil: 'commit' });
    await page.waitForFunction(() => (globalThis as unknown as Watched).paint.ready > 0);
    await page.locator('select[name=state]').selectOption(TENANT.state);
    await page.locator('select[name=locationCode]').selectOption(TENANT.locationCode);
    await page.locator('input[name=username]').fill(TENANT.username);
    await page.locator('input[name=password]').fill(TENANT.password);
    // Typing takes longer than what is fetched meanwhile.
    await page.waitForLoadState('networkidle');
    await page.locator('button[type=submit]').tap();
    await page.waitForFunction(() => (globalThis as unknown as SignedIn).shownAfter !== undefined);
    return await page.evaluate(() => (globalThis as unknown as SignedIn).shownAfter!);
  });
}

/**
 * Opens the office on a desktop: ms until the sign-in of a browser with an empty cache can be
 * filled in, and after signing in until the first page of a reload shows what was taken.
 */
export async function openOffice(
  browser: Browser,
  address: string,
): Promise<{ cold: number; warm: number }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    const opened = async (open: () => Promise<unknown>, ready: Locator) => {
      const begun = performance.now();
      await open();
      await ready.waitFor();
      return performance.now() - begun;
    };
    const email = page.getByLabel('Email');
    const cold = await opened(() => page.goto(`${address}/office`, { waitUntil: 'commit' }), email);
    await email.fill(CLERK);
    await page.getByLabel('Password').fill(TENANT.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const taken = page.getByText('Taken today');
    await taken.waitFor();
    await page.waitForLoadState('networkidle');
    const warm = await opened(() => page.reload({ waitUntil: 'commit' }), taken);
    return { cold, warm };
  } finally {
    await context.close();
  }
}

/** A phone with an empty cache, for as long as the work takes. */
async function onPhone<T>(
  browser: Browser,
  slowdown: number,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  try {
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    return await work(page);
  } finally {
    await context.close();
  }
}

/**
 * Runs in the page before anything else. Ready is the sign-in page whose states can be chosen, My
 * Units with three cards and a gate pass that shows a code or a sum, and any other page with its
 * first heading; portal and floor are asked the same.
 */
function watch({ session, ready }: { session: string | null; ready?: string | undefined }): void {
  const paint: Paint = { fcp: 0, lcp: 0, ready: 0, shift: 0 };
  Object.assign(globalThis, { paint });
  if (location.protocol !== 'http:') return;
  if (session !== null) localStorage.setItem('gatehouse', session);
  const isReady: Record<string, () => boolean> = {
    '/login': () =>
      (document.querySelector<HTMLSelectElement>('select[name=state]:enabled')?.length ?? 0) > 1,
    '/': () => {
      const pass = document.querySelector('[aria-label="Gate pass"]')?.textContent ?? '';
      return /\d{4}#|\$\d/.test(pass) && document.querySelectorAll('h3').length >= 3;
    },
  };
  const check =
    ready === undefined
      ? (isReady[location.pathname] ?? (() => document.querySelector('h1') !== null))
      : () => document.querySelector(ready) !== null;
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

/** What is left behind by the script that watches a sign-in. */
type SignedIn = { shownAfter?: number };

/**
 * Runs in the page: from the press of the button to three cards, also where they are another
 * page's.
 */
function watchSignIn(): void {
  if (location.protocol !== 'http:') return;
  const key = 'pressed-at';
  const now = () => performance.timeOrigin + performance.now();
  addEventListener('submit', () => sessionStorage.setItem(key, String(now())), { capture: true });
  new MutationObserver((_changes, observer) => {
    const pressedAt = sessionStorage.getItem(key);
    if (pressedAt === null || document.querySelectorAll('h3').length < 3) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      Object.assign(globalThis, { shownAfter: now() - Number(pressedAt) });
    });
  }).observe(document, { subtree: true, childList: true });
}
