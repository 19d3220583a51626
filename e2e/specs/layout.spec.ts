import { TEST_DAY, testClock } from '../../server/test/test-day.ts';
import { tenantPaths } from '../support/paths.ts';
import { enlargeText, expectNothingOverlaps } from '../support/overlap.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { hold } from '../support/requests.ts';
import { leaveOutOfOverview, openByMenu } from '../support/tenant.ts';

test.beforeEach(async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
});

// spec 2.18, 2.19, 2.20, 2.22, 2.23, 2.24, 7.17, 9.16
test(
  'the layout has the brand’s logo, a phone button once the facility is loaded, centred content and a copyright line',
  { tag: '@wide' },
  async ({ page, viewport }) => {
    await leaveOutOfOverview(page, 'facility');
    const release = await hold(page, '**/locations/TXDFW03');
    await page.reload();
    const banner = page.getByRole('banner');
    await expect(banner.locator('svg').first()).toBeVisible();
    await expect(banner.getByText(/^Anchor & Axle/).filter({ visible: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'A101', exact: true })).toBeVisible();
    await expect(banner.locator('a[href^="tel:"]')).toHaveCount(0);
    release();
    await expect(banner.getByRole('link', { name: /\(817\) 555-0103/ })).toHaveAttribute(
      'href',
      'tel:+18175550103',
    );

    const { x, width } = (await page.getByRole('main').boundingBox())!;
    expect(width).toBe(Math.min(1024, viewport!.width));
    expect(x).toBe((viewport!.width - width) / 2);
    await expect(page.getByRole('contentinfo')).toHaveText(
      `© ${TEST_DAY.slice(0, 4)} Anchor & Axle RV & Boat Storage · Español`,
    );
  },
);

test('at 320 px with text twice as large no screen has anything over another thing, the open menu neither', async ({
  page,
}) => {
  for (const path of tenantPaths) {
    await page.goto(path);
    await enlargeText(page);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('main .appear-late')).toHaveCount(0);
    await expectNothingOverlaps(page.getByRole('banner'));
    await expectNothingOverlaps(page.getByRole('main'));
  }
  await page.getByRole('button', { name: 'Menu' }).click();
  await expectNothingOverlaps(page.getByRole('navigation', { name: 'Menu' }));
});

// spec 2.15
test(
  'the menu leads to every screen of the specification',
  { tag: ['@smoke', '@wide'] },
  async ({ page }) => {
    const items = {
      'My Units': '/',
      'Billing Info': '/billing-info',
      'Payment History': '/payment-history',
      Profile: '/profile',
      'Maintenance Request': '/maintenance-request',
      'Schedule Move-Out': '/schedule-move-out',
    };
    for (const [name, path] of Object.entries(items)) {
      await openByMenu(page, name);
      await expect(page).toHaveURL((url) => url.pathname === path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(
        page
          .getByRole('navigation', { name: 'Menu', includeHidden: true })
          .getByRole('link', { name, exact: true, includeHidden: true }),
      ).toHaveAttribute('aria-current', 'page');
    }
  },
);

test(
  'the bar stays in reach on a long page, and covers little of it',
  { tag: '@wide' },
  async ({ page }) => {
    await expect(page.getByRole('region', { name: 'C014', exact: true })).toBeVisible();
    // The page is longer once all of it has loaded.
    await expect.poll(() => page.evaluate(() => (scrollTo(0, 900), scrollY))).toBe(900);
    const bar = (await page.getByRole('banner').boundingBox())!;
    expect(bar.y + bar.height).toBeGreaterThan(40);
    expect(bar.y + bar.height).toBeLessThan(80);
    const item = page.getByRole('link', { name: 'Profile', exact: true });
    const toggle = page.getByRole('button', { name: 'Menu' });
    if (await toggle.isVisible()) await toggle.click();
    await expect(item).toBeInViewport();
    // What is jumped to is not under it.
    await page.goto('/#main');
    await page.evaluate(() => document.querySelector('#main h2')?.scrollIntoView());
    const top = await page.evaluate(
      () => document.querySelector('#main h2')!.getBoundingClientRect().top,
    );
    const { y, height } = (await page.getByRole('banner').boundingBox())!;
    expect(top).toBeGreaterThanOrEqual(y + height);
  },
);

test('with reduced motion nothing passes from one look to another', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const part of [page.getByRole('heading', { level: 1 }), page.getByRole('banner')])
    await expect(part).toHaveCSS('transition-duration', '0s');
  const chevron = page.getByRole('button', { name: /^Details of/ }).locator('svg');
  await expect(chevron.first()).toHaveCSS('transition-duration', '0s');
});

// spec 2.21
test('the menu opens over the page and closes with Escape and a tap outside', async ({ page }) => {
  const toggle = page.getByRole('button', { name: 'Menu' });
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await expect(menu).toBeHidden();
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect(menu.getByRole('link', { name: 'My Units' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(toggle).toBeFocused();
  await toggle.click();
  await page.mouse.click(20, 700);
  await expect(menu).toBeHidden();
});

// spec 2.10, 2.11, 2.12, 2.13, 2.14, 8.20, 8.21, 8.22
test('an unknown path shows the error page with 404 and the way home', async ({ page }) => {
  await page.goto('/nothing-here');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We could not find that page.');
  await expect(page.getByText('404')).toBeVisible();
  await expect(page.getByText('Not Found')).toBeVisible();
  await page.getByRole('link', { name: 'Return Home' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
});

// spec 2.10, 2.11, 2.12, 2.13, 2.14, 8.20, 8.21, 8.22
test('every screen that fails to load shows its own error page, a tenant’s inside the layout', async ({
  page,
  faults,
}) => {
  /** Each route and the chunk of its screen; those of visitors at the end. */
  const screens = {
    '/': 'my-units',
    '/account': 'account',
    '/profile': 'account',
    '/payment-history': 'payment-history',
    '/maintenance-request': 'maintenance-request',
    '/billing-info': 'billing-info',
    '/schedule-move-out': 'account',
    '/login': 'login',
    '/register': 'register',
    '/forgot-password': 'register',
  };
  const failed: string[] = [];
  await page.route(
    new RegExp(`/assets/(${Object.values(screens).join('|')})-[\\w-]{6}\\.js$`),
    (route) => {
      failed.push(route.request().url());
      return route.abort();
    },
  );
  for (const [path, chunk] of Object.entries(screens)) {
    failed.length = 0;
    if (path === '/login') {
      // The page's HTML works without the screen's chunk; the app comes to it from another page.
      await page.evaluate(() => localStorage.clear());
      await page.goto('/nothing-here');
      await page.getByRole('link', { name: 'Return Home' }).click();
    } else await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'This page could not be loaded. Check your connection and try again.',
    );
    await expect(page.getByText('503')).toBeVisible();
    await expect(page.getByText('Service Unavailable')).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'Return Home' })).toHaveAttribute(
      'href',
      '/',
    );
    const inLayout = !['/login', '/register', '/forgot-password'].includes(path);
    await expect(page.getByRole('button', { name: 'Logout', includeHidden: true })).toHaveCount(
      inLayout ? 1 : 0,
    );
    expect(failed.join(), path).toContain(`/assets/${chunk}-`);
  }
  for (const text of faults.thrown)
    expect(text).toContain('A part of the page could not be loaded.');
  faults.thrown.length = 0;
});

// spec 2.16, 2.17, 4.3, 7.72
// asvs 7.4.4, 14.3.1
test(
  'logging out ends the session on the server and in every tab, and Back shows nothing',
  { tag: '@smoke' },
  async ({ page, context, portal }) => {
    const other = await context.newPage();
    await other.goto(`${portal.url}/billing-info`);
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Billing Information');
    const token = await page.evaluate(
      () => (JSON.parse(localStorage.getItem('gatehouse') ?? '{}') as { token: string }).token,
    );

    await openByMenu(page, 'Billing Info');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billing Information');
    if (await page.getByRole('button', { name: 'Menu' }).isVisible())
      await page.getByRole('button', { name: 'Menu' }).click();
    const ended = page.waitForResponse((response) => response.url().endsWith('/users/logout'));
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(other).toHaveURL(/\/login$/);
    await ended;
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    const answer = await page.request.get(
      `${portal.url}/api/corporations/ANCHOR/locations/TXDFW03`,
      {
        headers: { authorization: `Bearer ${token}` },
      },
    );
    expect(answer.status()).toBe(401);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account');
  },
);

test('a session that has ended or is damaged leads to sign-in', async ({ page, portal }) => {
  // spec 8.23
  await test.step('a session that ended on the server leads to sign-in, once, and says why', async () => {
    // Away from the app first: else what it still asks for would meet the ended session before the
    // new page does.
    await page.goto('/healthz');
    await portal.sql('DELETE FROM sessions');
    await page.goto('/');
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });
  await test.step('a damaged session in storage is wiped', async () => {
    for (const value of [
      '{',
      '{"token":1}',
      '{"token":"x","tenants":[],"currentTenantId":"","locationCode":"A","more":1}',
    ]) {
      await page.evaluate((text) => localStorage.setItem('gatehouse', text), value);
      await page.goto('/');
      await expect(page).toHaveURL(/\/login$/);
      expect(await page.evaluate(() => localStorage.length)).toBe(0);
    }
  });
});

// asvs 7.3.1
test('a tenant away for half an hour is warned at 28 minutes and signed out at 30', async ({
  page,
}) => {
  await page.clock.install({ time: testClock.now() });
  await page.goto('/');
  // The heading is in the HTML already; the rentals come once the app is running.
  await expect(page.getByRole('region', { name: 'A101', exact: true })).toBeVisible();
  await page.clock.fastForward('28:05');
  await expect(page.getByRole('dialog', { name: 'Are you still there?' })).toBeVisible();
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.clock.fastForward('30:05');
  await expect(page).toHaveURL(/\/login$/);
});
