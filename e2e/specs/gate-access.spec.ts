import type { Locator } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { bodiesOf, clickTwice, hold } from '../support/requests.ts';
import {
  fillCard,
  openDetails,
  openMyUnits,
  openPaymentMethod,
  rentalCard,
  row,
} from '../support/tenant.ts';

test.beforeEach(async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
});

const SET_SCHEDULE = `UPDATE ledgers SET gate_schedule_id = $1 WHERE unit_id = (SELECT id FROM units WHERE name = 'B207')`;

// spec 1.11, 2.112, 5.59, 7.35, 7.36, 8.8
test(
  '24-hour access is asked for with the keyboard only: a reason is required, and the request goes out once',
  { tag: '@smoke' },
  async ({ page, portal }) => {
    const bodies = bodiesOf(page, '/request-gate-access');
    await openDetails(rentalCard(page, 'B207'));
    const action = page.getByRole('button', { name: 'Request 24-hour access for B207' });
    await action.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Send request' });
    await expect(dialog.getByLabel('Reason')).toBeVisible();
    // Of a dialog, not of the row that it was opened from.
    await expect(dialog).toHaveCSS('font-size', '16px');
    await expect(dialog).toHaveCSS('line-height', '24px');
    await tabTo(send);
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Reason is required.')).toBeVisible();
    await expect(dialog.getByLabel('Reason')).toBeFocused();
    await page.keyboard.type('I leave for the lake before dawn.');
    await tabTo(send);
    const release = await hold(page, '**/request-gate-access');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    release();
    await expect(dialog.getByText('Request successfully sent', { exact: true })).toBeVisible();

    const [request, ...more] = await portal.sql(
      "SELECT * FROM requests WHERE kind = 'request_gate_access_form'",
    );
    expect(more).toEqual([]);
    await expect(dialog.getByText(`Reference ${request?.reference as string}`)).toBeVisible();
    expect(bodies).toEqual([
      {
        emailAddress: 'dana@example.com',
        facilityName: 'Anchor & Axle Eagle Mountain',
        firstName: 'Dana',
        formType: 'request_gate_access_form',
        lastName: 'Reyes',
        reason: 'I leave for the lake before dawn.',
        tenantId: request?.tenant_id,
        unitName: 'B207',
      },
    ]);
    await page.keyboard.press('Escape');
    // The button goes away with the request that is open now, and what says so has the focus.
    const asked = rentalCard(page, 'B207').getByRole('link', { name: /^24-hour access was asked/ });
    await expect(asked).toBeFocused();
    await expect(action).toHaveCount(0);
  },
);

test('offline a dialog says that what was entered is still there, and sends it later', async ({
  page,
  portal,
  context,
}) => {
  await openDetails(rentalCard(page, 'B207'));
  await page.getByRole('button', { name: 'Request 24-hour access for B207' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Early trips');
  await context.setOffline(true);
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'We could not reach the server. Check your connection and try again. What you entered is still here.',
  );
  await expect(dialog.getByLabel('Reason')).toHaveValue('Early trips');
  expect(await portal.sql('SELECT id FROM requests')).toEqual([]);
  await context.setOffline(false);
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect(dialog.getByText('Request successfully sent', { exact: true })).toBeVisible();
});

// spec 4.43, 4.64, 8.5, 9.10
test('the request is hidden when timeZoneId is 0 or has 24 hours, and refused when it became 0 meanwhile', async ({
  page,
  portal,
}) => {
  await openDetails(rentalCard(page, 'B207'));
  await page.getByRole('button', { name: 'Request 24-hour access for B207' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Early trips');
  await portal.sql(SET_SCHEDULE, [0]);
  const bodies = bodiesOf(page, '/request-gate-access');
  await clickTwice(dialog.getByRole('button', { name: 'Send request' }));
  await expect(dialog.getByRole('alert')).toHaveText(
    'This unit has no 24-hour access. Please call your facility.',
  );
  await expect(dialog.getByRole('alert').locator('..')).toBeFocused();
  await expect(dialog.getByLabel('Reason')).toHaveValue('Early trips');
  expect(bodies).toHaveLength(1);
  for (const schedule of [0, 2]) {
    await portal.sql(SET_SCHEDULE, [schedule]);
    await openMyUnits(page);
    await expect(rentalCard(page, 'B207')).toContainText(/\d{4}#/);
    await openDetails(rentalCard(page, 'B207'));
    await expect(page.getByRole('button', { name: 'Request 24-hour access for B207' })).toHaveCount(
      0,
    );
  }
});

test('24-hour access is not offered where the gate is closed', async ({ page }) => {
  for (const unit of ['A101', 'C014']) {
    await openDetails(rentalCard(page, unit));
    await expect(rentalCard(page, unit)).toContainText('Locked out');
  }
  await openDetails(rentalCard(page, 'B207'));
  await expect(page.getByRole('button', { name: /^Request 24-hour access/ })).toHaveCount(1);
});

test('what the facility sets at the gate shows on the card', async ({ page, portal }) => {
  await test.step('a tenant who owes something and has days left sees the code and until when to pay, and then is locked out', async () => {
    const card = rentalCard(page, 'A101');
    await expect(card).toContainText('Locked out');
    await portal.sql(
      `UPDATE facilities SET gate_grace_days = 4000 WHERE location_code = 'TXDFW03'`,
    );
    await page.reload();
    await expect(card).toContainText(/\d{4}#/);
    await expect(card).toContainText(/Pay \$[\d,.]+ by \d+\/\d+\/\d{4} to keep your gate access/);
    await expect(card).not.toContainText('Locked out');
    await portal.sql(`UPDATE facilities SET gate_grace_days = 0 WHERE location_code = 'TXDFW03'`);
    await page.reload();
    await expect(card).toContainText('Locked out');
  });
  await test.step('a unit that staff have locked shows no code and asks to call, also at a balance of 0', async () => {
    const lock = (at: string | null) =>
      portal.sql(
        `UPDATE ledgers SET overlocked_at = $1 WHERE unit_id = (SELECT id FROM units WHERE name = 'B207')`,
        [at],
      );
    const card = rentalCard(page, 'B207');
    await expect(card).toContainText(/\d{4}#/);
    await lock('2026-11-20T12:00:00Z');
    await page.reload();
    await expect(card).toContainText('Locked out');
    await expect(card).toContainText('Please call facility to resolve!');
    await expect(card).not.toContainText(/\d{4}#/);
    await lock(null);
    await page.reload();
    await expect(card).toContainText(/\d{4}#/);
  });
});

// spec 4.65
test(
  'a bank payment after a lock-out says about when the gate opens, and a card opens it at once',
  { tag: '@wide' },
  async ({ page, portal }) => {
    const sentence =
      /Your bank payment is on its way\. The gate opens when it has settled, about [A-Z][a-z]+day, [A-Z][a-z]+ \d+\./;
    await portal.sql(
      `UPDATE facilities SET gate_waits_for_settlement = true WHERE location_code = 'TXDFW03'`,
    );
    await test.step('on the receipt, in place of where the code is', async () => {
      await page.goto('/billing-info');
      const dialog = await openPaymentMethod(page, 'A101');
      await dialog.getByRole('radio', { name: 'New payment method' }).check();
      await dialog.getByRole('radio', { name: 'ACH' }).check();
      await dialog.getByLabel('Account Type').selectOption('Consumer Checking');
      await dialog.getByLabel('Routing Number').fill('999999999');
      await expect(
        dialog.getByText('These digits are not a usual routing number. Please check them.'),
      ).toBeVisible();
      await dialog.getByLabel('Account Number').fill('000123456789');
      await dialog.getByRole('button', { name: /^Setup and pay/ }).click();
      await expect(dialog.getByText(sentence)).toBeVisible();
      await expect(dialog.getByText(/^\d{4}#$/)).toHaveCount(0);
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Close' }).last().click();
    });
    await test.step('and on the unit’s card, without a code', async () => {
      await openMyUnits(page);
      const gate = row(rentalCard(page, 'A101'), 'Gate Access');
      await expect(gate).toContainText(sentence);
      await expect(gate).not.toContainText(/\d{4}#|Locked out/);
      await expect(rentalCard(page, 'A101')).toContainText('$0.00');
      await expectAccessible(page);
    });
    await test.step('a card opens another unit at once', async () => {
      await page.goto('/billing-info');
      const dialog = await openPaymentMethod(page, 'C014');
      await dialog.getByRole('radio', { name: 'New payment method' }).check();
      await fillCard(dialog);
      await dialog.getByRole('button', { name: /^Setup and pay/ }).click();
      await expect(dialog.getByText(/^\d{4}#$/)).toBeVisible();
      await openMyUnits(page);
      await expect(row(rentalCard(page, 'C014'), 'Gate Access')).toContainText(/\d{4}#/);
    });
    await test.step('and what has settled opens the first', async () => {
      await portal.sql(`UPDATE payment_intents SET state = 'settled' WHERE state = 'pending'`);
      await portal.sql(
        `UPDATE payment_intent_ledgers SET state = 'settled' WHERE state = 'pending'`,
      );
      await page.reload();
      await expect(row(rentalCard(page, 'A101'), 'Gate Access')).toContainText(/\d{4}#/);
    });
  },
);

/** Tabs until the control has focus, as a keyboard user does. */
async function tabTo(control: Locator): Promise<void> {
  const hasFocus = () => control.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 10 && !(await hasFocus()); presses++)
    await control.page().keyboard.press('Tab');
  await expect(control).toBeFocused();
}
