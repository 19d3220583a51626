import { addDays, formatDate } from '@gatehouse/contract/dates';
import type { Page } from '@playwright/test';
import { TEST_DAY, testClock } from '../../server/test/test-day.ts';
import { expectNoSidewaysScroll } from '../support/axe.ts';
import { enlargeText, expectNothingOverlaps, widenLetters } from '../support/overlap.ts';
import { expect, type Portal, signIn, test } from '../support/portal.ts';
import { rentUnits } from '../support/rentals.ts';
import {
  expectGreen,
  expectRed,
  leaveOutOfOverview,
  openByMenu,
  openDetails,
  openMyUnits,
  rentalCard,
  row,
} from '../support/tenant.ts';

async function signInToMyUnits(page: Page, portal: Portal, email = 'dana@example.com') {
  await signIn(page, portal, email);
  await page.goto('/');
}

test('what the facility has not entered is left out, and said where it is missed', async ({
  page,
  portal,
}) => {
  await signInToMyUnits(page, portal);
  // spec 2.58, 2.59, 2.60, 2.61, 2.62, 2.63, 3.8, 3.9
  await test.step('the facility’s name, address, email and phone', async () => {
    const card = page.getByRole('region', { name: 'Facility Information' });
    const lines = card.locator('address p');
    await expect(lines).toHaveText([
      'Anchor & Axle Eagle Mountain',
      '4100 Marina Drive',
      'Fort Worth, TX 76135',
    ]);
    await expect(
      card.getByRole('link', { name: 'eagle-mountain@anchor-axle.example' }),
    ).toHaveAttribute('href', /^mailto:/);
    await expect(card.getByRole('link', { name: '(817) 555-0103' })).toHaveAttribute(
      'href',
      'tel:+18175550103',
    );

    await expect(card.getByRole('link')).toHaveText([
      'eagle-mountain@anchor-axle.example',
      '(817) 555-0103',
      'Directions',
    ]);

    await portal.sql(
      "UPDATE facilities SET street2 = 'Gate B', email = NULL WHERE location_code = 'TXDFW03'",
    );
    await page.reload();
    await expect(lines).toHaveText([
      /Eagle Mountain/,
      '4100 Marina Drive',
      'Gate B',
      'Fort Worth, TX 76135',
    ]);
    await expect(card.getByRole('link')).toHaveText(['(817) 555-0103', 'Directions']);
    await portal.sql("UPDATE facilities SET phone = NULL WHERE location_code = 'TXDFW03'");
    await page.reload();
    await expect(lines).toHaveCount(4);
    await expect(page.locator('a[href^="tel:"]')).toHaveCount(0);
  });
  // spec 4.42, 8.15
  await test.step('a unit without a gate code says so', async () => {
    await portal.sql('DELETE FROM gate_codes');
    await page.goto('/');
    await expect(row(rentalCard(page, 'B207'), 'Gate Access')).toContainText(
      'No gate access data available',
    );
  });
  // spec 2.87, 8.16
  await test.step('a unit without documents has nothing to e-sign', async () => {
    await portal.sql('TRUNCATE esign_documents CASCADE');
    await page.goto('/');
    await expect(row(rentalCard(page, 'A101'), 'E-sign Status (Required)')).toContainText(
      'Nothing to E-sign',
    );
  });
});

test(
  'the rentals of a tenant are read on one page, unit by unit',
  { tag: ['@smoke', '@wide'] },
  async ({ page, portal }) => {
    await signInToMyUnits(page, portal);
    // spec 1.5, 1.10, 2.73, 2.74, 2.75, 2.76, 2.77, 2.78, 2.79, 2.80, 2.81, 2.82, 2.83, 2.84
    // spec 2.85, 2.111, 3.11, 3.12, 3.15, 3.35, 4.36, 4.38, 4.44, 4.45, 9.2
    await test.step('A101 owes: the balance in red with its date and charges, locked out with the balance due, nothing set up', async () => {
      const card = rentalCard(page, 'A101');
      await expect(card).toContainText('12 x 40 RV');
      await expect(card).toContainText('$199.50');
      const balance = row(card, 'Current Balance (Required)');
      await expect(balance).toContainText('$214.50');
      await expect(balance).toContainText(`Paid Through: ${formatDate(addDays(TEST_DAY, -7))}`);
      await expect(
        balance.getByRole('link', { name: 'Pay for A101', exact: true }),
      ).toHaveAttribute('href', /^\/billing-info\?ledger=[\w-]{36}$/);
      await expect(row(card, 'Gate Access')).toContainText('Locked out');
      await expect(row(card, 'Gate Access')).toContainText('Balance Due!');
      await expect(row(card, 'Autopay Status (Required)')).toContainText('Not set up');
      await expect(row(card, 'E-sign Status (Required)')).toContainText('Vehicle Storage Addendum');
      await expect(row(card, 'Insurance/Protection Plan (Required)')).toContainText('None on file');
      await expect(row(card, 'Unit Contents (Required)')).toContainText('Not entered');
      await expect(row(card, "Driver's License (Required)")).toContainText('None on file');

      await expectRed(balance.getByText('$214.50'));
      await expectRed(card.getByText('Not set up'));
      for (const missing of await card.getByText('None on file').all()) await expectRed(missing);
      await expectRed(card.getByText('Not entered'));
    });
    // spec 3.14, 4.46
    await test.step('View Charges lists what is owed and the total', async () => {
      await rentalCard(page, 'A101').getByRole('button', { name: 'View Charges' }).click();
      await expect(page.getByRole('dialog')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
      const dialog = page.getByRole('dialog', { name: 'Charges' });
      await expect(dialog).toContainText('Late fee');
      await expect(dialog).toContainText(`Rent ${formatDate(addDays(TEST_DAY, -6))}`);
      await expect(dialog).toContainText('$199.50');
      await expect(dialog).toContainText('$15.00');
      await expect(dialog).toContainText('$214.50');
      await expect(dialog).not.toContainText('$0.00');
      await expect(dialog).not.toContainText(/Discount|Tax/);
      await expect(dialog.getByRole('link', { name: 'Pay $214.50 for A101' })).toHaveAttribute(
        'href',
        /^\/billing-info\?ledger=[\da-f-]{36}$/,
      );
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(
        rentalCard(page, 'A101').getByRole('button', { name: 'View Charges' }),
      ).toBeFocused();
    });
    // spec 1.5, 1.11, 2.74, 2.79, 2.80, 2.81, 2.82, 2.83, 2.84, 2.111, 3.16, 3.20, 3.32, 3.43
    // spec 4.39, 4.40, 4.41, 4.47, 4.48, 4.49, 9.17
    await test.step('B207 is paid: next charge, rate change, gate code with its hours, and everything done but the license', async () => {
      const card = rentalCard(page, 'B207');
      const balance = row(card, 'Current Balance (Required)');
      await expect(balance).toContainText('$0.00');
      const lastDue = Temporal.PlainDate.from(addDays(TEST_DAY, -9));
      const due = (months: number) => formatDate(lastDue.add({ months }).toString());
      await expect(balance).toContainText(`Next Charge: ${due(1)}`);
      await expect(balance).toContainText(`Scheduled Rate Change: $179.00 on ${due(2)}`);
      await expect(balance.getByRole('link', { name: 'Pay' })).toHaveCount(0);
      await expect(balance.getByRole('button', { name: 'View Charges' })).toHaveCount(0);
      await expect(row(card, 'Gate Access')).toContainText(/\d{4}#/);
      await expect(row(card, 'Gate Access')).toContainText('Business Hours (6am - 10pm)');
      await expect(row(card, 'Autopay Status (Required)')).toContainText('Visa ending in 4242');
      await expect(row(card, 'E-sign Status (Required)')).toContainText('Completed');
      await expect(row(card, 'Insurance/Protection Plan (Required)')).toContainText('$5,000.00');
      await expect(row(card, 'Unit Contents (Required)')).toContainText('Boat');
      await expect(row(card, 'Unit Contents (Required)')).toContainText('2014 Four Winns H200');
    });
    // spec 2.74, 2.111, 4.37, 9.1
    await test.step('C014 is 20 days past due: the facility is to be called', async () => {
      const card = rentalCard(page, 'C014');
      await expect(row(card, 'Current Balance (Required)')).toContainText('$450.00');
      await expect(row(card, 'Gate Access')).toContainText('Locked out');
      await expect(row(card, 'Gate Access')).toContainText('Please call facility to resolve!');
      await expect(row(card, 'Gate Access')).toContainText('Or pay $450.00 to open the gate.');
      await expect(row(card, 'Gate Access')).not.toContainText('Balance Due!');
    });
    // spec 2.64, 2.65, 2.66, 2.67, 2.68, 2.69, 2.70, 2.71, 2.72, 2.73, 3.38, 7.68
    await test.step('the notifications count what needs attention and word the six checks, pending and done', async () => {
      const notifications = page.getByRole('region', { name: 'Rental Notifications' });
      for (const [unit, count] of [
        ['A101', 6],
        ['B207', 1],
        ['C014', 5],
      ] as const) {
        await expect(notifications.locator('summary', { hasText: unit })).toContainText(
          count === 1 ? '1 Item Needing Attention' : `${count} Items Needing Attention`,
        );
      }
      // Read out as it is written.
      await expect(notifications.locator('summary', { hasText: 'B207' })).toMatchAriaSnapshot(
        '- text: /1 Item Needing Attention/',
      );
      await notifications.locator('summary', { hasText: 'A101' }).click();
      await expect(notifications.locator('details[open] li')).toHaveText([
        'Balance Due',
        'Autopay Needs Setup',
        'Documents Need E-sign',
        'Protection Plan or Proof of Private Insurance Needed',
        'Unit Contents Needed',
        "Driver's License Info Needed",
      ]);
      for (const pending of await notifications.locator('details[open] li a').all())
        await expectRed(pending);
      await notifications.locator('summary', { hasText: 'A101' }).click();
      await notifications.locator('summary', { hasText: 'B207' }).click();
      await expect(notifications.locator('details[open] li')).toHaveText([
        'Balance Paid Off',
        'Autopay Setup Completed',
        'All Documents E-signed',
        'Protection Plan or Proof of Private Insurance Completed',
        'Unit Contents Entered',
        "Driver's License Info Needed",
      ]);
    });
    await test.step('a pending check leads to where it is done', async () => {
      const notifications = page.getByRole('region', { name: 'Rental Notifications' });
      await notifications.locator('summary', { hasText: 'A101' }).click();
      await notifications.getByRole('link', { name: 'Unit Contents Needed' }).click();
      await expect(rentalCard(page, 'A101').getByText('Not entered')).toBeInViewport();
      await expect(
        notifications.getByRole('link', { name: 'Autopay Needs Setup' }),
      ).toHaveAttribute('href', /^\/billing-info\?autopay=[\da-f-]{36}$/);
      await notifications.getByRole('link', { name: 'Balance Due' }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog).toHaveAccessibleName('Pay');
      await expect(dialog.getByRole('button', { name: 'Pay $214.50' })).toBeVisible();
      await page.keyboard.press('Escape');
      await notifications.getByRole('link', { name: 'Autopay Needs Setup' }).click();
      await expect(dialog.getByRole('button', { name: 'Setup and pay $214.50' })).toBeVisible();
      await expect(dialog.getByRole('checkbox', { name: /A101/ })).toBeDisabled();
    });
  },
);

test('the rental of a tenant who owes nothing, and then something', async ({ page, portal }) => {
  // spec 2.65, 4.40
  await test.step('with nothing left to do the count is 0, and a unit open around the clock says so', async () => {
    await signInToMyUnits(page, portal, 'lee@example.com');
    await expect(page.locator('summary')).toContainText('0 Items Needing Attention');
    const count = page.locator('summary').getByText('0 Items Needing Attention');
    await expectGreen(count);
    await expect(count.locator('..').locator('svg')).toBeVisible();
    await expect(row(rentalCard(page, 'E022'), 'Gate Access')).toContainText('24 Hours');
  });
  // spec 3.17, 3.21, 4.46
  await test.step('View Charges shows discount, taxes, what is left of a charge, and the discount plan’s name', async () => {
    await portal.sql(
      `WITH rental AS (SELECT l.id, u.facility_id FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name = 'E022'),
     entry AS (
       INSERT INTO entries (ledger_id, facility_id, kind, amount_cents, posted_on)
       SELECT id, facility_id, 'charge', 23382, $1 FROM rental
       RETURNING id, ledger_id),
     charge AS (
       INSERT INTO charges (entry_id, ledger_id, category, description, due_on, price_cents, discount_cents, tax1_cents, tax2_cents)
       SELECT id, ledger_id, 'service', 'Winter service', $1, 24000, 2400, 1350, 432 FROM entry)
     UPDATE ledgers SET balance_cents = 23382, owed_since = $1 WHERE id = (SELECT id FROM rental)`,
      [TEST_DAY],
    );
    await page.reload();
    await rentalCard(page, 'E022').getByRole('button', { name: 'View Charges' }).click();
    const dialog = page.getByRole('dialog', { name: 'Charges' });
    const charge = dialog.getByRole('row', { name: /Winter service/ });
    for (const amount of ['$24.00', '$13.50', '$4.32', '$233.82'])
      await expect(charge).toContainText(amount);
    await expect(dialog.locator('p', { hasText: 'Total' })).toContainText('$233.82');
    await expect(dialog).toContainText('Discount plan: Military 10%');
  });
});

const passOf = (page: Page) => page.getByRole('region', { name: 'Gate pass' });

test(
  'the gate pass stands first: open codes before what opens the others, with what is rented',
  { tag: ['@smoke', '@wide'] },
  async ({ page, portal }) => {
    await signInToMyUnits(page, portal);
    const panels = passOf(page)
      .getByRole('listitem')
      .filter({ hasText: /Locked out|Hours/ });
    await expect(panels).toHaveCount(3);
    await expect(panels.nth(0)).toContainText('2014 Four Winns H200');
    await expect(panels.nth(0)).toContainText(/\d{4}#/);
    await expect(panels.nth(0)).toContainText('Business Hours (6am - 10pm)');
    await expect(panels.nth(0)).toContainText('Balance $0.00');
    for (const name of [/^Copy the gate code/, 'Keep on this phone', '24-hour access for B207'])
      await expect(panels.nth(0).getByRole('button', { name })).toBeVisible();
    await expect(panels.nth(1)).toContainText('Locked out');
    await expect(panels.nth(1)).toContainText('Balance Due! Pay $214.50 to open the gate.');
    await expect(
      panels.nth(1).getByRole('link', { name: 'Pay $214.50 for A101 and open the gate' }),
    ).toHaveAttribute('href', /^\/billing-info\?ledger=[\w-]{36}$/);
    // From 14 days past due the pass and the row say the same.
    const called = 'Please call facility to resolve! Or pay $450.00 to open the gate.';
    await expect(panels.nth(2)).toContainText(called);
    await expect(row(rentalCard(page, 'C014'), 'Gate Access')).toContainText(called);
    await expect(page.getByRole('main')).toContainText('Total due $664.50');
    await expect(page.getByRole('link', { name: 'Pay all' })).toHaveAttribute(
      'href',
      '/billing-info?ledger=all',
    );
    await expect(page.getByRole('heading', { level: 3 })).toHaveText(['A101', 'C014', 'B207']);
    await expect.poll(() => accents(page)).toBe(1);

    await portal.sql(
      "UPDATE ledgers SET overlocked_at = $1 WHERE unit_id = (SELECT id FROM units WHERE name = 'C014')",
      [testClock.now()],
    );
    await page.reload();
    await expect(panels.nth(2)).toContainText('Please call facility to resolve!');
    await expect(panels.nth(2).getByRole('link')).toHaveCount(0);
  },
);

/** How many things on the page have the accent, without the brand's own mark. */
function accents(page: Page): Promise<number> {
  return page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--accent)';
    const accent = getComputedStyle(probe).color;
    probe.remove();
    return [...document.querySelectorAll('body *:not(svg *)')].filter((one) => {
      const { color, backgroundColor, borderTopColor } = getComputedStyle(one);
      return [color, backgroundColor, borderTopColor].includes(accent);
    }).length;
  });
}

for (const { width, height } of [
  { width: 390, height: 844 },
  { width: 360, height: 640 },
])
  test(`at ${width} x ${height} the open code of a tenant with two locked units is in view: 0 presses, 0 scrolls`, async ({
    page,
    portal,
  }) => {
    await page.setViewportSize({ width, height });
    await signIn(page, portal, 'dana@example.com');
    await openMyUnits(page);
    const panels = passOf(page).getByRole('listitem');
    const open = panels.filter({ hasText: '2014 Four Winns H200' });
    await expect(open.getByText(/^\d{4}#$/)).toBeInViewport({ ratio: 1 });
    await expect(open.getByRole('button', { name: 'Keep on this phone' })).toBeInViewport();
    // It fills the width but for the edge of the next.
    const box = (await open.boundingBox())!;
    expect(box.x).toBe(16);
    const next = (await panels.nth(1).boundingBox())!;
    expect(next.x).toBeGreaterThan(width - 48);
    expect(next.x).toBeLessThan(width - 16);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

test('gate passes are reached with the keyboard, and come into view', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  const panels = passOf(page).getByRole('listitem');
  await panels.nth(0).getByRole('button', { name: /^Copy/ }).focus();
  for (const number of [1, 2]) {
    const pay = panels.nth(number).getByRole('link', { name: /^Pay/ });
    for (let presses = 0; presses < 4; presses++) {
      if (await pay.evaluate((link) => link === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await expect(pay).toBeFocused();
    await expect(pay).toBeInViewport({ ratio: 1 });
    await expect(panels.nth(number)).toBeInViewport({ ratio: 0.99 });
  }
});

test('the request for 24-hour access on the pass gives way to what was asked', async ({
  page,
  portal,
}) => {
  await signInToMyUnits(page, portal);
  const pass = passOf(page).getByRole('listitem').first();
  await pass.getByRole('button', { name: '24-hour access for B207' }).click();
  const dialog = page.getByRole('dialog', { name: 'Request 24-hour access' });
  await dialog.getByLabel('Reason').fill('I leave before dawn.');
  await dialog.getByRole('button', { name: 'Send request' }).click();
  const sent = page.getByRole('dialog', { name: 'Request sent' });
  await sent.getByRole('button', { name: 'Close' }).last().click();
  await expect(pass.getByRole('link', { name: /^24-hour access was asked for/ })).toBeFocused();
  await expect(pass.getByRole('button', { name: '24-hour access for B207' })).toHaveCount(0);
});

test(
  'from four units on each pass is one line: its code, or the sum that opens it',
  { tag: '@wide' },
  async ({ page, portal }) => {
    await rentUnits(portal, 'pat@example.com', 12);
    await signIn(page, portal, 'pat@example.com');
    await openMyUnits(page);
    const lines = passOf(page).getByRole('listitem');
    await expect(lines).toHaveCount(12);
    for (const line of await lines.all())
      expect((await line.boundingBox())!.height).toBeLessThanOrEqual(60);
    for (const [number, line] of (await lines.all()).entries())
      await expect(line).toContainText(number < 9 ? /\d{4}#/ : /Pay \$129\.00/);
    await expect(lines.getByRole('button', { name: /^Copy the gate code of/ })).toHaveCount(9);
    await expect(lines.getByRole('link', { name: /and open the gate$/ })).toHaveCount(3);
    await expect(passOf(page).getByRole('button', { name: 'Keep on this phone' })).toHaveCount(1);
    expect(await accents(page)).toBe(1);
    for (const line of (await lines.all()).slice(9))
      await expect(line.getByText('Locked out', { exact: true })).toBeVisible();
    await expect(lines.first().getByText('Copy', { exact: true })).toBeVisible();
    await expect(passOf(page).getByText('3 locked out', { exact: true })).toBeVisible();
  },
);

test('from four units on a rental that owes nothing is one line, and what is pressed opens and nothing else', async ({
  page,
  portal,
}) => {
  await rentUnits(portal, 'pat@example.com', 7);
  await signInToMyUnits(page, portal, 'pat@example.com');
  const balances = page.getByText('Current Balance (Required)').filter({ visible: true });
  await expect(rentalCard(page, 'F102').getByText('12 x 30 Boat, $129.00/month')).toBeVisible();
  await expect(balances).toHaveCount(2);
  await page.getByRole('button', { name: 'Details of F102' }).click();
  await expect(rentalCard(page, 'F102').getByText('Current Balance (Required)')).toBeVisible();
  await expect(balances).toHaveCount(3);
  const notifications = page.getByRole('region', { name: 'Rental Notifications' });
  await expect(notifications.locator('details[open]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Details of F102' }).click();
  await expect(balances).toHaveCount(2);

  // What is missing is reached from its notification, also on a card that is one line.
  await notifications.locator('summary', { hasText: 'F103' }).click();
  await expect(notifications.locator('details[open]')).toHaveCount(1);
  await expect(balances).toHaveCount(2);
  await notifications
    .locator('details[open]')
    .getByRole('link', { name: 'Protection Plan or Proof of Private Insurance Needed' })
    .click();
  await expect(
    row(rentalCard(page, 'F103'), 'Insurance/Protection Plan (Required)').getByText('None on file'),
  ).toBeInViewport();
  await page.emulateMedia({ media: 'print' });
  await expect(balances).toHaveCount(7);
});

test('from seven units on a rental that owes is its sum and Pay, and its other rows when it is opened', async ({
  page,
  portal,
}) => {
  await rentUnits(portal, 'pat@example.com', 6);
  await signInToMyUnits(page, portal, 'pat@example.com');
  const card = rentalCard(page, 'F104');
  const license = card.getByText("Driver's License (Required)");
  await expect(license).toBeVisible();
  await rentUnits(portal, 'pat@example.com', 7);
  await page.reload();
  await expect(card.getByText('$129.00', { exact: true })).toBeVisible();
  await expect(card.getByRole('link', { name: /^Pay/ })).toBeVisible();
  await expect(license).toBeHidden();
  await page.getByRole('button', { name: 'Details of F104' }).press('Enter');
  await expect(license).toBeVisible();
});

test('a code that the browser does not copy is selected, to be copied by hand', async ({
  page,
  portal,
}) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
  });
  await signInToMyUnits(page, portal, 'lee@example.com');
  const code = await passOf(page)
    .getByText(/^\d{4}#$/)
    .textContent();
  await passOf(page)
    .getByRole('button', { name: /^Copy the gate code of/ })
    .click();
  await expect(passOf(page).getByRole('status').filter({ hasText: 'Not copied' })).toHaveCount(1);
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(code);
});

test('a tenant who owes nothing has the code and the balance in sight without a scroll', async ({
  page,
  portal,
}) => {
  await signInToMyUnits(page, portal, 'lee@example.com');
  const pass = passOf(page);
  const code = pass.getByText(/^\d{4}#$/);
  await expect(code).toBeInViewport({ ratio: 1 });
  await expect(code).toHaveCSS('font-size', '40px');
  await expect(pass.getByText('Balance $0.00')).toBeInViewport({ ratio: 1 });
  await expect(page.getByText('Total due')).toHaveCount(0);
});

test('what is done shows label and value, and its card opens the details; what is missing is open, also once it is done', async ({
  page,
  portal,
}) => {
  await signInToMyUnits(page, portal);
  const card = rentalCard(page, 'B207');
  const insurance = row(card, 'Insurance/Protection Plan (Required)');
  const update = insurance.getByRole('button', { name: 'Update protection plan for B207' });
  await expect(insurance.getByText('Protection plan, $5,000.00 coverage')).toBeVisible();
  for (const label of labels) await expect(card.getByText(label, { exact: true })).toBeVisible();
  await expect(insurance.getByText(/a month/)).toBeHidden();
  await expect(update).toBeHidden();
  const details = card.getByRole('button', { name: 'Details of B207' });
  await details.press('Enter');
  await expect(details).toHaveAttribute('aria-expanded', 'true');
  await expect(insurance.getByText(/a month/)).toBeVisible();
  await expect(update).toBeVisible();
  await details.press('Enter');
  await expect(insurance.getByText(/a month/)).toBeHidden();

  const contents = row(rentalCard(page, 'A101'), 'Unit Contents (Required)');
  await contents.getByRole('button', { name: 'Enter unit contents for A101' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type').selectOption('Household Items');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(contents.getByText('Not entered')).toHaveCount(0);
  // The row that was saved lights up, and no other.
  await expect(page.locator('[data-lit]')).toHaveCount(1);
  await expect(contents.locator('[data-lit]')).toHaveCount(1);
  await expect(
    contents.getByRole('button', { name: 'Update unit contents for A101' }),
  ).toBeVisible();
});

test('three rentals fit 2,500 px of a phone with air around every row and card, and one that owes nothing shows code and balance in the first 600', async ({
  page,
  portal,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInToMyUnits(page, portal);
  await expect(page.getByRole('button', { name: 'Reyes Marine LLC' })).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollHeight))
    .toBeLessThanOrEqual(2500);
  // The button is next to the first lines, and nothing of it over the last one.
  const pay = (await page.getByRole('link', { name: 'Pay for A101', exact: true }).boundingBox())!;
  const due = (await rentalCard(page, 'A101')
    .getByText(/past due/)
    .boundingBox())!;
  expect(pay.y + pay.height - due.y).toBeLessThanOrEqual(2);
  for (const unit of ['A101', 'B207', 'C014']) {
    for (const label of labels)
      await expect(rentalCard(page, unit).getByText(label, { exact: true })).toBeVisible();
    for (const one of await rentalCard(page, unit).locator('dl > div').all())
      expect(await one.evaluate(leastAir)).toBeGreaterThanOrEqual(7.7);
  }
  for (const name of ['Rental Notifications', 'A101', 'B207', 'C014']) {
    const card = page.getByRole('region', { name, exact: true });
    const top = (await card.boundingBox())!;
    const title = (await card.getByRole('heading').first().boundingBox())!;
    expect(title.y - top.y).toBeGreaterThanOrEqual(12);
  }

  await signInToMyUnits(page, portal, 'lee@example.com');
  const pass = passOf(page);
  for (const text of [pass.getByText(/^\d{4}#$/), pass.getByText('Balance $0.00')]) {
    const box = await text.boundingBox();
    expect(box!.y + box!.height).toBeLessThanOrEqual(600);
  }
});

/**
 * Runs in the page. Answers the least pixels between the lines of text of a row's label and value
 * and the row's edges.
 */
function leastAir(row: Element): number {
  const { top, bottom } = row.getBoundingClientRect();
  const air: number[] = [];
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const from = node.parentElement!;
    if (from.closest('.more, button, .sr-only') !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // The box of a text is that of its font: its line is around the same middle.
    const half = parseFloat(getComputedStyle(from).lineHeight) / 2;
    for (const box of range.getClientRects()) {
      const middle = (box.top + box.bottom) / 2;
      air.push(middle - half - top, bottom - middle - half);
    }
  }
  return Math.min(...air);
}

const labels = [
  'Current Balance (Required)',
  'Gate Access',
  'Autopay Status (Required)',
  'E-sign Status (Required)',
  'Insurance/Protection Plan (Required)',
  'Unit Contents (Required)',
  "Driver's License (Required)",
];

// spec 2.115
test('rentals that have ended leave a sentence, a way to call, and no cards', async ({
  page,
  portal,
}) => {
  await signInToMyUnits(page, portal, 'sam@example.com');
  const rentals = page.getByRole('region', { name: 'Current Rentals' });
  await expect(rentals.getByText('You are not currently renting any units')).toBeVisible();
  await expect(rentals.getByRole('link', { name: 'Call (817) 555-0103' })).toHaveAttribute(
    'href',
    'tel:+18175550103',
  );
  await expect(rentalCard(page, 'C009')).toHaveCount(0);
  await expect(page.getByText('Current Balance (Required)')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Rental Notifications' })).toHaveCount(0);
});

test('what cannot be loaded is said in its place', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await leaveOutOfOverview(page, 'unitContents', 'ledgers');
  await test.step('one unit’s error stays in its row', async () => {
    await page.route('**/unit-contents', (route) =>
      route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }),
    );
    await page.goto('/');
    const card = rentalCard(page, 'A101');
    await expect(row(card, 'Unit Contents (Required)')).toContainText('could not be loaded');
    await expect(row(card, 'Current Balance (Required)')).toContainText('$214.50');
  });
  // spec 2.86, 8.12
  await test.step('a load error says so, and trying again brings the rentals', async () => {
    await page.route('**/ledgers', (route) =>
      route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }),
    );
    await page.goto('/', { waitUntil: 'networkidle' });
    await expect(
      page.getByText('There was an issue loading the rental data').first(),
    ).toBeVisible();
    await page.unroute('**/ledgers');
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await expect(rentalCard(page, 'A101')).toBeVisible();
  });
});

test('thirty rentals show twelve gate passes and six notifications at first, all when asked, and all on paper', async ({
  page,
  portal,
}) => {
  await rentUnits(portal, 'pat@example.com', 30);
  await signInToMyUnits(page, portal, 'pat@example.com');
  const notifications = page.getByRole('region', { name: 'Rental Notifications' });
  const lines = notifications.locator('summary').filter({ visible: true });
  await expect(lines).toHaveCount(6);
  const box = await notifications.boundingBox();
  expect(box!.height).toBeLessThanOrEqual(400);
  const passes = passOf(page);
  const panels = passes.getByRole('listitem').filter({ visible: true });
  await expect(panels).toHaveCount(12);
  await page.emulateMedia({ media: 'print' });
  await expect(lines).toHaveCount(30);
  await expect(panels).toHaveCount(30);
  await page.emulateMedia({ media: 'screen' });
  await expect(lines).toHaveCount(6);

  const all = notifications.getByRole('button', { name: 'Show all 30 rentals' });
  await all.press('Enter');
  await expect(lines).toHaveCount(30);
  await expect(lines.nth(6)).toBeFocused();
  await expect(all).toHaveCount(0);

  const every = passes.getByRole('button', { name: 'Show all 30 gate passes' });
  await every.press('Enter');
  await expect(panels).toHaveCount(30);
  await expect(panels.nth(12)).toBeFocused();
  await expect(every).toHaveCount(0);
});

/** Runs in the page. Answers the texts that leave a part at its right edge. */
function textsBeside(part: Element): (string | null)[] {
  const { right } = part.getBoundingClientRect();
  return [...part.querySelectorAll('p, span:not(.sr-only)')]
    .filter((text) => text.getBoundingClientRect().right > right)
    .map(({ textContent }) => textContent);
}

/** Runs in the page. Answers the texts that their part cuts off or scrolls sideways. */
function textsCut(part: Element): (string | null)[] {
  return [...part.querySelectorAll('p, ul, button')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ textContent }) => textContent);
}

test('at 320 px with text twice as large nothing on My Units lies over another thing or is cut off', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  await enlargeText(page);
  const notifications = page.getByRole('region', { name: 'Rental Notifications' });
  for (const summary of await notifications.locator('summary').all()) await summary.click();
  await openDetails(page);
  await expectNothingOverlaps(page.getByRole('banner'));
  await expectNothingOverlaps(page.getByRole('main'));
  const pass = passOf(page);
  for (const panel of await pass.getByRole('listitem').all())
    expect(await panel.evaluate(textsBeside)).toEqual([]);
  // On one line of 42 px.
  const unit = await pass.getByText('A101', { exact: true }).boundingBox();
  expect(unit!.height).toBeLessThanOrEqual(60);
  const record = page.getByRole('region', { name: 'Record in view' });
  await expectNothingOverlaps(record);
  expect(await record.evaluate(textsCut)).toEqual([]);
});

test('the heading keeps the focus of an arrival when the rentals come after it', async ({
  page,
  portal,
}) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/(overview|ledgers)$/, async (route) => {
    await released;
    await route.continue();
  });
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
  await openByMenu(page, 'My Units');
  const heading = page.getByRole('heading', { level: 1, name: 'My Units' });
  await expect(heading).toBeFocused();
  release();
  await expect(page.getByRole('heading', { level: 3, name: 'A101' })).toBeVisible();
  await expect(heading).toBeFocused();
});

test('at 390 px with text twice as large “Pay all” is whole at $12,430.68, and the page does not scroll sideways', async ({
  page,
  portal,
}) => {
  await portal.sql('UPDATE ledgers SET balance_cents = 621534 WHERE balance_cents > 0');
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  const due = page.getByText('Total due').locator('..');
  await expect(due).toContainText('$12,430.68');
  for (const part of [due, page.getByRole('link', { name: 'Pay all' })]) {
    const { x, width } = (await part.boundingBox())!;
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(390);
  }
  await expectNoSidewaysScroll(page);
});

test('at 390 px in the letters of DejaVu Sans no text of My Units lies over another or leaves its part', async ({
  page,
  portal,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const email of ['dana@example.com', 'pat@example.com']) {
    if (email.startsWith('pat')) await rentUnits(portal, email, 12);
    await signIn(page, portal, email);
    await openMyUnits(page);
    await widenLetters(page);
    await openDetails(page);
    await expectNothingOverlaps(page.getByRole('main'));
    await expectNoSidewaysScroll(page);
  }
});
