import { expectAccessible } from '../support/axe.ts';
import {
  WITHOUT_MOTION,
  expectSoundBooks,
  openOffice,
  openTenantOf,
  perform,
  signInStaff,
} from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({
  viewport: { width: 768, height: 1024 },
  contextOptions: WITHOUT_MOTION,
});

/** Runs in the page. Answers how light the background of a part is, from 0 to 765. */
function lightness(part: Element): number {
  const context = document.createElement('canvas').getContext('2d')!;
  context.fillStyle = getComputedStyle(part).backgroundColor;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return red + green + blue;
}

/** Runs in the page. Answers what a cell of a table has beyond the edge of its card. */
function amountsOutOfSight(table: Element): (string | null)[] {
  const { right } = table.closest('section')!.getBoundingClientRect();
  return [...table.querySelectorAll('td, th')]
    .filter((cell) => cell.getBoundingClientRect().right > right)
    .map(({ textContent }) => textContent);
}

test('a clerk takes cash, a manager counts the drawer and closes the day, and what is taken later is the next day’s', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'clerk');
  const takeFrom = async (amount: string) => {
    await openTenantOf(page, portal, 'A101');
    await perform(page, 'Take a payment', (dialog) => dialog.getByLabel('Amount').fill(amount));
  };
  await takeFrom('100');
  await openOffice(page, '/deposits');
  const drawer = page.getByRole('region', { name: 'Drawer of TXDFW03', exact: true });
  await expect(drawer.getByRole('row', { name: /Cash/ })).toContainText(
    '$100.00 taken, $0.00 given back',
  );
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await saving).suggestedFilename()).toMatch(/^Deposits \d{4}-\d\d-\d\d\.csv$/);
  await expect(drawer).toContainText('Taken by Ana Flores ($100.00).');
  await expect(drawer).toContainText('You took cash on this day');
  // In dark an alert is lighter than its card.
  await page.emulateMedia({ colorScheme: 'dark' });
  const alert = drawer.getByRole('alert');
  expect(await alert.evaluate(lightness)).toBeGreaterThan(await drawer.evaluate(lightness));
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(drawer.getByRole('button', { name: 'Close the day' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Card and bank' })).toContainText('Pending payout');

  await signInStaff(page, portal, 'manager');
  await openOffice(page, '/deposits');
  await perform(
    drawer,
    'Close the day',
    async (dialog) => {
      await dialog.getByLabel('Cash counted').fill('98,50');
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await expect(dialog).toContainText('Write the cents with a point, such as 12.50.');
      await dialog.getByLabel('Cash counted').fill('98.50');
    },
    { says: '$1.50 short' },
  );
  await expect(drawer).toContainText('Closed by Marcus Webb');
  await expect(drawer.getByRole('row', { name: /Cash/ })).toContainText('$1.50 short');
  await expectAccessible(page);

  // On a phone every amount is in sight, without a scroll.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('columnheader', { name: 'Payout' })).toHaveCount(0);
  await expectAccessible(page);
  for (const table of await page.getByRole('table').all())
    expect(await table.evaluate(amountsOutOfSight)).toEqual([]);
  await page.setViewportSize({ width: 768, height: 1024 });

  await takeFrom('40');
  await openOffice(page, '/deposits');
  await expect(drawer.getByRole('row', { name: /Cash/ })).toContainText('$100.00');
  const days = await portal.sql(
    `SELECT sum(cents)::int AS cents FROM drawer_entries
     WHERE deposit_on >= (SELECT max(on_day) FROM drawer_closings) GROUP BY deposit_on ORDER BY deposit_on`,
  );
  expect(days).toEqual([{ cents: 10_000 }, { cents: 4_000 }]);
  await expectSoundBooks(portal);
});
