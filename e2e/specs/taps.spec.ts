import type { Locator } from '@playwright/test';
import { expect, signIn, test } from '../support/portal.ts';
import { openMyUnits, rentalCard } from '../support/tenant.ts';

/** Counts the presses of a way through the portal; what is typed counts none. */
function counter() {
  let taps = 0;
  return {
    tap: async (target: Locator) => {
      taps += 1;
      await target.click();
    },
    count: () => taps,
  };
}

test('what is owed is paid with a saved card, up to the gate code, in two taps', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  const { tap, count } = counter();
  await tap(page.getByRole('link', { name: 'Pay for A101 and open the gate' }));
  await tap(page.getByRole('dialog').getByRole('button', { name: 'Pay $214.50' }));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('$214.50').first()).toBeInViewport();
  await expect(page.getByText(/^\d{4}#$/).first()).toBeInViewport();
  expect(count()).toBe(2);
});

test('autopay for all units takes three taps', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  const { tap, count } = counter();
  await tap(rentalCard(page, 'A101').getByRole('link', { name: 'Setup autopay for A101' }));
  const dialog = page.getByRole('dialog');
  await tap(dialog.getByRole('checkbox', { name: 'All units' }));
  await tap(dialog.getByRole('button', { name: 'Setup and pay $664.50' }));
  await expect(
    dialog.getByText('The autopay payment method has been updated successfully'),
  ).toBeVisible();
  expect(count()).toBe(3);
  const inactive = await portal.sql(
    `SELECT u.name FROM autopays a JOIN ledgers l ON l.id = a.ledger_id JOIN units u ON u.id = l.unit_id
     WHERE NOT a.active AND u.name IN ('A101', 'B207', 'C014')`,
  );
  expect(inactive).toEqual([]);
});

test('the last receipt takes one tap', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  const { tap, count } = counter();
  const download = page.waitForEvent('download');
  await tap(rentalCard(page, 'B207').getByRole('button', { name: 'Last receipt of B207 as PDF' }));
  expect((await download).suggestedFilename()).toMatch(/^receipt-\d+\.pdf$/);
  expect(count()).toBe(1);
});

test('a repair with a photo takes five taps from the unit’s card', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  const { tap, count } = counter();
  await tap(rentalCard(page, 'C014').getByRole('link', { name: 'Repair request for C014' }));
  await expect(page.getByLabel('Unit', { exact: true })).toHaveValue(/[\w-]{36}/);
  await page.getByLabel('Description').fill('The door does not close.');
  const issue = page.getByLabel('Issue Type');
  await tap(issue);
  await issue.selectOption({ index: 1 });
  const chooser = page.waitForEvent('filechooser');
  await tap(page.getByText('Choose a photo'));
  await (
    await chooser
  ).setFiles({
    name: 'door.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  });
  await tap(page.getByRole('button', { name: 'Submit' }));
  await expect(page.getByText(/Reference/).first()).toBeVisible();
  // The fifth is the photo in the phone's own picker.
  expect(count() + 1).toBe(5);
});
