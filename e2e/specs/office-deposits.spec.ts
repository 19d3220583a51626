import { expectAccessible } from '../support/axe.ts';
import {
  expectSoundBooks,
  openOffice,
  openTenantOf,
  perform,
  signInStaff,
} from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({ viewport: { width: 768, height: 1024 } });

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
  await expect(drawer.getByRole('row', { name: /Cash/ })).toContainText('$100.00');
  await expect(drawer).toContainText('Taken by Ana Flores ($100.00).');
  await expect(drawer).toContainText('You took cash on this day');
  await expect(drawer.getByRole('button', { name: 'Close the day' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Card and bank' })).toContainText('Not paid out');

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
