import { addDays, formatDate } from '@gatehouse/contract/dates';
import { TEST_DAY, testClock } from '../../server/test/test-day.ts';
import { expect, signIn, test, type Portal } from '../support/portal.ts';
import { bodiesOf, clickTwice, hold } from '../support/requests.ts';
import {
  discard,
  expectGreen,
  expectRed,
  fillCard,
  openByMenu,
  openPaymentMethod,
  openPaySheet,
  rentalCard,
  row,
} from '../support/tenant.ts';

test.beforeEach(async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
});

/**
 * What the gateway captured for payments that a tenant made here, in cents; the demo world's own
 * have no user.
 */
async function captures(portal: Portal): Promise<number[]> {
  const rows = await portal.sql(
    `SELECT amount_cents::int AS cents FROM sandbox_gateway.charges
     WHERE outcome IN ('captured', 'accepted') AND reference IN (SELECT id FROM payment_intents WHERE user_id IS NOT NULL)`,
  );
  return rows.map(({ cents }) => cents as number);
}

// spec 1.6, 2.6, 2.104, 2.105, 3.45, 4.32, 4.33, 9.11, 9.12
test(
  'the table shows each unit’s name, balance and payment method, with Setup or Update',
  { tag: '@wide' },
  async ({ page, portal }) => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billing Information');
    await expect(
      page.getByText(
        'Pay what is due, or let autopay take each bill on its due date. If something is due, Setup or Update pays it first.',
      ),
    ).toBeVisible();
    await expect(
      page.getByText(
        'Using a credit or debit card incurs a recurring rent fee. At this location credit cards add $5.00 to each bill, never more than 3% of its rent. Debit and prepaid cards are free.',
        { exact: true },
      ),
    ).toBeVisible();
    const table = page.getByRole('table');
    for (const header of ['Unit Name', 'Current Balance', 'Payment Method'])
      await expect(table.getByText(header, { exact: true }).first()).toBeAttached();
    await expect(table.getByRole('row', { name: /A101/ })).toContainText('$214.50');
    await expect(table.getByRole('row', { name: /B207/ })).toContainText('Visa ending in 4242');
    await expect(table.getByRole('row', { name: /B207/ })).toContainText(
      /Next charge: \$\d+\.\d\d on \d+\/\d+\/\d{4}/,
    );
    // From 640 px sums end on one line with their head, with Pay and without.
    const units = ['A101', 'B207', 'C014'];
    const sums = units.map((name) =>
      table
        .getByRole('row', { name: new RegExp(name) })
        .getByRole('cell')
        .nth(1)
        .getByText(/^\$[\d,]+\.\d\d$/),
    );
    const head = table.getByRole('columnheader', { name: 'Current Balance' });
    if (page.viewportSize()!.width >= 640) {
      const ends = [...sums, head].map((one) =>
        one.evaluate((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return Math.round(range.getBoundingClientRect().right);
        }),
      );
      expect(new Set(await Promise.all(ends)).size).toBe(1);
    }
    await expect(table.getByRole('button', { name: 'Setup autopay for A101' })).toBeVisible();
    await expect(table.getByRole('button', { name: 'Update autopay for B207' })).toBeVisible();

    await portal.sql('UPDATE facilities SET card_fee_cents = 0');
    await page.reload();
    const dialog = await openPaymentMethod(page, 'B207');
    await expect(dialog.getByRole('radio', { name: 'Credit Card', exact: true })).toBeVisible();
    await expect(page.getByText('recurring rent fee')).toHaveCount(0);
    await expect(page.getByText('Nothing is due')).toHaveCount(0);

    await signIn(page, portal, 'lee@example.com');
    await page.goto('/billing-info');
    await expectGreen(page.getByText('Nothing is due'));
    await expect(page.getByText('Autopay pays each bill on its due date.')).toBeVisible();
  },
);

// spec 1.6, 1.8, 2.106, 2.110, 4.24, 4.28, 4.29, 4.30, 4.33, 4.34, 4.56, 4.60, 7.55, 7.70
test(
  'the whole path: pay one unit with a saved method, get the gate code and the history',
  { tag: ['@smoke', '@wide'] },
  async ({ page, portal }) => {
    const dialog = await openPaymentMethod(page, 'A101');
    await expect(dialog.getByRole('radio', { name: /Visa ending in 4242/ })).toBeChecked();
    await expect(dialog.getByRole('checkbox', { name: /A101/ })).toBeChecked();
    await expect(dialog.getByRole('checkbox', { name: /A101/ })).toBeDisabled();
    const pay = dialog.getByRole('button', { name: 'Setup and pay $214.50' });
    // Of the two buttons: one row, which the opening of the dialog may still move.
    const rows = await pay.evaluate(({ parentElement }) =>
      [...parentElement!.querySelectorAll('button')].map(({ offsetTop }) => offsetTop),
    );
    expect(rows).toHaveLength(2);
    expect(new Set(rows).size).toBe(1);
    await expect(dialog).toHaveAccessibleName('Setup payment method');
    await pay.click();
    await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
    await expect(dialog).toHaveAccessibleName('Payment received');
    await expect(
      dialog.getByText('The autopay payment method has been updated successfully'),
    ).toBeVisible();
    await expect(dialog.getByText(/Receipt \d+/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByRole('button', { name: 'Update autopay for A101' })).toBeVisible();
    await expect(page.getByRole('row', { name: /A101/ })).toContainText('$0.00');
    expect(await captures(portal)).toEqual([21_450]);

    await openByMenu(page, 'My Units');
    const card = rentalCard(page, 'A101');
    await expect(row(card, 'Current Balance (Required)')).toContainText('$0.00');
    await expect(row(card, 'Gate Access')).toContainText(/\d{4}#/);
    await expect(row(card, 'Autopay Status (Required)')).toContainText('Visa ending in 4242');
    await expect(row(card, 'Autopay Status (Required)')).toContainText(
      /Next charge: \$\d+\.\d\d on \d+\/\d+\/\d{4}/,
    );
    await openByMenu(page, 'Payment History');
    await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText('$214.50');
  },
);

// spec 9.12
test(
  '“Why this amount” explains the next charge line by line, the card fee of a credit card among them, and of a debit card no fee',
  { tag: '@wide' },
  async ({ page, portal }) => {
    const unit = page.getByRole('row', { name: /B207/ });
    const lines = unit.getByRole('term');
    const explain = () => unit.getByText('Why this amount').click();
    await expect(unit).toContainText(/Next charge: \$187\.00 on/);
    await expect(unit.getByText('Card fee')).toBeHidden();
    await explain();
    await expect(lines).toHaveText([/^Rent \d/, /^Protection plan \d/, 'Card fee', 'Total']);
    await expect(unit.getByRole('definition')).toHaveText([
      '$168.00',
      '$14.00',
      '$5.00',
      '$187.00',
    ]);

    await portal.sql("UPDATE payment_methods SET funding = 'debit' WHERE last_four = '4242'");
    await page.reload();
    await expect(unit).toContainText(/Next charge: \$182\.00 on/);
    await explain();
    await expect(lines).toHaveText([/^Rent \d/, /^Protection plan \d/, 'Total']);
    const dialog = await openPaymentMethod(page, 'A101');
    const consent = dialog.getByRole('region', { name: 'Autopay authorization' });
    const next = consent.getByRole('listitem').last();
    await expect(next).toHaveText(/A101\$199\.50$/);
    await dialog.getByRole('radio', { name: 'New payment method' }).check();
    await expect(next).toHaveText(/A101\$204\.50with \$5\.00 card fee$/);
  },
);

// spec 4.25, 4.26, 4.27, 4.31, 7.57
test('several units with a new card: one capture, autopay for all of them, one saved card', async ({
  page,
  portal,
}) => {
  const dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('radio', { name: 'New payment method' }).check();
  // In the full-width digits of some keyboards.
  await fillCard(dialog, '５５５５５５５５５５５５４４４４');
  await expect(dialog.getByLabel('Card Number')).toHaveValue('5555 5555 5555 4444');
  await expect(dialog.getByLabel('Card Type')).toHaveValue('Master Card');
  const all = dialog.getByRole('checkbox', { name: 'All units' });
  await all.check();
  await expect(dialog.getByRole('checkbox', { name: /B207/ })).toBeChecked();
  await dialog.getByRole('checkbox', { name: /B207/ }).uncheck();
  await expect(all).toBeChecked({ indeterminate: true });
  await dialog.getByRole('button', { name: 'Setup and pay $664.50' }).click();
  await expect(
    dialog.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();
  await expect(dialog.getByText(/Receipt \d+-1/)).toBeVisible();
  await expect(dialog.getByText(/Receipt \d+-2/)).toBeVisible();
  expect(await captures(portal)).toEqual([66_450]);
  const methods = await portal.sql(
    `SELECT DISTINCT payment_method_id FROM autopays a JOIN payment_methods m ON m.id = a.payment_method_id WHERE last_four = '4444'`,
  );
  expect(methods).toHaveLength(1);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('row', { name: /C014/ })).toContainText('Master Card ending in 4444');
});

// spec 3.46, 4.25, 5.16, 7.56, 7.57, 7.58, 7.59
test('a bank account pays too, and says that the bank still has to confirm', async ({
  page,
  portal,
}) => {
  const [payments, autopays] = [bodiesOf(page, '/payments'), bodiesOf(page, '/autopay-update')];
  const dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('radio', { name: 'New payment method' }).check();
  await dialog.getByRole('radio', { name: 'ACH' }).check();
  await dialog.getByLabel('Account Type').selectOption('Consumer Checking');
  await dialog.getByLabel('Routing Number').fill('111000025');
  await dialog.getByLabel('Account Number').fill('000123456789');
  await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
  await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
  await expect(dialog.getByText('Your bank still has to confirm it.')).toBeVisible();
  await expect(dialog).toHaveAccessibleName('Payment sent');
  expect(await captures(portal)).toEqual([21_450]);

  const [unit] = await portal.sql(
    `SELECT l.id AS "ledgerId", u.id AS "unitId" FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name = 'A101'`,
  );
  const ach = {
    accountType: 'Consumer Checking',
    accountNumber: '000123456789',
    routingNumber: '111000025',
  };
  expect(payments).toEqual([
    {
      payments: [{ ...unit, amount: 214.5 }],
      ach,
      switchingFromCcToAch: false,
      testMode: false,
      webhookData: {
        formType: 'notifyAchPayment',
        ledgerId: unit?.ledgerId,
        unitName: 'A101',
        date: TEST_DAY,
        firstName: 'Dana',
        lastName: 'Reyes',
        amount: 214.5,
      },
    },
  ]);
  expect(autopays).toEqual([{ ach, switchingFromCcToAch: false }]);
});

// spec 1.8, 2.110, 4.29, 4.32, 4.34, 4.56, 7.30, 7.31, 7.32, 7.70
test('with autopay active the button reads Update, no saved methods are offered, and nothing is paid', async ({
  page,
  portal,
}) => {
  const dialog = await openPaymentMethod(page, 'B207');
  await expect(dialog.getByRole('radio', { name: /Visa ending/ })).toHaveCount(0);
  await fillCard(dialog, '6011111111111117');
  const bodies = bodiesOf(page, '/autopay-update');
  const refetched = page.waitForRequest(
    (request) => request.method() === 'GET' && request.url().endsWith('/ledgers'),
  );
  const release = await hold(page, '**/autopay-update');
  await dialog.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(dialog.locator('[aria-busy=true]')).toBeVisible();
  await expect(dialog.getByText('Sending your payment')).toHaveCount(0);
  release();
  await refetched;
  await expect(
    dialog.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();
  await expect(dialog.getByText('Your payment has been applied successfully')).toHaveCount(0);
  expect(await captures(portal)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('row', { name: /B207/ })).toContainText('Discover ending in 1117');

  const again = await openPaymentMethod(page, 'B207');
  await again.getByRole('radio', { name: 'ACH' }).check();
  await again.getByLabel('Account Type').selectOption('Business Checking');
  await again.getByLabel('Routing Number').fill('111000025');
  await again.getByLabel('Account Number').fill('000123456789');
  await again.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(
    again.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();
  await expect(again).toHaveAccessibleName('Autopay is updated');
  expect(bodies).toEqual([
    {
      creditCard: {
        cardType: 'Discover',
        cardNumber: '6011111111111117',
        cardCvv: '123',
        expirationMonth: '04',
        expirationYear: '2029',
        name: 'Dana Reyes',
        postalCode: '76020',
      },
      switchingFromCcToAch: false,
    },
    {
      ach: {
        accountType: 'Business Checking',
        accountNumber: '000123456789',
        routingNumber: '111000025',
      },
      switchingFromCcToAch: true,
      webhookData: {
        formType: 'autopayCreditCardToAch',
        unitName: 'B207',
        firstName: 'Dana',
        lastName: 'Reyes',
      },
    },
  ]);
});

// spec 7.71, 8.4
test(
  'a declined card says so in the dialog, charges nothing, and another card goes through',
  { tag: '@smoke' },
  async ({ page, portal }) => {
    const dialog = await openPaymentMethod(page, 'A101');
    await dialog.getByRole('radio', { name: 'New payment method' }).check();
    await fillCard(dialog, '4000000000000002');
    await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
    await expect(dialog.getByRole('alert')).toContainText(
      'Your bank declined this card. Nothing was charged.',
    );
    await expect(dialog.getByRole('alert').locator('..')).toBeFocused();
    expect(await captures(portal)).toEqual([]);
    await dialog.getByRole('button', { name: 'Use another card' }).click();
    await dialog.getByRole('radio', { name: 'New payment method' }).check();
    await expect(dialog.getByLabel('Name on Card')).toHaveValue('Dana Reyes');
    await fillCard(dialog);
    await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
    await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
    expect(await captures(portal)).toEqual([21_450]);
  },
);

// spec 2.79
test(
  'paid once on Billing Info: the sum, the gate code, what comes next and the receipt, and no autopay',
  { tag: '@smoke' },
  async ({ page, portal }) => {
    const [payments, autopays] = [bodiesOf(page, '/payments'), bodiesOf(page, '/autopay-update')];
    const dialog = await openPaySheet(page, 'A101');
    await expect(dialog).toHaveAccessibleName('Pay');
    await expect(dialog.getByRole('region', { name: 'Autopay authorization' })).toHaveCount(0);
    await expect(dialog.getByText(/I authorize|you agree/)).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Pay $214.50' }).click();
    const applied = dialog.getByRole('status').filter({ hasText: 'Your payment has been applied' });
    await expect(applied.locator('..')).toBeFocused();
    await expect(applied).toContainText('$214.50');
    await expect(dialog.getByText(/^\d{4}#$/)).toBeVisible();
    const copy = dialog.getByRole('button', { name: 'Copy the gate code of A101' });
    await expect(copy).toBeVisible();
    const code = (await dialog.getByText(/^\d{4}#$/).boundingBox())!;
    const beside = (await copy.boundingBox())!;
    expect(beside.y).toBeLessThan(code.y + code.height);
    expect(beside.y + beside.height).toBeGreaterThan(code.y);
    await expect(dialog.getByRole('button', { name: /Receipt \d+ as PDF/ })).toBeVisible();
    await expect(dialog.getByText(/^Next due: \$199\.50 on \d+\/\d+\/\d{4}$/)).toBeVisible();
    expect(payments).toHaveLength(1);
    expect(autopays).toEqual([]);
    expect(await captures(portal)).toEqual([21_450]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(page).toHaveURL(/\/billing-info$/);
    await expect(page.getByRole('button', { name: 'Setup autopay for A101' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Pay for A101', exact: true })).toHaveCount(0);

    await portal.sql('UPDATE facilities SET pay_once = false');
    await page.reload();
    await page.getByRole('button', { name: 'Pay for C014', exact: true }).click();
    await expect(dialog.getByRole('button', { name: /^Setup and pay/ })).toBeVisible();
    await expect(dialog.getByRole('checkbox', { name: /C014/ })).toBeDisabled();
  },
);

test('a payment that was taken is said before autopay is saved, and nothing of the form changes meanwhile', async ({
  page,
}) => {
  const saving = Promise.withResolvers<unknown>();
  const paying = Promise.withResolvers<unknown>();
  await page.route('**/autopay-update', async (route) => {
    await saving.promise;
    await route.continue();
  });
  await page.route('**/payments', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    await paying.promise;
    await route.fulfill({ response });
  });
  const dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
  await expect(dialog.getByRole('button', { name: 'Setup and pay $214.50' })).toHaveAttribute(
    'aria-busy',
    'true',
  );
  paying.resolve(null);
  await expect(dialog.getByText('Your payment has been applied successfully')).toBeInViewport();
  await expect(dialog.getByText('Saving autopay…')).toBeVisible();
  await expect(dialog.getByText(/^\d{4}#$/)).toBeVisible();
  await expect(dialog.getByText('Nothing due')).toBeHidden();
  saving.resolve(null);
  await expect(
    dialog.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();
});

test('whose autopay is active and who owes may pay with a saved method', async ({
  page,
  portal,
}) => {
  await portal.sql(
    `INSERT INTO autopays (ledger_id, active, payment_method_id)
     SELECT l.id, true, (SELECT id FROM payment_methods WHERE last_four = '4242' LIMIT 1)
     FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name = 'A101'`,
  );
  await page.reload();
  const dialog = await openPaySheet(page, 'A101');
  await expect(dialog).toContainText('Visa ending in 4242');
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Pay $214.50' }).click();
  await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
  expect(await captures(portal)).toEqual([21_450]);
});

test('a saved method that is chosen and no longer offered makes room for a new one', async ({
  page,
}) => {
  const dialog = await openPaymentMethod(page, 'B207');
  await dialog.getByRole('checkbox', { name: /A101/ }).check();
  await dialog.getByRole('radio', { name: /Visa ending in 4242/ }).check();
  await expect(dialog.getByLabel('Card Number')).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: /A101/ }).uncheck();
  await dialog.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(dialog.getByLabel('Card Number')).toHaveAttribute('aria-invalid', 'true');
});

// spec 5.64
test('a card whose month is over is refused when it is chosen, and a saved one says that it has expired', async ({
  page,
  portal,
}) => {
  await portal.sql("UPDATE payment_methods SET expires_on = '2020-04' WHERE last_four = '4242'");
  // An open portal would take the step forward for half an hour away, and sign out.
  await page.goto('about:blank');
  await page.clock.setFixedTime(`${TEST_DAY.slice(0, 4)}-12-23T18:00:00Z`);
  await page.goto('/billing-info');
  const dialog = await openPaymentMethod(page, 'A101');
  await expect(dialog.getByText('Visa ending in 4242 has expired.')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: /Visa ending in 4242/ })).toHaveCount(0);
  await dialog.getByLabel('Expiration Month').selectOption('10');
  await dialog.getByLabel('Expiration Year').selectOption({ index: 1 });
  await dialog.getByLabel('Security Code').focus();
  await expect(dialog.getByText('This card has expired. Please enter another one.')).toBeVisible();
  await dialog.getByLabel('Expiration Year').selectOption({ index: 2 });
  await expect(dialog.getByText('This card has expired.')).toHaveCount(0);
});

test('“Pay all” pays every unit that owes, from its button and by its address', async ({
  page,
  portal,
}) => {
  await expect(page.getByText('Total due')).toBeVisible();
  await page.getByRole('button', { name: 'Pay all that is due' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('listitem')).toHaveText([/^A101.*\$214\.50/, /^C014.*\$450\.00/]);
  await page.keyboard.press('Escape');
  await page.goto('/billing-info?ledger=all');
  await dialog.getByRole('button', { name: 'Pay $664.50' }).click();
  await expect(
    dialog.getByRole('status').filter({ hasText: 'Your payment has been applied' }),
  ).toContainText('$664.50');
  expect(await captures(portal)).toEqual([66_450]);
});

// spec 4.63
test('a double click pays once', async ({ page, portal }) => {
  const dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).dblclick();
  await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
  expect(await captures(portal)).toEqual([21_450]);
});

test('a gateway that does not answer: being confirmed, then applied, and charged once', async ({
  page,
  portal,
}) => {
  const dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('radio', { name: 'New payment method' }).check();
  await fillCard(dialog, '4000000000000119');
  await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
  await expect(dialog.getByText('Your payment is being confirmed.')).toBeVisible();
  await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
  expect(await captures(portal)).toEqual([21_450]);
});

test('a connection that breaks after the payment was taken: being confirmed, then applied, and charged once', async ({
  page,
  portal,
}) => {
  await page.route('**/payments', async (route) => {
    if (route.request().method() === 'POST') {
      await route.fetch();
      await route.abort('connectionreset');
    } else await route.continue();
  });
  const dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
  await expect(dialog.getByText('Your payment is being confirmed.')).toBeVisible();
  await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
  await expect(
    dialog.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();
  await expect(dialog.getByText(/Receipt \d+/)).toBeVisible();
  expect(await captures(portal)).toEqual([21_450]);
});

// spec 10.83
test('a payment by a typed card that is being confirmed is left with Escape, and not called unsent', async ({
  page,
}) => {
  await page.route('**/payments', async (route) => {
    if (route.request().method() === 'POST') {
      await route.fetch();
      await route.abort('connectionreset');
    } else await route.fulfill({ json: [] });
  });
  await page.route('**/ledgers', (route) => route.abort());
  const dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('radio', { name: 'New payment method' }).check();
  await fillCard(dialog, '4242424242424242');
  await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
  await expect(dialog.getByText('Your payment is being confirmed.')).toBeVisible();
  await expect(dialog.getByText('$214.50', { exact: true }).first()).toBeVisible();
  await expect(dialog.getByText('You can close this: the receipt comes by email.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('row', { name: /A101/ })).toContainText('Being confirmed');
  await expect(page.getByRole('button', { name: 'Pay for A101', exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Pay all' })).toHaveCount(0);
});

// spec 4.60
test('a payment that went through while autopay could not be saved says both, and only autopay is tried again', async ({
  page,
  portal,
}) => {
  let isBroken = true;
  const keys: (string | undefined)[] = [];
  await page.route('**/autopay-update', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (isBroken)
      await route.fulfill({
        status: 503,
        json: { message: 'The service is busy for a moment.' },
      });
    else await route.continue();
  });
  const dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
  await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
  await expect(dialog.getByRole('alert')).toContainText('Autopay could not be saved for A101.');
  await expect(page.locator('tr', { hasText: 'A101' })).toContainText('$0.00');
  isBroken = false;
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(
    dialog.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();
  expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
  expect(await captures(portal)).toEqual([21_450]);
});

// spec 4.63
test('while a payment is under way nothing closes the dialog and nothing in it changes', async ({
  page,
  portal,
}) => {
  const release = await hold(page, '**/payments');
  const dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await dialog.getByText('C014').click({ force: true });
  await expect(dialog.getByRole('button', { name: 'Setup and pay $214.50' })).toBeVisible();
  release();
  await expect(
    dialog.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();
  expect(await captures(portal)).toEqual([21_450]);
});

test('what cannot be loaded says so where it is missed', async ({ page }) => {
  await test.step('a form that cannot be loaded says so in the dialog, and can be tried again', async () => {
    await page.route('**/assets/payment-dialog-*.js', (route) => route.abort());
    await page.goto('/billing-info');
    await page.getByRole('button', { name: 'Setup autopay for A101' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('This form could not be loaded.')).toBeVisible();
    await page.unroute('**/assets/payment-dialog-*.js');
  });
  await test.step('autopay that cannot be loaded is said at each unit and asked for again on demand only', async () => {
    let asked = 0;
    // The page of the step before may still ask.
    await page.goto('about:blank');
    await page.route('**/autopays', async (route) => {
      asked += 1;
      await route.fulfill({ status: 500, json: { message: 'Something went wrong.' } });
    });
    await page.goto('/billing-info');
    const rows = page.getByRole('row').filter({ hasText: 'Could not be loaded.' });
    await expect(rows).toHaveCount(3);
    await page.waitForLoadState('networkidle');
    // The first read, and one where the screen and its table are mounted after a failed one.
    expect(asked).toBeLessThanOrEqual(3);
    await page.unroute('**/autopays');
    await rows.first().getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: 'Switch off autopay for B207' })).toBeVisible();
  });
});

test('the dialog says what is missing, takes a card, and sends nothing while offline', async ({
  page,
  portal,
  context,
}) => {
  // spec 4.35
  await test.step('closing the dialog fetches autopay again', async () => {
    const dialog = await openPaymentMethod(page, 'A101');
    const asked = page.waitForRequest((request) => request.url().endsWith('/autopays'));
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await asked;
  });
  // spec 3.45, 5.20, 5.21, 5.22, 9.7, 9.11
  await test.step('the card’s fields are what a phone expects, and its years are 22 from this one', async () => {
    const dialog = await openPaymentMethod(page, 'A101');
    await dialog.getByRole('radio', { name: 'New payment method' }).check();
    await expect(dialog.getByRole('radio', { name: 'Credit Card', exact: true })).toBeChecked();
    for (const sentence of [
      'Using a credit or debit card incurs a recurring rent fee.',
      'At this location credit cards add $5.00 to each bill',
      'From a bank account, with no card fee.',
    ])
      await expect(dialog.getByText(sentence)).toBeVisible();
    const consent = dialog.getByRole('region', { name: 'Autopay authorization' });
    await expect(consent.getByRole('listitem')).toHaveText([
      'Today$214.50',
      /^\d+\/\d+\/\d{4}A101\$204\.50with \$5\.00 card fee$/,
    ]);
    await expect(consent).toContainText('On each due date: what is owed on A101 that day.');
    await expect(
      dialog.getByText('With “Setup and pay $214.50” you agree to autopay.'),
    ).toBeVisible();
    await expect(consent).toContainText(/a card fee of \$\d+\.\d\d is added to each bill/);
    await dialog.getByRole('radio', { name: 'ACH' }).check();
    await expect(consent).toContainText('to charge my bank account for unit A101');
    await expect(consent).not.toContainText('card fee');
    await dialog.getByRole('radio', { name: 'Credit Card', exact: true }).check();
    for (const [label, autocomplete] of [
      ['Card Number', 'cc-number'],
      ['Expiration Month', 'cc-exp-month'],
      ['Expiration Year', 'cc-exp-year'],
      ['Security Code', 'cc-csc'],
      ['Name on Card', 'cc-name'],
    ] as const)
      await expect(dialog.getByLabel(label)).toHaveAttribute('autocomplete', autocomplete);
    await expect(dialog.getByLabel('Card Number')).toHaveAttribute('inputmode', 'numeric');
    await expect(dialog.getByLabel('Expiration Month').getByRole('option')).toHaveCount(13);
    await expect(dialog.getByLabel('Expiration Year').getByRole('option')).toHaveCount(23);
    await expect(dialog.getByLabel('Card Type').getByRole('option')).toHaveText([
      'Select card type',
      'Visa',
      'American Express',
      'Discover',
      'Master Card',
    ]);
    await dialog.getByLabel('Card Number').fill('4242424242424242');
    await expect(dialog.getByLabel('Card Number')).toHaveValue('4242 4242 4242 4242');
    await expect(dialog.getByLabel('Card Type')).toHaveValue('Visa');
    await expect(consent).toContainText('to charge my card ending in 4242 for unit A101');
  });
  await discard(page);
  await expect(page.getByRole('dialog')).toBeHidden();
  // spec 5.15, 5.17, 5.23, 5.24, 5.63
  await test.step('what is missing or wrong is said at its field, the first gets the focus, and nothing is sent', async () => {
    const dialog = await openPaymentMethod(page, 'A101');
    await dialog.getByRole('radio', { name: 'New payment method' }).check();
    await dialog.getByRole('button', { name: 'Setup and pay' }).click();
    for (const sentence of [
      'Card number is required.',
      'Card type is required.',
      'Expiration month and year are required.',
      '6 fields need an answer',
      'Security code is required.',
      'Name on card is required.',
      'Billing zip is required.',
    ])
      await expect(dialog.getByText(sentence)).toBeVisible();
    await expect(dialog.getByLabel('Card Number')).toBeFocused();
    await dialog.getByLabel('Expiration Month').selectOption('04');
    await expect(dialog.getByText('Expiration year is required.')).toBeVisible();
    await expect(dialog.getByText('6 fields need an answer')).toBeVisible();
    await dialog.getByLabel('Expiration Year').selectOption({ index: 5 });
    await dialog.getByRole('button', { name: '5 fields need an answer' }).click();
    await expect(dialog.getByLabel('Card Number')).toBeFocused();
    await dialog.getByLabel('Street Address').fill('A'.repeat(201));
    await dialog.getByLabel('Card Number').fill('4242 4242 4242 4');
    await dialog.getByLabel('Security Code').fill('12');
    for (const sentence of [
      'Street address is too long.',
      'Card number must be 14 to 16 digits.',
      'Security code must be 3 or 4 digits.',
    ])
      await expect(dialog.getByText(sentence)).toBeVisible();
    await expect(dialog.getByLabel('Card Number')).toHaveAttribute('aria-invalid', 'true');
    await dialog.getByRole('radio', { name: 'ACH' }).check();
    await dialog.getByLabel('Routing Number').fill('12345678');
    await dialog.getByRole('button', { name: 'Setup and pay' }).click();
    await expect(dialog.getByText('Routing number must be exactly 9 digits.')).toBeVisible();
    await dialog.getByLabel('Routing Number').fill('11100002a');
    await expect(dialog.getByText('Routing number must be exactly 9 digits.')).toBeVisible();
    await dialog.getByLabel('Routing Number').fill('111-000 026');
    await expect(dialog.getByText('Routing number must be exactly 9 digits.')).toHaveCount(0);
    await expect(dialog.getByText('These digits are not a usual routing number.')).toBeVisible();
    await expect(dialog.getByText('Account type is required.')).toBeVisible();
    await expect(dialog.getByText('Account number is required.')).toBeVisible();
    expect(await captures(portal)).toEqual([]);
  });
  await discard(page);
  await expect(page.getByRole('dialog')).toBeHidden();
  await test.step('offline nothing is sent, and the dialog says so', async () => {
    const dialog = await openPaymentMethod(page, 'A101');
    await context.setOffline(true);
    await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
    await expect(dialog.getByRole('alert')).toContainText(
      'You are offline. Nothing was paid, and what you typed is still here.',
    );
    await dialog.getByRole('radio', { name: 'New payment method' }).check();
    await fillCard(dialog, '5555555555554444');
    await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
    await expect(dialog.getByRole('alert')).toContainText('what you typed is still here');
    await expect(dialog.getByLabel('Card Number')).toHaveValue('5555 5555 5555 4444');
    await expect(dialog.getByLabel('Security Code')).toHaveValue('123');
    await expect(dialog.getByLabel('Expiration Month')).toHaveValue('04');
    await expect(dialog.getByLabel('Name on Card')).toHaveValue('Dana Reyes');
    await context.setOffline(false);
    await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
    await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
    expect(await captures(portal)).toEqual([21_450]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByRole('row', { name: /A101/ })).toContainText(
      'Master Card ending in 4444',
    );
  });
});

// spec 7.74
test(
  'autopay is switched off after the dialog has said what changes; the method stays saved',
  { tag: '@smoke' },
  async ({ page, portal }) => {
    const stopped = bodiesOf(page, '/autopay-stop');
    await page.getByRole('button', { name: 'Switch off autopay for B207' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(
      /The next charge of \$\d+\.\d\d on \d+\/\d+\/\d{4} will not be taken\./,
    );
    await expect(dialog).toContainText('Your payment method stays saved');
    const off = dialog.getByRole('button', { name: 'Switch autopay off' });
    await expectRed(off);
    await expect(off).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await clickTwice(off);
    await expect(dialog.getByText('Autopay is switched off for unit B207.')).toBeVisible();
    await expect(dialog).toHaveAccessibleName('Autopay is off');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByRole('button', { name: 'Setup autopay for B207' })).toBeVisible();
    await expect(page.getByText('Next charge:')).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Units and payment methods' })).toBeFocused();
    expect(stopped).toHaveLength(1);
    const [record] = await portal.sql(
      `SELECT a.active, a.payment_method_id IS NOT NULL AS kept, (SELECT count(*)::int FROM mandate_ends) AS ends
     FROM autopays a JOIN ledgers l ON l.id = a.ledger_id JOIN units u ON u.id = l.unit_id WHERE u.name = 'B207'`,
    );
    expect(record).toEqual({ active: false, kept: true, ends: 1 });
    const again = await openPaymentMethod(page, 'B207');
    await expect(again.getByRole('radio', { name: /Visa ending in 4242/ })).toBeChecked();
  },
);

test('autopay’s attempts are in words with the day of the next one, and what keeps it from charging is said', async ({
  page,
  portal,
}) => {
  const history = page.getByRole('group').filter({ hasText: 'Autopay history' });
  await history.locator('summary').click();
  await expect(history).toContainText('Autopay has not charged this unit yet');
  const tryOn = addDays(TEST_DAY, 3);
  await portal.sql(
    `WITH unit AS (SELECT l.id, l.tenant_id FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name = 'B207'),
     item AS (
       INSERT INTO autopay_items (ledger_id, due_on, state, try_on, first_try_on, amount_cents, declines, created_at, updated_at)
       SELECT id, $1::date - 3, 'waiting', $1, $1::date - 3, 16800, 1, $2, $2 FROM unit RETURNING id)
     INSERT INTO payment_intents (tenant_id, type, method_description, amount_cents, state, debt_key, attempt,
       decline_message, initiator, autopay_item_id)
     SELECT tenant_id, 'creditCard', 'Visa ending in 4242', 16800, 'declined', sha256('x'), 1,
       'Your card has insufficient funds.', 'autopay', item.id FROM unit, item`,
    [tryOn, testClock.now()],
  );
  await portal.sql("UPDATE payment_methods SET expires_on = '2020-01' WHERE last_four = '4242'");
  await page.reload();
  await expect(page.getByRole('row', { name: /B207/ })).toContainText('Your card has expired.');
  await history.locator('summary').click();
  await expect(history.getByRole('listitem')).toContainText('Declined');
  await expect(history.getByRole('listitem')).toContainText('$168.00');
  await expect(history.getByRole('listitem')).toContainText(
    `Your card has insufficient funds. We try again on ${formatDate(tryOn)}.`,
  );
  await openByMenu(page, 'My Units');
  await expect(row(rentalCard(page, 'B207'), 'Autopay Status (Required)')).toContainText(
    'Your card has expired.',
  );
});

test('an address about a rental of another record of the sign-in puts that record in view', async ({
  page,
  portal,
}) => {
  await portal.sql(
    `UPDATE ledgers SET balance_cents = 31000
     WHERE unit_id IN (SELECT id FROM units WHERE name = 'D310')`,
  );
  const [rental] = await portal.sql(
    `SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name = 'D310'`,
  );
  const id = rental!.id as string;
  for (const query of [`ledger=${id}`, `ledger=all&of=${id}`, `autopay=${id}`])
    await test.step(query.replace(id, 'ID'), async () => {
      await page.goto(`/billing-info?${query}`);
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText('D310').first()).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('cell', { name: 'D310', exact: true })).toBeVisible();
      expect(new URL(page.url()).search).toBe('');
      await page.getByRole('button', { name: 'Dana Reyes' }).click();
      await expect(page.getByRole('cell', { name: 'A101', exact: true })).toBeVisible();
    });
});
