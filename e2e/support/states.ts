import type { Page } from '@playwright/test';
import { newestCode } from './mailbox.ts';
import { payLinkTo } from './office.ts';
import { expect, type Portal, signIn } from './portal.ts';
import { rentUnits } from './rentals.ts';
import { fillCard, openDetails, openMyUnits, openPaymentMethod, rentalCard } from './tenant.ts';

/** A state of a screen that the page has come to: its name. */
type States = AsyncGenerator<string>;

/** Ways through the portal that come by every state of its screens, each in a world of its own. */
export const walks: Record<string, (page: Page, portal: Portal) => States> = {
  visitor: asVisitor,
  units: onMyUnits,
  rentals: withOtherRentals,
  billing: onBillingInfo,
  payments: throughPayments,
  account: onProfileAndAccount,
  others: onOtherScreens,
  payer: byPayLink,
};

async function* asVisitor(page: Page, portal: Portal): States {
  await page.goto('/login');
  await expect(page.getByLabel('What state is your facility located?')).toBeEnabled();
  yield 'sign-in';
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Password is required.')).toBeVisible();
  yield 'sign-in-errors';
  await page.goto('/forgot-password');
  await expect(page.getByLabel('Email Address')).toBeVisible();
  yield 'forgot-password';
  await page.goto('/register');
  await page.getByLabel('What state is your facility located?').selectOption('TX');
  await page.getByLabel('Select your location').selectOption('TXDFW03');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Email Address is required.')).toBeVisible();
  yield 'account-lookup-errors';
  await page.getByLabel('Email Address').fill('newcomer@example.com');
  yield 'account-lookup';
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('An email with the verification code was sent')).toBeVisible();
  yield 'verify-email';
  await page.getByLabel('Verification Code').fill('1');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('The verification code is invalid')).toBeVisible();
  yield 'verify-email-error';
  const code = await newestCode(page, portal, 'newcomer@example.com');
  await page.getByLabel('Verification Code').fill(code);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Password must have at least 8 characters.')).toBeVisible();
  yield 'set-password';
  await page.getByLabel('Password', { exact: true }).fill('tide-table 1994');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('You have successfully setup your account.')).toBeVisible();
  yield 'registered';
  await page.goto('/nothing');
  await expect(page.getByText('404')).toBeVisible();
  yield 'error-visitor';
}

async function* onMyUnits(page: Page, portal: Portal): States {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  await expect(page.getByText('Also yours:')).toBeVisible();
  yield 'my-units';
  for (const summary of await page.locator('summary').all()) await summary.click();
  await openDetails(page);
  yield 'my-units-open';
  const dialog = page.getByRole('dialog');
  await rentalCard(page, 'A101').getByRole('button', { name: 'View Charges' }).click();
  await expect(dialog).toContainText('Late fee');
  yield 'charges';
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Update protection plan for B207' }).click();
  await dialog.getByRole('radio', { name: 'Private insurance' }).check();
  await dialog.getByRole('button', { name: 'Submit proof' }).click();
  await expect(dialog.getByText('Policy company is required.')).toBeVisible();
  yield 'insurance-errors';
  await dialog.getByRole('radio', { name: '$10,000 protection plan' }).check();
  yield 'insurance';
  await dialog.getByRole('button', { name: 'Request change' }).click();
  await expect(dialog.getByText('The update can take up to 1 day to take effect.')).toBeVisible();
  yield 'insurance-sent';
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Update unit contents for B207' }).click();
  await dialog.getByLabel('HIN').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('HIN is required.')).toBeVisible();
  yield 'unit-contents';
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Request 24-hour access for B207' }).click();
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(dialog.getByText('Reason is required.')).toBeVisible();
  yield 'gate-request';
  await dialog.getByLabel('Reason').fill('We leave for the lake before six.');
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(dialog.getByText('Request successfully sent')).toBeVisible();
  yield 'gate-request-sent';
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Resend documents for A101' }).click();
  await expect(dialog.getByText('dana@example.com')).toBeVisible();
  yield 'esign-resend';
}

async function* withOtherRentals(page: Page, portal: Portal): States {
  await signIn(page, portal, 'lee@example.com');
  await openMyUnits(page);
  yield 'my-units-lee';
  await signIn(page, portal, 'sam@example.com');
  await page.goto('/');
  await expect(page.getByText('You are not currently renting any units')).toBeVisible();
  yield 'my-units-sam';
  await page.goto('/billing-info');
  await expect(page.getByText('You are not currently renting any units')).toBeVisible();
  yield 'billing-info-sam';
  await page.goto('/payment-history');
  await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible();
  await expect(page.locator('main .appear-late')).toHaveCount(0);
  yield 'payment-history-sam';
  await page.goto('/maintenance-request');
  await expect(page.getByText('You are not currently renting any units')).toBeVisible();
  yield 'maintenance-request-sam';
  await signIn(page, portal, 'pat@example.com');
  for (const count of [1, 2, 7, 30]) {
    await rentUnits(portal, 'pat@example.com', count);
    await openMyUnits(page);
    yield `my-units-of-${count}`;
  }
  await page.route(/overview$|ledgers$/, (route) =>
    route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }),
  );
  await page.goto('/');
  await expect(page.getByText('There was an issue loading the rental data')).toBeVisible();
  yield 'my-units-failed';
}

async function* onBillingInfo(page: Page, portal: Portal): States {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
  const dialog = await openPaymentMethod(page, 'A101');
  yield 'payment-method';
  await dialog.getByRole('radio', { name: 'New payment method' }).check();
  await dialog.getByRole('button', { name: 'Setup and pay' }).click();
  await expect(dialog.getByText('Billing zip is required.')).toBeVisible();
  yield 'payment-method-errors';
  await fillCard(dialog);
  yield 'payment-method-card';
  await dialog.getByRole('radio', { name: 'ACH' }).check();
  yield 'payment-method-ach';
  await page.keyboard.press('Escape');
  yield 'billing-info';
  for (const summary of await page.locator('summary').all()) await summary.click();
  yield 'billing-info-open';
  await page.getByRole('button', { name: 'Switch autopay off for B207' }).click();
  await expect(dialog.getByText('Your payment method stays saved')).toBeVisible();
  yield 'stop-autopay';
  await dialog.getByRole('button', { name: 'Switch autopay off' }).click();
  await expect(dialog.getByRole('status')).toBeVisible();
  yield 'autopay-stopped';
  await portal.sql("UPDATE payment_methods SET expires_on = '2020-04' WHERE last_four = '4242'");
  await page.goto('/billing-info');
  await openPaymentMethod(page, 'A101');
  await expect(dialog.getByText('Visa ending in 4242 has expired.')).toBeVisible();
  yield 'payment-method-expired';
  await portal.sql('UPDATE facilities SET part_payments = true, pay_ahead = true');
  await page.goto('/billing-info');
  await openPaymentMethod(page, 'A101');
  await dialog.getByRole('radio', { name: 'Another amount' }).check();
  await dialog.getByLabel('Amount in dollars').fill('0.50');
  await expect(dialog.getByText(/^Pay at least/)).toBeVisible();
  yield 'another-amount-error';
  await dialog.getByLabel('Amount in dollars').fill('205');
  await expect(dialog.getByText('Now $205.00')).toBeVisible();
  yield 'another-amount';
  await dialog.getByRole('radio', { name: 'Months ahead' }).check();
  await dialog.getByLabel('How many months ahead').selectOption('12');
  await expect(dialog.getByText(/stays as a credit/)).toBeVisible();
  yield 'months-ahead';
}

async function* throughPayments(page: Page, portal: Portal): States {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
  let dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('radio', { name: 'New payment method' }).check();
  await fillCard(dialog, '4000000000000002');
  await dialog.getByRole('button', { name: 'Setup and pay' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  yield 'payment-declined';
  await dialog.getByRole('radio', { name: /Visa ending in 4242/ }).check();
  await dialog.getByRole('button', { name: 'Pay once, without autopay' }).click();
  await expect(dialog.getByText(/^\d{4}#$/)).toBeVisible();
  yield 'paid-once';
  await page.keyboard.press('Escape');
  dialog = await openPaymentMethod(page, 'C014');
  await page.route('**/payments', async (route) => {
    if (route.request().method() === 'POST') {
      await route.fetch();
      await route.abort('connectionreset');
    } else await route.fulfill({ json: [] });
  });
  // Until the balances say what became of it.
  await page.route('**/ledgers', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Pay once, without autopay' }).click();
  await expect(dialog.getByText('Your payment is being confirmed.')).toBeVisible();
  yield 'confirming';
}

async function* onProfileAndAccount(page: Page, portal: Portal): States {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/profile');
  await expect(page.getByText('18 Heron Lane')).toBeVisible();
  yield 'profile';
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Update contact information' }).click();
  await dialog.getByLabel('City').fill('');
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(dialog.getByText('City is required.')).toBeVisible();
  yield 'contact-update';
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add alternate contact' }).click();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog.getByText('Phone is required.')).toBeVisible();
  yield 'alternate-contact';
  await page.goto('/account');
  await expect(page.getByText('You have not asked the facility for anything yet.')).toBeVisible();
  yield 'account';
  await page.getByRole('button', { name: "Add driver's license" }).click();
  yield 'drivers-license';
  await dialog.getByRole('button', { name: 'Add' }).click();
  yield 'drivers-license-errors';
  await dialog.getByLabel("Driver's License Number").fill('08123456');
  await dialog.getByLabel("Driver's License State").selectOption('TX');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog.getByText("Your driver's license has been added.")).toBeVisible();
  yield 'drivers-license-added';
  await portal.sql(`INSERT INTO requests (facility_id, tenant_id, kind, details, created_at)
    SELECT t.facility_id, t.id, 'request_tenant_update', '{"unitNames": []}', now() - n * interval '1 day'
    FROM tenants t, generate_series(1, 7) n WHERE t.email = 'dana@example.com'`);
  await page.goto('/account');
  await expect(page.getByText('To change it, please call')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Show \d+ earlier requests/ })).toBeVisible();
  yield 'account-requests';
  await page.getByRole('button', { name: 'Create calendar' }).click();
  await expect(page.getByRole('textbox', { name: 'Calendar address' })).toBeVisible();
  yield 'account-calendar';
}

async function* onOtherScreens(page: Page, portal: Portal): States {
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/payment-history');
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(11);
  await expect(page.locator('main .appear-late')).toHaveCount(0);
  yield 'payment-history';
  await page.goto('/billing-info');
  await expect(page.getByText('Nothing is due')).toBeVisible();
  yield 'billing-info-lee';
  await page.goto('/maintenance-request');
  await expect(page.getByLabel('Description')).toBeVisible();
  yield 'maintenance-request';
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Description is required.')).toBeVisible();
  yield 'maintenance-request-errors';
  await page.getByLabel('Description').fill('The door does not close.');
  await page.getByLabel('Issue Type').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText(/Reference R-/).first()).toBeVisible();
  yield 'maintenance-sent';
  await page.goto('/schedule-move-out');
  await expect(page.getByRole('link', { name: 'Go to the move-out form' })).toBeVisible();
  yield 'schedule-move-out';
  await page.goto('/nothing');
  await expect(page.getByText('404')).toBeVisible();
  yield 'error';
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  yield 'menu';
  await page.goto('/mailbox');
  await expect(page.getByText(/R-\d+/).first()).toBeVisible();
  yield 'mailbox';
  await page.goto(await staffLink(page));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  yield 'staff-request';
}

async function* byPayLink(page: Page, portal: Portal): States {
  const path = await payLinkTo(page, portal, 'A101');
  await page.goto(path);
  const pay = page.getByRole('button', { name: 'Pay $214.50' });
  await expect(pay).toBeVisible();
  yield 'pay';
  await pay.click();
  await expect(page.getByText('Card number is required.')).toBeVisible();
  yield 'pay-errors';
  await fillCard(page.locator('form'));
  await pay.click();
  await expect(page.getByText('Your payment has been applied successfully')).toBeVisible();
  yield 'pay-done';
  await page.goto(path);
  await expect(page.getByText('This pay link does not work.')).toBeVisible();
  yield 'pay-dead';
}

/** Where staff answer the newest request, from the mail to the facility. */
async function staffLink(page: Page): Promise<string> {
  const answer = await page.request.get('/api/dev/mailbox', {
    params: { to: 'eagle-mountain@anchor-axle.example' },
  });
  const [mail] = (await answer.json()) as { text: string }[];
  return /\/staff\/requests\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
}
