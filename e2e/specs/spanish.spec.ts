import { expectAccessible, expectNoSidewaysScroll, expectTouchable } from '../support/axe.ts';
import { englishOf, expectNoEnglish } from '../support/english.ts';
import { expect, test } from '../support/portal.ts';
import { walks } from '../support/states.ts';

test.describe('a browser in Spanish', () => {
  test.use({ language: 'es' });

  test(
    'is answered in Spanish, and in English once that was chosen',
    { tag: '@smoke' },
    async ({ page }) => {
      await page.goto('/login');
      await expect(page.getByRole('heading', { name: 'Inicie sesión en su cuenta' })).toBeVisible();
      await expectNoEnglish(page);
      await page.getByRole('link', { name: 'English' }).click();
      await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
      await expect(page).toHaveURL(/\/login$/);
      expect(await englishOf(page)).toContain("Don't have an account yet?");
      await page.goto('/register');
      await expect(page.getByRole('link', { name: 'Español' })).toBeVisible();
    },
  );

  // A pay link that was paid is not found, and a wrong password is refused.
  test.use({ mayLog: [/404|^Sign-in failed/] });

  for (const [name, walk] of Object.entries(walks))
    // spec 10.72
    test(`reads Spanish in every state, and can use it: ${name}`, async ({ page, portal }) => {
      for await (const state of walk(page, portal)) {
        // The pages of the operator, of staff and of engineers are English.
        if (state === 'mailbox' || state === 'docs') continue;
        await test.step(state, async () => {
          await expect.soft(expectNoEnglish(page), state).resolves.toBeUndefined();
          await expect.soft(expectAccessible(page), state).resolves.toBeUndefined();
          await expect.soft(expectTouchable(page), state).resolves.toBeUndefined();
          await expect.soft(expectNoSidewaysScroll(page), state).resolves.toBeUndefined();
        });
      }
    });
});

// spec 10.73
test(
  'a browser in English can choose Spanish on every page, which is kept',
  { tag: '@smoke' },
  async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('link', { name: 'Español' }).click();
    await expect(page.getByRole('heading', { name: 'Inicie sesión en su cuenta' })).toBeVisible();
    await page.getByRole('button', { name: 'Iniciar sesión', exact: true }).click();
    await expect(page.getByText('El campo Contraseña es obligatorio.')).toBeVisible();
    await page.goto('/forgot-password');
    await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  },
);
