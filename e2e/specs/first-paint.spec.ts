import { createHash } from 'node:crypto';
import type { Page, Request } from '@playwright/test';
import { TEST_DAY } from '../../server/test/test-day.ts';
import { expect, PASSWORD, signIn, test } from '../support/portal.ts';
import { hold } from '../support/requests.ts';

/** What the console and the page say; a hydration that does not fit is said there. */
function listen(page: Page): string[] {
  const said: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(String(error)));
  return said;
}

/** The calls of the API that the page makes, without its address. */
function listenToCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request: Request) => {
    const path = new URL(request.url()).pathname;
    if (path.startsWith('/api/')) calls.push(path);
  });
  return calls;
}

/** Holds the app's code back until the answer is called, as a slow link does. */
async function holdCode(page: Page): Promise<() => void> {
  return hold(page, '**/assets/*.js');
}

/** Holds the answers of the API back until the answer is called, as a busy server does. */
async function holdAnswers(page: Page): Promise<() => void> {
  return hold(page, '**/api/**');
}

/** How much of what is seen has moved since the page was opened, and how far (CLS). */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        // Two frames later all that was painted is reported.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            const observer = new PerformanceObserver(() => {});
            observer.observe({ type: 'layout-shift', buffered: true });
            type Shift = PerformanceEntry & { value: number };
            const shifts = observer.takeRecords() as Shift[];
            resolve(shifts.reduce((sum, { value }) => sum + value, 0));
          }),
        );
      }),
  );
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the sign-in page is there with its heading, labels and links', async ({ page }) => {
    await page.goto('/login');
    await expect(page).toHaveTitle('Sign in · Anchor & Axle');
    await expect(
      page.getByRole('heading', { level: 1, name: 'Sign in to your account' }),
    ).toBeVisible();
    for (const label of [
      'What state is your facility located?',
      'Select your location',
      'Email Address',
      'Password',
    ])
      await expect(page.getByLabel(label, { exact: true })).toBeVisible();
    await expect(page.getByText('Loading locations…')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Forgot password?' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
    // The browser would send it: not in the address.
    await expect(page.locator('form')).toHaveAttribute('method', 'post');
  });

  test(
    'the signed-in shell is there with its bar, menu and headings',
    { tag: '@wide' },
    async ({ page }) => {
      await page.goto('/');
      await expect(page).toHaveTitle('My Units · Anchor & Axle');
      await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
      for (const name of ['Facility Information', 'Rental Notifications', 'Current Rentals'])
        await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
      await expect(
        page
          .getByRole('banner')
          .getByText(/^Anchor & Axle/)
          .filter({ visible: true }),
      ).toBeVisible();
      await expect(
        page.getByRole('link', { name: 'Billing Info', includeHidden: true }),
      ).toHaveCount(1);
    },
  );
});

test('the sign-in page keeps what was typed before the app was there, and continues from it', async ({
  page,
}) => {
  const said = listen(page);
  const release = await holdCode(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByLabel('Email Address').fill('dana@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  const heading = await page.getByRole('heading', { level: 1 }).elementHandle();
  await expect(page).toHaveURL(/\/login$/);
  release();
  const state = page.getByLabel('What state is your facility located?');
  await expect(state).toBeEnabled();
  // The same page, not another that looks like it.
  expect(await heading.evaluate((element) => element.isConnected)).toBe(true);
  await expect(page.getByRole('contentinfo')).toContainText(TEST_DAY.slice(0, 4));
  await state.selectOption('TX');
  await page.getByLabel('Select your location').selectOption('TXDFW03');
  await expect(page.getByLabel('Email Address')).toHaveValue('dana@example.com');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
  expect(said).toEqual([]);
});

test('a button pressed before the app is there counts when it is', async ({ page }) => {
  const release = await holdCode(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByLabel('Password', { exact: true }).fill('seen');
  await page.getByRole('button', { name: 'Show' }).click();
  release();
  await expect(page.getByRole('button', { name: 'Hide' })).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text');
});

test('a visitor of the units ends on sign-in, a tenant on sign-in ends on the units', async ({
  page,
  portal,
}) => {
  const said = listen(page);
  await page.goto('/');
  await expect(page).toHaveURL(/\/login$/);
  await expect(
    page.getByRole('heading', { level: 1, name: 'Sign in to your account' }),
  ).toBeVisible();
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/login');
  await expect(page).toHaveURL((url) => url.pathname === '/');
  await expect(page.getByRole('heading', { level: 3, name: 'A101' })).toBeVisible();
  expect(said).toEqual([]);
});

// spec 7.79
test(
  'every page of a tenant starts without a fault, and asks for nothing twice',
  { tag: '@smoke' },
  async ({ page, portal }) => {
    await signIn(page, portal, 'dana@example.com');
    const said = listen(page);
    const calls = listenToCalls(page);
    for (const [path, shown] of [
      ['/', 'A101'],
      ['/billing-info', 'A101'],
      ['/payment-history', 'Payments'],
    ] as const) {
      calls.length = 0;
      await page.goto(path, { waitUntil: 'networkidle' });
      await expect(page.getByText(shown).first()).toBeVisible();
      expect(calls.filter((call, index) => calls.indexOf(call) !== index)).toEqual([]);
      expect(calls.length).toBeGreaterThan(0);
      // What the one call of My Units brings is not asked for again.
      if (path === '/')
        expect(calls.filter((call) => /gate|contents|insurance|autopay|files/.test(call))).toEqual(
          [],
        );
    }
    expect(said).toEqual([]);
  },
);

test('the one call of the units is under way before the app’s code is there', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  const release = await holdCode(page);
  const calls = listenToCalls(page);
  await page.goto('/', { waitUntil: 'commit' });
  const ends = () =>
    calls.map((call) => call.replace(/.*\/TXDFW03/, '').replace(/[0-9a-f-]{36}/g, 'id')).sort();
  await expect.poll(ends).toEqual(['/tenants/id/overview']);
  release();
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(3);
});

for (const held of ['code', 'answers'] as const)
  test(`what loads takes the place of its frame, and moves next to nothing (${held} held back)`, async ({
    page,
    portal,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn(page, portal, 'dana@example.com');
    const moved: Record<string, number> = {};
    for (const path of ['/', '/billing-info', '/payment-history']) {
      const release = await (held === 'code' ? holdCode(page) : holdAnswers(page));
      const answered = page.waitForResponse(/\/(overview|ledgers)(\/|$)/);
      await page.goto(path, { waitUntil: 'commit' });
      await page.waitForFunction(
        () => performance.getEntriesByName('first-contentful-paint').length > 0,
      );
      if (held === 'code') await answered;
      release();
      await expect(page.getByText('A101').filter({ visible: true }).first()).toBeVisible();
      await expect(page.locator('main .appear-late')).toHaveCount(0);
      moved[path] = await layoutShift(page);
      await page.unrouteAll({ behavior: 'wait' });
    }
    for (const [path, shift] of Object.entries(moved)) expect.soft(shift, path).toBeLessThan(0.02);
  });

// asvs 3.6.1
test('the page’s policy lets the HTML’s own script and style in by their hashes, and nothing else inline', async ({
  page,
}) => {
  for (const path of ['/', '/login', '/profile', '/nothing-here']) {
    const answer = await page.request.get(path);
    const html = await answer.text();
    const policy = answer.headers()['content-security-policy'] ?? '';
    expect(policy).not.toContain('unsafe');
    for (const [tag, directive] of [
      ['script', 'script-src'],
      ['style', 'style-src'],
    ] as const) {
      const inline = [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(
        ([, text = '']) => text,
      );
      expect(inline).toHaveLength(1);
      const hash = createHash('sha256').update(inline[0]!).digest('base64');
      expect(policy).toContain(`${directive} 'self' 'sha256-${hash}'`);
    }
    // Built once and served for years.
    expect(html).not.toContain(TEST_DAY.slice(0, 4));
  }
});

test('a keyboard user who is on the units before the app is there keeps their place', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  const said = listen(page);
  const release = await holdCode(page);
  const answered = page.waitForResponse(/\/overview$/);
  await page.goto('/', { waitUntil: 'commit' });
  await answered;
  const brand = page.getByRole('link', { name: /^Anchor/ });
  await brand.focus();
  release();
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(3);
  await expect(brand).toBeFocused();
  expect(said).toEqual([]);
});
