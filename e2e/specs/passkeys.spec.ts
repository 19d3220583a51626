import type { Page } from '@playwright/test';
import {
  addAuthenticator,
  atKnownAddress,
  recordSignals,
  setUnlocked,
} from '../support/authenticator.ts';
import { expectAccessible } from '../support/axe.ts';
import { addAndLeave, addPasskey, leave, openPasskeys } from '../support/passkeys.ts';
import { expect, PASSWORD, signIn, test } from '../support/portal.ts';
import { changeLocation, openCard } from '../support/tenant.ts';

test.use(atKnownAddress);

async function signInByPassword(page: Page) {
  await changeLocation(page);
  await page.getByRole('combobox', { name: /state/ }).selectOption('TX');
  await page.getByRole('combobox', { name: 'Select your location' }).selectOption('TXDFW03');
  await page.getByRole('textbox', { name: 'Email Address' }).fill('dana@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

// spec 10.15
test(
  'a passkey is added from Account and signs in with neither location, email address nor password',
  { tag: ['@smoke', '@wide'] },
  async ({ page, portal }) => {
    await addAuthenticator(page);
    const card = await openPasskeys(page, portal);
    await addPasskey(page, 'My phone');
    await expect(card.getByRole('heading', { name: 'My phone' })).toBeVisible();
    await expectAccessible(page);
    await leave(page);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByRole('region', { name: 'Current Rentals' })).toBeVisible();
    const stored = await page.evaluate(() => localStorage.getItem('gatehouse'));
    expect(JSON.parse(stored!)).toMatchObject({ locationCode: 'TXDFW03' });
    const [mail] = await portal.sql(
      "SELECT count(*)::int AS count FROM mails WHERE subject = 'A passkey was added'",
    );
    expect(mail).toEqual({ count: 1 });
  },
);

// spec 10.15
test('a passkey signs in on a page that was just loaded, with the session bound to the browser', async ({
  page,
  portal,
}) => {
  await addAndLeave(page, portal);
  await page.reload();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('region', { name: 'Current Rentals' })).toBeVisible();
  const [session] = await portal.sql(
    'SELECT proof_key IS NOT NULL AS "isBound", browser FROM sessions ORDER BY created_at DESC LIMIT 1',
  );
  expect(session).toMatchObject({ isBound: true, browser: expect.stringContaining('Chrom') });
});

test.describe('a sign-in that is refused', () => {
  test.use({ mayLog: [/^Sign-in failed: |status of 401/] });

  test('what is cancelled, and a device without a passkey, leave the form as it was', async ({
    page,
    portal,
  }) => {
    const device = await addAuthenticator(page);
    await page.goto(`${portal.url}/login`);
    await page.getByRole('textbox', { name: 'Email Address' }).fill('dana@example.com');
    await setUnlocked(device, false);
    const button = page.getByRole('button', { name: 'Use a passkey' });
    await button.click();
    await expect(page.getByRole('alert')).toHaveText(
      'No passkey was used. Sign in with your email address and password.',
    );
    await expect(page.getByRole('textbox', { name: 'Email Address' })).toHaveValue(
      'dana@example.com',
    );
    await expect(button).toBeEnabled();
  });

  test('a passkey that was removed elsewhere is refused, and the password signs in', async ({
    page,
    portal,
  }) => {
    await addAndLeave(page, portal);
    await portal.sql('DELETE FROM passkeys');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByRole('alert')).toHaveText(
      'This passkey does not sign in here. Please use your email address and password.',
    );
    await signInByPassword(page);
    await expect(page.getByRole('region', { name: 'Current Rentals' })).toBeVisible();
  });
});

// spec 10.17, 10.85
test('a passkey is renamed and removed with the keyboard, and focus stays in the card', async ({
  page,
  portal,
}) => {
  await addAuthenticator(page);
  const signals = await recordSignals(page);
  const card = await openPasskeys(page, portal);
  await addPasskey(page, 'My phone');
  const [made] = await portal.sql('SELECT credential_id FROM passkeys');
  await card.getByRole('button', { name: 'Rename the passkey “My phone”' }).focus();
  await page.keyboard.press('Enter');
  const renaming = page.getByRole('dialog', { name: 'Rename passkey' });
  await renaming.getByRole('textbox', { name: 'Name' }).fill('Old phone');
  await page.keyboard.press('Enter');
  await expect(card.getByRole('heading', { name: 'Old phone' })).toBeVisible();
  await card.getByRole('button', { name: 'Remove the passkey “Old phone”' }).focus();
  await page.keyboard.press('Enter');
  const removing = page.getByRole('dialog', { name: 'Remove passkey' });
  await removing.getByRole('button', { name: 'Remove' }).focus();
  await page.keyboard.press('Enter');
  await expect(card.getByText('You have no passkey yet.')).toBeVisible();
  await expect(card.getByRole('status').first()).toHaveText('The passkey “Old phone” is removed.');
  const credentialId = (made!.credential_id as Buffer).toString('base64url');
  expect(await signals()).toEqual([{ rpId: 'localhost', credentialId }]);
  await expect(card.locator(':focus')).toBeVisible();
});

// spec 10.85
test('a device that has a passkey already says so, and not that it be tried again', async ({
  page,
  portal,
}) => {
  await addAuthenticator(page);
  await openPasskeys(page, portal);
  await addPasskey(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'This device has a passkey for your account already. Sign in with that one.',
  );
});

// spec 10.17
test('a session of an hour is asked to sign in again, which leads back to Account', async ({
  page,
  portal,
}) => {
  await addAuthenticator(page);
  await openPasskeys(page, portal);
  await portal.sql("UPDATE sessions SET created_at = created_at - interval '1 hour'");
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'A passkey is added within 10 minutes of signing in. Please sign in again first.',
  );
  await dialog.getByRole('button', { name: 'Sign in again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account');
  await signInByPassword(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Management');
  await addPasskey(page);
});

// spec 10.18
// asvs 7.5.2
test('the sessions are listed, and another one is signed out at once', async ({
  page,
  portal,
  otherContext,
}) => {
  const other = await otherContext.newPage();
  await signIn(other, portal, 'dana@example.com');
  await portal.sql("UPDATE sessions SET browser = 'Safari on iOS'");
  await openPasskeys(page, portal);
  const card = await openCard(page, 'Where you are signed in');
  await expect(card.getByRole('listitem')).toHaveCount(2);
  await expect(card.getByRole('listitem').first()).toContainText('This browser');
  await card.getByRole('button', { name: 'Sign out Safari on iOS' }).click();
  await expect(card.getByRole('listitem')).toHaveCount(1);
  await expect(card.getByRole('status').first()).toHaveText('Safari on iOS is signed out.');
  await other.goto('/profile');
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account');
});

test('passkeys that cannot be loaded say so, and a second try shows them', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  let isDown = true;
  await page.route('**/users/{passkeys,sessions}', (route) =>
    isDown ? route.fulfill({ status: 500, json: { message: 'No.' } }) : route.continue(),
  );
  await page.goto('/account#passkeys');
  const card = page.getByRole('region', { name: 'Sign-in and passkeys' });
  await expect(card.getByText('Your passkeys could not be loaded.')).toBeVisible();
  isDown = false;
  await card.getByRole('button', { name: 'Try again' }).click();
  await expect(card.getByText('You have no passkey yet.')).toBeVisible();
});
