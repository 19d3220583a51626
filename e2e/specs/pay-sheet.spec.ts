import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, expectTouchable } from '../support/axe.ts';
import { enlargeText, expectNothingOverlaps } from '../support/overlap.ts';
import { expect, signIn, test, type Portal } from '../support/portal.ts';
import { rentUnits, withoutAutopay } from '../support/rentals.ts';
import { bodiesOf, hold } from '../support/requests.ts';
import { chooseNewMethod, fillCard, openMyUnits, rentalCard, row } from '../support/tenant.ts';

test.beforeEach(async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
});

const sheetOf = (page: Page) => page.getByRole('dialog');
const payOn = (page: Page) =>
  page.getByRole('link', { name: 'Pay $214.50 for A101 and open the gate' });
const passOf = (page: Page) =>
  page.getByRole('region', { name: 'Gate pass' }).locator('li', { hasText: 'A101' });

async function openSheet(page: Page): Promise<Locator> {
  await payOn(page).click();
  await expect(sheetOf(page).getByRole('button', { name: 'Pay $214.50' })).toBeVisible();
  return sheetOf(page);
}

/** What was taken from a tenant here, in cents. */
async function taken(portal: Portal): Promise<number[]> {
  const rows = await portal.sql(
    "SELECT amount_cents::int AS cents FROM payment_intents WHERE user_id IS NOT NULL AND state = 'succeeded'",
  );
  return rows.map(({ cents }) => cents as number);
}

/** Expects a field in sight, and not under the pinned bar of the button. */
async function expectClear(field: Locator, button: Locator): Promise<void> {
  await expect(field).toBeInViewport({ ratio: 1 });
  const [box, bar] = [await field.boundingBox(), await button.boundingBox()];
  expect(box!.y + box!.height).toBeLessThanOrEqual(bar!.y);
}

/** Expects the first unit whole below the header of the sheet. */
async function expectWhole(sheet: Locator): Promise<void> {
  const unit = sheet.getByRole('listitem').first();
  const title = sheet.getByRole('heading', { name: 'Pay' }).locator('..');
  await expect
    .poll(async () => {
      const [row, header] = [await unit.boundingBox(), await title.boundingBox()];
      return row!.y >= header!.y + header!.height;
    })
    .toBe(true);
}

/** Counts presses, none of which scrolls the page or what it presses first. */
function counter(page: Page) {
  let presses = 0;
  return {
    press: async (target: Locator) => {
      presses += 1;
      await expect(target).toBeInViewport({ ratio: 1 });
      await target.click();
    },
    count: () => presses,
    scrolled: () => page.evaluate(() => scrollY),
  };
}

// spec 4.28, 4.39, 10.90, 10.91, 10.93
test(
  'pay with a saved card and see the code: 2 presses, 0 scrolls, and the pass itself opens',
  { tag: ['@smoke', '@wide'] },
  async ({ page, portal }) => {
    const autopays = bodiesOf(page, '/autopay-update');
    const { press, count, scrolled } = counter(page);
    await expect(passOf(page)).toContainText('Locked out');
    await press(page.getByRole('link', { name: 'Pay all' }));
    const sheet = sheetOf(page);
    await expect(sheet).toHaveAccessibleName('Pay');
    await expect(sheet.getByRole('listitem').first()).toHaveText(
      /^A101Rent .*Late fee\$214\.50This payment opens the gate\.$/,
    );
    await expect(sheet).toContainText('Visa ending in 4242');
    await expect(sheet.getByRole('checkbox')).not.toBeChecked();
    await expect(sheet.getByText(/I authorize|you agree/)).toHaveCount(0);
    await press(sheet.getByRole('button', { name: 'Pay $664.50' }));
    await expect(sheet).toHaveCount(0);
    const code = passOf(page).getByText(/^\d{4}#$/);
    await expect(code).toBeInViewport();
    await expect(passOf(page)).toContainText('Balance $0.00');
    await expect(passOf(page)).not.toContainText('Locked out');
    const said = page.getByRole('status').filter({ hasText: 'Your payment has been applied' });
    await expect(said.locator('..')).toBeFocused();
    await expect(said).toContainText('$664.50');
    await expect(
      page.getByRole('button', { name: /^Receipt \S+ as PDF/ }).first(),
    ).toBeInViewport();
    expect(count()).toBe(2);
    expect(await scrolled()).toBe(0);
    await expect(page).toHaveURL(/\/$/);
    await expect(row(rentalCard(page, 'A101'), 'Current Balance (Required)')).toContainText(
      '$0.00',
    );
    expect(autopays).toEqual([]);
    expect(await taken(portal)).toEqual([66_450]);
  },
);

// spec 10.93
test('the opened gate is announced once, and turns in 400 ms or not at all', async ({ page }) => {
  await openSheet(page);
  await sheetOf(page).getByRole('button', { name: 'Pay $214.50' }).click();
  const said = page.getByRole('status').filter({ hasText: 'The gate is open.' });
  await expect(said).toHaveCount(1);
  await expect(said).toHaveText(/^The gate is open\. Gate code of A101: \d{4}#$/);
  const code = passOf(page).getByText(/^\d{4}#$/);
  await expect(code).toHaveCSS('animation-duration', '0.4s');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(code).toHaveCSS('animation-duration', '0.001s');
  await expect(code).toHaveCSS('animation-delay', '0s');
  await expect(code).toHaveCSS('opacity', '1');
});

// spec 8.4, 10.92
test(
  'a declined card to paid with another: 2 presses, 0 scrolls, and what was typed stays',
  { tag: '@wide' },
  async ({ page, portal }) => {
    const sheet = await openSheet(page);
    await chooseNewMethod(sheet);
    await fillCard(sheet, '4000000000000002');
    const pay = sheet.getByRole('button', { name: 'Pay $214.50' });
    await pay.click();
    const alert = sheet.getByRole('alert');
    await expect(alert).toContainText(
      /^Visa ending in 0002 was declined\. ?Your bank declined this card\. Nothing was charged\./,
    );
    await expect(alert.locator('..')).toBeFocused();
    await expect(alert).toBeInViewport({ ratio: 1 });
    expect(await taken(portal)).toEqual([]);
    const another = alert.getByRole('button', { name: 'Use another card' });
    await expect(sheet.getByLabel('Card Number')).toHaveCount(0);
    await expect(sheet.getByRole('button', { name: 'Change the payment method' })).toHaveCount(0);
    // One way on, which charges nothing.
    await expect(pay).toHaveCount(0);
    await expect(sheet.getByRole('button')).toHaveText(['', 'Use another card']);
    const { press, count } = counter(page);
    await press(another);
    await expect(another).toHaveCount(0);
    await expect(sheet.getByRole('radio', { name: /Visa ending in 4242/ })).toBeFocused();
    await sheet.getByRole('radio', { name: 'New payment method' }).check();
    await expect(sheet.getByLabel('Card Number')).toHaveValue('4000 0000 0000 0002');
    await expect(sheet.getByLabel('Name on Card')).toHaveValue('Dana Reyes');
    await sheet.getByRole('radio', { name: /Visa ending in 4242/ }).check();
    await press(pay);
    await expect(passOf(page).getByText(/^\d{4}#$/)).toBeInViewport();
    expect(count()).toBe(2);
    expect(await taken(portal)).toEqual([21_450]);
  },
);

test('a new card that is declined where there is no other makes room for its number', async ({
  page,
  portal,
}) => {
  await portal.sql("UPDATE payment_methods SET expires_on = '2020-04' WHERE last_four = '4242'");
  await page.reload();
  const sheet = await openSheet(page);
  await fillCard(sheet, '4000000000000002');
  await sheet.getByRole('button', { name: 'Pay $214.50' }).click();
  await sheet.getByRole('button', { name: 'Use another card' }).click();
  await expect(sheet.getByLabel('Card Number')).toBeFocused();
  await expect(sheet.getByLabel('Card Number')).toHaveValue('');
  await expect(sheet.getByLabel('Name on Card')).toHaveValue('Dana Reyes');
});

test('after a decline the focus stays on what is changed next', async ({ page }) => {
  const sheet = await openSheet(page);
  await chooseNewMethod(sheet);
  await fillCard(sheet, '4000000000000002');
  await sheet.getByRole('button', { name: 'Pay $214.50' }).click();
  await sheet.getByRole('button', { name: 'Use another card' }).click();
  const autopay = sheet.getByRole('checkbox', { name: 'Set up autopay for this unit' });
  await autopay.press('Space');
  await expect(sheet.getByRole('region', { name: 'Autopay authorization' })).toBeVisible();
  await expect(autopay).toBeFocused();
});

test('a saved card that is declined makes room for a new one, with the focus on its number', async ({
  page,
}) => {
  await page.route('**/payments', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 402,
          json: { message: 'Your card has insufficient funds. Please use another card.' },
        })
      : route.continue(),
  );
  const sheet = await openSheet(page);
  await sheet.getByRole('button', { name: 'Pay $214.50' }).click();
  await expect(sheet.getByRole('alert')).toContainText(
    /^Visa ending in 4242 was declined\. ?Your card has insufficient funds\. Nothing was charged\.Use another card$/,
  );
  await sheet.getByRole('button', { name: 'Use another card' }).click();
  await expect(sheet.getByLabel('Card Number')).toBeFocused();
  await expectClear(
    sheet.getByLabel('Card Number'),
    sheet.getByRole('button', { name: 'Pay $214.50' }),
  );
  await expect(sheet.getByRole('radio', { name: 'New payment method' })).toBeChecked();
  await expect(sheet.getByRole('button', { name: 'Change the payment method' })).toHaveCount(0);
});

// spec 4.26, 4.27, 4.29, 10.91
test(
  '“Pay all” with autopay ticked: what is agreed to in three lines, the whole behind a link, and both are done',
  { tag: '@wide' },
  async ({ page, portal }) => {
    const payments = bodiesOf(page, '/payments');
    await page.getByRole('link', { name: 'Pay all' }).click();
    const sheet = sheetOf(page);
    await expect(sheet.getByRole('button', { name: 'Pay $664.50' })).toBeVisible();
    await expectAccessible(page);
    await expectTouchable(page);
    await expectNoSidewaysScroll(page);
    await sheet.getByRole('checkbox', { name: 'Set up autopay for these units' }).check();
    const agreed = sheet.getByRole('region', { name: 'Autopay authorization' });
    await expect(agreed.getByRole('listitem')).toHaveText([
      'Today$664.50',
      /^\d+\/\d+\/\d{4}C014\$430\.00(with \$5\.00 card fee)?$/,
      /^\d+\/\d+\/\d{4}A101\$204\.50with \$5\.00 card fee$/,
    ]);
    await expect(agreed).toContainText('what is owed on A101 and C014 that day');
    await expectClear(sheet.getByText('Total$664.50'), sheet.locator('button[type=submit]'));
    await expect(
      sheet
        .getByRole('status')
        .filter({ hasText: 'With “Pay $664.50 and set up autopay” you agree' }),
    ).toBeVisible();
    await expect(agreed.getByText(/^I authorize/)).toBeHidden();
    await sheet.getByRole('button', { name: 'Read the authorization' }).click();
    await expect(agreed.getByText(/^I authorize .* for unit A101, C014/)).toBeVisible();
    await expectAccessible(page);
    await sheet.getByRole('button', { name: 'Pay $664.50 and set up autopay' }).click();
    await expect(sheet).toHaveCount(0);
    await expect(
      page.getByText('The autopay payment method has been updated successfully'),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: /^Receipt \S+ as PDF/ })).toHaveCount(2);
    const passes = page.getByRole('region', { name: 'Gate pass' }).getByText(/^\d{4}#$/);
    await expect(passes).toHaveCount(3);
    await expectAccessible(page);
    expect(payments).toHaveLength(1);
    expect(await withoutAutopay(portal, 'A101', 'B207', 'C014')).toEqual([]);
  },
);

test('the busy mark is on the button that was pressed, and nothing is sent twice', async ({
  page,
  portal,
}) => {
  const release = await hold(page, '**/payments');
  const sheet = await openSheet(page);
  const pay = sheet.getByRole('button', { name: 'Pay $214.50' });
  const before = await pay.boundingBox();
  await pay.dblclick();
  await expect(sheet.locator('[aria-busy]')).toHaveCount(1);
  await expect(pay).toHaveAttribute('aria-busy', 'true');
  await expect(sheet.getByText('Sending your payment')).toBeVisible();
  await expect(sheet.getByRole('checkbox')).toHaveCount(0);
  expect(await pay.boundingBox()).toEqual(before);
  await expect(sheet.getByRole('button', { name: 'Change the payment method' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeVisible();
  release();
  await expect(sheet).toHaveCount(0);
  expect(await taken(portal)).toEqual([21_450]);
});

test('what another tab has paid is not paid again, and says so', async ({
  page,
  portal,
  context,
}) => {
  const sheet = await openSheet(page);
  const other = await context.newPage();
  await openMyUnits(other);
  await (await openSheet(other)).getByRole('button', { name: 'Pay $214.50' }).click();
  await expect(passOf(other).getByText(/^\d{4}#$/)).toBeVisible();
  await expect(other.getByRole('link', { name: 'Pay $450.00', exact: true })).toBeVisible();
  await sheet.getByRole('button', { name: 'Pay $214.50' }).click();
  await expect(sheet.getByRole('alert').locator('..')).toBeFocused();
  await sheet.getByRole('button', { name: 'Close' }).last().click();
  await expect(passOf(page).getByText(/^\d{4}#$/)).toBeVisible();
  expect(await taken(portal)).toEqual([21_450]);
});

test('a part of what is due that opens no gate leaves the pass locked, with what is left', async ({
  page,
  portal,
}) => {
  await portal.sql('UPDATE facilities SET part_payments = true');
  await page.reload();
  const sheet = await openSheet(page);
  await sheet.getByRole('button', { name: 'Another amount' }).click();
  await sheet.getByLabel('Amount in dollars').fill('100');
  await sheet.getByRole('button', { name: 'Pay $100.00' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(passOf(page)).toContainText('Pay $114.50 to open the gate.');
  await expect(page.getByRole('status').filter({ hasText: 'The gate is open.' })).toHaveCount(0);
});

test('in another amount the unit and its sum stay in sight, and what the amount does is in sight', async ({
  page,
  portal,
}) => {
  await portal.sql('UPDATE facilities SET part_payments = true, pay_ahead = true');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const sheet = await openSheet(page);
  await sheet.getByRole('button', { name: 'Another amount' }).click();
  await sheet.getByLabel('Amount in dollars').fill('205');
  const pay = sheet.getByRole('button', { name: 'Pay $205.00' });
  await expectWhole(sheet);
  await expectClear(sheet.getByText('The gate stays closed: $9.50 is still due.'), pay);
  await expectClear(sheet.getByText('Visa ending in 4242'), pay);
  await sheet.getByRole('radio', { name: 'Months ahead' }).check();
  await sheet.getByLabel('How many months ahead').selectOption('12');
  await expect(sheet.locator('button[type=submit]')).toHaveText(/^Pay \$2,/);
  await expectWhole(sheet);
  const opens = sheet.getByText('This payment opens the gate.');
  await expectClear(opens, sheet.locator('button[type=submit]'));
});

test('thirteen units that owe are one line, and Pay is in sight', async ({ page, portal }) => {
  await rentUnits(portal, 'dana@example.com', 36);
  await openMyUnits(page);
  await page.getByRole('link', { name: 'Pay all' }).click();
  const sheet = sheetOf(page);
  const pay = sheet.locator('button[type=submit]');
  await expect(pay).toBeInViewport({ ratio: 1 });
  const summary = sheet.locator('summary');
  await expect(summary).toHaveText(/^\d\d units$/);
  await expect(sheet.getByText(/^Total\$[\d,]+\.\d\d$/)).toBeInViewport({ ratio: 1 });
  await summary.click();
  await expect(sheet.getByRole('listitem').first()).toBeVisible();
  await expect(pay).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
});

test('with text twice as large at 320 px nothing of the sheet is cut off or under another thing', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await enlargeText(page);
  await page.getByRole('link', { name: 'Pay all' }).click();
  const sheet = sheetOf(page);
  await expect(sheet.locator('button[type=submit]')).toBeVisible();
  await expectNothingOverlaps(sheet);
  await sheet.getByRole('checkbox').check();
  await expectNothingOverlaps(sheet);
  await chooseNewMethod(sheet);
  await sheet.locator('button[type=submit]').click();
  await expect(sheet.getByText('Card number is required.')).toBeVisible();
  await expectNothingOverlaps(sheet);
  await expectNoSidewaysScroll(page);
});

test('the address of a mail opens the sheet on Billing Info, of a unit that is paid it says so', async ({
  page,
  portal,
}) => {
  const path = await payOn(page).getAttribute('href');
  await page.goto(path!);
  const sheet = sheetOf(page);
  await sheet.getByRole('button', { name: 'Pay $214.50' }).click();
  await expect(sheet.getByText(/^\d{4}#$/)).toBeVisible();
  await page.goto(path!);
  await expect(sheet).toContainText('Nothing is due');
  await expect(sheet.locator('button[type=submit]')).toHaveCount(0);
  expect(await taken(portal)).toEqual([21_450]);
});

test('the pass of the last unit comes into sight when its gate opens', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await rentalCard(page, 'C014').getByRole('link', { name: 'Pay for C014', exact: true }).click();
  await sheetOf(page).getByRole('button', { name: 'Pay $450.00' }).click();
  const pass = page.getByRole('region', { name: 'Gate pass' }).locator('li', { hasText: 'C014' });
  const code = (await pass.getByText(/^\d{4}#$/).textContent())!;
  await expect(pass).toBeInViewport({ ratio: 1 });
  // Only its pass has the accent; the notice names the unit and has the receipt.
  const others = page
    .getByRole('region', { name: 'Gate pass' })
    .locator('li', { hasNotText: 'C014' });
  const accent = await pass.evaluate((panel) => getComputedStyle(panel).borderTopColor);
  await expect(others).toHaveCount(2);
  for (const other of await others.all())
    await expect(other).not.toHaveCSS('border-top-color', accent);
  const paid = page.getByRole('region', { name: 'Payment received' });
  await expect(paid.getByText('C014 is open', { exact: true })).toBeInViewport();
  await expect(paid).not.toContainText(code);
  const receipt = paid.getByRole('listitem');
  expect((await receipt.boundingBox())!.height).toBeGreaterThanOrEqual(48);
  await expect(receipt.getByRole('button', { name: /^Receipt \S+ as PDF/ })).toBeInViewport();
  // Turned, or in another browser window, it is the one in sight.
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(pass).toBeInViewport({ ratio: 1 });
  }
});

test('Pay in the dialog of the charges opens the sheet in its place', async ({ page }) => {
  await rentalCard(page, 'A101').getByRole('button', { name: 'View Charges of A101' }).click();
  await sheetOf(page).getByRole('link', { name: 'Pay $214.50 for A101' }).click();
  await expect(sheetOf(page)).toHaveCount(1);
  await sheetOf(page).getByRole('button', { name: 'Pay $214.50' }).click();
  await expect(passOf(page).getByText(/^\d{4}#$/)).toBeInViewport();
});

test.describe('in Spanish', () => {
  test.use({ language: 'es' });
  test('with autopay ticked at 360 px what is agreed to is above the button, and a second press at the same place pays nothing', async ({
    page,
  }) => {
    const payments = bodiesOf(page, '/payments');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('link', { name: 'Pagar todo' }).click();
    const sheet = sheetOf(page);
    const box = sheet.getByRole('checkbox');
    await box.check();
    const pay = sheet.getByRole('button', { name: 'Pagar $664.50 y activar el pago automático' });
    const agreed = sheet.getByText('Al elegir “Pagar $664.50 y activar el pago automático”');
    for (const seen of [agreed, pay, box]) await expect(seen).toBeInViewport({ ratio: 1 });
    const [above, under] = [await agreed.boundingBox(), await pay.boundingBox()];
    expect(above!.y + above!.height).toBeLessThanOrEqual(under!.y);
    await box.uncheck();
    await box.dblclick();
    await chooseNewMethod(sheet);
    await fillCard(sheet);
    await box.uncheck();
    await box.dblclick();
    await expect(box).toBeInViewport();
    expect(payments).toEqual([]);
  });

  test('a declined card is named', async ({ page }) => {
    await page
      .getByRole('link', { name: /^Pagar \$214\.50 por la unidad A101/ })
      .first()
      .click();
    const sheet = sheetOf(page);
    await chooseNewMethod(sheet);
    await fillCard(sheet, '4000000000000002');
    await sheet.getByRole('button', { name: 'Pagar $214.50' }).click();
    await expect(sheet.getByRole('alert')).toContainText('Visa terminada en 0002 fue rechazada.');
  });

  test('the sheet and the opened pass', async ({ page }) => {
    await page
      .getByRole('link', { name: /^Pagar \$214\.50 por la unidad A101/ })
      .first()
      .click();
    const sheet = sheetOf(page);
    await expect(sheet).toHaveAccessibleName('Pagar');
    await sheet
      .getByRole('checkbox', { name: 'Activar el pago automático de esta unidad' })
      .check();
    await expectAccessible(page);
    await sheet.getByRole('button', { name: 'Pagar $214.50 y activar el pago automático' }).click();
    await expect(
      page.getByRole('status').filter({ hasText: 'El portón está abierto.' }),
    ).toHaveText(/Código del portón de A101: \d{4}#$/);
    await expect(page.getByText('Su pago se aplicó correctamente')).toBeVisible();
  });
});
