import type { Locator, Page } from '@playwright/test';
import { expect, signIn, test, type Portal } from '../support/portal.ts';
import { bodiesOf, clickTwice } from '../support/requests.ts';
import { openMyUnits, rentalCard, row } from '../support/tenant.ts';

const ON_FILE = "A driver's license is already on file. Please call your facility to change it.";

async function openAccount(page: Page, portal: Portal, email: string): Promise<Locator> {
  await signIn(page, portal, email);
  await page.goto('/account');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Management');
  return page.getByRole('region', { name: "Driver's License" });
}

async function fillLicense(dialog: Locator, number: string) {
  await dialog.getByLabel("Driver's License Number").fill(number);
  await dialog.getByLabel("Driver's License State").selectOption('Texas');
}

/** The same session on another device adds a license. */
async function addElsewhere(page: Page, portal: Portal) {
  const session = await page.evaluate(() => localStorage.getItem('gatehouse') ?? '');
  const { token, currentTenantId } = JSON.parse(session) as {
    token: string;
    currentTenantId: string;
  };
  const answer = await page.request.patch(
    `${portal.url}/api/corporations/ANCHOR/locations/TXDFW03/tenants/${currentTenantId}`,
    {
      headers: { authorization: `Bearer ${token}` },
      data: { driversLicenseNumber: '99887766', driversLicenseState: 'NM' },
    },
  );
  expect(answer.status()).toBe(200);
}

// spec 1.12, 2.2, 2.89, 2.90, 5.37, 5.38, 5.39, 5.40, 9.28
test('with the keyboard only, a missing license is added, and every screen shows it masked', async ({
  page,
  portal,
}) => {
  const card = await openAccount(page, portal, 'dana@example.com');
  await expect(card).toContainText('None on file');
  await expect(page.getByRole('main').getByRole('region')).toHaveCount(8);
  await card.getByRole('button', { name: 'Add' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Once it is saved, only the facility can change it.');
  const number = dialog.getByLabel("Driver's License Number");
  await expect(number).toHaveAttribute('autocomplete', 'off');
  await number.focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText("Driver's license number is required.")).toBeVisible();
  await expect(dialog.getByText("Driver's license state is required.")).toBeVisible();
  await expect(number).toBeFocused();
  // The forms library focuses the first field with an error once more, in a timer: by then it must
  // still be this one.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  await page.keyboard.type('08123456');
  await page.keyboard.press('Tab');
  await expect(dialog.getByLabel("Driver's License State")).toBeFocused();
  await page.keyboard.type('Texas');
  await expect(dialog.getByLabel("Driver's License State")).toHaveValue('TX');
  // The record is fetched again only after the dialog is closed: the button that opened it goes
  // with the focus on it.
  const release = Promise.withResolvers<undefined>();
  await page.route(/\/tenants\/[^/]+$/, async (route) => {
    if (route.request().method() === 'GET') await release.promise;
    await route.continue();
  });
  await number.focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText("Your driver's license has been added.")).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(card.getByRole('button', { name: 'Add' })).toBeFocused();
  release.resolve(undefined);
  await expect(card.getByRole('heading')).toBeFocused();
  await expect(card).toContainText('****3456');
  await expect(card).toContainText('Texas');
  await expect(card.getByRole('button')).toHaveCount(0);
  await expect(card).toContainText('To change it, please call the facility at (817) 555-0103.');
  await expect(card.getByRole('link')).toHaveAttribute('href', 'tel:+18175550103');

  await page
    .getByRole('link', { name: /^Anchor/ })
    .first()
    .click();
  await expect(row(rentalCard(page, 'B207'), "Driver's License (Required)")).toHaveText(
    '****3456, Texas',
  );
});

// spec 4.61, 4.64, 7.60, 7.61
test('a license is added from My Units, where its check and all rows then say so', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  const bodies = bodiesOf(page, /\/tenants\/[\w-]+$/);
  const license = row(rentalCard(page, 'B207'), "Driver's License (Required)");
  await license.getByRole('button', { name: "Add driver's license" }).click();
  const dialog = page.getByRole('dialog');
  await fillLicense(dialog, '08123456');
  await clickTwice(dialog.getByRole('button', { name: 'Add' }));
  await expect(dialog.getByText("Your driver's license has been added.")).toBeVisible();
  expect(bodies).toEqual([{ driversLicenseNumber: '08123456', driversLicenseState: 'TX' }]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(license).toHaveText('****3456, Texas');
  await expect(license.getByRole('button')).toHaveCount(0);
  await expect(row(rentalCard(page, 'A101'), "Driver's License (Required)")).toHaveText(
    '****3456, Texas',
  );
  const notifications = page.getByRole('region', { name: 'Rental Notifications' });
  await notifications.getByText('B207').click();
  await expect(
    notifications.getByText("Driver's License Info Entered").filter({ visible: true }),
  ).toHaveCount(1);
});

// spec 5.39, 5.40, 8.5
test('a license that was added meanwhile is refused in an alert, and the screen shows it', async ({
  page,
  portal,
}) => {
  const card = await openAccount(page, portal, 'dana@example.com');
  await card.getByRole('button', { name: 'Add' }).click();
  const dialog = page.getByRole('dialog');
  await fillLicense(dialog, '08123456');
  await addElsewhere(page, portal);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(ON_FILE);
  await expect(dialog.getByRole('alert').locator('..')).toBeFocused();
  await expect(dialog.getByLabel("Driver's License Number")).toHaveValue('08123456');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(card).toContainText('****7766');
  await expect(card).toContainText('New Mexico');
});
