import { tenantPaths } from '../support/paths.ts';
import { openCard, openDetails } from '../support/tenant.ts';
import { expect, test } from '../support/portal.ts';
import { settleFaults } from '../support/faults.ts';
import { payloads } from '../support/payloads.ts';
import {
  signInAsTenant,
  storeAsStaff,
  storeAsTenant,
  watchForScript,
} from '../support/stored-texts.ts';

// asvs 1.1.2, 1.2.1, 1.3.2, 1.3.5, 3.2.2
test('40 texts that would be script, in every text that is stored, run on no screen, dialog or mail', async ({
  page,
  portal,
  faults,
}) => {
  test.slow();
  expect(new Set(payloads).size).toBe(40);
  const seen = watchForScript(page, portal);
  const tenant = await signInAsTenant(page, portal);
  expect(await storeAsTenant(page, tenant)).toBeGreaterThan(100);
  await storeAsStaff(portal);

  const dialog = page.getByRole('dialog');
  /** Opens the dialog of the first such button, until it shows what it has loaded. */
  async function lookInto(button: RegExp, text: string) {
    await page.getByRole('button', { name: button }).first().click();
    await expect(dialog).toContainText(text);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 3, name: /^A101/ })).toContainText(payloads[0]!);
  for (const summary of await page.locator('summary').all()) await summary.click();
  await openDetails(page);
  await lookInto(/^View Charges/, payloads[39]!);
  await lookInto(/private insurance for A101/, payloads[39]!);
  await lookInto(/unit contents for A101/, 'License Plate');
  await lookInto(/^Request 24-hour access/, 'Reason');
  await lookInto(/^Resend documents/, 'dana@example.com');
  await lookInto(/^Add driver's license/, "Driver's License State");
  await page.goto('/billing-info');
  for (const summary of await page.locator('summary').all()) await summary.click();
  await lookInto(/^Setup autopay for A101/, payloads[39]!);
  await lookInto(/^Update autopay for B207/, payloads[39]!);
  await lookInto(/^Switch off autopay/, 'stays saved');
  await page.goto('/payment-history');
  await expect(page.getByRole('table')).toContainText(payloads[0]!);
  await page.goto('/profile');
  await expect(page.getByRole('main')).toContainText(payloads[0]!);
  await lookInto(/^Update contact information/, 'Street 1');
  await openCard(page, 'Alternate Contact Information');
  await lookInto(/alternate contact/, 'First Name');
  for (const path of tenantPaths) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
  }
  await page.goto('/mailbox');
  await page.getByRole('radio', { name: 'Text', exact: true }).first().check();
  await expect(page.locator('pre').first()).toBeVisible();
  await expect(page.getByText(payloads[0]!).first()).toBeAttached();
  await page.goto(
    `/nothing-${encodeURIComponent(payloads[0]!)}?x=${encodeURIComponent(payloads[8]!)}#${payloads[1]!}`,
  );
  await expect(page.getByText('404')).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await page.getByLabel('What state is your facility located?').selectOption('TX');
  await expect(page.getByLabel('Select your location')).toContainText(payloads[0]!);

  expect(seen).toEqual({ alerts: [], strangers: [] });
  await settleFaults(page.context());
  expect(faults).toEqual({ refused: [], thrown: [] });
});
