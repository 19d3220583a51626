import { TEST_DAY, testClock } from '../../server/test/test-day.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../support/axe.ts';
import {
  WITHOUT_MOTION,
  because,
  openOffice,
  openTenantOf,
  perform,
  press,
  signInStaff,
} from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({ viewport: { width: 768, height: 1024 }, contextOptions: WITHOUT_MOTION });

test('a range of units is added, and one is closed with a reason, priced and let again', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'manager');
  await openOffice(page, '/units');
  await page.getByRole('button', { name: 'Add units' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add units' });
  await dialog.getByLabel('Units', { exact: false }).first().fill('X101-X103');
  await dialog.getByLabel('Type').fill('Covered RV with a roof that is 14 feet high');
  await dialog.getByLabel('Width in feet').fill('twelve');
  await dialog.getByLabel('Length in feet').fill('40');
  await because(dialog);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog).toContainText('Enter a whole number.');
  await expectAccessible(page);
  await dialog.getByLabel('Width in feet').fill('12');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog).toContainText('3 units, X101 to X103, will be added.');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('3 units, X101 to X103, can be let.');
  await page.keyboard.press('Enter');

  await page.getByPlaceholder('Unit').fill('X102');
  await page.getByRole('row', { name: /X102/ }).click();
  await expect(page.getByText('This unit has not been rented yet.')).toBeVisible();
  await perform(page, 'Change the street rate', async (form) => {
    await form.getByLabel('Street rate a month').fill('189');
    await because(form);
  });
  await perform(page, 'Take out of service', (form) => because(form, 'The door is broken.'), {
    says: 'X102 will be out of service: no move-in and no transfer into it.',
  });
  await expect(page.getByText('The door is broken.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Quote' })).toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await test.step('it is not offered for a move-in', async () => {
    await openTenantOf(page, portal, 'E022');
    await press(page, 'Quote');
    const quote = page.getByRole('dialog', { name: 'Quote' });
    await quote.getByLabel('From').fill(TEST_DAY);
    const units = quote.getByRole('combobox', { name: 'Unit' });
    await units.fill('X10');
    await expect(page.getByRole('option')).toHaveText([/^X101, /, /^X103, /]);
    await page.keyboard.press('Escape');
  });

  const [unit] = await portal.sql("SELECT id FROM units WHERE name = 'X102'");
  await openOffice(page, `/units/${String(unit!.id)}/show`);
  await perform(page, 'Put back into service', (form) => because(form));
  await expect(page.getByText('Vacant')).toBeVisible();
});

test('a unit’s sheet says who has it since when, what it costs, and what was asked about it', async ({
  page,
  portal,
}) => {
  await portal.sql(
    `INSERT INTO requests (kind, reference, facility_id, tenant_id, ledger_id, details, created_at)
     SELECT 'maintenance_request_form', 'R-900001', t.facility_id, t.id, l.id,
       '{"unitNames": ["A101"], "tenant": {}}', $1
     FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN tenants t ON t.id = l.tenant_id WHERE u.name = 'A101'`,
    [testClock.now()],
  );
  await signInStaff(page, portal, 'clerk');
  await openOffice(page, '/units');
  await page.getByPlaceholder('Unit').fill('A101');
  await page.getByRole('row', { name: /A101/ }).press('Enter');
  await expect(page.getByText('Rented to')).toBeVisible();
  await expect(page.getByText(/Dana Reyes, since \d+\/\d+\/\d{4}$/)).toBeVisible();
  await expect(page.getByText('Street rate')).toBeVisible();
  await expect(page.getByRole('row', { name: /R-900001/ })).toBeVisible();
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
});

test('a type is suggested for new units, and renamed for all that have it', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'manager');
  await openOffice(page, '/units');
  await page.getByRole('button', { name: 'Add units' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add units' });
  await expect(dialog.locator('datalist option', { hasText: 'Household' })).toBeAttached();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await openOffice(page, '/settings');
  const types = page.getByRole('region', { name: 'Unit types' });
  await perform(
    types.getByRole('listitem').filter({ hasText: 'Household' }),
    'Rename',
    async (form) => {
      await form.getByLabel('New name').fill('Indoor');
      await because(form);
    },
    { says: 'Their tenants read “Indoor” in the portal.' },
  );
  await expect(types).toContainText('Indoor: ');
  await expect(types).not.toContainText('Household');
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 1024 });
    await expectNoSidewaysScroll(page);
  }
  await expectAccessible(page);
});
