import type { Page } from '@playwright/test';
import { expect, signIn, test } from '../support/portal.ts';
import { chooseNewMethod, fillCard, openMyUnits, openPaySheet, row } from '../support/tenant.ts';

/** Prints the page; the answer is how many sheets of US Letter it takes. */
async function sheetsOf(page: Page): Promise<number> {
  const pdf = (
    await page.pdf({ format: 'Letter', margin: { top: '1cm', bottom: '1cm' } })
  ).toString('latin1');
  return pdf.match(/\/Type \/Page\b/g)?.length ?? 0;
}

/** Expects nothing on paper that is there to be pressed. */
async function expectCleanSheet(page: Page) {
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('link', { name: /^Pay/ })).toHaveCount(0);
  const sheet = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
  expect(sheet[1]).toBeLessThanOrEqual(sheet[0]!);
}

test('My Units prints as a clean sheet', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  await page.emulateMedia({ media: 'print' });
  await expectCleanSheet(page);
  const card = page.getByRole('region', { name: 'A101', exact: true });
  await expect(row(card, 'Current Balance (Required)')).toContainText('$214.50');
  await expect(page.getByRole('region', { name: 'Facility Information' })).toBeVisible();
  expect(await sheetsOf(page)).toBeGreaterThan(0);
});

test('Payment History prints every page of it, and shows ten again afterwards', async ({
  page,
  portal,
}) => {
  // Before the portal's own listener goes back to what the screen shows.
  await page.addInitScript(() => {
    addEventListener('afterprint', () => {
      document.documentElement.dataset['printed'] = String(
        document.querySelectorAll('tbody tr').length,
      );
    });
  });
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/payment-history');
  const rows = page.getByRole('table').locator('tbody tr');
  await expect(rows).toHaveCount(12);
  const receipts = await rows.first().textContent();
  await page.emulateMedia({ media: 'print' });
  await expect(rows).toHaveCount(24);
  await expect(rows.first().getByText(/^Receipt \d+$/)).toBeVisible();
  await expectCleanSheet(page);
  await page.emulateMedia({ media: 'screen' });
  await expect(rows).toHaveCount(12);
  expect(await rows.first().textContent()).toBe(receipts);
  expect(await sheetsOf(page)).toBeGreaterThan(0);
  await expect(page.locator('html')).toHaveAttribute('data-printed', '24');
  await expect(rows).toHaveCount(12);
});

test('what a payment answers prints by itself', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
  const dialog = await openPaySheet(page, 'A101');
  await chooseNewMethod(dialog);
  await fillCard(dialog);
  await dialog.getByRole('button', { name: 'Pay $214.50' }).click();
  await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expectCleanSheet(page);
  await expect(dialog.getByText('$214.50').first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  expect(await sheetsOf(page)).toBe(1);
});
