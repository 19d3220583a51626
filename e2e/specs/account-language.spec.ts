import type { Page } from '@playwright/test';
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
  await expect(card).toContainText('Emails and text messages come in this language too.');
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

async function signInTo(page: Page, path: string) {
  await page.goto(path);
  const state = page.locator('select[name=state]');
  await expect(state).toBeEnabled();
  if (await state.isVisible()) {
    await state.selectOption('TX');
    await page.locator('select[name=locationCode]').selectOption('TXDFW03');
  }
  await page.locator('input[name=username]').fill('dana@example.com');
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('input[name=password]').press('Enter');
}

// spec 7.90
test('a sign-in opens the page that was asked for in the language of the account, where this browser has chosen none', async ({
  page,
  portal,
}) => {
  await portal.sql("UPDATE users SET language = 'es' WHERE email = 'dana@example.com'");
  await signInTo(page, '/billing-info?ledger=x');
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await expect(page).toHaveURL(/\/billing-info/);
});

// spec 7.90
test(
  'a Spanish sign-in page with an English account asks once, in one press, and the answer holds on every device',
  { tag: '@wide' },
  async ({ page, portal, otherContext }) => {
    await portal.sql("UPDATE users SET language = 'en' WHERE email = 'dana@example.com'");
    await page.goto('/login');
    await page.getByRole('link', { name: 'Español' }).click();
    await signInTo(page, '/login');
    const question = page.getByRole('region', { name: '¿Seguir en español?' });
    await expect(question).toContainText('Su cuenta está en inglés.');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Seguir en español' }).press('Enter');
    const answer = page.getByText('Su cuenta está ahora en español, en todos sus dispositivos.');
    await expect(answer).toBeFocused();
    const [user] = await portal.sql(
      "SELECT language, language_chosen FROM users WHERE email = 'dana@example.com'",
    );
    expect(user).toEqual({ language: 'es', language_chosen: true });

    // Another device, on which English was chosen before, is not asked.
    const other = await otherContext.newPage();
    await otherContext.addCookies([{ name: 'language', value: 'en', url: portal.url }]);
    await signInTo(other, '/account');
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Administrar la cuenta');
    await expect(other.getByText('Keep English?')).toHaveCount(0);
  },
);

// spec 7.90
test('who does not keep the language of the sign-in page gets that of the account, and is not asked again', async ({
  page,
  portal,
}) => {
  await portal.sql("UPDATE users SET language = 'en' WHERE email = 'dana@example.com'");
  await page.goto('/es/login');
  await signInTo(page, '/profile');
  await page.getByRole('button', { name: 'Usar inglés' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.evaluate(() => localStorage.clear());
  await page.goto('/es/login');
  await signInTo(page, '/login');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Units');
});
