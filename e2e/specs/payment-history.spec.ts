import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { TEST_DAY, testClock } from '../../server/test/test-day.ts';
import { expect, signIn, test, type Portal } from '../support/portal.ts';

/** More payments of a dollar in the unit's history; like the demo's own, they have no user. */
async function addPayments(
  portal: Portal,
  unitName: string,
  count: number,
  [type, state] = ['creditCard', 'succeeded'],
) {
  await portal.sql(
    `WITH payment AS MATERIALIZED (
       SELECT l.id AS ledger_id, u.facility_id, l.tenant_id, gen_random_uuid() AS intent_id, gen_random_uuid() AS entry_id,
         nextval('receipt_numbers')::text AS receipt
       FROM ledgers l JOIN units u ON u.id = l.unit_id CROSS JOIN generate_series(1, $2::int) WHERE u.name = $1),
     intent AS (
       INSERT INTO payment_intents (id, tenant_id, type, method_description, amount_cents, state, debt_key, attempt, receipt_number)
       SELECT intent_id, tenant_id, $3, 'Visa ending in 4242', 100, $4, sha256(receipt::bytea), 1, receipt
       FROM payment),
     entry AS (
       INSERT INTO entries (id, ledger_id, facility_id, kind, amount_cents, posted_on)
       SELECT entry_id, ledger_id, facility_id, 'payment', -100, '2026-01-05' FROM payment)
     INSERT INTO payments (entry_id, intent_id, ledger_id, description, receipt_number)
     SELECT entry_id, intent_id, ledger_id, 'Visa ending in 4242', receipt FROM payment`,
    [unitName, count, type, state],
  );
}

// spec 1.7, 2.4, 2.98
test(
  'two years of payments, a year a page, newest first',
  { tag: ['@smoke', '@wide'] },
  async ({ page, portal }) => {
    await signIn(page, portal, 'lee@example.com');
    await page.goto('/payment-history');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment History');
    const table = page.getByRole('table');
    for (const header of ['Date', 'Description', 'Amount'])
      await expect(table.getByText(header, { exact: true }).first()).toBeAttached();
    const rows = table.getByRole('row');
    await expect(rows).toHaveCount(13);
    await expect(rows.nth(1)).toContainText(/\d{1,2}\/\d{1,2}\/\d{4}/);
    await expect(rows.nth(1)).toContainText('Visa ending in 4242');
    await expect(rows.nth(1)).toContainText('$247.82');
    const pages = page.getByRole('navigation', { name: 'Payment history pages' });
    await expect(pages.getByRole('button', { name: 'Page 1', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
    await expect(pages.getByRole('button', { name: 'Previous page' })).toBeDisabled();
    // A year is one screen of a phone, under the bar that sticks.
    const first = (await rows.nth(1).boundingBox())!;
    const last = (await rows.last().boundingBox())!;
    expect(last.y + last.height - first.y).toBeLessThanOrEqual(844 - 96);
    await pages.getByRole('button', { name: 'Page 2' }).click();
    await expect(rows).toHaveCount(13);
    await expect(pages.getByRole('button', { name: 'Next page' })).toBeDisabled();
    await pages.getByRole('button', { name: 'Previous page' }).click();
    await expect(rows).toHaveCount(13);
  },
);

test('units are chosen by name, and one without payments says so', async ({ page, portal }) => {
  // spec 2.97, 7.52, 7.67
  await test.step('the selector lists the units of all tenant records and switches between them', async () => {
    await signIn(page, portal, 'dana@example.com');
    await page.goto('/payment-history');
    const unit = page.getByLabel('Unit', { exact: true });
    await expect(unit.getByRole('option')).toHaveText(['A101', 'B207', 'C014', 'D310']);
    await unit.selectOption('D310');
    await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText(
      'ACH ending in 6789',
    );
    await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText('$310.00');
  });
  // spec 2.99
  await test.step('a unit without payments keeps the table’s head and says so', async () => {
    await signIn(page, portal, 'dana@example.com');
    await portal.sql(
      `DELETE FROM payments WHERE ledger_id = (SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name = 'A101')`,
    );
    await page.goto('/payment-history');
    await expect(page.getByText('No payments have been made on this unit')).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'Amount' })).toBeAttached();
  });
});

const nothingRented = (page: Page) => page.getByText('You are not currently renting any units');

async function expectWayToCall(page: Page): Promise<void> {
  await expect(nothingRented(page)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Call (817) 555-0103' })).toHaveAttribute(
    'href',
    'tel:+18175550103',
  );
}

// spec 2.100, 7.80
test('a tenant without rentals sees a sentence that says so, and still has receipts and statements', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'sam@example.com');
  await page.goto('/payment-history');
  await expect(nothingRented(page)).toBeVisible();
  const statement = page.getByRole('button', { name: /^Download the statement of/ }).first();
  expect(await download(page, () => statement.click())).toEqual({
    name: expect.stringMatching(/^statement-\d{4}-\d{2}\.pdf$/) as unknown,
    head: '%PDF-',
  });
  // What there is comes first.
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Past rentals');
  const past = page.getByRole('region', { name: 'Past rentals' });
  await expect(past.getByRole('row').nth(1)).toContainText(/C009.*Visa ending in 4242/);
  const receipt = past.getByRole('button', { name: /^Receipt \d+ as PDF$/ }).first();
  expect(await download(page, () => receipt.click())).toEqual({
    name: expect.stringMatching(/^receipt-\d+\.pdf$/) as unknown,
    head: '%PDF-',
  });
  for (const path of ['/billing-info', '/maintenance-request']) {
    await page.goto(path);
    await expectWayToCall(page);
  }
});

// spec 2.101, 2.102, 8.13, 8.14
test('errors of the history and of the unit names have their sentences', async ({
  page,
  portal,
}) => {
  // Of several records the line under the header asks for the units too, and that mends the page.
  await signIn(page, portal, 'lee@example.com');
  await page.route('**/payments', (route) =>
    route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }),
  );
  await page.goto('/payment-history');
  await expect(
    page.getByText('An error was encountered when getting payment history'),
  ).toBeVisible();
  await page.route('**/ledgers', (route) =>
    route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }),
  );
  await page.goto('/payment-history', { waitUntil: 'networkidle' });
  await expect(page.getByText('Error loading unit names. Please refresh the page.')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('table')).toBeVisible();
});

test('the history’s own “Try again” says offline that it failed again, and brings the history later', async ({
  page,
  portal,
  context,
}) => {
  await signIn(page, portal, 'lee@example.com');
  await page.route('**/payments', (route) =>
    route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }),
  );
  await page.goto('/payment-history', { waitUntil: 'networkidle' });
  const failure = page
    .getByRole('alert')
    .filter({ hasText: 'An error was encountered when getting payment history' });
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await expect(failure).toBeVisible();
  await page.unroute('**/payments');
  await context.setOffline(true);
  const failed = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/payments'),
  );
  await again.click();
  await failed;
  await expect(failure).toBeVisible();
  await expect(again).toBeVisible();
  await context.setOffline(false);
  await again.click();
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText('$');
});

/** What the browser saves on a press, as text. */
async function download(
  page: Page,
  press: () => Promise<void>,
): Promise<{ name: string; head: string }> {
  const saved = page.waitForEvent('download');
  await press();
  const file = await saved;
  return {
    name: file.suggestedFilename(),
    head: (await readFile(await file.path(), 'latin1')).slice(0, 5),
  };
}

// spec 10.12
test('what was paid in each calendar year is downloaded as PDF, also of rentals that have ended', async ({
  page,
  portal,
}) => {
  for (const email of ['lee@example.com', 'sam@example.com']) {
    await signIn(page, portal, email);
    await page.goto('/payment-history');
    const years = page.getByRole('region', { name: 'Payments by year' });
    const thisYear = TEST_DAY.slice(0, 4);
    if (email === 'lee@example.com')
      await expect(years.getByRole('listitem').first()).toContainText(`${thisYear}, so far`);
    const last = years.getByRole('button', { name: /^Download the payments of \d{4}$/ }).last();
    const year = /\d{4}/.exec(await last.innerText())?.[0];
    expect(await download(page, () => last.click())).toEqual({
      name: `payments-${year}.pdf`,
      head: '%PDF-',
    });
    await page.goto('/login');
  }
});

// spec 7.75, 7.76, 7.77
test('the receipt of each payment and the statement of each month are downloaded as PDF', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'lee@example.com');
  await portal.sql('DELETE FROM statements');
  await page.goto('/payment-history');
  await expect(page.getByText('There are no statements yet.')).toBeVisible();
  await portal.sql(
    `INSERT INTO statements (tenant_id, month, created_at, entries_through, ledger_ids)
     SELECT id, to_char($1::timestamptz - m * interval '1 month', 'YYYY-MM'), $1, 0, '{}'
     FROM tenants, generate_series(1, 8) m
     WHERE email = 'lee@example.com'`,
    [testClock.now()],
  );
  await page.reload();
  const receipt = page.getByRole('button', { name: /^Receipt \d+ as PDF$/ }).first();
  const number = /\d+/.exec(await receipt.innerText())?.[0];
  await page.route('**/receipts/*', (route) => route.abort());
  await receipt.click();
  await expect(page.getByRole('table').getByRole('alert')).toContainText(
    'We could not reach the server.',
  );
  await page.unroute('**/receipts/*');
  expect(await download(page, () => receipt.click())).toEqual({
    name: `receipt-${number}.pdf`,
    head: '%PDF-',
  });
  await expect(page.getByRole('table').getByRole('alert')).toHaveCount(0);

  const statements = page.getByRole('region', { name: 'Statements' });
  await expect(statements).toContainText('on unit E022');
  await expect(statements.getByRole('listitem')).toHaveCount(6);
  await statements.getByRole('button', { name: 'Show 2 earlier' }).click();
  await expect(statements.getByRole('listitem')).toHaveCount(8);
  await expect(statements.getByRole('listitem').nth(6).getByRole('button')).toBeFocused();
  const { name, head } = await download(page, () =>
    statements
      .getByRole('button', { name: /^Download the statement of/ })
      .first()
      .click(),
  );
  expect(name).toMatch(/^statement-\d{4}-\d{2}\.pdf$/);
  expect(head).toBe('%PDF-');
});

test('payments at the bank and payments of many pages', async ({ page, portal }) => {
  await test.step('a bank payment that may still come back is marked, and one that came back says why and how much', async () => {
    await signIn(page, portal, 'lee@example.com');
    await addPayments(portal, 'E022', 1, ['ach', 'pending']);
    await portal.sql(
      `WITH paid AS (
       SELECT p.entry_id, p.ledger_id, e.facility_id FROM payments p JOIN entries e ON e.id = p.entry_id
       WHERE p.receipt_number = $1),
     entry AS (
       INSERT INTO entries (id, ledger_id, facility_id, kind, amount_cents, posted_on)
       SELECT gen_random_uuid(), ledger_id, facility_id, 'reversal', 24782, '2026-11-20' FROM paid RETURNING id, ledger_id)
     INSERT INTO reversals (entry_id, payment_entry_id, ledger_id, reason, description)
     SELECT entry.id, paid.entry_id, entry.ledger_id, 'return', 'Returned by the bank: the account is closed (R02)'
     FROM entry, paid`,
      [await newest(portal, 2)],
    );
    await page.goto('/payment-history');
    const rows = page.getByRole('table').getByRole('row');
    await expect(rows.nth(1)).toContainText('Pending at the bank');
    await expect(rows.nth(2)).toContainText('Returned by the bank: the account is closed (R02).');
    await expect(rows.nth(2)).toContainText('-$247.82');
    await expect(rows.nth(3)).not.toContainText('Pending at the bank');
  });
  // spec 9.31
  await test.step('with many pages a window of five moves along', async () => {
    await signIn(page, portal, 'lee@example.com');
    await addPayments(portal, 'E022', 84);
    await page.goto('/payment-history');
    const pages = page.getByRole('navigation', { name: 'Payment history pages' });
    const numbers = pages.getByRole('button', { name: /^Page \d+$/ });
    await expect(numbers).toHaveText(['1', '2', '3', '4', '5']);
    await pages.getByRole('button', { name: 'Page 5' }).click();
    await expect(numbers).toHaveText(['3', '4', '5', '6', '7']);
    await pages.getByRole('button', { name: 'Page 7' }).click();
    await pages.getByRole('button', { name: 'Page 9' }).click();
    await expect(numbers).toHaveText(['6', '7', '8', '9', '10']);
  });
});

/** The receipt number of the tenant's newest payment, or the one before it. */
async function newest(portal: Portal, place: number): Promise<unknown> {
  const [payment] = await portal.sql(
    `SELECT p.receipt_number AS number FROM payments p JOIN ledgers l ON l.id = p.ledger_id
     JOIN tenants t ON t.id = l.tenant_id JOIN entries e ON e.id = p.entry_id
     WHERE t.email = 'lee@example.com' ORDER BY e.position DESC OFFSET $1::int - 1 LIMIT 1`,
    [place],
  );
  return payment?.number;
}
