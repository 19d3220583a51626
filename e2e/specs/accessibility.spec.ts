import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { newestCode } from '../support/mailbox.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { openPaymentMethod, rentalCard } from '../support/tenant.ts';

/** In light and in dark colours, which differ in nothing but the colours. */
async function expectAccessible(page: Page) {
  await colour(page, 'dark');
  await expectNoViolations(new AxeBuilder({ page }).withRules(['color-contrast', 'link-in-text-block']));
  await colour(page, 'light');
  await expectNoViolations(new AxeBuilder({ page }));
}

/** Once the colours have changed over. */
async function colour(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(async () => {
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(changes.map(({ finished }) => finished));
  });
}

async function expectNoViolations(axe: AxeBuilder) {
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

/** Controls that stand alone are at least 44 px either way; links inside text are as tall as their line. */
async function expectTouchable(page: Page) {
  const small = await page
    .locator('button:visible, select:visible, input:visible, summary:visible')
    .evaluateAll((controls) =>
      controls
        // A radio or checkbox is pressed by its label, which is the target.
        .map((control) =>
          control.matches('[type=radio], [type=checkbox]') ? (control.closest('label') ?? control) : control,
        )
        .filter((control) => control.getBoundingClientRect().height < 44 || control.getBoundingClientRect().width < 44)
        .map((control) => control.outerHTML),
    );
  expect(small).toEqual([]);
}

async function expectNoSidewaysScroll(page: Page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

test('signing in', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByLabel('What state is your facility located?')).toBeEnabled();
  await expectAccessible(page);
  await expectTouchable(page);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('Password is required.')).toBeVisible();
  await expectAccessible(page);
});

test('My Units with all notifications open, and the charges', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/');
  await expect(rentalCard(page, 'C014')).toContainText('Not entered');
  for (const summary of await page.locator('summary').all()) await summary.click();
  await expectAccessible(page);
  await expectTouchable(page);
  await expectNoSidewaysScroll(page);
  await rentalCard(page, 'A101').getByRole('button', { name: 'View Charges' }).click();
  await expect(page.getByRole('dialog')).toContainText('Late fee');
  await expectAccessible(page);
});

test('the dialogs of My Units, their errors and what follows', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/');
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
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Request 24-hour access for B207' }).click();
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(dialog.getByText('Reason is required.')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Resend documents for B207' }).click();
  await expect(dialog.getByText('dana@example.com')).toBeVisible();
  await expectAccessible(page);
});

test('Billing Info, its dialog, and the dialog’s errors', async ({ page, portal }) => {
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
  await page.getByRole('button', { name: 'Switch autopay off for B207' }).click();
  await expect(dialog.getByText('Your payment method stays saved')).toBeVisible();
  await expectAccessible(page);
});

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
  await page.getByLabel('Verification Code').fill(await newestCode(page, portal, 'newcomer@example.com'));
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

test('Profile and Account Management with their dialogs, and the dialogs’ errors', async ({ page, portal }) => {
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
  await page.keyboard.press('Escape');
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
});

test('Payment History, the other screens and the error page', async ({ page, portal }) => {
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/payment-history');
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(11);
  await expectAccessible(page);
  await expectTouchable(page);
  await expectNoSidewaysScroll(page);
  for (const path of ['/profile', '/maintenance-request', '/schedule-move-out', '/account', '/nothing']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
});

test('at the width of a tablet the four screens fit and are accessible', { tag: '@once' }, async ({ page, portal }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto('/login');
  await expect(page.getByLabel('What state is your facility located?')).toBeEnabled();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await signIn(page, portal, 'dana@example.com');
  for (const [path, loaded] of [
    ['/', rentalCard(page, 'C014').getByText('Not entered')],
    ['/billing-info', page.getByRole('button', { name: 'Setup autopay for A101' })],
    ['/payment-history', page.getByRole('table').getByText('Visa ending in 4242').first()],
  ] as const) {
    await page.goto(path);
    await expect(loaded).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
});

test('a tenant pays with the keyboard alone', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
  const setup = page.getByRole('button', { name: 'Setup autopay for A101' });
  await setup.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Setup payment method' })).toBeFocused();
  const pay = dialog.getByRole('button', { name: 'Setup and pay $214.50' });
  for (let presses = 0; presses < 20 && !(await pay.evaluate((button) => button === document.activeElement)); presses++)
    await page.keyboard.press('Tab');
  await expect(pay).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('The autopay payment method has been updated successfully')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});
