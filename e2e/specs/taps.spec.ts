import { addDays } from '@gatehouse/contract/dates';
import type { Locator, Page } from '@playwright/test';
import { TEST_DAY } from '../../server/test/test-day.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { withoutAutopay } from '../support/rentals.ts';
import { openMyUnits, rentalCard } from '../support/tenant.ts';

/** Counts the presses of a way through the portal; what is typed counts none. */
function counter() {
  let taps = 0;
  return {
    tap: async (target: Locator) => {
      taps += 1;
      await target.click();
    },
    count: () => taps,
  };
}

/** Files a registration, as the tenant does. */
async function fileRegistration(page: Page, unit: string) {
  await page.goto('/account#papers');
  await page.getByRole('button', { name: `Add registration for ${unit}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Photo or PDF').setInputFiles({
    name: 'scan.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\n'),
  });
  await dialog.getByLabel('Registration Number').fill('TX-88120042');
  await dialog.getByLabel('Expiration Date').fill(addDays(TEST_DAY, 200));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('is on file')).toBeVisible();
}

test('what is owed is paid with a saved card, up to the gate code, in two taps', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  const { tap, count } = counter();
  await tap(page.getByRole('link', { name: 'Pay $214.50 for A101 and open the gate' }));
  await tap(page.getByRole('dialog').getByRole('button', { name: 'Pay $214.50' }));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('$214.50').first()).toBeInViewport();
  const pass = page.getByRole('region', { name: 'Gate pass' }).locator('li', { hasText: 'A101' });
  await expect(pass.getByText(/^\d{4}#$/)).toBeInViewport();
  expect(count()).toBe(2);
});

test('autopay for all units takes three taps', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  const { tap, count } = counter();
  await tap(rentalCard(page, 'A101').getByRole('link', { name: 'Setup autopay for A101' }));
  const dialog = page.getByRole('dialog');
  await tap(dialog.getByRole('checkbox', { name: 'All units' }));
  await tap(dialog.getByRole('button', { name: 'Setup and pay $664.50' }));
  await expect(
    dialog.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();
  expect(count()).toBe(3);
  expect(await withoutAutopay(portal, 'A101', 'B207', 'C014')).toEqual([]);
});

test('a vehicle’s second paper takes three taps from My Units on a phone, up to its form', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await fileRegistration(page, 'B207');
  await openMyUnits(page);
  const { tap, count } = counter();
  await tap(page.getByRole('button', { name: 'Menu' }));
  await tap(page.getByRole('link', { name: 'Account', exact: true }));
  await tap(page.getByRole('button', { name: 'Add insurance for B207' }));
  await expect(page.getByRole('dialog', { name: 'Insurance, unit B207' })).toBeVisible();
  expect(count()).toBe(3);
});

test('the language takes one tap on Account, and another record one tap on any screen', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/account');
  const { tap, count } = counter();
  await tap(page.getByRole('button', { name: 'Reyes Marine LLC' }));
  await expect(page.getByRole('region', { name: "Driver's License" })).toContainText('****0917');
  expect(count()).toBe(1);
  await tap(page.getByRole('button', { name: 'Español' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Administrar la cuenta');
  expect(count()).toBe(2);
});

test('the last receipt takes one tap', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  const { tap, count } = counter();
  const download = page.waitForEvent('download');
  await tap(rentalCard(page, 'B207').getByRole('button', { name: 'Last receipt of B207 as PDF' }));
  expect((await download).suggestedFilename()).toMatch(/^receipt-\d+\.pdf$/);
  expect(count()).toBe(1);
});

test('a repair with a photo takes five taps from the unit’s card', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  const { tap, count } = counter();
  await tap(rentalCard(page, 'C014').getByRole('link', { name: 'Repair request for C014' }));
  await expect(page.getByLabel('Unit', { exact: true })).toHaveValue(/[\w-]{36}/);
  await page.getByLabel('Description').fill('The door does not close.');
  const issue = page.getByLabel('Issue Type');
  await tap(issue);
  await issue.selectOption({ index: 1 });
  const chooser = page.waitForEvent('filechooser');
  await tap(page.getByText('Choose a photo'));
  await (
    await chooser
  ).setFiles({
    name: 'door.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  });
  await tap(page.getByRole('button', { name: 'Submit' }));
  await expect(page.getByText(/Reference/).first()).toBeVisible();
  // The fifth is the photo in the phone's own picker.
  expect(count() + 1).toBe(5);
});
