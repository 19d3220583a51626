import {
  expectAccessible,
  expectContrast,
  expectNoSidewaysScroll,
  settled,
} from '../support/axe.ts';
import {
  because,
  openOffice,
  openTenantOf,
  rental,
  signInStaff,
  WITHOUT_MOTION,
} from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({ viewport: { width: 1280, height: 900 }, contextOptions: WITHOUT_MOTION });

test('a manager sets the days of the steps about late rent, and reads them on a tenant’s page', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'manager');
  await openOffice(page, '/settings');
  const table = page.getByRole('table', { name: 'Steps when rent is late' });
  await expect(table.getByRole('rowheader')).toHaveText([
    ...['Reminder', 'Late fee', 'Gate closes', 'Notice or letter'],
  ]);
  await expect(table.getByRole('row', { name: /^Reminder/ })).toContainText('5 days before');
  const form = page.locator('form').filter({ has: table });
  const feeDays = table.getByLabel('Late fee after, in days');
  await feeDays.fill('0');
  await because(form);
  await form.getByRole('button', { name: 'Preview' }).press('Enter');
  await expect(feeDays).toHaveAccessibleDescription('Late fee after days must be 1 to 365.');
  await expectAccessible(page);
  await feeDays.fill('5');
  await page.getByLabel('Late fee', { exact: true }).fill('20.00');
  await table.getByLabel('The gate closes after, in days').fill('200');
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }
  await form.getByRole('button', { name: 'Preview' }).press('Enter');
  await page.getByRole('button', { name: 'Change the settings' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Rules' })).toContainText('200 days after');

  await openTenantOf(page, portal, 'A101');
  const card = rental(page, 'A101');
  const steps = card.getByRole('list', { name: 'Late steps of A101' });
  const texts = await steps.getByRole('listitem').allInnerTexts();
  for (const text of texts) expect(text).toMatch(/^(Done|To come)/);
  await expect(steps.getByRole('listitem').filter({ hasText: /Done.*Due/s })).toHaveCount(1);
  await expect(steps).toContainText('Late fee will be added, $20.00');
  await expect(steps.getByRole('listitem').last()).toContainText('Gate locks');
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    for (const colors of ['light', 'dark'] as const) {
      await settled(page, colors);
      await expectContrast(page);
    }
  }
  await expectAccessible(page);
});
