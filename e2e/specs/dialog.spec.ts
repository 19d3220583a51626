import type { Locator, Page } from '@playwright/test';
import { expect, signIn, test } from '../support/portal.ts';
import { enlargeText, expectNothingOverlaps } from '../support/overlap.ts';
import {
  openByMenu,
  openDetails,
  openMyUnits,
  openPaymentMethod,
  rentalCard,
} from '../support/tenant.ts';

/** The bar with a dialog's actions. */
const barOf = (dialog: Locator) => dialog.locator('.actions');

async function boxOf(part: Locator) {
  return (await part.boundingBox())!;
}

/**
 * Expects the first error of a form, and its field, above the dialog's bar, and under its title
 * where the screen has room for that.
 */
async function expectErrorInSight(dialog: Locator) {
  const field = dialog.locator(':focus');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  const error = dialog.locator(`[id="${(await field.getAttribute('id'))!}-error"]`);
  const bar = await boxOf(barOf(dialog));
  const message = await boxOf(error);
  expect(message.y + message.height).toBeLessThanOrEqual(bar.y);
  const title = await boxOf(dialog.getByRole('heading', { level: 2 }));
  const { y: top } = await boxOf(dialog);
  const hasRoom = dialog.page().viewportSize()!.height >= 640;
  if (hasRoom) expect(title.y).toBeGreaterThanOrEqual(top);
  expect((await boxOf(field)).y).toBeGreaterThanOrEqual(hasRoom ? title.y + title.height : top);
}

for (const [width, height] of [
  [360, 740],
  [320, 568],
] as const)
  test(`at ${width} x ${height} a dialog’s bar is under a quarter of the screen, and its errors are in sight`, async ({
    page,
    portal,
  }) => {
    await page.setViewportSize({ width, height });
    await signIn(page, portal, 'dana@example.com');
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Update contact information' }).click();
    const contact = page.getByRole('dialog');
    expect((await boxOf(barOf(contact))).height).toBeLessThan(height / 4);
    await contact.getByLabel('First Name').fill('');
    await contact.getByLabel('Postal Code').fill('');
    await contact.getByRole('button', { name: 'Send request' }).click();
    await expectErrorInSight(contact);
    await contact.getByLabel('First Name').fill('Dana');
    await contact.getByRole('button', { name: 'Send request' }).click();
    await expectErrorInSight(contact);

    await page.goto('/billing-info');
    const payment = await openPaymentMethod(page, 'A101');
    expect((await boxOf(barOf(payment))).height).toBeLessThan(height / 4);
    await payment.getByRole('radio', { name: 'New payment method' }).check();
    await expect(payment.getByLabel('Card Number')).toBeVisible();
    await payment.locator('button[type=submit]').click();
    await expectErrorInSight(payment);
  });

test('at 320 px with text twice as large nothing in a dialog lies over another thing or is cut off', async ({
  page,
  portal,
}) => {
  const dialog = page.getByRole('dialog');
  await signIn(page, portal, 'dana@example.com');
  await test.step('the payment dialog: saved methods, a new card with its errors, a bank account', async () => {
    await page.goto('/billing-info');
    await enlargeText(page);
    await openPaymentMethod(page, 'A101');
    await expectNothingOverlaps(dialog);
    await dialog.getByRole('radio', { name: 'New payment method' }).check();
    await dialog.locator('button[type=submit]').click();
    await expect(dialog.getByText('Card number is required.')).toBeVisible();
    await expectNothingOverlaps(dialog);
    await dialog.getByRole('radio', { name: 'ACH' }).check();
    await expect(dialog.getByLabel('Routing Number')).toBeVisible();
    await expectNothingOverlaps(dialog);
    await dialog.getByRole('radio', { name: /Visa ending in 4242/ }).check();
    await dialog.getByRole('button', { name: /^Setup and pay/ }).click();
    await expect(dialog.getByText('Your payment has been applied successfully')).toBeVisible();
    await expectNothingOverlaps(dialog);
  });
  await test.step('the dialogs of a rental', async () => {
    for (const [action, unit] of [
      ['View Charges', 'C014'],
      ['Add protection plan for C014', 'C014'],
      ['Request 24-hour access for B207', 'B207'],
      ['Update protection plan for B207', 'B207'],
    ] as const) {
      await openMyUnits(page);
      await enlargeText(page);
      await openDetails(rentalCard(page, unit));
      await rentalCard(page, unit).getByRole('button', { name: action }).click();
      await expect(dialog.locator('.appear-late')).toHaveCount(0);
      await expectNothingOverlaps(dialog);
    }
  });
  await test.step('those of the profile', async () => {
    await page.goto('/profile');
    await enlargeText(page);
    await page.getByRole('button', { name: 'Update contact information' }).click();
    await expect(dialog.getByLabel('First Name')).toBeVisible();
    await expectNothingOverlaps(dialog);
  });
});

/** Opens each dialog of the portal that has two buttons or more. */
const dialogs: Record<string, (page: Page) => Promise<unknown>> = {
  'contact information': async (page) => {
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Update contact information' }).click();
  },
  'autopay and its payment': async (page) => {
    await page.goto('/billing-info');
    await openPaymentMethod(page, 'A101');
  },
  charges: async (page) => {
    await openMyUnits(page);
    await openDetails(rentalCard(page, 'C014'));
    await rentalCard(page, 'C014').getByRole('button', { name: 'View Charges' }).click();
  },
  'the question before typing is lost': async (page) => {
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Update contact information' }).click();
    await page.getByRole('dialog').getByLabel('First Name').fill('Danielle');
    await page.keyboard.press('Escape');
  },
};

for (const width of [360, 390])
  test(`at ${width} px with text twice as large only the primary button of a dialog stays in sight, and the others come with its end and with the keyboard`, async ({
    page,
    portal,
  }) => {
    await signIn(page, portal, 'dana@example.com');
    for (const [name, open] of Object.entries(dialogs))
      await test.step(name, async () => {
        await open(page);
        const dialog = page.getByRole('dialog').last();
        const bar = barOf(dialog);
        await expect(bar).toBeVisible();
        await enlargeText(page, { width, height: 740 });
        const frame = await boxOf(dialog);
        const end = frame.y + frame.height;
        const buttons = bar.locator(':scope > *');
        const [primary, other] = [buttons.last(), buttons.first()];
        const isInSight = async (part: Locator) => {
          const { y, height } = await boxOf(part);
          return y >= frame.y && y + height <= end + 1;
        };
        const isLong = await dialog.evaluate((box) => box.scrollHeight > box.clientHeight + 1);
        expect(await isInSight(primary)).toBe(true);
        if (isLong) {
          expect(end - (await boxOf(bar)).y).toBeLessThan(frame.height / 4);
          await page.keyboard.press('Tab');
          await other.focus();
          expect(await isInSight(other)).toBe(true);
          await dialog.getByRole('heading', { level: 2 }).focus();
          await dialog.evaluate((box) => box.scrollTo(0, box.scrollHeight));
        }
        for (const one of [primary, other]) expect(await isInSight(one)).toBe(true);
        await expectNothingOverlaps(dialog);
      });
  });

// spec 10.83
test('Escape, the way back and a press outside ask before what was typed is thrown away, and the close button does not', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  await expect(page.getByRole('region', { name: 'Current Rentals' })).toBeVisible();
  const isSame = await page.evaluateHandle(() => ({ document }));
  await openByMenu(page, 'Profile');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile');
  expect(await isSame.evaluate((before) => before.document === document)).toBe(true);
  const open = page.getByRole('button', { name: 'Update contact information' });
  const contact = page.getByRole('dialog', { name: 'Update contact information' });
  const asking = page.getByRole('dialog', { name: 'Discard what you entered?' });
  const name = contact.getByLabel('First Name');
  await test.step('nothing was typed: it closes at once', async () => {
    await open.click();
    await name.focus();
    await page.keyboard.press('Escape');
    await expect(contact).toBeHidden();
    await expect(open).toBeFocused();
  });
  const leave = {
    Escape: () => page.keyboard.press('Escape'),
    'a press outside': () => page.mouse.click(4, 4),
    back: () => page.evaluate(() => history.back()),
  };
  await open.click();
  await name.fill('Danielle');
  for (const [way, go] of Object.entries(leave))
    await test.step(`${way} asks, and what was typed is kept`, async () => {
      await go();
      await expect(asking).toBeVisible();
      await asking.getByRole('button', { name: 'Keep editing' }).click();
      await expect(asking).toBeHidden();
      await expect(name).toHaveValue('Danielle');
      await expect(name).toBeFocused();
      expect(new URL(page.url()).pathname).toBe('/profile');
    });
  await test.step('Escape over the question keeps it too', async () => {
    await page.keyboard.press('Escape');
    await expect(asking).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(asking).toBeHidden();
    await expect(contact).toBeVisible();
  });
  await test.step('what is typed back is nothing', async () => {
    await name.fill('Dana');
    await page.keyboard.press('Escape');
    await expect(contact).toBeHidden();
  });
  await test.step('it is thrown away where that is chosen', async () => {
    await open.click();
    await name.fill('Danielle');
    await page.keyboard.press('Escape');
    await asking.getByRole('button', { name: 'Discard' }).click();
    await expect(contact).toBeHidden();
    await expect(asking).toBeHidden();
    await expect(open).toBeFocused();
    await open.click();
    await expect(name).toHaveValue('Dana');
  });
  await test.step('the close button closes, and so does Escape after a success', async () => {
    await name.fill('Danielle');
    await contact.getByRole('button', { name: 'Close' }).click();
    await expect(contact).toBeHidden();
    await open.click();
    await name.fill('Danielle');
    await contact.getByRole('button', { name: 'Send request' }).click();
    const sent = page.getByRole('dialog', { name: 'Request sent' });
    await expect(sent).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sent).toBeHidden();
    await expect(asking).toBeHidden();
  });
});

// spec 10.83
test('in forced colors a dialog and the gate pass have an edge', async ({ page, portal }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await signIn(page, portal, 'dana@example.com');
  const edge = (part: Locator) =>
    part.evaluate((element) => getComputedStyle(element).borderTopWidth);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Update contact information' }).click();
  expect(await edge(page.getByRole('dialog'))).toBe('2px');
  await openMyUnits(page);
  expect(await edge(page.locator('.on-pass').first())).toBe('2px');
});

test.describe('on a device whose clock is wrong by years', () => {
  for (const deviceYear of [2019, 2035])
    // spec 10.84
    test(`in ${deviceYear} the years of a card begin with the server’s`, async ({
      page,
      portal,
    }) => {
      await signIn(page, portal, 'dana@example.com');
      await page.clock.setFixedTime(new Date(`${deviceYear}-06-01T12:00:00Z`));
      await page.goto('/billing-info');
      const dialog = await openPaymentMethod(page, 'A101');
      await dialog.getByRole('radio', { name: 'New payment method' }).check();
      const { date } = (await page.request.get(`${portal.url}/healthz`)).headers();
      const year = new Date(date!).getUTCFullYear();
      const options = dialog.getByLabel('Expiration Year').getByRole('option');
      await expect(options.nth(1)).toHaveText(String(year));
      await expect(options.last()).toHaveText(String(year + 21));
    });
});
