import { addDays, formatDate } from '@gatehouse/contract/dates';
import type { Locator, Page } from '@playwright/test';
import { TEST_DAY } from '../../server/test/test-day.ts';
import { expect, signIn, test, type Portal } from '../support/portal.ts';
import { bodiesOf, clickTwice } from '../support/requests.ts';
import { openDetails, openMyUnits, rentalCard, row } from '../support/tenant.ts';

test.beforeEach(async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
});

const insuranceRow = (page: Page, unit: string) =>
  row(rentalCard(page, unit), 'Insurance/Protection Plan (Required)');

async function open(page: Page, action: string): Promise<Locator> {
  await openDetails(page);
  await page.getByRole('button', { name: action }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio').first()).toBeVisible();
  return dialog;
}

async function findUnit(portal: Portal, name: string) {
  const [unit] = await portal.sql(
    `SELECT l.id AS ledger_id, u.id AS unit_id FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name = $1`,
    [name],
  );
  return unit as { ledger_id: string; unit_id: string };
}

async function findPlan(portal: Portal, description: string): Promise<string> {
  const [plan] = await portal.sql(
    `SELECT p.id FROM protection_plans p JOIN facilities f ON f.id = p.facility_id
     WHERE f.location_code = 'TXDFW03' AND p.description = $1`,
    [description],
  );
  return plan?.id as string;
}

// spec 1.9, 2.109, 3.34, 4.16, 4.19, 4.20, 4.55, 4.64, 5.30, 7.20, 7.25, 7.26, 7.70, 8.11
test(
  'a unit without insurance gets a plan at once, and its row and check show it with no reload',
  { tag: '@smoke' },
  async ({ page, portal }) => {
    const bodies = bodiesOf(page, '/insurance/add');
    const dialog = await open(page, 'Add protection plan for A101');
    await expect(dialog.locator('label')).toHaveText([
      '$5,000 protection plan$5,000.00 coverage, $14.00 a month',
      '$10,000 protection plan$10,000.00 coverage, $22.00 a month',
      'Private insuranceProof of a policy of your own',
    ]);
    const today = TEST_DAY;
    await expect(dialog.locator('p', { hasText: 'Coverage start' })).toContainText(
      formatDate(today),
    );
    await dialog.getByRole('button', { name: 'Add plan' }).click();
    await expect(dialog.getByText('Choose a protection plan or private insurance.')).toBeVisible();

    await dialog.getByRole('radio', { name: '$10,000 protection plan' }).check();
    const refetched = ['/insurance-statuses', '/ledgers'].map((end) =>
      page.waitForRequest((request) => request.method() === 'GET' && request.url().endsWith(end)),
    );
    await clickTwice(dialog.getByRole('button', { name: 'Add plan' }));
    await Promise.all(refetched);
    const success = dialog.getByRole('status');
    await expect(
      success.getByText('You have successfully added a protection plan to unit A101', {
        exact: true,
      }),
    ).toBeVisible();
    await expect(success.locator('..')).toBeFocused();
    const { unit_id: unitId } = await findUnit(portal, 'A101');
    const coverageId = await findPlan(portal, '$10,000 protection plan');
    expect(bodies).toEqual([{ coverageId, unitId, coverageStartDate: today }]);

    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(insuranceRow(page, 'A101')).toContainText(
      'Protection plan, $10,000.00 coverage$22.00 a month',
    );
    await expect(
      page.getByRole('button', { name: 'Update protection plan for A101' }),
    ).toBeFocused();
    const notifications = page.locator('summary', { hasText: 'A101' });
    await expect(notifications).toContainText('5 Items Needing Attention');
  },
);

// spec 1.9, 2.109, 4.16, 4.17, 4.18, 4.64, 5.60, 5.61, 7.27, 7.28, 9.9
test('with an active plan another one is asked for: it takes up to 1 day, and nothing changes before', async ({
  page,
  portal,
}) => {
  const bodies = bodiesOf(page, '/insurance/update');
  const dialog = await open(page, 'Update protection plan for B207');
  await expect(dialog.getByText('Active plan: $5,000 protection plan')).toBeVisible();
  await expect(dialog.getByText('please call the facility at (817) 555-0103')).toBeVisible();
  await expect(dialog.getByText('Private insurance can still be updated.')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: '$5,000 protection plan' })).toHaveCount(0);
  await dialog.getByRole('radio', { name: 'Private insurance' }).check();
  await expect(dialog.getByRole('button', { name: 'Submit proof' })).toBeEnabled();
  await dialog.getByRole('radio', { name: '$10,000 protection plan' }).check();
  await clickTwice(dialog.getByRole('button', { name: 'Request change' }));
  await expect(dialog.getByText('The update can take up to 1 day to take effect.')).toBeVisible();
  const [request, ...more] = await portal.sql(
    "SELECT reference FROM requests WHERE kind = 'insurance_request'",
  );
  expect(more).toEqual([]);
  await expect(dialog.getByText(`Reference ${request?.reference as string}`)).toBeVisible();
  const { unit_id: unitId } = await findUnit(portal, 'B207');
  expect(bodies).toEqual([
    {
      formType: 'insurance_request',
      unitName: 'B207',
      unitId,
      firstName: 'Dana',
      lastName: 'Reyes',
      emailAddress: 'dana@example.com',
      phone: '8175550142',
      coverageAmount: 10_000,
      coveragePremium: 22,
      coverageId: await findPlan(portal, '$10,000 protection plan'),
      coverageStartDate: TEST_DAY,
    },
  ]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(insuranceRow(page, 'B207')).toContainText('$5,000.00 coverage');
});

// spec 1.9, 2.109, 4.16, 4.22, 4.23, 4.57, 4.64, 5.25, 5.26, 5.27, 5.28, 5.29, 5.30, 5.61, 7.33
// spec 7.34, 9.8
test('proof of private insurance: what is refused and why, then kept, shown and updated', async ({
  page,
}) => {
  const bodies = bodiesOf(page, '/insurance-proof');
  const dialog = await open(page, 'Add protection plan for C014');
  await dialog.getByRole('radio', { name: 'Private insurance' }).check();
  await dialog.getByRole('button', { name: 'Submit proof' }).click();
  await expect(dialog.getByText('Policy company is required.')).toBeVisible();
  await expect(dialog.getByText('Policy number is required.')).toBeVisible();
  await expect(dialog.getByText('Expiration date is required.')).toBeVisible();
  await expect(dialog.getByText('Coverage amount is required.')).toBeVisible();
  await expect(dialog.getByLabel('Policy Company')).toBeFocused();

  const today = TEST_DAY;
  const expiration = dialog.getByLabel('Expiration Date');
  await expect(expiration).toHaveAttribute('min', addDays(today, 1));
  await dialog.getByLabel('Policy Company').fill('Lone Star Marine');
  await dialog.getByLabel('Policy Number').fill('LSM-88');
  await dialog.getByLabel('Coverage Amount').fill('a lot');
  await expiration.fill(today);
  await dialog.getByRole('button', { name: 'Submit proof' }).click();
  await expect(dialog.getByText('Expiration date must be tomorrow or later.')).toBeVisible();
  await expect(dialog.getByText('Coverage amount must be a number.')).toBeVisible();
  expect(bodies).toEqual([]);

  await expiration.fill(addDays(today, 1));
  await dialog.getByLabel('Coverage Amount').fill('$25,000');
  await clickTwice(dialog.getByRole('button', { name: 'Submit proof' }));
  await expect(dialog.getByText('The private insurance for unit C014 is on file')).toBeVisible();
  expect(bodies).toEqual([
    {
      description: 'Lone Star Marine',
      policyNumber: 'LSM-88',
      coverageEnd: addDays(today, 1),
      coverageAmount: 25_000,
      coverageStart: today,
    },
  ]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(insuranceRow(page, 'C014')).toContainText(
    `Private insurance until ${formatDate(addDays(today, 1))}, $25,000.00 coveragePolicy LSM-88`,
  );

  await open(page, 'Update private insurance for C014');
  await expect(dialog.getByRole('radio', { name: 'Private insurance' })).toBeChecked();
  await expect(dialog.getByLabel('Policy Number')).toHaveValue('LSM-88');
  await expect(dialog.getByLabel('Policy Company')).toHaveValue('Lone Star Marine');
  await expect(dialog.getByLabel('Coverage Amount')).toHaveValue('25000');
  await expect(expiration).toHaveValue(addDays(today, 1));
  await dialog.getByLabel('Policy Number').fill('LSM-99');
  await expiration.fill(addDays(today, 365));
  await dialog.getByRole('button', { name: 'Submit proof' }).click();
  await expect(
    dialog.getByText('The private insurance for unit C014 has been updated'),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(insuranceRow(page, 'C014')).toContainText('Policy LSM-99');

  // Without opening any details.
  await openMyUnits(page);
  await expect(insuranceRow(page, 'C014').getByText('Policy LSM-99')).toBeHidden();
  await expect(
    insuranceRow(page, 'C014').getByText(`until ${formatDate(addDays(today, 365))}`),
  ).toBeVisible();
});

// spec 4.21, 5.60, 7.71, 8.5
test('a plan that the facility added meanwhile: the dialog says so above its actions, and the row shows it', async ({
  page,
  portal,
}) => {
  const dialog = await open(page, 'Add protection plan for A101');
  const { ledger_id: ledgerId } = await findUnit(portal, 'A101');
  await portal.sql(
    'INSERT INTO ledger_protection_plans (ledger_id, protection_plan_id, starts_on) VALUES ($1, $2, $3)',
    [ledgerId, await findPlan(portal, '$5,000 protection plan'), TEST_DAY],
  );
  await dialog.getByRole('radio', { name: '$10,000 protection plan' }).check();
  await dialog.getByRole('button', { name: 'Add plan' }).click();
  const alert = dialog.getByRole('alert');
  await expect(alert).toHaveText(
    'This unit has an active protection plan already. Please call your facility to change it.',
  );
  await expect(alert.locator('..')).toBeFocused();
  await expect(alert).toBeInViewport({ ratio: 1 });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(insuranceRow(page, 'A101')).toContainText('$5,000.00 coverage');
});
