import { readFile } from 'node:fs/promises';
import { expectAccessible, expectNoSidewaysScroll } from '../support/axe.ts';
import { openTenantOf, signInStaff, WITHOUT_MOTION } from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({ viewport: { width: 768, height: 1024 }, contextOptions: WITHOUT_MOTION });

test('a clerk issues a statement of days by keyboard, and saves it', async ({ page, portal }) => {
  await signInStaff(page, portal, 'clerk');
  await openTenantOf(page, portal, 'A101');
  await page.getByRole('button', { name: 'Money', exact: true }).first().press('Enter');
  await page.getByRole('menuitem', { name: 'Statement', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('From')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter');
  await expect(dialog).toContainText('owed before');
  await dialog.getByRole('button', { name: 'Issue the statement' }).press('Enter');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save the PDF' }).press('Enter');
  const file = await readFile(await (await download).path());
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});
