import type { Page } from '@playwright/test';
import { testClock } from '../../server/test/test-day.ts';
import { expectAccessible } from '../support/axe.ts';
import { expect, PASSWORD, signIn, test } from '../support/portal.ts';
import { hold } from '../support/requests.ts';

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

test('the sign-in page describes its fields and what is wrong with them, and shows that it is busy', async ({
  page,
  faults,
}) => {
  await page.goto('/login');
  await expect(state(page)).toBeEnabled();
  await submit(page);
  await expect(state(page)).toHaveAccessibleDescription('State is required.');
  await expect(state(page)).toHaveAttribute('aria-invalid', 'true');
  await fillIn(page, 'not-the-password');
  await expect(page.getByText('is required.')).toHaveCount(0);
  await expect(page.getByLabel('Select your location')).toHaveAccessibleDescription(
    'Fort Worth, TX at 4100 Marina Drive (Left Entrance - TXDFW03)',
  );
  await page.getByRole('button', { name: 'Show the password' }).click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide the password' }).click();
  await expect(password(page)).toHaveAttribute('type', 'password');

  const release = await hold(page, '**/users/login');
  await submit(page);
  const button = page.getByRole('button', { name: 'Sign In', exact: true });
  await expect(button).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(button).not.toHaveAttribute('aria-busy');
  expect(faults.thrown).toHaveLength(1);
  faults.thrown.length = 0;
});

test('where the location is remembered, all of the form is on one screen of a phone, in both languages', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/login');
  await page.evaluate(() =>
    localStorage.setItem(
      'gatehouse',
      JSON.stringify({
        device: 'rdt_1',
        remembered: { locationCode: 'TXDFW03', email: 'dana@example.com' },
      }),
    ),
  );
  for (const language of ['es', 'en']) {
    await page.goto(`/${language}/login`);
    await expect(page.getByText('4100 Marina Drive').first()).toBeVisible();
    await expect(page.locator('select').filter({ visible: true })).toHaveCount(0);
    for (const control of await page
      .locator('main :is(a, button, input)')
      .filter({ visible: true })
      .all())
      await expect(control).toBeInViewport({ ratio: 1 });
    await expectAccessible(page);
  }
  await page.getByRole('button', { name: 'Change location' }).click();
  await expect(state(page)).toBeFocused();
  await expect(state(page)).toHaveValue('TX');
  await password(page).fill(PASSWORD);
  await submit(page);
  await expect(heading(page, 'My Units')).toBeVisible();
});

test('a sign-in asks for the data of the page that follows once, in the same document', async ({
  page,
}) => {
  await page.goto('/login');
  await fillIn(page);
  await page.evaluate(() => void Object.assign(globalThis, { isSame: true }));
  const asked: Record<string, string>[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/overview')) asked.push(request.headers());
  });
  await submit(page);
  await expect(page.getByRole('heading', { level: 3, name: 'A101' })).toBeVisible();
  await expect(page).toHaveTitle('My Units · Anchor & Axle');
  await expect(heading(page, 'My Units')).toBeFocused();
  expect(await page.evaluate(() => 'isSame' in globalThis && scrollY === 0)).toBe(true);
  expect(asked).toMatchObject([
    {
      authorization: expect.stringMatching(/^Bearer rvt_/),
      'session-proof': expect.stringMatching(/^\d+\./),
    },
  ]);
});

test('the links of the sign-in page lead on within the document, and back', async ({ page }) => {
  await page.goto('/login');
  await expect(state(page)).toBeEnabled();
  await page.evaluate(() => void Object.assign(globalThis, { isSame: true }));
  await page.getByRole('link', { name: 'Sign up' }).click();
  await expect(page).toHaveURL(/\/register$/);
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
  test.use({
    mayLog: [/Failed to (load resource|fetch dynamically)|A part of the page could not be loaded/],
  });

  test('the page says so and offers a reload', async ({ page, portal }) => {
    const alert = page.getByRole('alert');
    const sentence = 'This page could not be loaded. Check your connection and try again.';
    for (const path of ['/login', '/']) {
      if (path === '/') await signIn(page, portal, 'dana@example.com');
      await page.route('**/assets/base-*.js', (route) => route.abort());
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
    const release = await hold(page, '**/assets/login-*.js');
    await page.clock.install({ time: testClock.now() });
    await page.goto('/login', { waitUntil: 'commit' });
    const alert = page.getByRole('alert');
    await expect(heading(page, 'Sign in to your account')).toBeVisible();
    await page.clock.runFor(19_000);
    await expect(alert).toHaveCount(0);
    await page.clock.runFor(1_000);
    await expect(alert).toContainText('This page could not be loaded.');
    release();
    await expect(state(page)).toBeEnabled();
    await expect(alert).toHaveCount(0);
  });

  test('the code of the page that follows a sign-in can be tried again', async ({ page }) => {
    await page.route('**/assets/tenant-*.js', (route) => route.abort());
    await page.goto('/login');
    await fillIn(page);
    await submit(page);
    await expect(heading(page, 'This page could not be loaded.')).toBeVisible();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 3, name: 'A101' })).toBeVisible();
  });
});
