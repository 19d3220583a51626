import { expectAccessible } from '../support/axe.ts';
import { rental, signInStaff } from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({ viewport: { width: 390, height: 844 } });

const screens = [
  ['', 'Today'],
  ['/units', 'Units'],
  ['/late', 'Late'],
  ['/requests', 'Requests'],
  ['/insurance', 'Insurance'],
  ['/papers', 'Papers that expire'],
  ['/deposits', 'Deposits'],
  ['/alarms', 'Alarms'],
  ['/differences', 'Differences'],
  ['/rates', 'Rates'],
  ['/reports', 'Reports'],
  ['/journal', 'Journal'],
  ['/settings', 'Settings'],
  ['/staff', 'Staff'],
  ['/go-live', 'Go live'],
  ['/audit', 'Audit'],
  ['/account', 'Your account'],
] as const;

test('on a phone every screen of the office fits, axe finds nothing, and the verbs have their words', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'owner');
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  for (const [path, title] of screens) {
    await page.goto(`/office${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await expectAccessible(page);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      path,
    ).toBeLessThanOrEqual(0);
  }
  await page.goto('/office/tenants');
  await page.getByRole('row', { name: /A101/ }).click();
  await expect(page.getByRole('button', { name: 'Take a payment' })).toHaveText('Take a payment');
  for (const menu of ['Rental', 'Money', 'Access'])
    await expect(rental(page, 'A101').getByRole('button', { name: menu })).toHaveText(menu);
});
