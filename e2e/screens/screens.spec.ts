import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, signIn, test } from '../support/portal.ts';
import { fillCard, openDetails, openPaymentMethod, rentalCard } from '../support/tenant.ts';

const folder = join(import.meta.dirname, '../../docs/screens');

/** More than one screen high: enough to judge, small enough to keep (under 80 kB). */
async function picture(page: Page, name: string, device: string) {
  const { width, height } = page.viewportSize() ?? { width: 360, height: 740 };
  await page.setViewportSize({ width, height: device === 'phone' ? height * 2 : height * 1.5 });
  await page.screenshot({ path: join(folder, `${name}-${device}.jpg`), type: 'jpeg', quality: 60 });
  await page.setViewportSize({ width, height });
}

test(
  'the pictures of docs/screens',
  { tag: '@wide' },
  async ({ page, portal }, { project: { name: device } }) => {
    await page.goto('/login');
    await expect(page.getByLabel('What state is your facility located?')).toBeEnabled();
    await picture(page, 'sign-in', device);
    await page.goto('/register');
    await page.getByLabel('What state is your facility located?').selectOption('TX');
    await page.getByLabel('Select your location').selectOption('TXDFW03');
    await page.getByLabel('Email Address').fill('newcomer@example.com');
    await picture(page, 'account-lookup', device);
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByLabel('Verification Code')).toBeVisible();
    await picture(page, 'verify-email', device);
    await signIn(page, portal, 'dana@example.com');
    await page.goto('/');
    await expect(rentalCard(page, 'C014')).toContainText('Not entered');
    await picture(page, 'my-units', device);
    await openDetails(page);
    await page.getByRole('button', { name: 'Update protection plan for B207' }).click();
    await expect(page.getByRole('dialog').getByRole('radio').first()).toBeVisible();
    await picture(page, 'insurance', device);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Update unit contents for B207' }).click();
    await expect(page.getByRole('dialog').getByLabel('HIN')).toBeVisible();
    await picture(page, 'unit-contents', device);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Request 24-hour access for B207' }).click();
    await expect(page.getByRole('dialog').getByLabel('Reason')).toBeVisible();
    await picture(page, 'gate-request', device);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Resend documents for A101' }).click();
    await expect(
      page.getByRole('dialog').getByRole('button', { name: 'Resend documents' }),
    ).toBeVisible();
    await picture(page, 'esign-resend', device);
    await page.keyboard.press('Escape');
    await page.goto('/profile');
    await expect(page.getByText('18 Heron Lane')).toBeVisible();
    await picture(page, 'profile', device);
    await page.getByRole('button', { name: 'Update contact information' }).click();
    await expect(page.getByRole('dialog').getByLabel('First Name')).toHaveValue('Dana');
    await picture(page, 'contact-update', device);
    await page.goto('/account');
    await expect(page.getByRole('button', { name: "Add driver's license" })).toBeVisible();
    await picture(page, 'account', device);
    await page.getByRole('button', { name: "Add driver's license" }).click();
    await expect(page.getByRole('dialog').getByLabel("Driver's License Number")).toBeVisible();
    await picture(page, 'drivers-license', device);
    await page.goto('/maintenance-request');
    await expect(page.getByLabel('Description')).toBeVisible();
    await picture(page, 'maintenance-request', device);
    await page.goto('/schedule-move-out');
    await expect(page.getByRole('link', { name: 'Go to the move-out form' })).toBeVisible();
    await picture(page, 'schedule-move-out', device);
    await page.goto('/nothing-here');
    await expect(page.getByText('404')).toBeVisible();
    await picture(page, 'error', device);
    await page.goto('/payment-history');
    await expect(page.getByRole('table').getByRole('row')).toHaveCount(11);
    await picture(page, 'payment-history', device);
    await page.goto('/billing-info');
    await expect(page.getByRole('button', { name: 'Setup autopay for A101' })).toBeVisible();
    await picture(page, 'billing-info', device);
    const dialog = await openPaymentMethod(page, 'A101');
    await dialog.getByRole('radio', { name: 'New payment method' }).check();
    await fillCard(dialog);
    await picture(page, 'payment-method', device);
  },
);
