import type { Page } from '@playwright/test';
import { testClock } from '../../server/test/test-day.ts';
import {
  addAuthenticator,
  atKnownAddress,
  setUnlocked,
  type Authenticator,
  recordSignals,
} from '../support/authenticator.ts';
import { expectAccessible } from '../support/axe.ts';
import { signInStaff, WITHOUT_MOTION } from '../support/office.ts';
import { expect, PASSWORD, test, type Portal } from '../support/portal.ts';

test.use({
  ...atKnownAddress,
  viewport: { width: 390, height: 844 },
  contextOptions: WITHOUT_MOTION,
  // That a visitor is not signed in is found out by a call that is refused.
  mayLog: [/401/],
});

const card = (page: Page) => page.getByRole('region', { name: 'Passkeys' });

/** Opens the page of the own account by a session that has just begun. */
async function openAccount(page: Page, portal: Portal): Promise<Authenticator> {
  const device = await addAuthenticator(page);
  await signInStaff(page, portal, 'manager');
  await page.goto('/office/account');
  await expect(card(page).getByText('You have no passkey yet.')).toBeVisible();
  return device;
}

/** The id of a request, as a mail to staff names it. */
async function newRequest(portal: Portal): Promise<string> {
  const [request] = await portal.sql(
    `INSERT INTO requests (facility_id, tenant_id, kind, details, created_at)
     SELECT facility_id, id, 'request_tenant_update', $1, $2 FROM tenants
     WHERE email = 'lee@example.com' RETURNING id`,
    [
      JSON.stringify({
        facilityName: 'X',
        unitNames: [],
        tenant: { name: 'Lee', email: 'x', phone: null },
        changes: [],
      }),
      testClock.now(),
    ],
  );
  return String(request!['id']);
}

async function addPasskey(page: Page, name: string) {
  await card(page).getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(card(page).getByRole('heading', { name })).toBeVisible();
}

/** Signs out, opens a page, and gives address and password. */
async function signInByPassword(page: Page, path = '/office') {
  await page.context().clearCookies();
  await page.goto(path);
  await page.getByLabel('Email').fill('manager@anchor-axle.example');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

// spec 10.24
test(
  'a passkey is added as second step, and signs in after the password without a code to the page asked for',
  { tag: '@smoke' },
  async ({ page, portal }) => {
    await openAccount(page, portal);
    await addPasskey(page, 'The office key');
    await expect(page.getByText('The passkey is added.')).toBeVisible();
    await expectAccessible(page);
    await signInByPassword(page, `/office/requests/${await newRequest(portal)}/show`);
    await expect(page.getByText('Use your passkey to go on.')).toBeVisible();
    await expect(page.getByLabel('Code')).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('Contact information update');
    const [mail] = await portal.sql(
      "SELECT count(*)::int AS count FROM mails WHERE to_address = 'manager@anchor-axle.example'",
    );
    // Of the passkey, and of the password in a browser that was not known.
    expect(mail).toEqual({ count: 2 });
  },
);

// spec 10.46
test('a passkey signs in by itself, and over the page where the session ended', async ({
  page,
  portal,
}) => {
  const device = await openAccount(page, portal);
  await addPasskey(page, 'The office key');
  await page.context().clearCookies();
  await page.goto('/office/account');
  const use = page.getByRole('button', { name: 'Use a passkey' });
  await expectAccessible(page);
  await setUnlocked(device, false);
  await use.click();
  await expect(page.getByRole('alert').last()).toHaveText('No passkey was used. Please try again.');
  await setUnlocked(device, true);
  await use.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account');
  // Whole: else what it still asks for would meet the ended session before the new name does.
  await page.goto('/office/account', { waitUntil: 'networkidle' });
  await portal.sql('DELETE FROM staff_sessions');
  await card(page).getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog', { name: 'Rename passkey' }).getByLabel('Name').fill('My key');
  await page.keyboard.press('Enter');
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await expectAccessible(page);
  await again.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(again).toHaveCount(0);
  await expect(card(page).getByRole('heading', { name: 'My key' })).toBeVisible();
});

test('a removed passkey that the device still has opens nothing', async ({ page, portal }) => {
  await openAccount(page, portal);
  await addPasskey(page, 'The office key');
  await portal.sql('DELETE FROM staff_passkeys');
  await page.context().clearCookies();
  await page.goto('/office/account');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('alert').last()).toHaveText(
    'This passkey does not sign in here. Please use your email address and password.',
  );
  await expect(page.getByLabel('Password')).toBeVisible();
});

test('what is cancelled leaves the form as it was, and an answer that is refused asks anew', async ({
  page,
  portal,
}) => {
  const device = await openAccount(page, portal);
  await addPasskey(page, 'The office key');
  await signInByPassword(page);
  const use = page.getByRole('button', { name: 'Use a passkey' });
  await setUnlocked(device, false);
  await use.click();
  await expect(page.getByRole('alert').last()).toHaveText('No passkey was used. Please try again.');
  await setUnlocked(device, true);
  await portal.sql('UPDATE staff_passkeys SET counter = 1000');
  await use.click();
  await expect(page.getByRole('alert').last()).toHaveText(
    'The email address, password or second step is not right. Please check them and try again.',
  );
  await portal.sql('UPDATE staff_passkeys SET counter = 0');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await use.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today');
});

// spec 10.25
test('with the keyboard a passkey is renamed, and removed by password and passkey, and focus stays in the card', async ({
  page,
  portal,
}) => {
  const signals = await recordSignals(page);
  await openAccount(page, portal);
  await addPasskey(page, 'The office key');
  const [made] = await portal.sql('SELECT credential_id FROM staff_passkeys');
  await card(page).getByRole('button', { name: 'Rename the passkey “The office key”' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Rename passkey' }).getByLabel('Name').fill('Old key');
  await page.keyboard.press('Enter');
  await expect(card(page).getByRole('heading', { name: 'Old key' })).toBeVisible();
  await card(page).getByRole('button', { name: 'Remove the passkey “Old key”' }).focus();
  await page.keyboard.press('Enter');
  const removing = page.getByRole('dialog', { name: 'Remove passkey' });
  await expectAccessible(page);
  await removing.getByLabel('Your password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(card(page).getByText('You have no passkey yet.')).toBeVisible();
  await expect(page.getByText('The passkey “Old key” is removed.')).toBeVisible();
  const credentialId = (made!.credential_id as Buffer).toString('base64url');
  expect(await signals()).toEqual([{ rpId: 'localhost', credentialId }]);
  await expect(card(page)).toBeFocused();
});

test('more than ten minutes after the sign-in it is asked for again over the page, and what was typed is still there', async ({
  page,
  portal,
}) => {
  await openAccount(page, portal);
  await portal.sql("UPDATE staff_sessions SET created_at = created_at - interval '1 hour'");
  await card(page).getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill('The office key');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'A passkey is added within 10 minutes of signing in. Please sign in again first.',
  );
  await dialog.getByRole('button', { name: 'Sign in again' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password').fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await expect(again).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(card(page).getByRole('heading', { name: 'The office key' })).toBeVisible();
});

test('an owner resets a second step that is lost, and the password signs in', async ({
  page,
  portal,
}) => {
  await openAccount(page, portal);
  await addPasskey(page, 'The office key');
  await page.context().clearCookies();
  await signInStaff(page, portal, 'owner');
  await page.goto('/office/staff');
  await page.getByRole('row', { name: /manager@/ }).click();
  await page.getByRole('button', { name: 'Reset the second step' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reset the second step' });
  await dialog.getByLabel('Reason').fill('Lost the key');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog).toContainText('every passkey of the account are removed.');
  await dialog.getByRole('button', { name: 'Reset the second step' }).click();
  await expect(page.getByText('Reset the second step: done.')).toBeVisible();
  await signInByPassword(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today');
});

// spec 10.47
test('the account lists where the member is signed in, and signs the others out', async ({
  page,
  portal,
}) => {
  for (const _ of [1, 2, 3]) await signInStaff(page, portal, 'manager');
  await signInStaff(page, portal, 'clerk');
  await signInStaff(page, portal, 'manager');
  await page.goto('/office/account');
  const sessions = page.getByRole('region', { name: 'Where you are signed in' });
  await expect(sessions.getByRole('listitem')).toHaveCount(4);
  await expect(sessions.getByRole('listitem').first()).toContainText('This browser');
  await expectAccessible(page);
  await sessions.getByRole('button', { name: 'Sign out A browser' }).first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('A browser is signed out.')).toBeVisible();
  await expect(sessions).toBeFocused();
  await expect(sessions.getByRole('listitem')).toHaveCount(3);
  await sessions.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await expect(sessions.getByRole('button')).toHaveCount(0);
  expect(await portal.sql('SELECT staff_id FROM staff_sessions')).toHaveLength(2);
});
