import { expect, signIn, test, type Portal } from '../support/portal.ts';

/** More payments of a dollar in the unit's history; like the demo's own, they have no user. */
async function addPayments(portal: Portal, unitName: string, count: number) {
  await portal.sql(
    `WITH payment AS MATERIALIZED (
       SELECT l.id AS ledger_id, l.tenant_id, gen_random_uuid() AS intent_id, gen_random_uuid() AS entry_id,
         nextval('receipt_numbers')::text AS receipt
       FROM ledgers l JOIN units u ON u.id = l.unit_id CROSS JOIN generate_series(1, $2::int) WHERE u.name = $1),
     intent AS (
       INSERT INTO payment_intents (id, tenant_id, type, method_description, amount_cents, state, debt_key, attempt, receipt_number)
       SELECT intent_id, tenant_id, 'creditCard', 'Visa ending in 4242', 100, 'succeeded', sha256(receipt::bytea), 1, receipt
       FROM payment),
     entry AS (
       INSERT INTO entries (id, ledger_id, kind, amount_cents, posted_on)
       SELECT entry_id, ledger_id, 'payment', -100, '2026-01-05' FROM payment)
     INSERT INTO payments (entry_id, intent_id, ledger_id, description, receipt_number)
     SELECT entry_id, intent_id, ledger_id, 'Visa ending in 4242', receipt FROM payment`,
    [unitName, count],
  );
}

test('two years of payments, ten a page, newest first', async ({ page, portal }) => {
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/payment-history');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment History');
  const table = page.getByRole('table');
  for (const header of ['Date', 'Description', 'Amount'])
    await expect(table.getByText(header, { exact: true }).first()).toBeAttached();
  const rows = table.getByRole('row');
  await expect(rows).toHaveCount(11);
  await expect(rows.nth(1)).toContainText(/\d{1,2}\/\d{1,2}\/\d{4}/);
  await expect(rows.nth(1)).toContainText('Visa ending in 4242');
  await expect(rows.nth(1)).toContainText('$247.82');
  const pages = page.getByRole('navigation', { name: 'Payment history pages' });
  await expect(pages.getByRole('button', { name: 'Page 1', exact: true })).toHaveAttribute('aria-current', 'page');
  await expect(pages.getByRole('button', { name: 'Previous page' })).toBeDisabled();
  await pages.getByRole('button', { name: 'Page 3' }).click();
  await expect(rows).toHaveCount(5);
  await expect(pages.getByRole('button', { name: 'Next page' })).toBeDisabled();
  await pages.getByRole('button', { name: 'Previous page' }).click();
  await expect(rows).toHaveCount(11);
});

test('with many pages a window of five moves along', async ({ page, portal }) => {
  await signIn(page, portal, 'lee@example.com');
  await addPayments(portal, 'E022', 71);
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

test('the selector lists the units of all tenant records and switches between them', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/payment-history');
  const unit = page.getByLabel('Unit', { exact: true });
  await expect(unit.getByRole('option')).toHaveText(['A101', 'B207', 'C014', 'D310']);
  await unit.selectOption('D310');
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText('ACH ending in 6789');
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText('$310.00');
});

test('a unit without payments keeps the table’s head and says so', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await portal.sql(
    `DELETE FROM payments WHERE ledger_id = (SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name = 'A101')`,
  );
  await page.goto('/payment-history');
  await expect(page.getByText('No payments have been made on this unit')).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Amount' })).toBeAttached();
});

test('a tenant without rentals is told so', async ({ page, portal }) => {
  await signIn(page, portal, 'sam@example.com');
  await page.goto('/payment-history');
  await expect(page.getByText('You are not currently renting any units')).toBeVisible();
});

test('errors of the history and of the unit names have their sentences', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await page.route('**/payments', (route) =>
    route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }),
  );
  await page.goto('/payment-history');
  await expect(page.getByText('An error was encountered when getting payment history')).toBeVisible({
    timeout: 30_000,
  });
  await page.route('**/ledgers', (route) => route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }));
  await page.goto('/payment-history');
  await expect(page.getByText('Error loading unit names. Please refresh the page.')).toBeVisible({ timeout: 30_000 });
});
