import type { Page } from '@playwright/test';
import { testClock } from '../../server/test/test-day.ts';
import { atKnownAddress, setUnlocked } from '../support/authenticator.ts';
import { expectAccessible } from '../support/axe.ts';
import { addAndLeave } from '../support/passkeys.ts';
import { expect, signIn, test, type Portal } from '../support/portal.ts';
import {
  openCard,
  fillCard,
  openMyUnits,
  openPaymentMethod,
  rentalCard,
} from '../support/tenant.ts';

// What is refused until the passkey confirms, the browser logs.
test.use({ ...atKnownAddress, mayLog: [/status of 403/] });

/** Adds a passkey, and signs in with it to stay signed in. */
async function keepSignedIn(page: Page, portal: Portal) {
  const device = await addAndLeave(page, portal);
  await page.getByRole('checkbox', { name: /^Keep me signed in on this phone/ }).check();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  // The codes that are shown while the sign-in is fresh are those that the session knows later.
  await expect(page.getByRole('region', { name: 'Gate pass' }).getByText(/^\d{4}#$/)).toBeVisible();
  return device;
}

/** Lets two days pass for the kept session, in which nothing is called. */
async function letDaysPass(portal: Portal) {
  await portal.sql(
    `UPDATE sessions SET created_at = created_at - interval '2 days', last_seen_at = last_seen_at - interval '2 days',
       kept_until = kept_until - interval '2 days', confirmed_at = confirmed_at - interval '2 days'
     WHERE kept_by IS NOT NULL`,
  );
}

/** The payments that were sent from now on, by their idempotency keys. */
function paymentsOf(page: Page): (string | undefined)[] {
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/payments'))
      keys.push(request.headers()['idempotency-key']);
  });
  return keys;
}

// spec 10.41
test(
  'a tenant who stays signed in pays two days later with the passkey again, once',
  { tag: ['@smoke', '@wide'] },
  async ({ page, portal }) => {
    await keepSignedIn(page, portal);
    await letDaysPass(portal);
    const sent = paymentsOf(page);
    await page.goto('/billing-info');
    const dialog = await openPaymentMethod(page, 'A101');
    await dialog.getByRole('radio', { name: 'New payment method' }).check();
    await fillCard(dialog);
    await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
    await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
    expect(sent).toHaveLength(2);
    expect(sent[0]).toBe(sent[1]);
    const confirmed = await portal.sql(
      "SELECT kind FROM audit_events WHERE kind = 'session_confirmed'",
    );
    expect(confirmed).toHaveLength(1);
  },
);

// spec 10.42
test('a passkey that is not used pays nothing and says so, and the next press asks again', async ({
  page,
  portal,
}) => {
  const device = await keepSignedIn(page, portal);
  await letDaysPass(portal);
  await page.goto('/billing-info');
  const dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('radio', { name: 'New payment method' }).check();
  await fillCard(dialog);
  await setUnlocked(device, false);
  const pay = dialog.getByRole('button', { name: 'Setup and pay $214.50' });
  await pay.click();
  await expect(dialog.getByRole('alert')).toContainText(
    'No passkey was used. Nothing was sent. Try again, or log out and sign in with your password.',
  );
  await expect(dialog.getByLabel('Name on Card')).toHaveValue('Dana Reyes');
  expect(await portal.sql('SELECT id FROM payment_intents WHERE user_id IS NOT NULL')).toEqual([]);
  await setUnlocked(device, true);
  await pay.click();
  await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
});

test.describe('two days after signing in', () => {
  test('the units are there without the passkey, and contacts are changed with it', async ({
    page,
    portal,
  }) => {
    await keepSignedIn(page, portal);
    await letDaysPass(portal);
    await openMyUnits(page);
    await expect(rentalCard(page, 'A101')).toBeVisible();
    await page.goto('/profile');
    const contact = await openCard(page, 'Alternate Contact Information');
    await contact.getByRole('button', { name: 'Add' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add alternate contact' });
    await dialog.getByLabel('First Name').fill('Lee');
    await dialog.getByLabel('Last Name').fill('Ng');
    await dialog.getByLabel('Phone').fill('(817) 555-0100');
    await dialog.getByLabel('Email').fill('lee@example.com');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await expect(contact).toContainText('Lee Ng');
    await page.keyboard.press('Escape');
    await page.goto('/account#sessions');
    const sessions = page.getByRole('region', { name: 'Where you are signed in' });
    await expect(sessions.getByRole('listitem').first()).toContainText('Kept for 30 days, until');
    await expectAccessible(page);
  });

  // spec 10.43
  test('a gate code that is new on the phone is shown with the passkey', async ({
    page,
    portal,
  }) => {
    await keepSignedIn(page, portal);
    await letDaysPass(portal);
    await openMyUnits(page);
    const pass = page.getByRole('region', { name: 'Gate pass' });
    await expect(pass.getByText(/^\d{4}#$/)).toBeVisible();
    // As if another code had been shown here.
    await portal.sql('UPDATE shown_gate_codes SET digest = sha256(digest)');
    await openMyUnits(page);
    await expect(pass.getByText('This gate code is new on this phone.')).toBeVisible();
    await expect(page.getByText(/^\d{4}#$/)).toHaveCount(0);
    await expectAccessible(page);
    await pass.getByRole('button', { name: /^Show code/ }).click();
    await expect(pass.getByText(/^\d{4}#$/)).toBeVisible();
  });

  // spec 10.44
  test('the phone is signed out where its passkey is removed', async ({ page, portal }) => {
    await keepSignedIn(page, portal);
    await page.goto('/account#passkeys');
    await page.getByRole('button', { name: /^Remove the passkey/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove passkey' });
    await expect(dialog).toContainText('phones that it keeps signed in are signed out');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account');
  });
});

// spec 10.45
test('a kept session is neither warned nor signed out after half an hour, and its page is loaded anew', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('gatehouse')!) as object;
    localStorage.setItem('gatehouse', JSON.stringify({ ...session, isKept: true }));
  });
  await page.clock.install({ time: testClock.now() });
  await page.goto('/profile');
  const contact = page.getByRole('region', { name: 'Primary Contact Information' });
  await contact.getByRole('button', { name: 'Update' }).click();
  const dialog = page.getByRole('dialog', { name: 'Update contact information' });
  await dialog.getByLabel('First Name').fill('Somebody');
  await page.clock.fastForward('28:05');
  await expect(page.getByRole('dialog', { name: 'Are you still there?' })).toHaveCount(0);
  await expect(dialog.getByLabel('First Name')).toHaveValue('Somebody');
  const loaded = page.waitForEvent('load');
  await page.clock.fastForward('30:05');
  await loaded;
  await expect(dialog).toHaveCount(0);
  await expect(contact).toContainText('Dana Reyes');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile');
});
