import type { Locator } from '@playwright/test';
import { openOffice, openTenantOf, payLinkTo, signInStaff } from '../support/office.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { fillCard, openPaySheet } from '../support/tenant.ts';

// React cannot take away, or put something before, what is no longer where it was.
test.use({ mayLog: [/NotFoundError|net::ERR_FAILED/] });

/** Puts an element of the page into another one, as an extension of the browser may. */
async function moveAway(element: Locator): Promise<void> {
  await element.evaluate((moved) => {
    const box = document.createElement('div');
    moved.replaceWith(box);
    box.append(moved);
  });
}

/** What holds the form, which goes when the payment is taken. */
const placeOf = (form: Locator) => form.locator('xpath=..');

// spec 2.11
test('a page that breaks after a payment says what became of it', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
  const heading = page.getByRole('heading', { level: 1 });
  await test.step('with the receipt, where the answer came', async () => {
    const dialog = await openPaySheet(page, 'A101');
    await moveAway(placeOf(dialog.locator('form')));
    await dialog.getByRole('button', { name: 'Pay $214.50' }).click();
    await expect(heading).toHaveText(/^Your payment of \$214\.50 was received\. Receipt \S+\.$/);
    await expect(heading).toBeFocused();
    const [paid] = await portal.sql(
      'SELECT receipt_number AS receipt FROM payment_intents WHERE user_id IS NOT NULL',
    );
    await expect(heading).toContainText(paid!['receipt'] as string);
  });
  await test.step('that it is being confirmed, where none came', async () => {
    await page.getByRole('link', { name: 'Return Home' }).click();
    await page.goto('/billing-info');
    const dialog = await openPaySheet(page, 'C014');
    await moveAway(placeOf(dialog.locator('form')));
    await page.route('**/payments', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await dialog.getByRole('button', { name: 'Pay $450.00' }).click();
    await expect(heading).toHaveText(
      'Your payment is being confirmed. See Payment History before you pay again.',
    );
  });
});

test('a page after that of a payment says nothing of it', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
  const dialog = await openPaySheet(page, 'A101');
  const pay = dialog.getByRole('button', { name: 'Pay $214.50' });
  await pay.click();
  await expect(pay).toBeHidden();
  await page.evaluate(() => {
    history.pushState({ key: 'unknown' }, '', '/unknown');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We could not find that page.');
});

// spec 2.11
test('a pay link’s page that breaks after the payment says what became of it', async ({
  page,
  portal,
}) => {
  await page.goto(await payLinkTo(page, portal, 'A101'));
  const heading = page.getByRole('heading', { level: 1 });
  await fillCard(page.getByRole('main'));
  await moveAway(placeOf(page.locator('form')));
  await page.getByRole('button', { name: 'Pay $214.50' }).click();
  await expect(heading).toHaveText(/^Your payment of \$214\.50 was received\. Receipt \S+\.$/);
});

test('a dialog of the office that breaks after its action says that it is done', async ({
  page,
  portal,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await signInStaff(page, portal, 'manager');
  await openTenantOf(page, portal, 'A101');
  await page.getByRole('button', { name: 'Take a payment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take a payment' });
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const preview = dialog.getByRole('region', { name: 'Preview' });
  await moveAway(placeOf(preview));
  await dialog.getByRole('button', { name: 'Take a payment', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Done. What it came to could not be shown.');
});

test('a dialog of an account that breaks before its action says that nothing was done', async ({
  page,
  portal,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await signInStaff(page, portal, 'owner');
  await openOffice(page, '/staff');
  await page.getByRole('row', { name: /Ana Flores/ }).click();
  await page.getByRole('button', { name: 'Disable' }).click();
  const dialog = page.getByRole('dialog', { name: 'Disable' });
  await dialog.getByLabel('Reason').fill('Left us');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await moveAway(placeOf(dialog.getByRole('region', { name: 'Preview' })));
  await dialog.getByRole('button', { name: 'Back' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('This could not be shown. Nothing was done.');
});
