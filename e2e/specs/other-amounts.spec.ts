import type { Page } from '@playwright/test';
import { expect, signIn, test, type Portal } from '../support/portal.ts';
import { bodiesOf } from '../support/requests.ts';
import { openPaySheet } from '../support/tenant.ts';

async function openBilling(page: Page, portal: Portal, settings: string | null) {
  if (settings !== null) await portal.sql(`UPDATE facilities SET ${settings}`);
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billing Information');
}

/** What a unit owes in cents, below 0 a credit. */
async function balanceOf(portal: Portal, unitName: string): Promise<number> {
  const rows = await portal.sql(
    `SELECT l.balance_cents::int AS cents FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name = '${unitName}'`,
  );
  return rows[0]!['cents'] as number;
}

// spec 10.13
test(
  'a part of what is due: it says first what it pays and what opens the gate, and sets up no autopay',
  { tag: '@wide' },
  async ({ page, portal }) => {
    await openBilling(page, portal, 'part_payments = true, least_payment_cents = 2000');
    const autopays = bodiesOf(page, '/autopay-update');
    const dialog = await openPaySheet(page, 'A101');
    await expect(dialog.getByRole('radio')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Another amount' }).click();
    await expect(dialog.getByRole('radio', { name: 'Months ahead' })).toHaveCount(0);
    await expect(dialog.getByRole('radio', { name: 'Another amount' })).toBeChecked();
    const amount = dialog.getByLabel('Amount in dollars');
    await expect(dialog.getByRole('checkbox')).toHaveCount(0);
    const pay = dialog.locator('button[type=submit]');
    await expect(pay).toBeEnabled();
    await expect(pay).toHaveCSS('opacity', '1');
    await pay.click();
    await expect(amount).toBeFocused();
    await expect(amount).toHaveAttribute('aria-invalid', 'true');
    await expect(dialog.getByText('Enter an amount such as 150 or 150.50.')).toBeVisible();
    await amount.fill('19.99');
    await expect(dialog.getByText('Enter $20.00 or more, up to $214.50.')).toBeVisible();
    await pay.click();
    await expect(amount).toBeFocused();
    await amount.fill('$150');
    await expect(
      dialog.getByRole('status').filter({ hasText: 'The gate stays closed: $64.50 is still due.' }),
    ).toBeVisible();
    const pays = dialog.getByRole('list', { name: 'What it pays' }).last();
    await expect(pays.getByRole('listitem').last()).toContainText(/^Part of .*\$\d+\.\d\d$/);
    await amount.press('Enter');
    await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
    await expect(dialog.getByRole('status').filter({ hasText: '$150.00' })).toBeVisible();
    expect(await balanceOf(portal, 'A101')).toBe(6450);
    expect(autopays).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByRole('row', { name: /A101/ })).toContainText('$64.50');
  },
);

// spec 10.14
test('months ahead: the sum is what the bills come to, and stays as a credit', async ({
  page,
  portal,
}) => {
  await openBilling(page, portal, 'pay_ahead = true');
  const payments = bodiesOf(page, '/payments');
  const dialog = await openPaySheet(page, 'B207');
  await dialog.getByLabel('How many months ahead').selectOption('3');
  const outcome = dialog.getByRole('status').filter({
    hasText: /stays as a credit and pays your bills through \d+\/\d+\/\d{4}/,
  });
  const sum = /\$([\d,]+\.\d\d) stays/.exec(await outcome.innerText())![1]!;
  await expect(dialog.getByRole('list', { name: 'What it pays' }).last()).toContainText(`$${sum}`);
  await dialog.getByRole('button', { name: `Pay $${sum}` }).click();
  await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
  const cents = Math.round(Number(sum.replace(',', '')) * 100);
  expect(await balanceOf(portal, 'B207')).toBe(-cents);
  expect(payments).toEqual([expect.objectContaining({ prepayMonths: 3 })]);
});

test('a payment of another amount whose answer is lost is found by the balance, and taken once', async ({
  page,
  portal,
}) => {
  await openBilling(page, portal, 'part_payments = true, pay_ahead = true');
  await page.route('**/payments', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.fulfill({ status: 500, json: { message: 'Something broke.' } });
  });
  const pays: [string, (dialog: Awaited<ReturnType<typeof openPaySheet>>) => Promise<unknown>][] = [
    [
      'A101',
      async (dialog) => {
        await dialog.getByRole('button', { name: 'Another amount' }).click();
        await dialog.getByLabel('Amount in dollars').fill('100');
      },
    ],
    ['B207', () => Promise.resolve()],
  ];
  for (const [unitName, choose] of pays) {
    const dialog = await openPaySheet(page, unitName);
    await choose(dialog);
    await dialog.getByRole('button', { name: /^Pay \$/ }).click();
    await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
    await expect(dialog.getByRole('button', { name: /Receipt \d+ as PDF/ })).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  }
  const rows = await portal.sql(
    'SELECT count(*)::int AS count FROM payment_intents WHERE user_id IS NOT NULL',
  );
  expect(rows[0]!['count']).toBe(2);
});

test('neither is offered unless the facility does, nor for several units', async ({
  page,
  portal,
}) => {
  await openBilling(page, portal, null);
  const dialog = await openPaySheet(page, 'A101');
  await expect(dialog.getByRole('button', { name: 'Pay $214.50' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Another amount' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('button', { name: 'Pay ahead for B207' })).toHaveCount(0);
  await portal.sql('UPDATE facilities SET part_payments = true');
  await page.reload();
  await openPaySheet(page, 'A101');
  await dialog.getByRole('button', { name: 'Another amount' }).click();
  await dialog.getByLabel('Amount in dollars').fill('50');
  await expect(dialog.getByRole('button', { name: 'Pay $50.00' })).toBeVisible();
  await page.goto('/billing-info?ledger=all');
  await expect(dialog.getByRole('button', { name: 'Pay $664.50' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Another amount' })).toHaveCount(0);
});
