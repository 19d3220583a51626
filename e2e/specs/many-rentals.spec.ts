import { expect, signIn, test } from '../support/portal.ts';
import { rentUnits } from '../support/rentals.ts';
import { openDetails, rentalCard, row } from '../support/tenant.ts';

// spec 7.91
test('120 rentals are shown, insured, paid together and looked up', async ({ page, portal }) => {
  await rentUnits(portal, 'dana@example.com', 120);
  await signIn(page, portal, 'dana@example.com');
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });

  await test.step('My Units shows what was changed', async () => {
    await page.goto('/');
    const cards = page.getByRole('region', { name: 'Current Rentals' }).getByRole('region');
    await expect(cards).toHaveCount(120);
    const card = rentalCard(page, 'F219');
    await openDetails(card);
    await card.getByRole('button', { name: 'Add protection plan for F219' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: '$10,000 protection plan' }).check();
    await dialog.getByRole('button', { name: 'Add plan' }).click();
    await expect(
      dialog.getByText('You have successfully added a protection plan to unit F219'),
    ).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(row(card, 'Insurance/Protection Plan (Required)')).toContainText(
      'Protection plan, $10,000.00 coverage',
    );
    expect(refused).toEqual([]);
  });

  await test.step('Billing Info pays all that owe at once', async () => {
    await page.goto('/billing-info?ledger=all');
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Pay $5,695.50' }).click();
    // A101, C014 and every third of the others.
    await expect(
      sheet.getByRole('status').filter({ hasText: 'Your payment has been applied' }),
    ).toContainText('$5,695.50');
    await sheet.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByRole('row', { name: /F219/ })).toContainText('$0.00');
    expect(refused).toEqual([]);
  });

  await test.step('Payment History has each of them', async () => {
    await page.goto('/payment-history');
    const unit = page.getByLabel('Unit', { exact: true });
    await expect(unit.getByRole('option')).toHaveCount(121);
    await unit.selectOption('F104');
    await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText('$129.00');
    expect(refused).toEqual([]);
  });

  expect(
    await portal.sql("SELECT details FROM audit_events WHERE kind = 'access_refused'"),
  ).toEqual([]);
});
