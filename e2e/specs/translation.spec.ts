import { payLinkTo } from '../support/office.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { bodiesOf } from '../support/requests.ts';
import { fillCard, openByMenu, openMyUnits, openPaymentMethod } from '../support/tenant.ts';

// The other walks are those of `@smoke`, in the project `translated`.
test.use({ isTranslated: true });

test(
  'on a page that the browser translates, the sum in sight is the one that is sent, and the success shows with its receipts',
  { tag: '@smoke' },
  async ({ page, portal }) => {
    await signIn(page, portal, 'dana@example.com');
    await openMyUnits(page);
    const bodies = bodiesOf(page, '/payments');
    await openByMenu(page, 'Billing Info');
    const dialog = await openPaymentMethod(page, 'A101');
    const pay = dialog.getByRole('button', { name: /^Setup and pay/ });
    const consent = dialog.getByRole('region', { name: 'Autopay authorization' });
    await expect(pay).toHaveText('Setup and pay $214.50');
    await dialog.getByRole('checkbox', { name: 'All units' }).check();
    await expect(pay).toHaveText('Setup and pay $664.50');
    await expect(consent).toContainText('Today$664.50');
    await expect(dialog).toContainText('With “Setup and pay $664.50” you agree to autopay.');
    await dialog.getByRole('checkbox', { name: /C014/ }).uncheck();
    await expect(pay).toHaveText('Setup and pay $214.50');
    await dialog.getByRole('checkbox', { name: 'All units' }).check();
    await pay.click();
    await expect(dialog.getByRole('heading', { name: 'Payment received' })).toBeVisible();
    await expect(dialog.getByRole('status').first()).toContainText('$664.50');
    await expect(dialog.getByRole('button', { name: /^Receipt \S+/ })).toHaveCount(2);
    const payments = (bodies[0] as { payments: { amount: number }[] }).payments;
    expect(payments.map(({ amount }) => amount)).toEqual([214.5, 450]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByRole('row', { name: /A101/ })).toContainText('$0.00');
  },
);

test('on a page that the browser translates, a pay link is paid after a decline', async ({
  page,
  portal,
}) => {
  await page.goto(await payLinkTo(page, portal, 'A101'));
  const pay = page.getByRole('button', { name: 'Pay $214.50' });
  await fillCard(page.getByRole('main'), '4000000000000002');
  await pay.click();
  await expect(page.getByRole('alert')).toContainText('declined');
  await fillCard(page.getByRole('main'));
  await pay.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment received');
  await expect(page.getByText(/^Receipt \S+ was emailed to the tenant/)).toBeVisible();
});
