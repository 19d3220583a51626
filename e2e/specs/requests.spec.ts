import type { Locator, Page } from '@playwright/test';
import { testClock } from '../../server/test/test-day.ts';
import { expectAccessible } from '../support/axe.ts';
import { mailsTo } from '../support/mailbox.ts';
import { signInStaff } from '../support/office.ts';
import { expect, PASSWORD, signIn, test, type Portal } from '../support/portal.ts';
import { clickTwice } from '../support/requests.ts';
import { openDetails, openMyUnits, rentalCard, row } from '../support/tenant.ts';

const CLERK = 'clerk@anchor-axle.example';

// Who is not signed in is found out by a call that is refused.
test.use({ mayLog: [/401/] });

async function expectFitting(page: Page) {
  await expectAccessible(page);
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
}

/** Dana asks for a repair through the API; a clerk is mailed. */
async function askForRepair(page: Page, portal: Portal, issueDescription: string): Promise<void> {
  await portal.sql(
    `INSERT INTO facility_recipients (facility_id, address)
     SELECT id, $1 FROM facilities WHERE location_code = 'TXDFW03' ON CONFLICT DO NOTHING`,
    [CLERK],
  );
  const { token, tenants } = JSON.parse(
    await page.evaluate(() => localStorage.getItem('gatehouse') ?? ''),
  ) as {
    token: string;
    tenants: { id: string }[];
  };
  const prefix = `${portal.url}/api/corporations/ANCHOR/locations/TXDFW03`;
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.get(`${prefix}/tenants/${tenants[0]?.id}/ledgers`, { headers });
  const [ledger] = (await answer.json()) as { id: string }[];
  const data = { ledgerId: ledger?.id, issueType: 'gate', issueDescription };
  expect(
    (await page.request.post(`${prefix}/maintenance-requests`, { headers, data })).status(),
  ).toBe(200);
}

/** Opens the link of the newest mail to the clerk. */
async function openMailedLink(page: Page, portal: Portal): Promise<void> {
  const [mail] = await mailsTo(page, portal, CLERK);
  await page.goto(/\/office\/requests\/\S+/.exec(mail!.text)![0]);
}

/** The requests of the card, whose steps are items of lists as well. */
function requestsIn(card: Locator): Locator {
  return card.getByRole('listitem').filter({ has: card.page().getByRole('heading') });
}

// spec 2.90, 10.8
test(
  'a tenant sees a request, the mail leads a clerk by the sign-in to it, and the tenant sees the reply',
  { tag: '@wide' },
  async ({ page, portal }) => {
    await signIn(page, portal, 'dana@example.com');
    await page.goto('/account#requests');
    const card = page.getByRole('region', { name: 'Requests' });
    await expect(card).toContainText('You have not asked the facility for anything yet.');
    await askForRepair(page, portal, 'The keypad <b>does not</b> light up.');

    await openMailedLink(page, portal);
    await page.getByLabel('Email').fill(CLERK);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(
      'Maintenance request, unit A101',
    );
    await expect(page.getByText('The keypad <b>does not</b> light up.')).toBeVisible();
    await expectFitting(page);
    await page.getByLabel('Reply to the tenant').fill('We look at it\non <i>Tuesday</i>.');
    await clickTwice(page.getByRole('button', { name: 'Reply' }));
    await expect(
      page.getByRole('list', { name: 'What was done' }).getByRole('listitem'),
    ).toHaveCount(3);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('button', { name: 'Done' })).toHaveCount(0);

    await page.goto('/account#requests');
    const request = requestsIn(card);
    await expect(request).toHaveCount(1);
    await expect(request.getByRole('heading')).toHaveText('Maintenance request, unit A101');
    await expect(request).toContainText('Done');
    await expect(request).toContainText('The keypad <b>does not</b> light up.');
    await expect(request).toContainText('on <i>Tuesday</i>.');
    const steps = request.getByRole('list', { name: /^Steps of R-/ }).getByRole('listitem');
    await expect(steps).toContainText([
      /^Sent, \d+\/\d+\/\d{4}, \d+:\d\d [AP]M$/,
      /^The facility replied, /,
      /^In progress, /,
      /^Done, /,
    ]);
    await expectFitting(page);
    const subjects = (await mailsTo(page, portal, 'dana@example.com')).map(({ subject }) =>
      subject.replace(/R-\d+/, 'R'),
    );
    expect(subjects.filter((subject) => subject.includes('request'))).toEqual([
      'Your request R: Done',
      'Reply to your request R',
    ]);
  },
);

// spec 10.9
test('a reply is answered: the request is open again, and staff read it in the office', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await askForRepair(page, portal, 'The keypad is dark.');
  await signInStaff(page, portal, 'clerk');
  await openMailedLink(page, portal);
  await page.getByLabel('Reply to the tenant').fill('Does Tuesday fit?');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('The tenant is mailed.')).toBeVisible();

  await page.goto('/account#requests');
  const card = page.getByRole('region', { name: 'Requests' });
  await card.getByRole('button', { name: /^Answer the reply to R-\d+$/ }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('It opens the request again.');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(dialog.getByText('Answer is required.')).toBeVisible();
  await expectFitting(page);
  await dialog.getByLabel('Your answer').fill('Tuesday fits.\n<b>After 9</b>');
  await clickTwice(dialog.getByRole('button', { name: 'Send answer' }));
  await expect(dialog.getByText('Answer successfully sent')).toBeVisible();
  await expectFitting(page);
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  const steps = card.getByRole('list', { name: /^Steps of R-/ }).getByRole('listitem');
  await expect(steps.last()).toContainText('You answered, ');
  await expect(steps.last()).toContainText('<b>After 9</b>');
  await expect(card.getByText('In progress', { exact: true })).toBeVisible();
  await expectFitting(page);

  const [mail] = await mailsTo(page, portal, CLERK);
  expect(mail?.subject).toMatch(/^R-\d+: Answer: Maintenance request, unit A101$/);
  await openMailedLink(page, portal);
  const done = page.getByRole('list', { name: 'What was done' }).getByRole('listitem');
  await expect(done.last()).toContainText('Tuesday fits.');
});

// spec 2.90
test('many requests show the newest five, and the others on demand', async ({ page, portal }) => {
  await portal.sql(
    `INSERT INTO requests (facility_id, tenant_id, kind, details, created_at)
    SELECT t.facility_id, t.id, 'request_tenant_update', '{"unitNames": []}', $1::timestamptz - n * interval '1 day'
    FROM tenants t, generate_series(1, 7) n WHERE t.email = 'lee@example.com'`,
    [testClock.now()],
  );
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/account#requests');
  const requests = requestsIn(page.getByRole('region', { name: 'Requests' }));
  await expect(requests).toHaveCount(5);
  await page.getByRole('button', { name: 'Show 2 earlier requests' }).click();
  await expect(requests).toHaveCount(7);
  await expect(requests.nth(5).getByRole('heading')).toBeFocused();
});

// spec 2.90
test('every reference leads to the requests, those of all tenant records, each by its record', async ({
  page,
  portal,
}) => {
  await portal.sql(
    `INSERT INTO requests (facility_id, tenant_id, kind, details, created_at)
    SELECT facility_id, id, 'request_tenant_update', '{"unitNames": []}', $1::timestamptz - interval '1 day'
    FROM tenants WHERE company = 'Reyes Marine LLC'`,
    [testClock.now()],
  );
  await portal.sql(
    `INSERT INTO requests (facility_id, tenant_id, ledger_id, kind, details, created_at)
    SELECT u.facility_id, l.tenant_id, l.id, 'request_gate_access_form', '{"unitNames": ["A101"]}', $1::timestamptz - interval '2 days'
    FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name = 'A101'`,
    [testClock.now()],
  );
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Update contact information' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await dialog.getByRole('link', { name: /^Reference R-\d+$/ }).click();
  const card = page.getByRole('region', { name: 'Requests' });
  await expect(page).toHaveURL(/\/account#requests$/);
  await expect(requestsIn(card)).toHaveCount(3);
  await expect(requestsIn(card).first()).toContainText('For A101, B207, C014');
  await expect(requestsIn(card).nth(1)).toContainText('For D310');
  await expect(requestsIn(card).last()).toContainText('24-hour access request, unit A101');
  await expect(requestsIn(card).last()).not.toContainText('For A101');
  await expectFitting(page);
});

test('a 24-hour access request and a plan change are in sight where they were made, until they are done', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  const dialog = page.getByRole('dialog');
  await openDetails(rentalCard(page, 'B207'));
  const gate = row(rentalCard(page, 'B207'), 'Gate Access');
  const request = page.getByRole('button', { name: 'Request 24-hour access for B207' });
  await request.click();
  await dialog.getByLabel('Reason').fill('Early trips');
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const asked = { name: /^24-hour access was asked for on .*, Reference R-\d+$/ };
  await expect(gate.getByRole('link', asked)).toBeFocused();
  await expect(request).toHaveCount(0);
  const insurance = row(rentalCard(page, 'B207'), 'Insurance/Protection Plan (Required)');

  const update = page.getByRole('button', { name: 'Update protection plan for B207' });
  await update.click();
  await dialog.getByRole('radio', { name: '$10,000 protection plan' }).check();
  await dialog.getByRole('button', { name: 'Request change' }).click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const changeAsked = { name: /^A change was asked for on .*, Reference R-\d+$/ };
  await expect(insurance.getByRole('link', changeAsked)).toBeVisible();
  await update.click();
  const change = dialog.getByRole('link', changeAsked);
  await expect(change).toBeVisible();
  await expectFitting(page);

  // Without opening any details.
  await openMyUnits(page);
  await expect(
    rentalCard(page, 'B207').getByRole('button', { name: 'Details of B207' }),
  ).toHaveAttribute('aria-expanded', 'false');
  await expect(gate.getByRole('link', asked)).toBeVisible();
  await expect(insurance.getByRole('link', changeAsked)).toBeVisible();
  await expectFitting(page);
  await insurance.getByRole('link', changeAsked).click();
  await expect(page).toHaveURL(/\/account#requests$/);

  await portal.sql("UPDATE requests SET status = 'done'");
  await openMyUnits(page);
  await openDetails(rentalCard(page, 'B207'));
  await update.click();
  await expect(dialog.getByRole('radio', { name: '$10,000 protection plan' })).toBeVisible();
  await expect(change).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(gate).toContainText(/\d{4}#/);
  await expect(gate.getByRole('link', asked)).toHaveCount(0);
  await expect(request).toBeVisible();
  await expect(insurance.getByRole('link', changeAsked)).toHaveCount(0);
});
