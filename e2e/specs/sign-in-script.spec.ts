import type { Page } from '@playwright/test';
import { testClock } from '../../server/test/test-day.ts';
import { expect, PASSWORD, signIn, test } from '../support/portal.ts';
import { expectRed } from '../support/tenant.ts';

/** Holds back the app's code, but not the sign-in page's own. Returns how to let it come. */
async function holdApp(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route(/\/assets\/(?!login-|wire-)[\w-]+\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return () => resolve(undefined);
}

const state = (page: Page) => page.getByLabel('What state is your facility located?');
const password = (page: Page) => page.getByLabel('Password', { exact: true });
const submit = (page: Page) => page.getByRole('button', { name: 'Sign In', exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function fillIn(page: Page, secret = PASSWORD) {
  await state(page).selectOption('Texas');
  await page.getByLabel('Select your location').selectOption('TXDFW03');
  await page.getByLabel('Email Address').fill('dana@example.com');
  await password(page).fill(secret);
}

test('the sign-in page works before the app is there: checks, refusals, the password shown', async ({
  page,
  faults,
}) => {
  await holdApp(page);
  await page.goto('/login');
  await expect(state(page)).toBeEnabled();
  await submit(page);
  await expect(page.getByText('State is required.')).toBeVisible();
  await expect(state(page)).toBeFocused();
  await expect(state(page)).toHaveAccessibleDescription('State is required.');
  await expect(state(page)).toHaveAttribute('aria-invalid', 'true');
  await fillIn(page, 'not-the-password');
  await expect(page.getByText('is required.')).toHaveCount(0);
  await expect(page.getByLabel('Select your location')).toHaveAccessibleDescription(
    'Fort Worth, TX at 4100 Marina Drive (Left Entrance - TXDFW03)',
  );
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide', pressed: true }).click();
  await expect(password(page)).toHaveAttribute('type', 'password');

  const answered = Promise.withResolvers<undefined>();
  await page.route('**/users/login', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await submit(page);
  const button = page.getByRole('button', { name: 'Sign In', exact: true });
  await expect(button).toHaveAttribute('aria-busy', 'true');
  answered.resolve(undefined);
  await expect(page.getByRole('alert')).toContainText(
    'The email address, password or location is not right.',
  );
  await expectRed(page.getByRole('alert'));
  await expect(button).not.toHaveAttribute('aria-busy');
  expect(faults.thrown).toHaveLength(1);
  faults.thrown.length = 0;
});

test('a sign-in before the app is there asks for the page’s data at once, and shows it when the app is', async ({
  page,
}) => {
  const release = await holdApp(page);
  await page.goto('/login');
  await fillIn(page);
  const asked = page.waitForRequest(/\/overview$/);
  await submit(page);
  expect((await asked).headers()).toMatchObject({
    authorization: expect.stringMatching(/^Bearer rvt_/),
    'session-proof': expect.stringMatching(/^\d+\./),
  });
  await expect(page).toHaveURL((url) => url.pathname === '/');
  let again = 0;
  page.on('request', (request) => (again += request.url().endsWith('/overview') ? 1 : 0));
  release();
  await expect(page.getByRole('heading', { level: 3, name: 'A101' })).toBeVisible();
  await expect(page).toHaveTitle('My Units · Anchor & Axle');
  await expect(heading(page, 'My Units')).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect(again).toBe(0);
});

test('the links of the sign-in page lead on within the document, and back', async ({ page }) => {
  const release = await holdApp(page);
  await page.goto('/login');
  await expect(state(page)).toBeEnabled();
  await page.evaluate(() => void Object.assign(globalThis, { isSame: true }));
  await page.getByRole('link', { name: 'Sign up' }).click();
  await expect(page).toHaveURL(/\/register$/);
  release();
  await expect(heading(page, 'Account Lookup')).toBeFocused();
  await page.goBack();
  await expect(heading(page, 'Sign in to your account')).toBeVisible();
  await expect(state(page)).toBeEnabled();
  expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true);
});

test('a sign-in in one tab takes the other tab’s sign-in page to its units', async ({
  page,
  portal,
  context,
}) => {
  await page.goto('/login');
  await expect(state(page)).toBeEnabled();
  await signIn(await context.newPage(), portal, 'dana@example.com');
  await expect(heading(page, 'My Units')).toBeVisible();
});

test.describe('where code does not come', () => {
  test.use({ mayLog: [/Failed to load resource|Failed to fetch dynamically imported module/] });

  test('the page says so and offers a reload', async ({ page, portal }) => {
    const alert = page.getByRole('alert');
    const sentence = 'This page could not be loaded. Check your connection and try again.';
    for (const [path, file] of [
      ['/login', '**/assets/wire-*.js'],
      ['/', '**/assets/base-*.js'],
    ] as const) {
      if (path === '/') await signIn(page, portal, 'dana@example.com');
      await page.route(file, (route) => route.abort());
      await page.goto(path);
      await expect(alert).toContainText(sentence);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Reload' }).click();
      await expect(alert).toHaveCount(0);
      if (path === '/login') await expect(state(page)).toBeEnabled();
      else await expect(page.getByRole('heading', { level: 3, name: 'A101' })).toBeVisible();
    }
  });

  test('code that is late for twenty seconds counts as lost, until it comes', async ({ page }) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    await page.route('**/assets/login-*.js', async (route) => {
      await promise;
      await route.continue();
    });
    await page.clock.install({ time: testClock.now() });
    await page.goto('/login', { waitUntil: 'commit' });
    const alert = page.getByRole('alert');
    await expect(heading(page, 'Sign in to your account')).toBeVisible();
    await page.clock.runFor(19_000);
    await expect(alert).toHaveCount(0);
    await page.clock.runFor(1_000);
    await expect(alert).toContainText('This page could not be loaded.');
    resolve(undefined);
    await expect(state(page)).toBeEnabled();
    await expect(alert).toHaveCount(0);
  });

  test('an app that cannot be loaded after signing in ends on a page that says so', async ({
    page,
  }) => {
    await page.route('**/assets/base-*.js', (route) => route.abort());
    await page.goto('/login');
    await fillIn(page);
    await submit(page);
    await expect(page.getByRole('alert')).toContainText('This page could not be loaded.');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect(page.getByRole('heading', { level: 3, name: 'A101' })).toBeVisible();
  });
});
