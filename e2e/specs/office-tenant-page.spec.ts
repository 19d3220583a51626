import { formatDate } from '@gatehouse/contract/dates';
import { TEST_DAY } from '../../server/test/test-day.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../support/axe.ts';
import { openTenantOf, press, rental, signInStaff, WITHOUT_MOTION } from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({ viewport: { width: 1280, height: 900 }, contextOptions: WITHOUT_MOTION });

test('a tenant’s page has three verbs in sight, the others in menus by what they are about', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'manager');
  await openTenantOf(page, portal, 'A101');
  const verbs = page.getByRole('group', { name: 'What can be done' });
  await expect(verbs.getByRole('button')).toHaveText([
    ...['Take a payment', 'Add a charge', 'Add a note'],
    ...['Rental', 'Money', 'Person'],
  ]);
  const card = rental(page, 'A101');
  await expect(card.getByRole('button', { name: /^(Rental|Money|Access)$/ })).toHaveCount(3);
  // Nothing that takes something away has a button of its own.
  await expect(card.getByRole('button', { name: /Move out|Overlock|Write off/ })).toHaveCount(0);

  const access = card.getByRole('button', { name: 'Access' });
  await access.press('Enter');
  const items = page.getByRole('menu', { name: 'Access' }).getByRole('menuitem');
  await expect(items).toHaveText(['Change the gate code', 'Authorize a person', 'Overlock']);
  await expect(items.first()).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(access).toBeFocused();
  await access.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Overlock' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(access).toBeFocused();
});

test('a note is added from the tenant’s page, and listed with who wrote it', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'clerk');
  await openTenantOf(page, portal, 'A101');
  await press(page, 'Add a note');
  const dialog = page.getByRole('dialog', { name: 'Add a note' });
  await expect(dialog.getByLabel('Note')).toBeFocused();
  await page.keyboard.type('Promised to pay Friday.');
  await dialog.getByRole('button', { name: 'Add a note' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('tab', { name: 'Notes (1)' }).click();
  const note = page.getByRole('article').filter({ hasText: 'Promised to pay Friday.' });
  // The day as the portal writes it, with its whole year.
  await expect(note).toContainText(`Ana Flores, ${formatDate(TEST_DAY)}, `);
});

test('a tenant who owes nothing is found without a red sum, and a dialog has its day and marks what it demands', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'manager');
  await openTenantOf(page, portal, 'B115');
  await page.keyboard.press('/');
  await page.keyboard.type('B115');
  const found = page.getByRole('option', { name: /B115/ });
  const colors = await Promise.all(
    [/^\$0\.00$/, /^Pat /].map((text) =>
      found.getByText(text).evaluate((element) => getComputedStyle(element).color),
    ),
  );
  expect(colors[0]).toBe(colors[1]);
  await page.keyboard.press('Escape');

  await press(rental(page, 'B115'), 'Move out');
  const dialog = page.getByRole('dialog', { name: 'Move out' });
  await expect(dialog.getByLabel('First day that is not rented')).toHaveValue(TEST_DAY);
  await expect(dialog.getByLabel('Reason *')).toBeVisible();
});

test('nothing of a tenant’s page is cut off on a tablet or a desktop', async ({ page, portal }) => {
  await signInStaff(page, portal, 'manager');
  await openTenantOf(page, portal, 'A101');
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 1024 });
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await expect(page.getByRole('progressbar')).toHaveCount(0);
      await expect(tab).toBeInViewport({ ratio: 1 });
      await expectNoSidewaysScroll(page);
    }
  }
});
