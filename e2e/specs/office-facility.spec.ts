import { expectAccessible, expectNoSidewaysScroll } from '../support/axe.ts';
import { WITHOUT_MOTION, because, openOffice, signInStaff } from '../support/office.ts';
import { expect, signIn, test } from '../support/portal.ts';

test.use({ viewport: { width: 768, height: 1024 }, contextOptions: WITHOUT_MOTION });

test('a facility’s gate hours are changed in the settings, and its tenants read them', async ({
  page,
  portal,
  otherContext,
}) => {
  await signInStaff(page, portal, 'manager');
  await openOffice(page, '/settings');
  const hours = page.getByLabel('Business hours of the gate');
  await hours.fill('always');
  const form = page.locator('form').filter({ has: hours });
  await because(form, 'Winter hours');
  await form.getByRole('button', { name: 'Preview' }).press('Enter');
  await expect(form.getByRole('alert')).toContainText('Gate hours must be such as');
  await expectAccessible(page);
  await hours.fill('mon-sat 7am-9pm, sun closed');
  await form.getByRole('button', { name: 'Preview' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'What will change' });
  await expect(dialog).toContainText('from 6am - 10pm to Mon-Sat 7am - 9pm, Sun closed, from now');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Change the settings' }).press('Enter');
  await expect(hours).toHaveValue('Mon-Sat 7am - 9pm, Sun closed');
  await expectNoSidewaysScroll(page);

  const tenant = await otherContext.newPage();
  await signIn(tenant, portal, 'dana@example.com');
  await tenant.goto('/');
  await expect(tenant.getByText('Mon-Sat 7am - 9pm, Sun closed').first()).toBeVisible();
});
