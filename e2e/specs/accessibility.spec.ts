import type { Page } from '@playwright/test';
import { tenantPaths } from '../support/paths.ts';
import { expectAccessible, expectNoSidewaysScroll, expectTouchable } from '../support/axe.ts';
import { newestCode } from '../support/mailbox.ts';
import { expect, type Portal, signIn, test } from '../support/portal.ts';
import {
  openCard,
  discard,
  leaveOutOfOverview,
  openDetails,
  openMyUnits,
  openPaymentMethod,
  rentalCard,
} from '../support/tenant.ts';

test('signing in', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByLabel('What state is your facility located?')).toBeEnabled();
  await expectAccessible(page);
  await expectTouchable(page);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Password is required.')).toBeVisible();
  await expectAccessible(page);
});

test(
  'My Units with all notifications open, and the charges',
  { tag: '@wide' },
  async ({ page, portal }) => {
    await signIn(page, portal, 'dana@example.com');
    await openMyUnits(page);
    await expect(rentalCard(page, 'C014')).toContainText('Not entered');
    for (const summary of await page.locator('summary').all()) await summary.click();
    await openDetails(page);
    await expectAccessible(page);
    await expectTouchable(page);
    await expectNoSidewaysScroll(page);
    await rentalCard(page, 'A101').getByRole('button', { name: 'View Charges' }).click();
    await expect(page.getByRole('dialog')).toContainText('Late fee');
    await expectAccessible(page);
  },
);

test('a gate pass that cannot be loaded says so in letters that can be read', async ({
  page,
  portal,
}) => {
  await leaveOutOfOverview(page, 'gateAccess');
  await page.route('**/units/*/gate-access', (route) =>
    route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }),
  );
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/');
  const pass = page.getByRole('region', { name: 'Gate pass' });
  await expect(pass.getByText('The gate access could not be loaded.')).toHaveCount(3);
  await expectAccessible(page);
});

test('with text twice as large the buttons of the facility leave its heading free', async ({
  page,
  portal,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  const facility = page.getByRole('region', { name: 'Facility Information' });
  const heading = (await facility.getByRole('heading').boundingBox())!;
  const call = (await facility.getByRole('link', { name: '(817) 555-0103' }).boundingBox())!;
  expect(call.y).toBeGreaterThanOrEqual(heading.y + heading.height);
});

test('the dialogs of My Units, their errors and what follows', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  await openDetails(page);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Update protection plan for B207' }).click();
  await dialog.getByRole('radio', { name: 'Private insurance' }).check();
  await dialog.getByRole('button', { name: 'Submit proof' }).click();
  await expect(dialog.getByText('Policy company is required.')).toBeVisible();
  await expectAccessible(page);
  await expectTouchable(page);
  await expectNoSidewaysScroll(page);
  await dialog.getByRole('radio', { name: '$10,000 protection plan' }).check();
  await dialog.getByRole('button', { name: 'Request change' }).click();
  await expect(dialog.getByText('The update can take up to 1 day to take effect.')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Update unit contents for B207' }).click();
  await dialog.getByLabel('HIN').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('HIN is required.')).toBeVisible();
  await expectAccessible(page);
  await expectTouchable(page);
  await discard(page);
  await page.getByRole('button', { name: 'Request 24-hour access for B207' }).click();
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(dialog.getByText('Reason is required.')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Resend documents for B207' }).click();
  await expect(dialog.getByText('dana@example.com')).toBeVisible();
  await expectAccessible(page);
});

test(
  'Billing Info, its dialog, and the dialog’s errors',
  { tag: '@wide' },
  async ({ page, portal }) => {
    await signIn(page, portal, 'dana@example.com');
    await page.goto('/billing-info');
    const dialog = await openPaymentMethod(page, 'A101');
    await dialog.getByRole('radio', { name: 'New payment method' }).check();
    await dialog.getByRole('button', { name: 'Setup and pay' }).click();
    await expect(dialog.getByText('Billing zip is required.')).toBeVisible();
    await expectAccessible(page);
    await expectTouchable(page);
    await expectNoSidewaysScroll(page);
    await page.keyboard.press('Escape');
    await page.locator('summary').first().click();
    await expectAccessible(page);
    await expectTouchable(page);
    await page.getByRole('button', { name: 'Switch off autopay for B207' }).click();
    await expect(dialog.getByText('Your payment method stays saved')).toBeVisible();
    await expectAccessible(page);
  },
);

test('the steps of registration', async ({ page, portal }) => {
  await page.goto('/register');
  await page.getByLabel('What state is your facility located?').selectOption('TX');
  await page.getByLabel('Select your location').selectOption('TXDFW03');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Email Address is required.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Email Address').fill('newcomer@example.com');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByLabel('Verification Code').fill('1');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('The verification code is invalid')).toBeVisible();
  await expectAccessible(page);
  await expectTouchable(page);
  await page
    .getByLabel('Verification Code')
    .fill(await newestCode(page, portal, 'newcomer@example.com'));
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Password must have at least 8 characters.')).toBeVisible();
  await expectAccessible(page);
  await expectTouchable(page);
  await page.getByLabel('Password', { exact: true }).fill('tide-table 1994');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('You have successfully setup your account.')).toBeVisible();
  await expectAccessible(page);
});

test(
  'Profile and Account Management with their dialogs, and the dialogs’ errors',
  { tag: '@wide' },
  async ({ page, portal }) => {
    await signIn(page, portal, 'dana@example.com');
    await page.goto('/profile');
    await expect(page.getByText('18 Heron Lane')).toBeVisible();
    await expectAccessible(page);
    await expectTouchable(page);
    await expectNoSidewaysScroll(page);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Update contact information' }).click();
    await dialog.getByLabel('City').fill('');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await expect(dialog.getByText('City is required.')).toBeVisible();
    await expectAccessible(page);
    await expectTouchable(page);
    await discard(page);
    await openCard(page, 'Alternate Contact Information');
    await page.getByRole('button', { name: 'Add alternate contact' }).click();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await expect(dialog.getByText('Phone is required.')).toBeVisible();
    await expectAccessible(page);
    await page.goto('/account');
    await page.getByRole('button', { name: "Add driver's license" }).click();
    await dialog.getByLabel("Driver's License Number").fill('08123456');
    await dialog.getByLabel("Driver's License State").selectOption('TX');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await expect(dialog.getByText("Your driver's license has been added.")).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(page.getByText('To change it, please call')).toBeVisible();
    await expectAccessible(page);
  },
);

test(
  'Payment History, the other screens and the error page',
  { tag: '@wide' },
  async ({ page, portal }) => {
    await signIn(page, portal, 'lee@example.com');
    await page.goto('/payment-history');
    await expect(page.getByRole('table').getByRole('row')).toHaveCount(13);
    await expectAccessible(page);
    await expectTouchable(page);
    await expectNoSidewaysScroll(page);
    for (const path of [...tenantPaths, '/nothing']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessible(page);
    }
  },
);

/** The four screens that a tenant is on most, loaded. */
async function* screens(page: Page, portal: Portal) {
  await page.goto('/healthz');
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await expect(page.getByLabel('What state is your facility located?')).toBeEnabled();
  yield '/login';
  await signIn(page, portal, 'dana@example.com');
  for (const [path, loaded] of [
    ['/', rentalCard(page, 'C014').getByText('Not entered')],
    ['/billing-info', page.getByRole('button', { name: 'Setup autopay for A101' })],
    ['/payment-history', page.getByRole('table').getByText('Visa ending in 4242').first()],
  ] as const) {
    await page.goto(path);
    await expect(loaded).toBeVisible();
    if (path === '/') await openDetails(page);
    yield path;
  }
}

for (const width of [320, 390, 768])
  test(`at ${width} px the four screens fit, can be pressed, and are accessible in light and dark`, async ({
    page,
    portal,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    for await (const _ of screens(page, portal)) {
      await expectAccessible(page);
      await expectTouchable(page);
      await expectNoSidewaysScroll(page);
    }
  });

test('with text twice as large, and at 400 % zoom, nothing of the four screens lies outside of the page', async ({
  page,
  portal,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for await (const _ of screens(page, portal)) {
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await expectNoSidewaysScroll(page);
    await page.evaluate(() => (document.documentElement.style.fontSize = ''));
  }
  // 1280 by 1024 px at 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  for await (const _ of screens(page, portal)) await expectNoSidewaysScroll(page);
});

test('in forced colours the gate pass has its frame, and what is filled has its border', async ({
  page,
  portal,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  const panel = page.getByRole('region', { name: 'Gate pass' }).getByRole('listitem').first();
  await expect(panel).not.toHaveCSS('border-top-width', '0px');
  for (const button of [
    page.getByRole('link', { name: 'Pay all' }),
    page.getByRole('link', { name: 'Pay $214.50 for A101 and open the gate' }),
  ])
    await expect(button).not.toHaveCSS('border-bottom-width', '0px');
});

test('a tenant pays with the keyboard only', { tag: '@smoke' }, async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
  const setup = page.getByRole('button', { name: 'Setup autopay for A101' });
  await setup.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Setup payment method' })).toBeFocused();
  const pay = dialog.getByRole('button', { name: 'Setup and pay $214.50' });
  for (
    let presses = 0;
    presses < 20 && !(await pay.evaluate((button) => button === document.activeElement));
    presses++
  )
    await page.keyboard.press('Tab');
  await expect(pay).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(
    dialog.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});
