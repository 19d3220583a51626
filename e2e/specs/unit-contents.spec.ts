import type { Page } from '@playwright/test';
import { expect, signIn, test } from '../support/portal.ts';
import { clickTwice } from '../support/requests.ts';
import { openDetails, openMyUnits, rentalCard, row } from '../support/tenant.ts';

test.beforeEach(async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
});

const contentsRow = (page: Page, unit: string) =>
  row(rentalCard(page, unit), 'Unit Contents (Required)');

/** What the portal saves, in its order: the last part of the path, and the body. */
function savesOf(page: Page): [string, unknown][] {
  const saves: [string, unknown][] = [];
  page.on('request', (request) => {
    const part = /\/(unit-contents|vehicles)$/.exec(request.url())?.[1];
    if (request.method() === 'POST' && part !== undefined)
      saves.push([part, request.postDataJSON()]);
  });
  return saves;
}

test(
  'contents are entered for one unit and replaced for another',
  { tag: '@smoke' },
  async ({ page }) => {
    // spec 1.13, 1.22, 2.113, 3.40, 3.41, 3.47, 4.50, 4.51, 4.53, 4.59, 4.62, 4.64, 5.31, 5.32
    // spec 5.33, 5.34, 5.35, 5.36, 7.40, 7.41, 7.45, 7.46, 7.70
    await test.step('a vehicle is entered: first the contents, then its details, and the row shows both with no reload', async () => {
      const saves = savesOf(page);
      await page.getByRole('button', { name: 'Enter unit contents for A101' }).click();
      const dialog = page.getByRole('dialog', { name: 'Unit Contents' });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(dialog.getByText('Type is required.')).toBeVisible();
      await expect(dialog.getByLabel('Type').getByRole('option')).toHaveText([
        'Select type',
        'Boat',
        'Vehicle',
        'Household Items',
      ]);
      await dialog.getByLabel('Type').selectOption('Boat');
      await expect(
        dialog.getByText('include the state before the plate. Ex. TX - 123ABC', { exact: true }),
      ).toBeVisible();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(dialog.getByText('HIN is required.')).toBeVisible();
      await dialog.getByLabel('Type').selectOption('Vehicle');
      await expect(dialog.getByText('no spaces. EX: 123ABC', { exact: true })).toBeVisible();
      await dialog.getByRole('button', { name: 'Save' }).click();
      for (const sentence of [
        'VIN is required.',
        'License plate is required.',
        'Description is required.',
      ])
        await expect(dialog.getByText(sentence)).toBeVisible();
      await expect(dialog.getByLabel('VIN')).toBeFocused();
      expect(saves).toEqual([]);

      await dialog.getByLabel('VIN').fill('1969-OLD');
      await dialog.getByLabel('License Plate').fill('RVL2210');
      await expect(
        dialog.getByText('A VIN usually has 17 characters, this one has 8. Please check it.'),
      ).toBeVisible();
      await dialog.getByLabel('Description').fill('1969 Airstream Overlander');
      await clickTwice(dialog.getByRole('button', { name: 'Save' }));
      await expect(dialog).toBeHidden();
      expect(saves).toEqual([
        ['unit-contents', { contents: 'vehicle:1969-OLD' }],
        [
          'vehicles',
          {
            licensePlate: 'RVL2210',
            description: '1969 Airstream Overlander',
            type: 'vehicle',
            contents: 'vehicle:1969-OLD',
          },
        ],
      ]);
      await expect(contentsRow(page, 'A101')).toContainText(
        'Vehicle · 1969 Airstream OverlanderVIN 1969-OLD · RVL2210',
      );
      await expect(contentsRow(page, 'A101').getByRole('status')).toHaveText(
        'The unit contents have been saved.',
      );
      await expect(
        page.getByRole('button', { name: 'Update unit contents for A101' }),
      ).toBeFocused();
    });
    // spec 1.13, 1.22, 2.113, 3.40, 3.41, 3.42, 4.50, 4.51, 4.62, 7.46
    await test.step('a boat is there as it was entered; household items in its place save the contents only', async () => {
      const saves = savesOf(page);
      await openDetails(rentalCard(page, 'B207'));
      await page.getByRole('button', { name: 'Update unit contents for B207' }).click();
      const dialog = page.getByRole('dialog', { name: 'Unit Contents' });
      await expect(dialog.getByLabel('Type')).toHaveValue('boat');
      await expect(dialog.getByLabel('HIN')).toHaveValue('FWC48217C414');
      await expect(dialog.getByLabel('License Plate')).toHaveValue('TX - 4471KB');
      await expect(dialog.getByLabel('Description')).toHaveValue('2014 Four Winns H200');
      await dialog.getByLabel('Type').selectOption('Household Items');
      await expect(dialog.getByRole('textbox')).toHaveCount(0);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(contentsRow(page, 'B207').getByText('Household Items')).toBeVisible();
      expect(saves).toEqual([['unit-contents', { contents: 'none:' }]]);
    });
  },
);

// spec 4.52, 4.59, 8.5
test('details that cannot be saved: the dialog says what is saved and what is not, and a retry saves both', async ({
  page,
  portal,
}) => {
  await portal.sql('REVOKE UPDATE ON vehicles FROM gatehouse_app');
  await openDetails(rentalCard(page, 'B207'));
  await page.getByRole('button', { name: 'Update unit contents for B207' }).click();
  const dialog = page.getByRole('dialog', { name: 'Unit Contents' });
  await dialog.getByLabel('HIN').fill('FWC48217C999');
  await dialog.getByLabel('Description').fill('2014 Four Winns H230');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const alert = dialog.getByRole('alert');
  await expect(alert).toHaveText(
    'The type and number are saved. The license plate and description could not be saved. Something went wrong on our side. Please try again.',
  );
  await expect(alert.locator('..')).toBeFocused();
  await expect(alert).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByLabel('Description')).toHaveValue('2014 Four Winns H230');
  await portal.sql('GRANT UPDATE ON vehicles TO gatehouse_app');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(contentsRow(page, 'B207')).toContainText('HIN FWC48217C999');
  await expect(contentsRow(page, 'B207')).toContainText('2014 Four Winns H230');
});
