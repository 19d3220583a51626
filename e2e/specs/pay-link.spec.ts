import type { Page } from '@playwright/test';
import { TEST_DAY, testClock } from '../../server/test/test-day.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../support/axe.ts';
import { mailsTo } from '../support/mailbox.ts';
import {
  balances,
  expectSoundBooks,
  openTenantOf,
  press,
  perform,
  signInStaff,
} from '../support/office.ts';
import { expect, signIn, test, type Portal } from '../support/portal.ts';
import { bodiesOf } from '../support/requests.ts';
import { fillCard } from '../support/tenant.ts';

// That a visitor is not signed in to the office is found out by a call that is refused, as is a
// dead link.
test.use({ mayLog: [/401/, /404/, /402/, /422/, /net::ERR_FAILED/] });

/** Has a clerk mail Dana the link for what A101 owes; answers its path. */
async function makePayLink(page: Page, portal: Portal, unitName = 'A101'): Promise<string> {
  await page.setViewportSize({ width: 768, height: 1024 });
  await signInStaff(page, portal, 'clerk');
  await openTenantOf(page, portal, unitName);
  await press(page, 'Send a pay link');
  const dialog = page.getByRole('dialog', { name: 'Send a pay link' });
  await dialog.getByLabel('Rental').click();
  await page.getByRole('option', { name: new RegExp(unitName) }).click();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText(
    'The link will be mailed to dana@example.com.',
  );
  await dialog.getByRole('button', { name: 'Send a pay link' }).click();
  const url = await dialog.getByRole('textbox', { name: 'Pay link' }).inputValue();
  const mails = await mailsTo(page, portal, 'dana@example.com');
  expect(mails.find(({ subject }) => subject.startsWith('Pay '))?.text).toContain(url);
  await dialog.getByRole('button', { name: 'Close' }).click();
  return new URL(url).pathname;
}

/** What a payment that is kept would add to. */
const keptOf = (portal: Portal) =>
  portal.sql(
    `SELECT (SELECT count(*) FROM payment_methods) AS methods, (SELECT count(*) FROM mandates) AS mandates,
      (SELECT count(*) FROM autopays) AS autopays`,
  );

/** Expects that axe finds nothing wrong on a desktop and on a phone. */
async function expectAccessibleAtAnyWidth(page: Page): Promise<void> {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
}

// spec 7.81
test('a clerk mails a pay link, and it is paid by card after a decline: once, and nothing is saved', async ({
  page,
  portal,
}) => {
  const path = await makePayLink(page, portal);
  const list = page.getByRole('region', { name: 'Pay links' });
  await expect(list).toContainText('Can be paid');
  const payments = bodiesOf(page, '/payments');
  const kept = await keptOf(portal);

  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(path);
  await expect(page.getByText('$214.50', { exact: true })).toBeVisible();
  await expect(
    page.getByText('This pays for D.’s storage unit (RV) at Anchor & Axle RV & Boat Storage.'),
  ).toBeVisible();
  for (const secret of ['Dana', 'Reyes', 'A101', 'TXDFW03'])
    await expect(page.locator('body')).not.toContainText(secret);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expectAccessibleAtAnyWidth(page);

  await page.getByRole('link', { name: 'Español' }).click();
  await expect(page).toHaveURL(path);
  await expect(page.getByRole('button', { name: 'Pagar $214.50' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await page.getByRole('link', { name: 'English' }).click();

  const pay = page.getByRole('button', { name: 'Pay $214.50' });
  await pay.click();
  await expect(page.getByText('Card number is required.')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await fillCard(page.getByRole('main'), '4000000000000002');
  await pay.click();
  await expect(page.getByRole('alert')).toContainText('declined');
  await fillCard(page.getByRole('main'));
  await pay.dblclick();
  await expect(page.getByText('Your payment has been applied successfully')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment received');
  await expect(
    page.getByText('Paid for D.’s storage unit (RV) at Anchor & Axle RV & Boat Storage.'),
  ).toBeVisible();
  await expect(page.getByText('This pays for')).toHaveCount(0);
  await expectAccessibleAtAnyWidth(page);
  expect(payments).toHaveLength(2);
  expect(await balances(portal, 'A101')).toEqual([0]);
  expect(await keptOf(portal)).toEqual(kept);
  const [count] = await portal.sql('SELECT count(*)::int AS attempts FROM pay_link_payments');
  expect(count).toEqual({ attempts: 2 });

  await expectSoundBooks(portal);
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('This pay link does not work.');
  await expectAccessibleAtAnyWidth(page);

  await test.step('the dead link leads to the sign-in, and calls the facility of the tenant who is signed in', async () => {
    const signInLink = page.getByRole('link', { name: 'Sign in' });
    await expect(signInLink).toHaveAttribute('href', '/login');
    await expect(page.getByRole('main').getByRole('link')).toHaveCount(1);
    await signIn(page, portal, 'dana@example.com');
    await page.goto(path);
    await expect(page.getByRole('link', { name: 'Call (817) 555-0103' })).toHaveAttribute(
      'href',
      'tel:+18175550103',
    );
    await expectAccessibleAtAnyWidth(page);
    await signInLink.click();
    await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
  });
});

test('an answer that is lost is asked for again, and a bank account is debited once', async ({
  page,
  portal,
}) => {
  const path = await makePayLink(page, portal, 'C014');
  await page.clock.install({ time: testClock.now() });
  await page.goto(path);
  await page.getByRole('radio', { name: /ACH/ }).check();
  await page.getByLabel('Account Type').selectOption('Consumer Checking');
  await page.getByLabel('Routing Number').fill('110000000');
  await page.getByLabel('Account Number').fill('000123456789');
  let lost = 0;
  await page.route('**/payments', async (route) => {
    if (lost > 0) return route.fallback();
    lost += 1;
    await route.fetch();
    return route.abort();
  });
  await page.getByRole('button', { name: 'Pay $450.00' }).click();
  await expect(page.getByText('Your payment is being confirmed.')).toBeVisible();
  await page.clock.runFor(3000);
  await expect(page.getByText('Your payment has been applied successfully')).toBeVisible();
  await expect(page.getByText('Your bank still has to confirm it.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment sent');
  expect(await balances(portal, 'C014')).toEqual([0]);
  await expectSoundBooks(portal);
  const [count] = await portal.sql('SELECT count(*)::int AS attempts FROM pay_link_payments');
  expect(count).toEqual({ attempts: 1 });
});

test('a link that a clerk revokes is dead, and one with less left shows what is left', async ({
  page,
  portal,
}) => {
  const path = await makePayLink(page, portal);
  await perform(page, 'Take a payment', async (dialog) => {
    await dialog.getByRole('checkbox', { name: /C014/ }).uncheck();
    await dialog.getByLabel('Amount').fill('100');
  });
  const list = page.getByRole('region', { name: 'Pay links' });
  await expect(list).toContainText('$114.50 is left');

  const visitor = await page.context().newPage();
  await visitor.goto(path);
  await expect(visitor.getByRole('button', { name: 'Pay $114.50' })).toBeVisible();
  await perform(list, 'Revoke', () => Promise.resolve());
  await fillCard(visitor.getByRole('main'));
  await visitor.getByRole('button', { name: 'Pay $114.50' }).click();
  await expect(visitor.getByRole('alert')).toContainText('This pay link does not work.');
  expect(await balances(portal, 'A101')).toEqual([11_450]);
  await expectSoundBooks(portal);
});

test.describe('in America/Chicago', () => {
  test.use({ timezoneId: 'America/Chicago' });

  test('a card is not expired on the last evening of its month', async ({ page, portal }) => {
    const path = await makePayLink(page, portal);
    const nextYear = Number(TEST_DAY.slice(0, 4)) + 1;
    await page.clock.setFixedTime(`${nextYear}-02-01T02:00:00Z`);
    await page.goto(path);
    await fillCard(page.getByRole('main'));
    await page.getByLabel('Expiration Year').selectOption(String(nextYear));
    await page.getByLabel('Expiration Month').selectOption('01');
    await page.getByRole('button', { name: 'Pay $214.50' }).click();
    await expect(page.getByText('Your payment has been applied successfully')).toBeVisible();
    await expectSoundBooks(portal);
  });
});
