import { entryName } from '@gatehouse/contract/entry-names';
import { language } from '@gatehouse/language/language';
import { t } from '@gatehouse/language/t';
import type { Page } from '@playwright/test';
import { testClock } from '../../server/test/test-day.ts';
import { newestCode } from './mailbox.ts';
import { payLinkTo } from './office.ts';
import { expect, PASSWORD, type Portal, signIn } from './portal.ts';
import { rentUnits } from './rentals.ts';
import { hold } from './requests.ts';
import { bySigner } from './signer.ts';
import {
  discard,
  fillCard,
  openDetails,
  openCard,
  openMyUnits,
  chooseNewMethod,
  openPaymentMethod,
  openPaySheet,
  rentalCard,
} from './tenant.ts';

/** A state of a screen that the page has come to: its name. */
type States = AsyncGenerator<string>;

/** Ways through the portal that come by every state of its screens, each in a world of its own. */
export const walks: Record<string, (page: Page, portal: Portal) => States> = {
  visitor: asVisitor,
  returning: asReturningVisitor,
  units: onMyUnits,
  rentals: withOtherRentals,
  billing: onBillingInfo,
  payments: throughPayments,
  account: onProfileAndAccount,
  others: onOtherScreens,
  kept: withKeptPass,
  payer: byPayLink,
  signer: bySigner,
};

async function* asVisitor(page: Page, portal: Portal): States {
  await page.goto('/login');
  await expect(page.getByLabel(t('What state is your facility located?'))).toBeEnabled();
  yield 'sign-in';
  await page.getByRole('button', { name: t('Sign In'), exact: true }).click();
  await expect(page.getByText(t('{label} is required.', { label: t('Password') }))).toBeVisible();
  yield 'sign-in-errors';
  await page.goto('/forgot-password');
  await expect(page.getByLabel(t('Email Address'))).toBeVisible();
  yield 'forgot-password';
  await page.goto('/register');
  await page.getByLabel(t('What state is your facility located?')).selectOption('TX');
  await page.getByLabel(t('Select your location')).selectOption('TXDFW03');
  await page.getByRole('button', { name: t('Submit'), exact: true }).click();
  await expect(
    page.getByText(t('{label} is required.', { label: t('Email Address') })),
  ).toBeVisible();
  yield 'account-lookup-errors';
  await page.getByLabel(t('Email Address')).fill('newcomer@example.com');
  yield 'account-lookup';
  await page.getByRole('button', { name: t('Submit'), exact: true }).click();
  await expect(
    page.getByText(
      t('An email with the verification code was sent to {email}.', {
        email: 'newcomer@example.com',
      }),
    ),
  ).toBeVisible();
  yield 'verify-email';
  await page.getByLabel(t('Verification Code')).fill('1');
  await page.getByRole('button', { name: t('Submit'), exact: true }).click();
  await expect(page.getByText(t('The verification code is invalid'))).toBeVisible();
  yield 'verify-email-error';
  const code = await newestCode(page, portal, 'newcomer@example.com');
  await page.getByLabel(t('Verification Code')).fill(code);
  await page.getByRole('button', { name: t('Submit'), exact: true }).click();
  await page.getByLabel(t('Password'), { exact: true }).fill('short');
  await page.getByRole('button', { name: t('Submit'), exact: true }).click();
  await expect(
    page.getByText(t('Password must have at least {least} characters.', { least: 8 })),
  ).toBeVisible();
  yield 'set-password';
  await page.getByLabel(t('Password'), { exact: true }).fill('tide-table 1994');
  await page.getByRole('button', { name: t('Submit'), exact: true }).click();
  await expect(page.getByText(t('You have successfully setup your account.'))).toBeVisible();
  yield 'registered';
  await page.goto('/nothing');
  await expect(page.getByText('404')).toBeVisible();
  yield 'error-visitor';
}

async function* asReturningVisitor(page: Page, portal: Portal): States {
  await page.goto('/docs');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  yield 'docs';
  await page.goto('/login');
  await page.getByLabel(t('What state is your facility located?')).selectOption('TX');
  await page.getByLabel(t('Select your location')).selectOption('TXDFW03');
  await page.getByLabel(t('Email Address')).fill('dana@example.com');
  await page.getByLabel(t('Password'), { exact: true }).fill('not-the-password');
  await page.getByRole('button', { name: t('Sign In'), exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  yield 'sign-in-refused';
  await page.getByLabel(t('Password'), { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: t('Sign In'), exact: true }).click();
  await expect(page.getByRole('region', { name: t('Current Rentals') })).toBeVisible();
  await page.getByRole('button', { name: 'Reyes Marine LLC' }).click();
  await expect(rentalCard(page, 'D310')).toBeVisible();
  await expect(page.locator('main .appear-late')).toHaveCount(0);
  yield 'my-units-of-another-record';
  await portal.sql('DELETE FROM sessions');
  await page.goto('/billing-info');
  await expect(page.getByRole('button', { name: named(t('Change'), t('location')) })).toBeVisible();
  yield 'sign-in-remembered';
}

async function* withKeptPass(page: Page, portal: Portal): States {
  await signIn(page, portal, 'lee@example.com');
  // The worker of the pass asks in the browser's own language, unless one was chosen.
  await page.goto(`/${language()}/`);
  await openMyUnits(page);
  await page.getByRole('button', { name: t('Keep on this phone') }).click();
  yield 'keep-pass';
  await page.getByRole('button', { name: t('Keep gate pass') }).click();
  await expect(
    page.getByRole('button', { name: named(t('Remove'), t('from this phone')) }),
  ).toBeVisible();
  yield 'pass-kept';
  await page.context().setOffline(true);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: t('Gate pass') })).toBeVisible();
  yield 'offline';
  await page.context().setOffline(false);
}

async function* onMyUnits(page: Page, portal: Portal): States {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  await expect(page.getByRole('button', { name: 'Reyes Marine LLC' })).toBeVisible();
  yield 'my-units';
  for (const summary of await page.locator('summary').all()) await summary.click();
  await openDetails(page);
  yield 'my-units-open';
  const dialog = page.getByRole('dialog');
  await rentalCard(page, 'A101')
    .getByRole('button', { name: t('View Charges') })
    .click();
  await expect(dialog).toContainText(entryName('Late fee'));
  yield 'charges';
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', {
      name: named(t('Update'), t('protection plan for {unit}', { unit: 'B207' })),
    })
    .click();
  await dialog.getByRole('radio', { name: t('Private insurance') }).check();
  await dialog.getByRole('button', { name: t('Submit proof') }).click();
  await expect(
    dialog.getByText(t('{label} is required.', { label: t('Policy company') })),
  ).toBeVisible();
  yield 'insurance-errors';
  await dialog.getByRole('radio', { name: '$10,000 protection plan' }).check();
  yield 'insurance';
  await dialog.getByRole('button', { name: t('Request change') }).click();
  await expect(
    dialog.getByText(
      t(
        'Your request to change the protection plan of unit {unit} has been sent. The update can take up to 1 day to take effect.',
        { unit: 'B207' },
      ),
    ),
  ).toBeVisible();
  yield 'insurance-sent';
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', {
      name: named(t('Update'), t('unit contents for {unit}', { unit: 'B207' })),
    })
    .click();
  await dialog.getByLabel('HIN').fill('');
  await dialog.getByRole('button', { name: t('Save') }).click();
  await expect(dialog.getByText(t('{label} is required.', { label: 'HIN' }))).toBeVisible();
  yield 'unit-contents';
  await discard(page);
  await page
    .getByRole('button', {
      name: named(t('Request 24-hour access'), t('for {unit}', { unit: 'B207' })),
    })
    .click();
  await dialog.getByRole('button', { name: t('Send request') }).click();
  await expect(dialog.getByText(t('{label} is required.', { label: t('Reason') }))).toBeVisible();
  yield 'gate-request';
  await dialog.getByLabel(t('Reason')).fill('We leave for the lake before six.');
  await dialog.getByRole('button', { name: t('Send request') }).click();
  await expect(dialog.getByText(t('Request successfully sent'))).toBeVisible();
  yield 'gate-request-sent';
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: named(t('Resend'), t('documents for {unit}', { unit: 'A101' })) })
    .click();
  await expect(dialog.getByText('dana@example.com')).toBeVisible();
  yield 'esign-resend';
  await dialog.getByRole('button', { name: t('Ask for the documents') }).click();
  await expect(dialog.getByRole('status')).toBeVisible();
  yield 'esign-resent';
}

async function* withOtherRentals(page: Page, portal: Portal): States {
  await signIn(page, portal, 'lee@example.com');
  await openMyUnits(page);
  yield 'my-units-lee';
  await signIn(page, portal, 'sam@example.com');
  await page.goto('/');
  await expect(page.getByText(t('You are not currently renting any units'))).toBeVisible();
  yield 'my-units-sam';
  await page.goto('/billing-info');
  await expect(page.getByText(t('You are not currently renting any units'))).toBeVisible();
  yield 'billing-info-sam';
  await page.goto('/payment-history');
  await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible();
  await expect(page.locator('main .appear-late')).toHaveCount(0);
  yield 'payment-history-sam';
  await page.goto('/maintenance-request');
  await expect(page.getByText(t('You are not currently renting any units'))).toBeVisible();
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
  await expect(page.getByText(t('There was an issue loading the rental data'))).toBeVisible();
  yield 'my-units-failed';
}

async function* onBillingInfo(page: Page, portal: Portal): States {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
  const dialog = await openPaymentMethod(page, 'A101');
  yield 'payment-method';
  await dialog.getByRole('radio', { name: t('New payment method') }).check();
  await dialog
    .getByRole('button', { name: new RegExp(t('Setup and pay {sum}', { sum: '' }).trim()) })
    .click();
  await expect(
    dialog.getByText(t('{label} is required.', { label: t('Billing zip') })),
  ).toBeVisible();
  yield 'payment-method-errors';
  await fillCard(dialog);
  yield 'payment-method-card';
  await dialog.getByRole('radio', { name: 'ACH' }).check();
  yield 'payment-method-ach';
  await page.keyboard.press('Escape');
  yield 'billing-info';
  for (const summary of await page.locator('summary').all()) await summary.click();
  yield 'billing-info-open';
  await page
    .getByRole('button', {
      name: named(t('Switch off'), t('autopay for {unit}', { unit: 'B207' })),
    })
    .click();
  await expect(
    dialog.getByText(t('Your payment method stays saved for when you pay.')),
  ).toBeVisible();
  yield 'stop-autopay';
  await dialog.getByRole('button', { name: t('Switch autopay off') }).click();
  await expect(dialog.getByRole('status')).toBeVisible();
  yield 'autopay-stopped';
  await portal.sql("UPDATE payment_methods SET expires_on = '2020-04' WHERE last_four = '4242'");
  await page.goto('/billing-info');
  await openPaymentMethod(page, 'A101');
  await expect(
    dialog.getByText(
      t('{method} has expired. Please use another payment method.', {
        method: t('{brand} ending in {lastFour}', { brand: 'Visa', lastFour: '4242' }),
      }),
    ),
  ).toBeVisible();
  yield 'payment-method-expired';
  await portal.sql('UPDATE facilities SET part_payments = true, pay_ahead = true');
  await page.goto('/billing-info');
  await openPaySheet(page, 'A101');
  await dialog.getByRole('button', { name: t('Another amount') }).click();
  await dialog.getByLabel(t('Amount in dollars')).fill('0.50');
  await expect(
    dialog.getByText(
      t('Enter {least} or more, up to {most}.', { least: '$1.00', most: '$214.50' }),
    ),
  ).toBeVisible();
  yield 'another-amount-error';
  await dialog.getByLabel(t('Amount in dollars')).fill('205');
  await expect(
    dialog.getByText(t('The gate stays closed: {sum} is still due.', { sum: '$9.50' })),
  ).toBeVisible();
  yield 'another-amount';
  await dialog.getByRole('radio', { name: t('Months ahead') }).check();
  await dialog.getByLabel(t('How many months ahead')).selectOption('12');
  await expect(
    dialog.getByText(
      new RegExp(
        t('{sum} stays as a credit and pays your bills through {day} at today’s rates.', {
          sum: '',
          day: '.*',
        }).trim(),
      ),
    ),
  ).toBeVisible();
  yield 'months-ahead';
}

async function* throughPayments(page: Page, portal: Portal): States {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  await page.getByRole('link', { name: t('Pay all') }).click();
  const dialog = page.getByRole('dialog');
  const submit = dialog.locator('button[type=submit]');
  await expect(submit).toBeVisible();
  yield 'pay-all';
  await chooseNewMethod(dialog);
  yield 'pay-all-another-method';
  await dialog.getByRole('radio', { name: /4242/ }).check();
  await dialog.getByRole('checkbox').check();
  yield 'pay-all-autopay';
  await openMyUnits(page);
  await rentalCard(page, 'C014')
    .getByRole('link', { name: named(t('Pay'), t('for {unit}', { unit: 'C014' })), exact: true })
    .click();
  await expect(submit).toBeVisible();
  yield 'pay-sheet';
  const release = await hold(page, '**/payments');
  await submit.click();
  await expect(submit).toHaveAttribute('aria-busy', 'true');
  yield 'pay-sheet-busy';
  release();
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('svg.turned')).toBeAttached();
  yield 'gate-opened';
  await page.goto('/billing-info');
  await openPaySheet(page, 'A101');
  await chooseNewMethod(dialog);
  await fillCard(dialog, '4000000000000002');
  await submit.click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  yield 'payment-declined';
  await dialog.getByRole('button', { name: t('Use another card') }).click();
  await page.route('**/payments', async (route) => {
    if (route.request().method() === 'POST') {
      await route.fetch();
      await route.abort('connectionreset');
    } else await route.continue();
  });
  // Until the balances say what became of it.
  await page.route('**/ledgers', (route) => route.abort());
  await submit.click();
  await expect(
    dialog.getByText(
      t('Your payment is being confirmed. This can take a minute or two. Please do not pay again.'),
    ),
  ).toBeVisible();
  yield 'confirming';
  await page.unroute('**/ledgers');
  await expect(dialog.getByText(/^\d{4}#$/)).toBeVisible();
  yield 'paid-once';
}

async function* onProfileAndAccount(page: Page, portal: Portal): States {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/profile');
  await expect(page.getByText('18 Heron Lane')).toBeVisible();
  yield 'profile';
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: named(t('Update'), t('contact information')) }).click();
  await dialog.getByLabel(t('City')).fill('');
  await dialog.getByRole('button', { name: t('Send request') }).click();
  await expect(dialog.getByText(t('{label} is required.', { label: t('City') }))).toBeVisible();
  yield 'contact-update';
  await discard(page);
  await openCard(page, t('Alternate Contact Information'));
  await page.getByRole('button', { name: named(t('Add'), t('alternate contact')) }).click();
  await dialog.getByRole('button', { name: t('Add') }).click();
  await expect(dialog.getByText(t('{label} is required.', { label: t('Phone') }))).toBeVisible();
  yield 'alternate-contact';
  await page.goto('/account');
  await expect(page.getByText(t('None open'))).toBeVisible();
  await expect(page.locator('main .appear-late')).toHaveCount(0);
  yield 'account';
  for (const summary of await page.locator('main section:not(#license) > details > summary').all())
    await summary.click();
  yield 'account-open';
  await page.getByRole('button', { name: named(t('Add'), t("driver's license")) }).click();
  yield 'drivers-license';
  await dialog.getByRole('button', { name: t('Add') }).click();
  yield 'drivers-license-errors';
  await dialog.getByLabel(t("Driver's License Number")).fill('08123456');
  await dialog.getByLabel(t("Driver's License State")).selectOption('TX');
  await dialog.getByRole('button', { name: t('Add') }).click();
  await expect(dialog.getByText(t("Your driver's license has been added."))).toBeVisible();
  yield 'drivers-license-added';
  await portal.sql(
    `INSERT INTO requests (facility_id, tenant_id, kind, details, created_at)
    SELECT t.facility_id, t.id, 'request_tenant_update', '{"unitNames": []}', $1::timestamptz - n * interval '1 day'
    FROM tenants t, generate_series(1, 7) n WHERE t.email = 'dana@example.com'`,
    [testClock.now()],
  );
  await page.goto('/profile');
  await page.goto('/account#requests');
  for (const name of [t("Driver's License"), t('Calendar')]) await openCard(page, name);
  await expect(
    page.getByText(
      t('To change it, please call the facility at {phone}.', { phone: '(817) 555-0103' }),
    ),
  ).toBeVisible();
  await expect(
    page.getByRole('button', {
      name: new RegExp(t('Show {n} earlier', { n: 2 }).replace('2', '\\d+')),
    }),
  ).toBeVisible();
  yield 'account-requests';
  await page.getByRole('button', { name: t('Create calendar') }).click();
  await expect(page.getByRole('textbox', { name: t('Calendar address') })).toBeVisible();
  yield 'account-calendar';
}

async function* onOtherScreens(page: Page, portal: Portal): States {
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/payment-history');
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(13);
  await expect(page.locator('main .appear-late')).toHaveCount(0);
  yield 'payment-history';
  await page.goto('/billing-info');
  await expect(page.getByText(t('Nothing is due'))).toBeVisible();
  yield 'billing-info-lee';
  await page.goto('/maintenance-request');
  await expect(page.getByLabel(t('Description'))).toBeVisible();
  yield 'maintenance-request';
  await page.getByRole('button', { name: t('Submit'), exact: true }).click();
  await expect(
    page.getByText(t('{label} is required.', { label: t('Description') })),
  ).toBeVisible();
  yield 'maintenance-request-errors';
  await page.getByLabel(t('Description')).fill('The door does not close.');
  await page.getByLabel(t('Issue Type')).selectOption({ index: 1 });
  await page.getByRole('button', { name: t('Submit'), exact: true }).click();
  await expect(page.getByText(t('Reference {number}', { number: 'R-' })).first()).toBeVisible();
  yield 'maintenance-sent';
  await page.goto('/schedule-move-out');
  await expect(page.getByRole('link', { name: t('Go to the move-out form') })).toBeVisible();
  yield 'schedule-move-out';
  await page.goto('/nothing');
  await expect(page.getByText('404')).toBeVisible();
  yield 'error';
  const menu = page.getByRole('button', { name: t('Menu') });
  if (await menu.isVisible()) await menu.click();
  yield 'menu';
  await page.goto('/mailbox');
  await expect(page.getByText(/R-\d+/).first()).toBeVisible();
  yield 'mailbox';
}

async function* byPayLink(page: Page, portal: Portal): States {
  const path = await payLinkTo(page, portal, 'A101');
  await page.goto(path);
  const pay = page.getByRole('button', { name: t('Pay {sum}', { sum: '$214.50' }) });
  await expect(pay).toBeVisible();
  yield 'pay';
  await pay.click();
  await expect(
    page.getByText(t('{label} is required.', { label: t('Card number') })),
  ).toBeVisible();
  yield 'pay-errors';
  await fillCard(page.locator('form'));
  await pay.click();
  await expect(page.getByText(t('Your payment has been applied successfully'))).toBeVisible();
  yield 'pay-done';
  await page.goto(path);
  await expect(
    page.getByText(
      t(
        'This pay link does not work. It may have been paid, or be too old. Please ask your facility for a new one.',
      ),
    ),
  ).toBeVisible();
  yield 'pay-dead';
}

/** The name of a button that opens a dialog: what is on it, and what it is about. */
function named(label: string, about: string): string {
  return `${label} ${about}`;
}
