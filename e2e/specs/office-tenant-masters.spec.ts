import { TEST_DAY } from '../../server/test/test-day.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../support/axe.ts';
import {
  WITHOUT_MOTION,
  because,
  openOffice,
  openTenantOf,
  perform,
  rental,
  signInStaff,
} from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({ viewport: { width: 1280, height: 900 }, contextOptions: WITHOUT_MOTION });

test('a tenant becomes a company with tags, authorizes a person, and is not rented to', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'manager');
  await openTenantOf(page, portal, 'E022');
  await perform(
    page,
    'Change the record',
    async (dialog) => {
      await expect(dialog.getByLabel('Last name')).toHaveValue('Okafor');
      await dialog.getByLabel('Company').fill('Tri-County HVAC, Inc.');
      await dialog.getByLabel('Tags').fill('fleet, pays by check');
      await expectAccessible(page);
      await because(dialog);
    },
    { says: 'Company: none → Tri-County HVAC, Inc.' },
  );
  await perform(
    rental(page, 'E022'),
    'Authorize a person',
    async (dialog) => {
      await dialog.getByLabel('Name').fill('Ada Okafor');
      await dialog.getByLabel('Last day').fill(TEST_DAY);
      await because(dialog);
    },
    { says: 'Ada Okafor will have a code of their own for E022' },
  );
  await perform(page, 'Do not rent', (dialog) => because(dialog, 'Lived in the unit'));
  await expect(page.getByText('Do not rent: Lived in the unit')).toBeVisible();
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(page.getByText('Contact', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
  await perform(
    rental(page, 'E022').getByRole('listitem').filter({ hasText: 'Ada Okafor' }),
    'End',
    (dialog) => because(dialog),
    { says: 'The code of Ada Okafor will open nothing of E022 any more.' },
  );
  await expect(rental(page, 'E022')).not.toContainText('Ada Okafor');
  await openOffice(page, '/tenants');
  await expect(page.getByRole('cell', { name: 'Tri-County HVAC, Inc.' })).toBeVisible();
});

test('a tenant dies, the executor is called, and the rental goes to the heir', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'manager');
  await openTenantOf(page, portal, 'E022');
  await perform(
    page,
    'Record a death',
    async (dialog) => {
      await dialog.getByLabel('Executor').fill('Ada Okafor');
      await dialog.getByLabel('Relation').fill('Daughter');
      await dialog.getByLabel('Phone').fill('(682) 555-0119');
      await expectAccessible(page);
      await because(dialog, 'The daughter called');
    },
    { says: 'Ada Okafor is the contact. Without an email nothing is mailed.' },
  );
  await expect(page.getByText('Deceased. Executor: Ada Okafor, Daughter')).toBeVisible();
  await expect(page.getByRole('link', { name: '(682) 555-0119' })).toBeVisible();
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
  await perform(
    rental(page, 'E022'),
    'Assign to another tenant',
    async (dialog) => {
      await dialog.getByRole('combobox', { name: 'To' }).fill('reyes');
      await page.getByRole('option', { name: 'Dana Reyes, dana@example.com' }).click();
      await expect(dialog.getByRole('combobox', { name: 'To' })).toHaveValue(/Reyes/);
      await expectAccessible(page);
      await because(dialog, 'Inherited');
    },
    { says: 'Both are mailed' },
  );
  await expect(rental(page, 'E022')).toContainText('Went to');
  await rental(page, 'E022').getByRole('link', { name: 'Dana Reyes' }).click();
  await expect(rental(page, 'E022')).toContainText('Came from');
  await expectAccessible(page);
});
