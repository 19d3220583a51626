import { expect, type Locator, type Page } from '@playwright/test';
import { addAuthenticator, type Authenticator } from './authenticator.ts';
import { signIn, type Portal } from './portal.ts';

/** Signs in and opens Account; the card of the passkeys, of which there are none. */
export async function openPasskeys(
  page: Page,
  portal: Portal,
  email = 'dana@example.com',
): Promise<Locator> {
  await signIn(page, portal, email);
  await page.goto('/account#passkeys');
  const card = page.getByRole('region', { name: 'Sign-in and passkeys' });
  await expect(card.getByText('You have no passkey yet.')).toBeVisible();
  return card;
}

/** Adds a passkey from Account, under the name that the form has where none is given. */
export async function addPasskey(page: Page, name?: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  if (name !== undefined) await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText('Your passkey has been added.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
}

/** Logs out. */
export async function leave(page: Page): Promise<void> {
  const [menu] = await page.getByRole('button', { name: 'Menu' }).filter({ visible: true }).all();
  await menu?.click();
  await page.getByRole('button', { name: 'Logout' }).filter({ visible: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account');
}

/** Adds a passkey to Dana's sign-in, and signs out. */
export async function addAndLeave(page: Page, portal: Portal): Promise<Authenticator> {
  const device = await addAuthenticator(page);
  await openPasskeys(page, portal);
  await addPasskey(page);
  await leave(page);
  return device;
}
