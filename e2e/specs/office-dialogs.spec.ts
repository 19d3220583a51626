import { expect, test } from '../support/portal.ts';
import { because, openTenantOf, signInStaff, WITHOUT_MOTION } from '../support/office.ts';

test.use({ viewport: { width: 1280, height: 900 }, contextOptions: WITHOUT_MOTION });

// spec 10.83
test('a dialog of the office asks before what was typed is thrown away, by Escape, a press outside and the way back', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'manager');
  await openTenantOf(page, portal, 'A101');
  const open = page.getByRole('button', { name: 'Add a charge' });
  const dialog = page.getByRole('dialog', { name: 'Add a charge' });
  const asking = page.getByRole('dialog', { name: 'Discard what you entered?' });
  const url = page.url();
  // An entry of this document, as the office's own links make them.
  await page.evaluate(() => history.pushState(history.state, '', location.href));
  await open.click();
  await dialog.getByLabel('Reason').focus();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await open.click();
  await because(dialog, 'Lost key');
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(4, 450),
    () => page.evaluate(() => history.back()),
  ]) {
    await leave();
    await asking.getByRole('button', { name: 'Keep editing' }).click();
    await expect(asking).toHaveCount(0);
    await expect(dialog.getByLabel('Reason')).toHaveValue('Lost key');
    expect(page.url()).toBe(url);
  }
  await page.keyboard.press('Escape');
  await asking.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(asking).toHaveCount(0);
});

// spec 10.83
test('in forced colors a dialog of the office has an edge, and what is selected is marked', async ({
  page,
  portal,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await signInStaff(page, portal, 'manager');
  await openTenantOf(page, portal, 'A101');
  await page.getByRole('button', { name: 'Add a charge' }).click();
  const styleOf = (selector: string, name: 'borderTopWidth' | 'forcedColorAdjust') =>
    page
      .locator(selector)
      .first()
      .evaluate((element, of) => getComputedStyle(element)[of], name);
  expect(await styleOf('.MuiDialog-paper', 'borderTopWidth')).toBe('2px');
  expect(await styleOf('.MuiTab-root.Mui-selected', 'forcedColorAdjust')).toBe('none');
});
