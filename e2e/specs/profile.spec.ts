import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { mailsTo } from '../support/mailbox.ts';
import { expect, signIn, test, type Portal } from '../support/portal.ts';
import { bodiesOf, clickTwice, hold } from '../support/requests.ts';
import { leaveOutOfOverview, openCard } from '../support/tenant.ts';

async function openProfile(page: Page, portal: Portal, email: string) {
  await signIn(page, portal, email);
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile');
}

function card(page: Page, name: 'Primary Contact' | 'Alternate Contact'): Locator {
  return page.getByRole('region', { name: `${name} Information` });
}

async function storedSession(page: Page): Promise<Record<string, unknown>> {
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['gatehouse']);
  return JSON.parse(await page.evaluate(() => localStorage.getItem('gatehouse') ?? '')) as Record<
    string,
    unknown
  >;
}

// spec 1.12, 2.3, 2.94, 2.114, 3.23, 3.24, 4.64, 5.43, 5.44, 5.45, 5.46, 5.47, 5.48, 5.49, 5.50
// spec 5.51, 7.64, 7.65, 7.70, 8.5, 8.9, 9.28
test(
  'a change of contact information is asked of the facility, and the profile stays as it is',
  { tag: '@smoke' },
  async ({ page, portal }) => {
    await openProfile(page, portal, 'dana@example.com');
    const primary = card(page, 'Primary Contact');
    for (const text of [
      'Dana Reyes',
      'dana@example.com',
      '(817) 555-0142',
      '18 Heron Lane',
      'Azle, TX 76020',
    ])
      await expect(primary).toContainText(text);
    await primary.getByRole('button', { name: 'Update' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(
      'This is a request: the facility reviews it before anything changes.',
    );
    const fields = [
      ['First Name', 'Dana', 'given-name', 'First name is required.'],
      ['Last Name', 'Reyes', 'family-name', 'Last name is required.'],
      ['Phone', '(817) 555-0142', 'tel', 'Phone is required.'],
      ['Email', 'dana@example.com', 'email', 'Email is required.'],
      ['Street 1', '18 Heron Lane', 'address-line1', 'Street 1 is required.'],
      ['City', 'Azle', 'address-level2', 'City is required.'],
      ['Postal Code', '76020', 'postal-code', 'Postal code is required.'],
    ] as const;
    for (const [label, value, autocomplete] of fields) {
      await expect(dialog.getByLabel(label)).toHaveValue(value);
      await expect(dialog.getByLabel(label)).toHaveAttribute('autocomplete', autocomplete);
      await dialog.getByLabel(label).fill('');
    }
    const state = dialog.getByLabel('State');
    await expect(state).toHaveValue('TX');
    await expect(state.getByRole('option')).toHaveCount(51);
    await state.selectOption('Select state');
    const send = dialog.getByRole('button', { name: 'Send request' });
    await send.click();
    for (const [, , , sentence] of fields) await expect(dialog.getByText(sentence)).toBeVisible();
    await expect(dialog.getByText('State is required.')).toBeVisible();
    await expect(dialog.getByLabel('First Name')).toBeFocused();

    for (const [label, value] of fields) await dialog.getByLabel(label).fill(value);
    await dialog.getByLabel('Phone').fill('817 555');
    await dialog.getByLabel('Email').fill('dana at example');
    await dialog.getByLabel('City').fill('A'.repeat(101));
    await dialog.getByLabel('Street 2').fill('A'.repeat(201));
    await state.selectOption('New Mexico');
    await expect(dialog.getByText('Phone must have 10 digits.')).toBeVisible();
    await expect(dialog.getByText('Email must look like name@example.com.')).toBeVisible();
    await expect(dialog.getByText('City is too long.')).toBeVisible();
    await expect(dialog.getByText('Street 2 is too long.')).toBeVisible();
    await dialog.getByLabel('Phone').fill('+1 505.555.0198');
    await dialog.getByLabel('Email').fill('dana.reyes@example.com');
    await dialog.getByLabel('Street 1').fill('7 Mesa Road');
    await dialog.getByLabel('Street 2').fill('');
    await dialog.getByLabel('City').fill('Santa Fe');
    await dialog.getByLabel('Postal Code').fill('87501');
    const bodies = bodiesOf(page, '/update/request');
    await portal.sql('REVOKE INSERT ON requests FROM gatehouse_app');
    await send.click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'Something went wrong on our side. Please try again.',
    );
    await portal.sql('GRANT INSERT ON requests TO gatehouse_app');
    await clickTwice(send);
    await expect(
      dialog.getByText('Contact information update request successfully sent', { exact: true }),
    ).toBeVisible();
    const body = {
      firstName: 'Dana',
      lastName: 'Reyes',
      phone: '5055550198',
      emailAddress: 'dana.reyes@example.com',
      address1: '7 Mesa Road',
      address2: '',
      city: 'Santa Fe',
      state: 'NM',
      postal: '87501',
      formType: 'request_tenant_update',
    };
    expect(bodies).toEqual([body, body]);
    const reference =
      /Reference (\S+)/.exec(await dialog.getByRole('status').innerText())?.[1] ?? 'none';
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(primary.getByRole('button', { name: 'Update' })).toBeFocused();
    await expect(primary).toContainText('18 Heron Lane');

    const mails = await mailsTo(page, portal, 'eagle-mountain@anchor-axle.example');
    expect(mails).toHaveLength(1);
    for (const text of [reference, '7 Mesa Road', 'Santa Fe', 'dana.reyes@example.com'])
      expect(mails[0]?.text).toContain(text);
  },
);

// spec 1.12, 2.95, 2.114, 3.26, 4.61, 4.64, 5.52, 7.60, 7.63, 8.5
test('an alternate contact is added, with all four fields, and later updated', async ({
  page,
  portal,
}) => {
  await openProfile(page, portal, 'dana@example.com');
  const bodies = bodiesOf(page, /\/tenants\/[\w-]+$/);
  const alternate = card(page, 'Alternate Contact');
  await expect(alternate).toContainText('None on file');
  await openCard(page, 'Alternate Contact Information');
  await alternate.getByRole('button', { name: 'Add' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add' }).click();
  for (const what of ['First name', 'Last name', 'Email', 'Phone'])
    await expect(dialog.getByText(`${what} is required.`)).toBeVisible();
  await dialog.getByLabel('First Name').fill('Ana');
  await dialog.getByLabel('Last Name').fill('Ortiz');
  await dialog.getByLabel('Email').fill('ana@example.com');
  await dialog.getByLabel('Phone').fill('817-555-0160');
  await portal.sql('REVOKE INSERT ON tenant_changes FROM gatehouse_app');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Something went wrong on our side. Please try again.',
  );
  await portal.sql('GRANT INSERT ON tenant_changes TO gatehouse_app');
  await clickTwice(dialog.getByRole('button', { name: 'Add' }));
  await expect(dialog.getByText('Your alternate contact has been added.')).toBeVisible();
  const alternateContact = {
    firstName: 'Ana',
    lastName: 'Ortiz',
    phone: '8175550160',
    email: 'ana@example.com',
  };
  expect(bodies).toEqual([{ alternateContact }, { alternateContact }]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  for (const text of ['Ana Ortiz', 'ana@example.com', '(817) 555-0160'])
    await expect(alternate).toContainText(text);

  const update = alternate.getByRole('button', { name: 'Update' });
  await expect(update).toBeFocused();
  await update.click();
  const again = page.getByRole('dialog');
  await expect(again.getByLabel('Phone')).toHaveValue('(817) 555-0160');
  await again.getByLabel('Last Name').fill('Ortiz-Whitfield');
  await again.getByRole('button', { name: 'Update' }).click();
  await expect(again.getByText('Your alternate contact has been updated.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(alternate).toContainText('Ana Ortiz-Whitfield');
});

// spec 1.12, 2.92, 2.114, 4.61, 4.64, 5.41, 5.42, 7.60, 7.62, 8.5
test('a missing phone is added, unless there is one by then', async ({ page, portal }) => {
  await openProfile(page, portal, 'pat@example.com');
  const bodies = bodiesOf(page, /\/tenants\/[\w-]+$/);
  const primary = card(page, 'Primary Contact');
  await expect(primary).toContainText('None on file');
  await primary.getByRole('button', { name: 'Add phone' }).click();
  const dialog = page.getByRole('dialog');
  const phone = dialog.getByLabel('Phone');
  const add = dialog.getByRole('button', { name: 'Add' });
  await add.click();
  await expect(dialog.getByText('Phone is required.')).toBeVisible();
  await phone.fill('555-0123');
  await expect(dialog.getByText('Phone must have 10 digits.')).toBeVisible();
  // Ten digits, of which the server knows that no American number has them.
  await phone.fill('45 12 34 56 78');
  await add.click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Phone must be a number in use, such as (817) 555-0142 or +45 32 12 34 56.',
  );
  await phone.fill('(682) 555-0123');

  await portal.sql("UPDATE tenants SET phone = '8175550100' WHERE email = 'pat@example.com'");
  await add.click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'A phone number is already on file. Please call your facility to change it.',
  );
  await expect(primary).toContainText('(817) 555-0100');
  await portal.sql("UPDATE tenants SET phone = NULL WHERE email = 'pat@example.com'");
  await clickTwice(add);
  await expect(dialog.getByText('Your phone number has been added.')).toBeVisible();
  const phoneBody = { phone: { primary: '6825550123' } };
  expect(bodies).toEqual([{ phone: { primary: '4512345678' } }, phoneBody, phoneBody]);
  await page.keyboard.press('Escape');
  await expect(primary).toContainText('(682) 555-0123');
  await expect(primary.getByRole('heading')).toBeFocused();
  await expect(primary.getByRole('button', { name: 'Add phone' })).toHaveCount(0);
  // One record leaves nothing to select.
  await expect(page.getByLabel('Unit', { exact: true })).toHaveCount(0);
});

// spec 6.5
test(
  'one switcher is in place on every screen, and one press puts another record in view there',
  { tag: '@wide' },
  async ({ page, portal }) => {
    await signIn(page, portal, 'dana@example.com');
    const records = page.getByRole('region', { name: 'Record in view' });
    const dana = records.getByRole('button', { name: 'Dana Reyes', exact: true });
    const company = records.getByRole('button', { name: 'Reyes Marine LLC', exact: true });
    for (const path of [
      '/',
      '/billing-info',
      '/payment-history',
      '/profile',
      '/maintenance-request',
      '/schedule-move-out',
      '/account',
    ]) {
      await page.goto(path);
      await expect(dana).toHaveAttribute('aria-pressed', 'true');
      const { y } = (await company.boundingBox())!;
      await company.click();
      await expect(company).toHaveAttribute('aria-pressed', 'true');
      await expect(company).toBeFocused();
      await expect(page).toHaveURL((url) => url.pathname === path);
      expect((await company.boundingBox())!.y).toBe(y);
      // The others list the units of all records to choose from.
      if (['/', '/billing-info', '/schedule-move-out', '/account'].includes(path))
        await expect(page.getByRole('main')).not.toContainText('A101');
      await dana.press('Enter');
      await expect(dana).toHaveAttribute('aria-pressed', 'true');
    }
    await expectAccessible(page);
  },
);

// spec 6.5, 10.100
test('the link of a mail puts the record in view that it is about, once, and changes nothing for an unknown record', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  const [company] = await portal.sql("SELECT id FROM tenants WHERE company = 'Reyes Marine LLC'");
  const records = page.getByRole('region', { name: 'Record in view' });
  const named = (name: string) => records.getByRole('button', { name, exact: true });
  await page.goto(`/account?record=${company!.id as string}#papers`);
  await expect(named('Reyes Marine LLC')).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toHaveURL(/\/account#papers$/);
  const papers = page.getByRole('region', { name: 'Vehicle and Vessel Papers', exact: true });
  await expect(papers.getByRole('group').first()).toHaveAttribute('open');
  await named('Dana Reyes').click();
  await page.reload();
  await expect(named('Dana Reyes')).toHaveAttribute('aria-pressed', 'true');
  await page.goto('/profile?record=00000000-0000-4000-8000-000000000000');
  await expect(page).toHaveURL(/\/profile$/);
  await expect(named('Dana Reyes')).toHaveAttribute('aria-pressed', 'true');
});

for (const path of ['/', '/billing-info'])
  test(`nothing of the last record is in sight on ${path} while another one loads`, async ({
    page,
    portal,
  }) => {
    await signIn(page, portal, 'dana@example.com');
    await page.goto(path);
    const main = page.getByRole('main');
    await expect(main).toContainText('A101');
    const company = page.getByRole('button', { name: 'Reyes Marine LLC', exact: true });
    await expect(company).toBeVisible();
    const release = await hold(page, '**/api/**');
    await company.click();
    await expect(company).toHaveAttribute('aria-pressed', 'true');
    expect(await main.innerText()).not.toContain('A101');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    release();
    await expect(main).toContainText('D310');
    await expect(company).toBeFocused();
  });

test('two tabs have one record in view, the one that was chosen last', async ({
  page,
  portal,
  context,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/payment-history');
  const other = await context.newPage();
  await other.goto('/profile');
  await other.getByRole('button', { name: 'Reyes Marine LLC', exact: true }).click();
  await expect(card(other, 'Primary Contact')).toContainText('Reyes Marine LLC');
  await expect(page.getByRole('button', { name: 'Reyes Marine LLC', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(page.getByLabel('Unit', { exact: true }).locator('option:checked')).toHaveText(
    'D310',
  );
  // A unit of the other record puts that in view, in both.
  await page.getByLabel('Unit', { exact: true }).selectOption('B207');
  await expect(card(other, 'Primary Contact')).toContainText('dana@example.com');
});

test('a record without rentals, or whose rentals cannot be loaded, leads to the others too', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await portal.sql(
    `UPDATE ledgers SET moved_out_on = '2020-01-01', moved_in_on = '2019-01-01'
     WHERE unit_id IN (SELECT id FROM units WHERE name IN ('A101', 'B207', 'C014'))
       AND tenant_id = (SELECT t.id FROM tenants t WHERE t.email = 'dana@example.com' AND first_name = 'Dana')`,
  );
  await page.goto('/');
  await expect(page.getByText('You are not currently renting any units').first()).toBeVisible();
  await page.getByRole('button', { name: 'Reyes Marine LLC' }).click();
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(['D310']);
  await page.getByRole('button', { name: 'Dana Reyes', exact: true }).click();
  await expect(page.getByText('You are not currently renting any units').first()).toBeVisible();

  await leaveOutOfOverview(page, 'ledgers');
  await page.route('**/ledgers', (route) =>
    route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }),
  );
  await page.goto('/');
  await expect(page.getByText('There was an issue loading the rental data').first()).toBeVisible();
  const answered = page.waitForResponse('**/overview');
  await page.getByRole('button', { name: 'Reyes Marine LLC' }).click();
  await expect(page.getByRole('button', { name: 'Dana Reyes', exact: true })).toBeVisible();
  await answered;
});

// spec 2.90, 2.91, 2.93, 2.96, 6.5, 7.67
test('choosing another tenant record changes it on every screen, and nothing else that is stored', async ({
  page,
  portal,
}) => {
  await openProfile(page, portal, 'dana@example.com');
  const unit = page.getByLabel('Unit', { exact: true });
  await expect(unit.getByRole('option')).toHaveText(['A101, B207, C014', 'D310']);
  const before = await storedSession(page);
  await unit.selectOption('D310');
  await expect(card(page, 'Primary Contact')).toContainText('Reyes Marine LLC');
  await expect(page.getByRole('region', { name: "Driver's License" })).toContainText(
    'To change it, please call',
  );
  const after = await storedSession(page);
  expect(after['currentTenantId']).not.toBe(before['currentTenantId']);
  expect({ ...after, currentTenantId: before['currentTenantId'] }).toEqual(before);
  await page
    .getByRole('link', { name: /^Anchor/ })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'D310', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'A101', exact: true })).toHaveCount(0);

  await page.goto('/account');
  await expect(page.getByRole('region', { name: "Driver's License" })).toContainText('****0917');

  // A record that rents nothing any more has its tenant's name.
  await portal.sql(
    `UPDATE ledgers SET moved_out_on = moved_in_on + 1
     WHERE tenant_id = (SELECT id FROM tenants WHERE company = 'Reyes Marine LLC')`,
  );
  await page.goto('/profile');
  await expect(unit.getByRole('option')).toHaveText(['A101, B207, C014', 'Reyes Marine LLC']);
  await expect(unit).toHaveValue(String(after['currentTenantId']));
});

test('what cannot be loaded says so, and can be tried again', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await page.route(/\/(tenants\/[^/]+|ledgers)$/, (route) =>
    route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }),
  );
  // Until the last part has asked: one that asks after `unrouteAll` mends the others as well.
  await page.goto('/profile', { waitUntil: 'networkidle' });
  await expect(page.getByText('Error loading unit names. Please refresh the page.')).toBeVisible();
  await expect(page.getByText("The driver's license could not be loaded.")).toBeVisible();
  await expect(page.getByText('Your alternate contact could not be loaded.')).toBeVisible();
  const primary = card(page, 'Primary Contact');
  await expect(primary).toContainText('Your contact information could not be loaded.');
  await page.unrouteAll();
  await primary.getByRole('button', { name: 'Try again' }).click();
  await expect(primary).toContainText('Dana Reyes');
});
