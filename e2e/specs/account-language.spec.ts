import { expectAccessible } from '../support/axe.ts';
import { expect, PASSWORD, signIn, test } from '../support/portal.ts';

// spec 7.90
test('with the keyboard only a tenant chooses Spanish for the account, and the page opens in it', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/account');
  const card = page.getByRole('region', { name: 'Language' });
  await expect(card).toContainText('Mails and text messages come in this language too.');
  await expect(card.getByRole('button', { name: 'English' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Español' }).focus();
  await page.keyboard.press('Enter');
  const own = page.getByRole('region', { name: 'Idioma' });
  await expect(own.getByRole('button', { name: 'Español' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(page).toHaveURL(/\/account$/);
  const [user] = await portal.sql("SELECT language FROM users WHERE email = 'dana@example.com'");
  expect(user).toEqual({ language: 'es' });
});

// spec 7.90
test('a sign-in opens the page that was asked for in the language of the account, where this browser has chosen none', async ({
  page,
  portal,
  context,
}) => {
  await portal.sql("UPDATE users SET language = 'es' WHERE email = 'dana@example.com'");
  const signInTo = async (path: string) => {
    await page.goto(path);
    await page.getByLabel('What state is your facility located?').selectOption('Texas');
    await page.getByLabel('Select your location').selectOption('TXDFW03');
    await page.getByLabel('Email Address').fill('dana@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  };
  const html = page.locator('html');
  await signInTo('/billing-info?ledger=x');
  await expect(html).toHaveAttribute('lang', 'es');
  await expect(page).toHaveURL(/\/billing-info/);
  // A visitor who has chosen English in this browser keeps it.
  await page.evaluate(() => localStorage.clear());
  await context.addCookies([{ name: 'language', value: 'en', url: portal.url }]);
  await signInTo('/account');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Management');
  await expect(html).toHaveAttribute('lang', 'en');
});
