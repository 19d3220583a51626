import { readFile } from 'node:fs/promises';
import { expectAccessible } from '../support/axe.ts';
import { openOffice, signInStaff, WITHOUT_MOTION } from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({ viewport: { width: 1280, height: 800 }, contextOptions: WITHOUT_MOTION });

const sheet = [
  'Unit #,Type,Size,Tenant,Move In,Paid Thru,Monthly Rate,Balance Due,Email,Cell,Liked',
  'N901,RV,12x40,"Novak, Iva",1/15/24,11/30/26,$200.00,0,iva.novak@example.com,555-0142,boats',
  'N902,RV,12x40,"Novak, Jan",2/15/24,11/30/26,$210.00,$50.00,jan.novak@example.com,,',
  'N903,RV,12x40,"Kim, Sun",3/15/24,11/30/26,$220.00,0,,,',
  'Total,,,,,,$630.00,$50.00,,,',
].join('\n');

test('an owner maps the columns of a file, remedies its faults by kind, sees what the import does, and imports', async ({
  page,
  portal,
}) => {
  const picture = async (name: string) => {
    if (!process.env.PICTURES) return;
    for (const width of [768, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.screenshot({
          path: `${process.env.PICTURES}/import-${name}-${width}-${colorScheme}.png`,
          fullPage: true,
        });
      }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
  };
  await signInStaff(page, portal, 'owner');
  await openOffice(page, '/import');
  await expectAccessible(page);
  const file = { name: 'rent-roll.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) };
  await page.getByLabel('Files', { exact: true }).setInputFiles(file);
  // Everything after the choice of the file is done with the keyboard.
  const press = async (button: string) => {
    await page.getByRole('button', { name: button }).focus();
    await page.keyboard.press('Enter');
  };
  await press('Read the files');
  const columns = page.getByRole('region', { name: 'Columns of rent-roll.csv' });
  await expect(columns).toContainText('rent-roll.csv: 4 rows');
  const liked = page.getByLabel('What Liked is');
  await expect(liked).toHaveValue('');
  await expect(liked.locator('option:checked')).toHaveText('Not understood');
  const faults = page.getByRole('region', { name: 'Faults' });
  await expect(faults).toContainText('3 × Move In: a day with a year of two digits');
  await expect(faults).toContainText('rent-roll.csv, row 2 · Novak, Iva · N901');
  await expectAccessible(page);
  await picture('faults');
  const download = page.waitForEvent('download');
  await press('Save the rows with faults');
  const saved = await readFile(await (await download).path(), 'utf8');
  expect(saved).toContain('Why');
  await page
    .getByRole('button', { name: /month\/day\/20YY/ })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  await expect(faults).not.toContainText('two digits');
  await page.getByLabel(/area code before them/).fill('817');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(faults).toHaveCount(0);
  await expect(liked.locator('option:checked')).toHaveText('Not understood');
  const effects = page.getByRole('region', { name: 'What it does' });
  await expect(effects).toContainText('A row of totals was left out: rent-roll.csv, row 5.');
  await expect(effects).toContainText('Without an email, and so without a sign-in and mails (1)');
  await expectAccessible(page);
  await picture('ready');
  await press('Import 3 leases');
  await expect(page.getByRole('status').first()).toContainText('3 leases are imported at');
  const runs = page.getByRole('region', { name: 'Imports so far' });
  await expect(runs).toContainText('done. 3 leases are imported at');
  await expectAccessible(page);
  await picture('done');
  await page.getByRole('button', { name: 'Invite tenants' }).click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog).toContainText(/will be invited by mail: .*Iva Novak, Jan Novak/);
  await expect(dialog).toContainText('The mail “Your account at');
  await picture('invite');
  await dialog.getByRole('button', { name: 'Invite tenants' }).click();
  await expect(dialog).toContainText(/\d invited by mail/);
  await openOffice(page, '/units?filter=%7B%22q%22%3A%22N902%22%7D');
  await expect(page.getByText('N902').first()).toBeVisible();
});
