import type { Page } from '@playwright/test';
import { expectNoSidewaysScroll } from '../support/axe.ts';
import { enlargeText, expectNothingOverlaps, widenLetters } from '../support/overlap.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { chooseNewMethod, openDetails, openMyUnits, openPaymentMethod } from '../support/tenant.ts';

const PHONE = { width: 390, height: 844 };

/** The screens on which money and papers are, each as it is with all that it can open. */
const screens: Record<string, (page: Page) => Promise<unknown>> = {
  'My Units': async (page) => {
    await openMyUnits(page);
    await openDetails(page);
  },
  'Billing Information': async (page) => {
    await page.goto('/billing-info');
    await expect(page.getByRole('button', { name: 'Setup autopay for A101' })).toBeVisible();
    for (const summary of await page.locator('main summary').all()) await summary.click();
  },
  'Payment History': (page) => page.goto('/payment-history'),
  Account: async (page) => {
    await page.goto('/account');
    await expect(page.locator('main summary').first()).toBeVisible();
    for (const summary of await page.locator('main summary').all()) await summary.click();
  },
};

const dialogs: Record<string, (page: Page) => Promise<unknown>> = {
  'the pay sheet': async (page) => {
    await openMyUnits(page);
    await page.getByRole('link', { name: 'Pay all' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('checkbox').check();
    await chooseNewMethod(sheet);
  },
  'Setup of a payment method': async (page) => {
    await page.goto('/billing-info');
    await openPaymentMethod(page, 'A101');
  },
};

for (const [size, prepare] of [
  ['', (page: Page) => page.setViewportSize(PHONE)],
  [' and text twice as large', (page: Page) => enlargeText(page, PHONE)],
] as const) {
  for (const [name, open] of Object.entries({ ...screens, ...dialogs }))
    test(`at 390 px in wide letters${size} nothing of ${name} lies over another thing or is cut off`, async ({
      page,
      portal,
    }) => {
      await signIn(page, portal, 'dana@example.com');
      await open(page);
      await prepare(page);
      await widenLetters(page);
      await expect(page.locator('main .appear-late')).toHaveCount(0);
      for (const part of name in dialogs ? (['dialog'] as const) : (['main', 'banner'] as const))
        await expectNothingOverlaps(page.getByRole(part));
      await expectNoSidewaysScroll(page);
    });
}
