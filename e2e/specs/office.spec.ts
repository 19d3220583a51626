import type { Page } from '@playwright/test';
import { POLL_HEADER } from '@gatehouse/contract/office/office-endpoint';
import { testClock } from '../../server/test/test-day.ts';
import { expectAccessible } from '../support/axe.ts';
import { openNewCharge, openOffice, signInStaff, WITHOUT_MOTION } from '../support/office.ts';
import { expect, PASSWORD, test, type Portal } from '../support/portal.ts';
import { hold } from '../support/requests.ts';

// A tablet at the gate, held upright.
test.use({
  viewport: { width: 768, height: 1024 },
  contextOptions: WITHOUT_MOTION,
  // That a visitor is not signed in is found out by a call that is refused.
  mayLog: [/401/],
});

async function signInTo(page: Page, role: 'clerk' | 'manager' | 'owner', path = ''): Promise<void> {
  await page.goto(`/office${path}`);
  await page.getByLabel('Email').fill(`${role}@anchor-axle.example`);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('menuitem', { name: 'Tenants' })).toBeVisible();
}

/** Finds a tenant from any page as a clerk does: `/`, some letters, Enter. */
async function find(page: Page, text: string, name: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(text);
  await expect(page.getByRole('option', { name })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Owed in all')).toBeVisible();
}

function rental(page: Page, unitName: string) {
  return page.getByRole('region', { name: `Rental ${unitName}` });
}

/** Balances by unit, in cents. */
async function balances(portal: Portal, ...unitNames: string[]): Promise<number[]> {
  const rows = await portal.sql(
    `SELECT l.balance_cents::int AS cents FROM ledgers l JOIN units u ON u.id = l.unit_id
     WHERE u.name = ANY($1) ORDER BY u.name`,
    [unitNames],
  );
  return rows.map(({ cents }) => cents as number);
}

test(
  'a clerk finds a tenant by the keyboard and takes cash for two rentals after a preview to the cent',
  { tag: '@smoke' },
  async ({ page, portal }) => {
    await signInTo(page, 'clerk', '/tenants');
    await expect(page.getByRole('row', { name: /Reyes, Dana/ })).toContainText('$664.50');
    await find(page, 'rey', 'Dana Reyes');

    await page.getByRole('button', { name: 'Take a payment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Take a payment' });
    await dialog.getByLabel('Amount').fill('600,50');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await expect(dialog).toContainText('Write the cents with a point, such as 12.50.');
    await dialog.getByLabel('Amount').fill('600.50');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    const preview = dialog.getByRole('region', { name: 'Preview' });
    // The oldest debt first.
    await expect(preview).toContainText('C014 will owe $0.00.');
    await expect(preview).toContainText('A101 will owe $64.00.');
    expect(await balances(portal, 'A101', 'C014')).toEqual([21_450, 45_000]);
    // The action has the focus, and a second press before the answer does nothing twice.
    const release = await hold(page, '**/api/office/**');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    release();
    await expect(dialog.getByText('Done.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: /^Receipt \d+/ })).toBeVisible();
    expect(await balances(portal, 'A101', 'C014')).toEqual([6_400, 0]);
    const [taken] = await portal.sql(
      `SELECT count(*)::int AS payments, sum(-e.amount_cents)::int AS cents FROM payments p
     JOIN entries e ON e.id = p.entry_id JOIN payment_intents i ON i.id = p.intent_id
     WHERE i.initiator = 'staff'`,
    );
    expect(taken).toEqual({ payments: 2, cents: 60_050 });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(rental(page, 'A101')).toContainText('$64.00');
  },
);

test('a manager waives a fee with a reason; a clerk is offered no waiver and no change of email', async ({
  page,
  portal,
}) => {
  await signInTo(page, 'clerk', '/tenants');
  await find(page, 'dana', 'Dana Reyes');
  await expect(page.getByRole('button', { name: 'Add a charge' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Waive' })).toHaveCount(0);
  // What it would hold is for managers.
  await expect(page.getByRole('button', { name: 'Person' })).toHaveCount(0);
  await page.context().clearCookies();

  await signInTo(page, 'manager', '/tenants');
  await find(page, 'dana', 'Dana Reyes');
  const charges = page.getByRole('list', { name: 'Open charges of A101' });
  await charges
    .getByRole('listitem')
    .filter({ hasText: 'Late fee' })
    .getByRole('button', { name: 'Waive' })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog).toContainText('Give the reason.');
  await dialog.getByLabel('Reason').fill('The gate was out of order');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog).toContainText('A101 will owe $199.50.');
  await dialog.getByRole('button', { name: 'Waive' }).click();
  await expect(dialog.getByText('Done.')).toBeVisible();
  // The result stays until it is read, although its charge is settled and leaves the list.
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(charges).not.toContainText('Late fee');
  expect(await balances(portal, 'A101')).toEqual([19_950]);
  const [why] = await portal.sql(
    `SELECT details->>'by' AS by, details->>'why' AS why FROM audit_events
     WHERE details->>'verb' = 'charges.waive'`,
  );
  expect(why).toEqual({ by: 'Marcus Webb', why: 'The gate was out of order' });
});

test('a session that ends while a form is filled asks to sign in again, and the form goes on', async ({
  page,
  portal,
}) => {
  await signInTo(page, 'clerk', '/tenants');
  await find(page, 'dana', 'Dana Reyes');
  const dialog = await openNewCharge(page, 'B207');
  await dialog.getByLabel('Description').fill('Battery charging');
  await dialog.getByLabel('Amount before tax').fill('15');
  await dialog.getByLabel('Reason').fill('Asked for at the counter');
  await portal.sql('DELETE FROM staff_sessions');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password').fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog).toContainText('B207 will owe $15.00.');
  await dialog.getByRole('button', { name: 'Add a charge' }).click();
  await expect(dialog.getByText('Done.')).toBeVisible();
  expect(await balances(portal, 'B207')).toEqual([1_500]);
});

test('the page of the day says of a call that it repeats by itself that nobody asked for it', async ({
  page,
  portal,
}) => {
  await page.clock.install({ time: testClock.now() });
  await signInStaff(page, portal, 'clerk');
  const isToday = '**/api/office/today*';
  const first = page.waitForRequest(isToday);
  await openOffice(page, '');
  expect((await first).headers()).not.toHaveProperty(POLL_HEADER.toLowerCase());
  await expect(page.getByText('Taken today')).toBeVisible();
  const repeated = page.waitForRequest(isToday);
  await page.clock.fastForward(60_000);
  expect((await repeated).headers()).toHaveProperty(POLL_HEADER.toLowerCase(), '1');
});

test('axe finds nothing in sign-in, the list, a tenant’s page and a dialog of the office', async ({
  page,
}) => {
  await page.goto('/office');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expectAccessible(page);
  await signInTo(page, 'manager', '/tenants');
  await expect(page.getByRole('row', { name: /Reyes, Dana/ })).toBeVisible();
  await expectAccessible(page);
  await find(page, 'dana', 'Dana Reyes');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Take a payment' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
});
