import { tenantPaths } from '../support/paths.ts';
import { expect, PASSWORD, signIn, test } from '../support/portal.ts';
import { hold } from '../support/requests.ts';
import { changeLocation, expectRed } from '../support/tenant.ts';
import type { Page } from '@playwright/test';

async function fillIn(page: Page, email: string, password = PASSWORD) {
  await changeLocation(page);
  await page.getByLabel('What state is your facility located?').selectOption('Texas');
  await page.getByLabel('Select your location').selectOption('TXDFW03');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

// spec 1.2, 1.4, 1.21, 2.1, 2.8, 2.25, 2.38, 2.57, 3.7, 4.4, 4.8, 4.9, 7.14, 7.15
test('a tenant signs in and sees the units', { tag: ['@smoke', '@wide'] }, async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account');
  await fillIn(page, 'dana@example.com');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
});

test(
  'a wrong password, then the right one, pressed twice',
  { tag: '@smoke' },
  async ({ page, faults }) => {
    // spec 4.10, 4.11, 7.71, 8.1, 8.4
    await test.step('a wrong password shows the server’s message in a red alert and on the console, and the tenant stays', async () => {
      await page.goto('/login');
      await fillIn(page, 'dana@example.com', 'not-the-password');
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      await expect(page.getByRole('alert')).toContainText(
        'The email address, password or location is not right.',
      );
      await expectRed(page.getByRole('alert'));
      // Status and message, and nothing of what was typed.
      expect(faults.thrown).toEqual([
        'Sign-in failed: 401 The email address, password or location is not right. Please check all three and try again.',
      ]);
      faults.thrown.length = 0;
      await expect(page).toHaveURL(/\/login$/);
      expect(await page.evaluate(() => localStorage.length)).toBe(0);
    });
    // spec 4.7, 4.63
    await test.step('a repeat submit is ignored while a login is loading', async () => {
      await page.goto('/login');
      await fillIn(page, 'dana@example.com');
      let sent = 0;
      await page.route('**/users/login', async (route) => {
        sent += 1;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Sign In', exact: true }).dblclick();
      await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
      expect(sent).toBe(1);
    });
  },
);

// spec 2.34, 8.17, 8.19
test('a spinner shows while facilities load, and a failure can be tried again', async ({
  page,
}) => {
  let state: 'away' | 'unreadable' | 'up' = 'away';
  const answered = Promise.withResolvers<undefined>();
  await page.route('**/locations', async (route) => {
    await answered.promise;
    if (state === 'up') await route.continue();
    else if (state === 'unreadable') await route.fulfill({ body: '<html></html>' });
    else await route.abort();
  });
  await page.goto('/login');
  await expect(page.getByText('Loading locations…')).toBeVisible();
  answered.resolve(undefined);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(
    'We could not reach the server. Check your connection and try again.',
  );
  state = 'unreadable';
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toContainText(
    'The server sent an answer that we could not read. Please try again.',
  );
  state = 'up';
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('What state is your facility located?')).toBeEnabled();
});

test('what Enter in a field of a phone’s form sends, and is refused, says so in sight', async ({
  page,
  faults,
}) => {
  await page.goto('/login');
  await fillIn(page, 'dana@example.com', 'not-the-password');
  await page.evaluate(() => scrollTo(0, 0));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  faults.thrown.length = 0;
});

test('the fields of sign-in', { tag: '@wide' }, async ({ page }) => {
  // spec 2.35, 2.36, 2.37, 2.39, 2.40, 5.5, 5.6
  // asvs 6.2.6, 6.2.7
  await test.step('the fields help password managers', async () => {
    await page.goto('/login');
    await expect(page.getByLabel('Email Address')).toHaveAttribute('autocomplete', 'username');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute(
      'autocomplete',
      'current-password',
    );
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password');
    await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute(
      'href',
      '/forgot-password',
    );
    await expect(page.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/register');
    await expect(page.getByText("Don't have an account yet?")).toBeVisible();
  });
  // spec 5.1, 5.2, 5.3, 5.4
  await test.step('all four fields are required: each says so, nothing is sent, and the first gets the focus', async () => {
    await expect(page.getByLabel('What state is your facility located?')).toBeEnabled();
    let sent = 0;
    page.on('request', (request) => (sent += request.url().endsWith('/users/login') ? 1 : 0));
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByText('State is required.')).toBeVisible();
    await expect(page.getByText('Email Address is required.')).toBeVisible();
    await expect(page.getByText('Password is required.')).toBeVisible();
    await expect(page.getByLabel('What state is your facility located?')).toBeFocused();
    await page.getByLabel('What state is your facility located?').selectOption('TX');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByText('State is required.')).toHaveCount(0);
    await expect(page.getByText('Location is required.')).toBeVisible();
    await expect(page.getByLabel('Select your location')).toBeFocused();
    expect(sent).toBe(0);
  });
  // spec 1.3, 2.26, 2.27, 2.28, 2.29, 2.30, 2.31, 2.32, 2.33, 7.4, 9.18, 9.19, 9.28
  await test.step('the location is chosen after the state, and its options read city, region at street', async () => {
    await page.goto('/login');
    const location = page.getByLabel('Select your location');
    await expect(location).toBeDisabled();
    const state = page.getByLabel('What state is your facility located?');
    await expect(state.getByRole('option')).toContainText([
      'Select state',
      'Arizona',
      'California',
      'Colorado',
      'Florida',
      'Nevada',
      'Texas',
    ]);
    await state.selectOption('TX');
    await expect(location).toBeEnabled();
    await expect(location.getByRole('option')).toHaveText([
      'Select location',
      'Austin, TX at 15301 Ranch Road 620',
      'Fort Worth, TX at 4100 Marina Drive (Left Entrance - TXDFW03)',
      'Fort Worth, TX at 4100 Marina Drive (Right Entrance – TXDFW03A)',
      'Seabrook, TX at 2218 NASA Parkway',
    ]);
    await state.selectOption('AZ');
    await expect(location.getByRole('option')).toHaveCount(3);
    await expect(location).toHaveValue('');
  });
});

test('each visitor gets to the screens that are meant for them', async ({ page, portal }) => {
  // spec 2.10, 2.13, 2.14, 8.22
  await test.step('signed out, an unknown path shows the error page with 404, and the way home leads to sign-in', async () => {
    await page.goto('/nothing-here');
    await expect(page.getByText('404')).toBeVisible();
    await expect(page.getByText('Not Found')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Return Home' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account');
  });
  // spec 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 4.9, 6.2, 6.3
  // asvs 3.7.2
  await test.step('signed out, every screen leads to sign-in with no query, and on to the wanted screen afterwards', async () => {
    for (const path of tenantPaths) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/login$/);
    }
    await page.goto('/payment-history');
    await fillIn(page, 'lee@example.com');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page).toHaveURL(/\/payment-history$/);
  });
  // spec 2.8, 2.9, 6.4
  await test.step('signed in, the visitor’s screens lead to My Units', async () => {
    await signIn(page, portal, 'dana@example.com');
    for (const path of ['/login', '/register', '/forgot-password']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
      await expect(page).toHaveURL(/\/$/);
    }
  });
});

test('two entrances of one street can be told apart in whole at every width', async ({ page }) => {
  await page.goto('/login');
  await changeLocation(page);
  await page.getByLabel('What state is your facility located?').selectOption('Texas');
  for (const [code, label] of [
    ['TXDFW03', 'Fort Worth, TX at 4100 Marina Drive (Left Entrance - TXDFW03)'],
    ['TXDFW03A', 'Fort Worth, TX at 4100 Marina Drive (Right Entrance – TXDFW03A)'],
  ] as const) {
    await page.getByLabel('Select your location').selectOption(code);
    const chosen = page.locator('p').getByText(label);
    for (const width of [320, 360, 640, 768, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      await expect(chosen).toBeVisible();
      expect(await chosen.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
    }
  }
});

test('after a logout the facility is filled in, and the email address where the tenant asked for it', async ({
  page,
}) => {
  const state = page.getByLabel('What state is your facility located?');
  const location = page.getByLabel('Select your location');
  const address = page.getByLabel('Email Address');
  const remember = page.getByLabel('Remember my email on this device');
  async function signInAndOut() {
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
    const menu = page.getByRole('button', { name: 'Menu' });
    if (await menu.isVisible()) await menu.click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/login$/);
  }
  const stored = async () =>
    JSON.parse(await page.evaluate(() => localStorage.getItem('gatehouse') ?? '')) as unknown;
  const device = expect.stringMatching(/^rdt_/) as unknown;
  const locationCode = 'TXDFW03';

  await page.goto('/login');
  await fillIn(page, 'dana@example.com');
  await expect(remember).not.toBeChecked();
  await signInAndOut();
  await expect(location).toHaveValue(locationCode);
  await expect(address).toHaveValue('');
  expect(await stored()).toEqual({ device, remembered: { locationCode } });
  await fillIn(page, 'dana@example.com');
  await remember.check();
  await signInAndOut();
  const email = 'dana@example.com';
  expect(await stored()).toEqual({ device, remembered: { locationCode, email } });

  await test.step('also when the page is loaded before its locations are here', async () => {
    const release = await hold(page, '**/locations');
    await page.reload();
    await expect(address).toHaveValue(email);
    await expect(remember).toBeChecked();
    release();
    await expect(state).toHaveValue('TX');
    await expect(location).toHaveValue(locationCode);
    await page.unrouteAll();
  });
  await page.reload();
  await expect(location).toHaveValue(locationCode);
  await expect(address).toHaveValue(email);
  await remember.uncheck();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await signInAndOut();
  await expect(address).toHaveValue('');
  expect(await stored()).toEqual({ device, remembered: { locationCode } });
});
