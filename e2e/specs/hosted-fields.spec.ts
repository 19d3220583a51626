import { AxeBuilder } from '@axe-core/playwright';
import type { FrameLocator, Locator, Page } from '@playwright/test';
import {
  openStripeStub,
  STUB_PUBLISHABLE_KEY,
  STUB_SECRET_KEY,
  STUB_WEBHOOK_SECRET,
  type StripeStub,
} from '../../server/test/stripe/stub.ts';
import { testClock } from '../../server/test/test-day.ts';
import { payLinkTo } from '../support/office.ts';
import { expect, signIn, test as base } from '../support/portal.ts';
import { bodiesOf } from '../support/requests.ts';
import { chooseNewMethod, openPaymentMethod, openPaySheet } from '../support/tenant.ts';

/** A server whose gateway is Stripe, here its stub, and whose portal has Stripe's own fields. */
const test = base.extend<{ stripe: StripeStub }>({
  stripe: [
    // Playwright reads the first parameter's form.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const stub = await openStripeStub();
      await use(stub);
      await stub.close();
    },
    { scope: 'test' },
  ],
  environment: async ({ stripe }, use) =>
    use({
      PAYMENTS: 'stripe',
      STRIPE_API_URL: stripe.url,
      STRIPE_SECRET_KEY: STUB_SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: STUB_PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET: STUB_WEBHOOK_SECRET,
    }),
});

/**
 * Stripe.js as far as the portal uses it: its fields are in a frame of Stripe's origin, and what is
 * typed into them ends as a token of the stub. A number that ends in 0002 is declined later; an
 * empty one is refused by the fields themselves.
 */
const stripeJs = `
  const choose = () => new Promise((resolve) => {
    const over = document.createElement('button');
    over.textContent = 'Choose this account';
    over.style.cssText = 'position: fixed; inset: 0; z-index: 2147483647';
    over.onclick = () => resolve(over.remove());
    document.body.append(over);
  });
  window.Stripe = (key) => ({
    elements: (options) => ({
      create: (kind, settings) => {
        const heard = {};
        const frame = document.createElement('iframe');
        frame.title = 'Secure payment input frame';
        frame.src = 'https://js.stripe.com/fields.html#' + options.paymentMethodTypes[0];
        frame.onload = () => heard.ready();
        return {
          on: (event, hear) => void (heard[event] = hear),
          mount: (place) => place.append(frame),
          destroy: () => frame.remove(),
        };
      },
      update: (change) => {
        Object.assign(options, change);
        if ('mode' in change) window.noteAmount(change);
      },
      submit: async () => {
        // A bank account is chosen in a window that Stripe lays over the page.
        if (options.paymentMethodTypes[0] === 'us_bank_account') await choose();
        const number = await window.typedNumber();
        return number === '' ? { error: { type: 'validation_error', message: 'Your card number is incomplete.' } } : {};
      },
      options,
    }),
    createConfirmationToken: async ({ elements, params }) => ({
      confirmationToken: await window.makeToken(elements.options, params ?? null),
    }),
  });`;

type FieldOptions = { paymentMethodTypes: string[]; setupFutureUsage?: 'off_session' | null };

/**
 * Stands in for what the browser would get from Stripe, which no test may ask. Tokens are given
 * once `held` is resolved.
 */
async function serveStripeJs(page: Page, stripe: StripeStub, held?: Promise<undefined>) {
  const seen: { amounts: unknown[]; billing: unknown[] } = { amounts: [], billing: [] };
  const fields = page
    .frameLocator('iframe[title="Secure payment input frame"]')
    .getByLabel('Number');
  await page.exposeFunction('noteAmount', (change: unknown) => void seen.amounts.push(change));
  await page.exposeFunction('typedNumber', () => fields.inputValue());
  await page.exposeFunction('makeToken', async (options: FieldOptions, params: unknown) => {
    const { paymentMethodTypes, setupFutureUsage = null } = options;
    const number = await fields.inputValue();
    seen.billing.push(params);
    await held;
    if (paymentMethodTypes[0] === 'us_bank_account')
      return {
        id: stripe.confirmationToken('pm_usBankAccount_success', setupFutureUsage),
        payment_method_preview: {
          us_bank_account: {
            last4: '6789',
            account_type: 'checking',
            account_holder_type: 'individual',
            routing_number: '110000000',
          },
        },
      };
    return {
      id: stripe.confirmationToken(
        number.endsWith('0002') ? 'pm_card_chargeDeclined' : 'pm_card_visa',
        setupFutureUsage,
      ),
      payment_method_preview: {
        card: { brand: 'visa', last4: number.slice(-4), exp_month: 4, exp_year: 2034 },
      },
    };
  });
  await page.route('https://js.stripe.com/**', (route) =>
    route.request().url().includes('/fields.html')
      ? route.fulfill({
          contentType: 'text/html',
          body: '<title>Fields</title><label>Number <input></label>',
        })
      : route.fulfill({ contentType: 'text/javascript', body: stripeJs }),
  );
  return seen;
}

function fieldsOf(dialog: Locator): FrameLocator {
  return dialog.frameLocator('iframe[title="Secure payment input frame"]');
}

test('with Stripe the numbers are typed into Stripe’s own fields, and our server gets tokens only', async ({
  page,
  portal,
  stripe,
}) => {
  const seen = await serveStripeJs(page, stripe);
  const [payments, autopays] = [bodiesOf(page, '/payments'), bodiesOf(page, '/autopay-update')];
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).origin));
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
  const dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('radio', { name: 'New payment method' }).check();
  await expect(fieldsOf(dialog).getByLabel('Number')).toBeVisible();
  for (const label of ['Card Number', 'Security Code', 'Expiration Month'])
    await expect(dialog.getByLabel(label)).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);

  const pay = dialog.getByRole('button', { name: 'Setup and pay $214.50' });
  await pay.click();
  await expect(dialog.getByText('Billing zip is required.')).toBeVisible();
  await dialog.getByLabel('Name on Card').fill('Dana Reyes');
  await dialog.getByLabel('Billing Zip').fill('76020');
  await pay.click();
  await expect(dialog.getByRole('alert')).toContainText('Your card number is incomplete.');
  await fieldsOf(dialog).getByLabel('Number').fill('4000000000000002');
  await pay.click();
  await expect(dialog.getByRole('alert')).toContainText('declined');
  await dialog.getByRole('button', { name: 'Use another card' }).click();
  await dialog.getByRole('radio', { name: 'New payment method' }).check();
  expect(stripe.intents().filter(({ status }) => status === 'succeeded')).toEqual([]);
  await fieldsOf(dialog).getByLabel('Number').fill('4242424242424242');
  await pay.click();
  await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
  await expect(
    dialog.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();

  const paid = stripe.intents().filter(({ status }) => status === 'succeeded');
  expect(paid.map(({ amount }) => amount as number)).toEqual([21_450]);
  expect(payments).toHaveLength(2);
  const masked = {
    cardType: 'visa',
    cardNumber: '************4242',
    expirationMonth: '04',
    expirationYear: '2034',
  };
  for (const body of [payments[1], autopays[0]])
    expect(body).toMatchObject({
      creditCard: {
        ...masked,
        paymentToken: expect.stringMatching(/^ctoken_/) as unknown,
        keepForAutopay: true,
      },
    });
  expect(stripe.keptMethods()).toHaveLength(1);
  expect(JSON.stringify([payments, autopays])).not.toMatch(
    /4242424242424242|4000000000000002|cardCvv/,
  );
  const holder = { name: 'Dana Reyes', address: { country: 'US', postal_code: '76020' } };
  expect(seen.billing.at(-1)).toEqual({ payment_method_data: { billing_details: holder } });
  expect([...new Set(asked)].sort()).toEqual(
    [new URL(portal.url).origin, 'https://js.stripe.com'].sort(),
  );
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('row', { name: /A101/ })).toContainText('Visa ending in 4242');
  await openPaymentMethod(page, 'A101');
  // The focus is nowhere once what had it is gone.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Update autopay for A101' })).toBeFocused();
});

test('a payment that waits for Stripe while another account signs in in another tab is not sent as that one', async ({
  page,
  portal,
  stripe,
  context,
}) => {
  const token = Promise.withResolvers<undefined>();
  const seen = await serveStripeJs(page, stripe, token.promise);
  const payments = bodiesOf(page, '/payments');
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
  const dialog = await openPaySheet(page, 'A101');
  await chooseNewMethod(dialog);
  await dialog.getByLabel('Name on Card').fill('Dana Reyes');
  await dialog.getByLabel('Billing Zip').fill('76020');
  await fieldsOf(dialog).getByLabel('Number').fill('4242424242424242');
  await dialog.getByRole('button', { name: 'Pay $214.50' }).click();
  await expect.poll(() => seen.billing).toHaveLength(1);
  const other = await context.newPage();
  await signIn(other, portal, 'lee@example.com');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('row', { name: /A101/ })).toHaveCount(0);
  token.resolve(undefined);
  // What would be sent is sent before what the page is asked for next.
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Payment History' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Payment History' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(payments).toEqual([]);
  expect(stripe.intents()).toEqual([]);
  const refused = await portal.sql(
    "SELECT details FROM audit_events WHERE kind = 'access_refused'",
  );
  expect(refused).toEqual([]);
});

test('paying once keeps no card at Stripe, also after a decline, and setting autopay up keeps it', async ({
  page,
  portal,
  stripe,
}) => {
  await serveStripeJs(page, stripe);
  const payments = bodiesOf(page, '/payments');
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/billing-info');
  const dialog = await openPaySheet(page, 'A101');
  await chooseNewMethod(dialog);
  await dialog.getByLabel('Name on Card').fill('Dana Reyes');
  await dialog.getByLabel('Billing Zip').fill('76020');
  await fieldsOf(dialog).getByLabel('Number').fill('4000000000000002');
  const pay = dialog.getByRole('button', { name: 'Pay $214.50' });
  await pay.click();
  await expect(dialog.getByRole('alert')).toContainText('declined');
  await dialog.getByRole('button', { name: 'Use another card' }).click();
  await dialog.getByRole('radio', { name: 'New payment method' }).check();
  await fieldsOf(dialog).getByLabel('Number').fill('4242424242424242');
  await pay.click();
  await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
  expect(stripe.keptMethods()).toEqual([]);
  for (const body of payments)
    expect(body).not.toMatchObject({
      creditCard: { keepForAutopay: expect.anything() as unknown },
    });
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('button', { name: 'Setup autopay for A101' })).toBeVisible();

  await openPaymentMethod(page, 'A101');
  await dialog.getByRole('radio', { name: 'New payment method' }).check();
  await dialog.getByLabel('Name on Card').fill('Dana Reyes');
  await dialog.getByLabel('Billing Zip').fill('76020');
  await fieldsOf(dialog).getByLabel('Number').fill('4242424242424242');
  await dialog.getByRole('button', { name: 'Setup', exact: true }).click();
  await expect(
    dialog.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();
  expect(stripe.keptMethods()).toHaveLength(1);
});

test('Stripe’s fields that are blocked, or do not come, say so and can be tried again, for a bank account too', async ({
  page,
  portal,
  stripe,
}) => {
  await page.route('https://js.stripe.com/**', (route) => route.abort());
  await signIn(page, portal, 'dana@example.com');
  await page.clock.install({ time: testClock.now() });
  await page.goto('/billing-info');
  const dialog = await openPaymentMethod(page, 'B207');
  await expect(dialog.getByText('The payment provider’s form could not be loaded.')).toBeVisible();
  await dialog.getByLabel('Name on Card').fill('Dana Reyes');
  await dialog.getByLabel('Billing Zip').fill('76020');
  await dialog.getByRole('button', { name: 'Update', exact: true }).click();
  const refusal = dialog
    .getByRole('alert')
    .filter({ hasText: 'Nothing was sent. Try again above.' });
  await expect(refusal.locator('..')).toBeFocused();
  // Nothing but the dialog, and what Stripe lays over it, can be pressed.
  await expect(page.locator('main > [inert], [inert] h1').first()).toBeAttached();
  await page.unroute('https://js.stripe.com/**');
  // There is never an answer.
  await page.route('https://js.stripe.com/**', () => {});
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByText('Loading the payment provider’s form…')).toBeVisible();
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.clock.fastForward(5_000);
  await expect(
    dialog.getByText('The payment provider’s form takes longer than usual…'),
  ).toBeVisible();
  await page.clock.fastForward(15_000);
  await expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.unroute('https://js.stripe.com/**');
  const seen = await serveStripeJs(page, stripe);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(fieldsOf(dialog).getByLabel('Number')).toBeVisible();
  await dialog.getByRole('radio', { name: 'ACH' }).check();
  await expect(dialog.getByLabel('Name on Card')).toHaveCount(0);
  await fieldsOf(dialog).getByLabel('Number').fill('000123456789');
  await dialog.getByRole('checkbox', { name: /A101/ }).check();
  await expect.poll(() => seen.amounts.at(-1)).toEqual({ mode: 'payment', amount: 21_450 });
  await dialog.getByRole('button', { name: 'Update and pay $214.50' }).click();
  await page.getByRole('button', { name: 'Choose this account' }).click();
  await expect(dialog.getByText('Your bank still has to confirm it.')).toBeVisible();
  await expect(
    dialog.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();
  expect(stripe.intents().map(({ status }) => status as string)).toContain('processing');
});

test('the page of a pay link has Stripe’s own fields too, for a card that is not kept', async ({
  page,
  portal,
  stripe,
}) => {
  await serveStripeJs(page, stripe);
  const sent = bodiesOf(page, '/payments');
  await page.goto(await payLinkTo(page, portal, 'A101'));
  await expect(fieldsOf(page.locator('main')).getByLabel('Number')).toBeVisible();
  await expect(page.getByLabel('Card Number')).toHaveCount(0);
  await page.getByLabel('Name on Card').fill('Dana Reyes');
  await page.getByLabel('Billing Zip').fill('76020');
  await fieldsOf(page.locator('main')).getByLabel('Number').fill('4242424242424242');
  await page.getByRole('button', { name: 'Pay $214.50' }).click();
  await expect(page.getByText('Your payment has been applied successfully')).toBeVisible();
  expect(stripe.intents().map(({ amount }) => amount as number)).toEqual([21_450]);
  expect(stripe.intents()[0]!['setup_future_usage'] ?? null).toBeNull();
  expect(stripe.keptMethods()).toEqual([]);
  expect(JSON.stringify(sent)).not.toMatch(/4242424242424242|keepForAutopay/);
});
