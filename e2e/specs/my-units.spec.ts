import { expect, signIn, test } from '../support/portal.ts';
import { dateFromToday, rentalCard, row } from '../support/tenant.ts';

test.beforeEach(async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/');
});

test('the facility’s name, address, email and phone', async ({ page }) => {
  const card = page.getByRole('region', { name: 'Facility Information' });
  await expect(card).toContainText('Anchor & Axle Eagle Mountain');
  await expect(card).toContainText('4100 Marina Drive');
  await expect(card).toContainText('Fort Worth, TX 76135');
  await expect(card.getByRole('link', { name: 'eagle-mountain@anchor-axle.example' })).toHaveAttribute(
    'href',
    /^mailto:/,
  );
  await expect(card.getByRole('link', { name: '(817) 555-0103' })).toHaveAttribute('href', 'tel:+18175550103');
});

test('A101 owes: the balance in red with its date and charges, locked out with the balance due, nothing set up', async ({
  page,
}) => {
  const card = rentalCard(page, 'A101');
  await expect(card).toContainText('12 x 40 RV');
  await expect(card).toContainText('$199.50');
  const balance = row(card, 'Current Balance (Required)');
  await expect(balance).toContainText('$214.50');
  await expect(balance).toContainText(dateFromToday(-7));
  await expect(balance.getByRole('link', { name: 'Pay', exact: true })).toHaveAttribute('href', '/billing-info');
  await expect(row(card, 'Gate Access')).toContainText('Locked out');
  await expect(row(card, 'Gate Access')).toContainText('Balance Due!');
  await expect(row(card, 'Autopay Status (Required)')).toContainText('Not set up');
  await expect(row(card, 'E-sign Status (Required)')).toContainText('Vehicle Storage Addendum');
  await expect(row(card, 'Insurance/Protection Plan (Required)')).toContainText('None on file');
  await expect(row(card, 'Unit Contents (Required)')).toContainText('Not entered');
  await expect(row(card, "Driver's License (Required)")).toContainText('None on file');

  const owed = balance.getByText('$214.50');
  const colours = await owed.evaluate((element) => {
    const probe = element.appendChild(document.createElement('span'));
    probe.className = 'text-bad';
    const pair = [getComputedStyle(element).color, getComputedStyle(probe).color];
    probe.remove();
    return pair;
  });
  expect(colours[0]).toBe(colours[1]);
});

test('View Charges lists what is owed, with discount, taxes and the total', async ({ page }) => {
  await rentalCard(page, 'A101').getByRole('button', { name: 'View Charges' }).click();
  const dialog = page.getByRole('dialog', { name: 'Charges' });
  await expect(dialog).toContainText('Late fee');
  await expect(dialog).toContainText(`Rent ${dateFromToday(-6)}`);
  await expect(dialog).toContainText('$199.50');
  await expect(dialog).toContainText('$15.00');
  await expect(dialog).toContainText('$214.50');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(rentalCard(page, 'A101').getByRole('button', { name: 'View Charges' })).toBeFocused();
});

test('B207 is paid: next charge, rate change, gate code with its hours, and everything done but the license', async ({
  page,
}) => {
  const card = rentalCard(page, 'B207');
  const balance = row(card, 'Current Balance (Required)');
  await expect(balance).toContainText('$0.00');
  await expect(balance).toContainText('Next Charge');
  await expect(balance).toContainText('$179.00');
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

test('C014 is 20 days past due: the facility is to be called', async ({ page }) => {
  const card = rentalCard(page, 'C014');
  await expect(row(card, 'Current Balance (Required)')).toContainText('$450.00');
  await expect(row(card, 'Gate Access')).toContainText('Locked out');
  await expect(row(card, 'Gate Access')).toContainText('Please call facility to resolve!');
  await expect(row(card, 'Gate Access')).not.toContainText('Balance Due!');
});

test('the notifications count what needs attention and word the six checks, pending and done', async ({ page }) => {
  const notifications = page.getByRole('region', { name: 'Rental Notifications' });
  for (const [unit, count] of [
    ['A101', 6],
    ['B207', 1],
    ['C014', 5],
  ] as const) {
    await expect(notifications.locator('summary', { hasText: unit })).toContainText(`${count} Items Needing Attention`);
  }
  await notifications.locator('summary', { hasText: 'A101' }).click();
  await expect(notifications.locator('details[open] li')).toHaveText([
    'Balance Due',
    'Autopay Needs Setup',
    'Documents Need E-sign',
    'Protection Plan or Proof of Private Insurance Needed',
    'Unit Contents Needed',
    "Driver's License Info Needed",
  ]);
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

test('a pending check leads to where it is done', async ({ page }) => {
  const notifications = page.getByRole('region', { name: 'Rental Notifications' });
  await notifications.locator('summary', { hasText: 'A101' }).click();
  await notifications.getByRole('link', { name: 'Unit Contents Needed' }).click();
  await expect(row(rentalCard(page, 'A101'), 'Unit Contents (Required)')).toBeInViewport();
  await notifications.getByRole('link', { name: 'Balance Due' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billing Information');
});

test('with nothing left to do the count is 0, and a unit open around the clock says so', async ({ page, portal }) => {
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/');
  await expect(page.locator('summary')).toContainText('0 Items Needing Attention');
  await expect(row(rentalCard(page, 'E022'), 'Gate Access')).toContainText('24 Hours');
});

test('rentals that have ended leave a sentence and no cards', async ({ page, portal }) => {
  await signIn(page, portal, 'sam@example.com');
  await page.goto('/');
  await expect(page.getByText('You are not currently renting any units').first()).toBeVisible();
});

test('a load error says so, and trying again brings the rentals', async ({ page }) => {
  await page.route('**/ledgers', (route) => route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }));
  await page.goto('/');
  await expect(page.getByText('There was an issue loading the rental data').first()).toBeVisible({ timeout: 30_000 });
  await page.unroute('**/ledgers');
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await expect(rentalCard(page, 'A101')).toBeVisible();
});

test('one unit’s trouble stays in its row', async ({ page }) => {
  await page.route('**/unit-contents', (route) =>
    route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }),
  );
  await page.goto('/');
  const card = rentalCard(page, 'A101');
  await expect(row(card, 'Unit Contents (Required)')).toContainText('could not be loaded', { timeout: 30_000 });
  await expect(row(card, 'Current Balance (Required)')).toContainText('$214.50');
});

test('a unit without a gate code says so', async ({ page, portal }) => {
  await portal.sql('DELETE FROM gate_codes');
  await page.goto('/');
  await expect(row(rentalCard(page, 'B207'), 'Gate Access')).toContainText('No gate access data available');
});

test('a unit without documents has nothing to e-sign', async ({ page, portal }) => {
  await portal.sql('DELETE FROM esign_documents');
  await page.goto('/');
  await expect(row(rentalCard(page, 'A101'), 'E-sign Status (Required)')).toContainText('Nothing to E-sign');
});
