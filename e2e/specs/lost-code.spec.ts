import type { Locator, Page } from '@playwright/test';
import { loseCode, losses, publishBuild, retriesImports } from '../support/lost-code.ts';
import { openOffice, payLinkTo, signInStaff } from '../support/office.ts';
import { expect, type Portal, signIn, test } from '../support/portal.ts';
import { openByMenu, openPaymentMethod } from '../support/tenant.ts';

// Code that does not come is what these tests are about.
test.use({ mayLog: [/./] });

const PAGE_LOST = 'This page could not be loaded. Check your connection and try again.';

// Otherwise an idle page has the code before it is lost.
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => (globalThis.requestIdleCallback = () => 0));
});

const tryAgain = (scope: Page | Locator) => scope.getByRole('button', { name: 'Try again' });

/** Marks the document, so that a reload is seen. */
const mark = (page: Page) => page.evaluate(() => Reflect.set(globalThis, 'isMarked', true));
const isMarked = (page: Page) => page.evaluate(() => 'isMarked' in globalThis);

for (const loss of losses) {
  test.describe(`code that does not come (${loss})`, () => {
    test.use({ hasOwnBuild: loss === 'gone' });

    // spec 2.10
    test(
      `a route asks for its code twice and shows its error page, which recovers (${loss})`,
      loss === 'html' ? { tag: '@smoke' } : {},
      async ({ page, portal }) => {
        await signIn(page, portal, 'dana@example.com');
        await page.goto('/');
        await expect(page.getByRole('heading', { level: 3, name: 'A101' })).toBeVisible();
        const twice = (await retriesImports(page)) ? 2 : 1;
        await mark(page);
        const lost = await loseCode(page, portal, 'payment-history', loss);
        await openByMenu(page, 'Payment History');
        const main = page.getByRole('main');
        const heading = main.getByRole('heading', { level: 1 });
        await expect(heading).toHaveText(PAGE_LOST);
        await expect(main.getByText('Loading…')).toHaveCount(0);
        await expect(main).toContainText('503 Service Unavailable');
        await expect(main.getByRole('link', { name: 'Return Home' })).toHaveAttribute('href', '/');
        expect(lost.asked()).toBe(twice);

        // Without a connection the page stays; elsewhere a reload is all that is left to try.
        await tryAgain(main).click();
        await expect.poll(() => isMarked(page).catch(() => null)).toBe(loss === 'offline');
        await expect(tryAgain(main)).toBeVisible();
        // A browser that keeps the failure asks no more.
        if (loss === 'offline') await expect.poll(() => lost.asked()).toBe(twice === 2 ? 4 : 1);
        // One try in the page; on the next page its HTML asks for the code as well.
        else expect(lost.asked()).toBeLessThanOrEqual(twice + 4);

        await lost.heal();
        await tryAgain(main).click();
        await expect(heading).toHaveText('Payment History');
      },
    );

    // spec 10.77
    test(`a dialog asks for its code twice and says so in a box, which recovers (${loss})`, async ({
      page,
      portal,
    }) => {
      await signIn(page, portal, 'dana@example.com');
      await page.goto('/profile');
      const update = page
        .getByRole('region', { name: 'Primary Contact' })
        .getByRole('button', { name: 'Update' });
      await expect(update).toBeVisible();
      const retries = await retriesImports(page);
      await mark(page);
      // The dialog's own code, as an idle page has it.
      await page.evaluate(async () => {
        const map = document.querySelector('script[type=importmap]')!.textContent;
        await import(/[^"]*\/dialogs-[^"]*/.exec(map)![0]);
      });
      const lost = await loseCode(page, portal, 'small-forms', loss);
      await update.click();
      const dialog = page.getByRole('dialog');
      await expect(dialog).toContainText('This form could not be loaded.');
      expect(lost.asked()).toBe(retries ? 2 : 1);
      await lost.heal();
      await tryAgain(dialog).click();
      if (retries) {
        await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible();
        expect(await isMarked(page)).toBe(true);
      } else {
        await expect.poll(() => isMarked(page).catch(() => null)).toBe(false);
        await update.click();
        await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible();
      }
    });

    // spec 10.77
    test(`a pay page asks for its code twice, then offers a reload (${loss})`, async ({
      page,
      portal,
    }) => {
      const path = await payLinkTo(page, portal, 'A101');
      const ready = page.getByRole('button', { name: /^Pay \$/ });
      await expectReloadOf(page, portal, path, 'pay', ready);
    });

    // spec 10.77
    test(`the page of a gate pass asks for its code twice, then offers a reload (${loss})`, async ({
      page,
      portal,
    }) => {
      const ready = page.getByRole('link', { name: 'Open the portal' });
      await expectReloadOf(page, portal, '/gate', 'gate', ready);
    });

    /** Expects of a page whose code is one file that it asks for it twice and then says so. */
    async function expectReloadOf(
      page: Page,
      portal: Portal,
      path: string,
      name: string,
      ready: Locator,
    ): Promise<void> {
      const lost = await loseCode(page, portal, name, loss === 'offline' ? 'cut' : loss);
      await page.goto(path);
      await expect(page.getByRole('alert')).toContainText(PAGE_LOST);
      // Without a connection the page is not left for the browser's own error.
      expect(lost.asked()).toBe(loss === 'offline' ? 1 : 2);
      await lost.heal();
      await page.getByRole('button', { name: 'Reload' }).click();
      await expect(ready).toBeVisible();
    }

    // spec 10.77
    test(`a chart of the office is asked for twice, and its report stays (${loss})`, async ({
      page,
      portal,
    }) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await signInStaff(page, portal, 'manager');
      await openOffice(page, '/reports');
      const twice = (await retriesImports(page)) ? 2 : 1;
      await mark(page);
      const lost = await loseCode(
        page,
        portal,
        'bars',
        loss === 'offline' ? 'cut' : loss,
        'office',
      );
      await page.getByRole('tab', { name: 'Occupancy' }).click();
      await expect(page.getByText('The chart could not be loaded.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Export CSV' })).toBeVisible();
      expect(lost.asked()).toBe(twice);
      await lost.heal();
      await tryAgain(page).click();
      // Where the browser keeps the failure, the page is a new one.
      if (twice === 1) {
        await expect.poll(() => isMarked(page).catch(() => null)).toBe(false);
        await page.getByRole('tab', { name: 'Occupancy' }).click();
      }
      await expect(page.locator('.recharts-bar-rectangle').first()).toBeVisible();
    });
  });
}

test.describe('a build that was replaced while its page was open', () => {
  test.use({ hasOwnBuild: true });

  // spec 10.78
  test('has "Try again" load the new page', async ({ page, portal }) => {
    await signIn(page, portal, 'dana@example.com');
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 3, name: 'A101' })).toBeVisible();
    await mark(page);
    const lost = await loseCode(page, portal, 'payment-history', 'gone');
    await openByMenu(page, 'Payment History');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(PAGE_LOST);
    await lost.heal();
    await publishBuild(portal);
    await tryAgain(page).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment History');
    expect(await isMarked(page)).toBe(false);
  });

  test('does not leave a page of the office white', async ({ page, portal }) => {
    const lost = await loseCode(page, portal, 'index', 'gone', 'office');
    await page.goto('/office');
    await expect(page.getByText('The office could not be loaded yet.')).toBeVisible();
    await lost.heal();
    await page.getByRole('link', { name: 'try again' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  });
});

// spec 10.78
test('a payment is not sent before what says what became of it is loaded', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  const lost = await loseCode(page, portal, 'paying', 'busy');
  await page.goto('/billing-info');
  const dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('button', { name: 'Setup and pay $214.50' }).click();
  await expect(dialog.getByRole('alert').last()).toContainText('Nothing was sent');
  expect(await portal.sql('SELECT id FROM payment_intents WHERE user_id IS NOT NULL')).toEqual([]);
  await lost.heal();
});
