import { readFile } from 'node:fs/promises';
import { expectAccessible } from '../support/axe.ts';
import { openOffice, signInStaff, WITHOUT_MOTION } from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({ viewport: { width: 1280, height: 800 }, contextOptions: WITHOUT_MOTION });

test('a manager saves the journal of a month, closes it, and saves a report as a PDF', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'manager');
  await openOffice(page, '/journal');
  await expect(page.getByRole('row', { name: /Tenant receivables/ }).first()).toBeVisible();
  await expectAccessible(page);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/journal.png` });
  const saved = async (button: string) => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    return readFile(await (await download).path());
  };
  expect((await saved('Export CSV')).toString()).toContain('"Day","Facility","Number","Account"');
  expect((await saved('Export IIF')).toString()).toContain('TRNS\tGENERAL JOURNAL');

  await page.getByRole('button', { name: 'Close TXDFW03', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog).toContainText('in debit and in credit');
  await dialog.getByRole('button', { name: 'Close TXDFW03' }).click();
  await expect(dialog).toContainText('is closed through');
  await page.keyboard.press('Escape');
  const closings = page.getByRole('region', { name: 'Closed months' });
  await expect(closings).toContainText(/TXDFW03: closed through/);
  await expect(page.getByRole('button', { name: 'Close TXDFW03', exact: true })).toHaveCount(0);

  await openOffice(page, '/reports');
  await page.getByRole('tab', { name: 'Tax due' }).click();
  await expect(page.getByRole('row', { name: /In all/ })).toBeVisible();
  await expectAccessible(page);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/tax.png` });
  expect((await saved('Save PDF')).subarray(0, 5).toString()).toBe('%PDF-');
});
