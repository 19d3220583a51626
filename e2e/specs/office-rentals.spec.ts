import { addDays, formatDate } from '@gatehouse/contract/dates';
import { TEST_DAY } from '../../server/test/test-day.ts';
import { expectAccessible } from '../support/axe.ts';
import {
  WITHOUT_MOTION,
  balances,
  because,
  chooseUnit,
  expectSoundBooks,
  openOffice,
  openTenantOf,
  perform,
  press,
  rental,
  savePaper,
  signInStaff,
} from '../support/office.ts';
import { mailsTo } from '../support/mailbox.ts';
import { expect, test } from '../support/portal.ts';

test.use({
  viewport: { width: 1024, height: 768 },
  contextOptions: WITHOUT_MOTION,
});

// spec 10.36
test('a rental from its quote to its final statement', async ({ page, portal }) => {
  const today = TEST_DAY;
  await portal.sql(
    `INSERT INTO units (facility_id, name, width_feet, length_feet, type_name)
     SELECT id, 'Z001', 10, 20, 'Boat' FROM facilities WHERE location_code = 'TXDFW03'`,
  );
  await signInStaff(page, portal, 'manager');
  await openTenantOf(page, portal, 'E022');

  await test.step('the quote is printed, mailed, and taken by the move-in', async () => {
    const quote = async () => {
      await press(page, 'Quote');
      const dialog = page.getByRole('dialog', { name: 'Quote' });
      await dialog.getByLabel('From').fill(today);
      await chooseUnit(dialog, 'C009');
      await dialog.getByRole('combobox', { name: 'Discount' }).click();
      await page.getByRole('option', { name: /^Military 10%/ }).click();
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await expect(dialog.getByRole('table', { name: 'First bill' })).toContainText('-$15.50');
      await expect(dialog).toContainText('First bill: $151.01');
      return dialog;
    };
    const first = await quote();
    await page.evaluate(() => {
      const { dataset } = document.documentElement;
      addEventListener('afterprint', () => (dataset['printed'] = 'yes'));
    });
    await first.getByRole('button', { name: 'Print' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes');
    await page.emulateMedia({ media: 'print' });
    await expect(first.getByRole('table', { name: 'First bill' })).toBeVisible();
    await expect(first.getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('menuitem', { name: 'Tenants' })).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
    await first.getByRole('button', { name: 'Mail the quote' }).click();
    await expect(first).toContainText('It is mailed to lee@example.com.');
    await first.getByRole('button', { name: 'Close' }).click();
    const [mail] = await mailsTo(page, portal, 'lee@example.com');
    expect(mail!.subject).toBe(`Quote for unit C009 from ${formatDate(today)}: $151.01`);

    const second = await quote();
    await second.getByRole('button', { name: 'Move in' }).click();
    const moveIn = page.getByRole('dialog', { name: 'Move in' });
    await expect(moveIn).toContainText('As quoted: $151.01 in all.');
    await moveIn.getByRole('button', { name: 'Preview' }).click();
    await moveIn.getByRole('button', { name: 'Move in' }).click();
    await expect(moveIn.getByText('Done.', { exact: true })).toBeVisible();
    await moveIn.getByRole('button', { name: 'Close' }).click();
    await expect(rental(page, 'C009')).toContainText('$151.01');
    expect(await balances(portal, 'C009')).toEqual([0, 15_101]);
  });

  const c009 = rental(page, 'C009');
  await test.step('it is locked and released, and gets another code', async () => {
    await perform(c009, 'Overlock', (dialog) => because(dialog), {
      says: 'The unit will be locked.',
    });
    await expect(c009).toContainText('Locked by hand');
    await perform(c009, 'Release the lock', (dialog) => because(dialog));
    await expect(c009).not.toContainText('Locked by hand');
    await perform(c009, 'Change the gate code', (dialog) => because(dialog));
  });

  await test.step('its rent is no longer taxed from a later day on', async () => {
    const later = addDays(today, 10);
    await perform(
      c009,
      'Change the tax',
      async (dialog) => {
        await dialog.getByLabel('Not charged').check();
        await dialog.getByLabel(/^From/).fill(later);
        await because(dialog, 'Tax exempt');
      },
      {
        says: new RegExp(
          `Without the facility’s taxes on rent from ${formatDate(later)} on\\..*First bill: \\$139\\.50 on .*, instead of \\$151\\.01\\.`,
        ),
      },
    );
    expect(await balances(portal, 'C009')).toEqual([0, 15_101]);
  });

  await test.step('it is held, and the hold is ended', async () => {
    await perform(
      c009,
      'Hold',
      async (dialog) => {
        await dialog.getByLabel(/^Until/).fill(addDays(today, 7));
        await because(dialog, 'Pays on payday');
      },
      { says: `on hold until ${formatDate(addDays(today, 7))}` },
    );
    await expect(c009).toContainText('On hold by Marcus Webb: Pays on payday');
    await perform(c009, 'End the hold', (dialog) => because(dialog));
    await expect(c009).not.toContainText('On hold');
  });

  await test.step('a transfer and a move-out of a later day are planned and cancelled', async () => {
    const later = addDays(today, 10);
    await perform(c009, 'Transfer', async (dialog) => {
      await dialog.getByLabel(/^On/).fill(later);
      await chooseUnit(dialog, 'Z001', 'To unit');
      await because(dialog);
    });
    await expect(c009).toContainText(`Moves to Z001 ${formatDate(later)}`);
    await perform(c009, 'Cancel the transfer', (dialog) => because(dialog));
    await expect(c009).not.toContainText('Moves to');
    await perform(c009, 'Move out', async (dialog) => {
      await dialog.getByLabel('First day that is not rented').fill(later);
      await because(dialog);
    });
    await expect(c009).toContainText(`Ends ${formatDate(later)}`);
    await perform(c009, 'Cancel the move-out', (dialog) => because(dialog));
    await expect(c009).not.toContainText('Ends');
  });

  await test.step('it changes units at once', async () => {
    await perform(
      c009,
      'Transfer',
      async (dialog) => {
        await dialog.getByLabel(/^On/).fill(today);
        await chooseUnit(dialog, 'Z001', 'To unit');
        await because(dialog);
      },
      { says: /From C009 to Z001.*The rent stays \$155\.00 a month\. Nothing is charged/ },
    );
    await expect(rental(page, 'Z001')).toContainText('$151.01');
    const [unit] = await portal.sql("SELECT id FROM units WHERE name = 'C009'");
    await openOffice(page, `/units/${String(unit!.id)}/show`);
    const had = page.getByRole('row', { name: /Lee/ });
    await expect(had).toContainText(`${formatDate(today)}${formatDate(today)}`);
    await had.getByRole('link', { name: 'Z001' }).click();
    await expect(page.getByRole('row', { name: /Moved from C009/ })).toBeVisible();
    await openTenantOf(page, portal, 'Z001');
  });

  await test.step('it ends today with a final statement', async () => {
    await perform(
      rental(page, 'Z001'),
      'Move out',
      async (dialog) => {
        await dialog.getByLabel('First day that is not rented').fill(today);
        await because(dialog);
      },
      { says: 'Settled at once.' },
    );
    expect(await balances(portal, 'Z001')).toEqual([0]);
    const [mail] = await mailsTo(page, portal, 'lee@example.com');
    expect(mail!.subject).toMatch(/final statement/i);
    expect(await savePaper(rental(page, 'Z001'), 'Final statement')).toBe(
      'final-statement-Z001.pdf',
    );
  });

  await test.step('once it has ended it offers what can still be done', async () => {
    const ended = rental(page, 'Z001');
    await expect(ended).toContainText(`Ended ${formatDate(today)}`);
    await expect(ended.getByRole('button')).toHaveText(['Money', 'Final statement']);
    await ended.getByRole('button', { name: 'Money' }).click();
    await expect(page.getByRole('menuitem').filter({ visible: true })).toHaveText(['Add a credit']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Take a payment' }).click();
    const payment = page.getByRole('dialog', { name: 'Take a payment' });
    await expect(payment.getByLabel(/^E022/)).toBeVisible();
    await expect(payment.getByLabel(/^Z001/)).toHaveCount(0);
    await payment.getByRole('button', { name: 'Cancel' }).click();
  });
  await expectSoundBooks(portal);
});

// spec 10.35
test('a guest without a record is quoted, becomes a tenant and moves in as quoted', async ({
  page,
  portal,
}) => {
  const today = TEST_DAY;
  await signInStaff(page, portal, 'clerk');
  await openOffice(page, '/units');
  await page.getByRole('button', { name: 'Quote' }).click();
  const dialog = page.getByRole('dialog', { name: 'Quote' });
  await dialog.getByLabel('From').fill(today);
  await expectAccessible(page);
  const unit = dialog.getByRole('combobox', { name: 'Unit' });
  await unit.fill('A101');
  await expect(page.getByRole('option', { name: /A101/ })).toHaveCount(0);
  // Found by what it is: name, size, type and rent.
  await unit.fill('c009');
  await page.getByRole('option', { name: /^C009, \d+ x \d+, .*\$155\.00 a month$/ }).click();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog).toContainText('First bill: $167.79');
  await expect(dialog.getByRole('button', { name: 'Mail the quote' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.getByLabel('First name').fill('Robin');
  await dialog.getByLabel('Email').fill('robin@example.com');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('button', { name: 'Mail the quote' }).click();
  await expect(dialog).toContainText('It is mailed to robin@example.com.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  const [mail] = await mailsTo(page, portal, 'robin@example.com');
  expect(mail!.subject).toBe(`Quote for unit C009 from ${formatDate(today)}: $167.79`);

  await page.getByRole('button', { name: 'Quote' }).click();
  await dialog.getByLabel('From').fill(today);
  await chooseUnit(dialog, 'C009');
  await dialog.getByLabel('First name').fill('Robin');
  await dialog.getByLabel('Email').fill('robin@example.com');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('button', { name: 'Add tenant' }).click();
  const tenant = page.getByRole('dialog', { name: 'Add tenant' });
  await expect(tenant.getByLabel('First name')).toHaveValue('Robin');
  await expect(tenant.getByLabel('Email')).toHaveValue('robin@example.com');
  await tenant.getByLabel('Last name').fill('Quill');
  await tenant.getByLabel('Phone').fill('8175550166');
  await tenant.getByLabel('Street 1').fill('1 Dock Road');
  await tenant.getByLabel('City').fill('Azle');
  await tenant.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Texas' }).click();
  await tenant.getByLabel('Postal code').fill('76020');
  await tenant.getByRole('button', { name: 'Preview' }).click();
  await tenant.getByRole('button', { name: 'Add tenant' }).click();
  await tenant.getByRole('button', { name: 'Move in as quoted' }).click();
  const moveIn = page.getByRole('dialog', { name: 'Move in' });
  await expect(moveIn).toContainText('As quoted: $167.79 in all.');
  await moveIn.getByRole('button', { name: 'Preview' }).click();
  await moveIn.getByRole('button', { name: 'Move in' }).click();
  await expect(moveIn.getByText('Done.', { exact: true })).toBeVisible();
  await moveIn.getByRole('button', { name: 'Close' }).click();
  await expect(rental(page, 'C009')).toContainText('$155.00');
  await page.reload();
  await expect(rental(page, 'C009')).toContainText('$155.00');
  await expect(moveIn).toHaveCount(0);
  await expectSoundBooks(portal);
});
