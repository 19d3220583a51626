import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { mailsTo } from '../support/mailbox.ts';
import { expect, signIn, test, type Portal } from '../support/portal.ts';
import { clickTwice } from '../support/requests.ts';

const EAGLE_MOUNTAIN = 'eagle-mountain@anchor-axle.example';

async function expectAccessible(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** Dana asks for a repair through the API. Answers the path of the link that staff are mailed. */
async function askForRepair(page: Page, portal: Portal, issueDescription: string): Promise<string> {
  const { token, tenants } = JSON.parse(await page.evaluate(() => localStorage.getItem('gatehouse') ?? '')) as {
    token: string;
    tenants: { id: string }[];
  };
  const prefix = `${portal.url}/api/corporations/ANCHOR/locations/TXDFW03`;
  const headers = { authorization: `Bearer ${token}` };
  const answer = await page.request.get(`${prefix}/tenants/${tenants[0]?.id}/ledgers`, { headers });
  const [ledger] = (await answer.json()) as { id: string }[];
  const data = { ledgerId: ledger?.id, issueType: 'gate', issueDescription };
  expect((await page.request.post(`${prefix}/maintenance-requests`, { headers, data })).status()).toBe(200);
  const [mail] = await mailsTo(page, portal, EAGLE_MOUNTAIN);
  return /\/staff\/requests\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
}

test('a tenant sees a request, staff answer it by the link in their mail, and the tenant sees the reply', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/account');
  const card = page.getByRole('region', { name: 'Requests' });
  await expect(card).toContainText('You have not asked the facility for anything yet.');
  const link = await askForRepair(page, portal, 'The keypad <b>does not</b> light up.');

  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Maintenance request, unit A101');
  await expect(page.getByRole('region', { name: 'What is asked' })).toContainText(
    '> The keypad <b>does not</b> light up.',
  );
  await expectAccessible(page);
  await page.getByLabel('Reply to the tenant').fill('We look at it\non <i>Tuesday</i>.');
  await expect(page.getByRole('radio', { name: 'In progress' })).toBeChecked();
  await clickTwice(page.getByRole('button', { name: 'Send' }));
  const said = page.getByRole('status');
  await expect(said).toHaveText(/Your reply is on its way to the tenant\.|This form was sent already\./);
  await expect(page.getByRole('region', { name: 'What was done' }).getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole('radio', { name: 'Done' }).check();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(said).toHaveText('The status is set, and the tenant is told.');

  await page.goto('/account');
  const request = card.getByRole('listitem');
  await expect(request).toHaveCount(1);
  await expect(request.getByRole('heading')).toHaveText('Maintenance request, unit A101');
  await expect(request).toContainText('Done');
  await expect(request).toContainText('The keypad <b>does not</b> light up.');
  await expect(request).toContainText('on <i>Tuesday</i>.');
  await expectAccessible(page);
  const subjects = (await mailsTo(page, portal, 'dana@example.com')).map(({ subject }) =>
    subject.replace(/R-\d+/, 'R'),
  );
  expect(subjects.filter((subject) => subject.includes('request'))).toEqual([
    'Your request R: Done',
    'Reply to your request R',
  ]);
});

test('a link that is not whole says so', async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  const link = await askForRepair(page, portal, 'Dark.');
  // A page that is not there is an error to the browser too.
  await page.goto(link.slice(0, -5));
  await expect(page.getByText('This link is not whole.')).toBeVisible();
  await expectAccessible(page);
});

test('many requests show the newest five, and the others on demand @once', async ({ page, portal }) => {
  await portal.sql(`INSERT INTO requests (facility_id, tenant_id, kind, details, created_at)
    SELECT t.facility_id, t.id, 'request_tenant_update', '{"unitNames": []}', now() - n * interval '1 day'
    FROM tenants t, generate_series(1, 7) n WHERE t.email = 'lee@example.com'`);
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/account');
  const requests = page.getByRole('region', { name: 'Requests' }).getByRole('listitem');
  await expect(requests).toHaveCount(5);
  await page.getByRole('button', { name: 'Show 2 earlier requests' }).click();
  await expect(requests).toHaveCount(7);
  await expect(requests.nth(5).getByRole('heading')).toBeFocused();
});
