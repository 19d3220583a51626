import { placesOf } from '../support/memory.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { discard, fillCard, openPaymentMethod } from '../support/tenant.ts';

const CODE = '9317';

// asvs 14.3.3
test('card and bank numbers are in the dialog’s fields only, and a failed submit keeps them there; nowhere after a success or closing it', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
  const dialog = await openPaymentMethod(page, 'A101');
  const alert = dialog.getByRole('alert');
  const chooseNew = () => dialog.getByRole('radio', { name: 'New payment method' }).check();
  async function fillIn(cardNumber: string) {
    await fillCard(dialog, cardNumber);
    await dialog.getByLabel('Security Code').fill(CODE);
    // The reader sees them where they may be.
    expect(await placesOf(page, [cardNumber])).toEqual(['component', 'field']);
    expect(await placesOf(page, [CODE])).toEqual(['component', 'field']);
  }
  const isGone = (...numbers: string[]) => expect.poll(() => placesOf(page, numbers)).toEqual([]);

  await chooseNew();
  await fillIn('4000000000000002');
  await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
  await expect(alert).toContainText('Your bank declined this card.');
  await dialog.getByRole('button', { name: 'Use another card' }).click();
  await chooseNew();
  await expect(dialog.getByLabel('Card Number')).toHaveValue('4000 0000 0000 0002');
  await expect(dialog.getByLabel('Security Code')).toHaveValue(CODE);
  expect(await placesOf(page, ['4000000000000002'])).toEqual(['component', 'field']);

  await fillIn('4111111111111111');
  await discard(page);
  await expect(dialog).toBeHidden();
  await isGone('4111111111111111', CODE);

  await openPaymentMethod(page, 'A101');
  await chooseNew();
  await fillIn('4242424242424242');
  await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
  await expect(
    dialog.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();
  await isGone('4242424242424242', CODE);
  await page.keyboard.press('Escape');

  // What the dialog offers follows the rows behind it.
  await expect(page.getByRole('button', { name: 'Update autopay for A101' })).toBeVisible();
  await openPaymentMethod(page, 'A101');
  await dialog.getByRole('radio', { name: 'ACH' }).check();
  await dialog.getByLabel('Account Type').selectOption('Consumer Checking');
  await dialog.getByLabel('Account Number').fill('000987651234');
  await dialog.getByLabel('Routing Number').fill('111000025');
  expect(await placesOf(page, ['000987651234', '111000025'])).toEqual(['component', 'field']);
  await page.route('**/autopay-update', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(alert).toBeVisible();
  expect(await placesOf(page, ['000987651234', '111000025'])).toEqual(['component', 'field']);
  // The dialog closes with the session: no one closed it.
  await page.evaluate(() => {
    localStorage.clear();
    dispatchEvent(new StorageEvent('storage', { key: null }));
  });
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.content()).not.toContain('000987651234');
});
