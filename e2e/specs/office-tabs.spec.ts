import type { Page } from '@playwright/test';
import {
  openNewCharge,
  openOffice,
  openTenantOf,
  signInStaff,
  WITHOUT_MOTION,
} from '../support/office.ts';
import { expect, PASSWORD, test, type Portal } from '../support/portal.ts';

test.use({
  viewport: { width: 1024, height: 768 },
  contextOptions: WITHOUT_MOTION,
  // That a visitor is not signed in is found out by a call that is refused.
  mayLog: [/401/],
});

const MEMBERS = { clerk: 'Ana Flores', manager: 'Marcus Webb' } as const;

const shows = (page: Page, role: keyof typeof MEMBERS) =>
  expect(page.getByRole('button', { name: MEMBERS[role] })).toBeVisible();

async function typeSignIn(page: Page, role: keyof typeof MEMBERS): Promise<void> {
  await page.getByLabel('Email').fill(`${role}@anchor-axle.example`);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shows(page, role);
}

async function logout(page: Page, role: keyof typeof MEMBERS): Promise<void> {
  await page.getByRole('button', { name: MEMBERS[role] }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
}

/** A tab with a dialog of a tenant in use. */
async function openDialog(page: Page, portal: Portal) {
  await openTenantOf(page, portal, 'B207');
  const dialog = await openNewCharge(page, 'B207');
  await dialog.getByLabel('Description').fill('Battery charging');
  await dialog.getByLabel('Amount before tax').fill('15');
  await dialog.getByLabel('Reason').fill('Asked for at the counter');
  return dialog;
}

/** As the browser says that a tab is shown again. */
const showAgain = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

async function expectNothingOfTenants(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await page.content()).not.toMatch(/Reyes|B207|Battery charging|Ana Flores/);
}

test(
  'a logout and a sign-in in one tab are every tab’s at once, dialogs included',
  { tag: '@smoke' },
  async ({ page, portal, context }) => {
    await page.goto('/office');
    await typeSignIn(page, 'clerk');
    const other = await context.newPage();
    await other.goto(`${portal.url}/office/tenants`);
    await expect(other.getByRole('row', { name: /Reyes, Dana/ })).toBeVisible();
    await openDialog(other, portal);
    await logout(page, 'clerk');
    await expectNothingOfTenants(other);
    await expectNothingOfTenants(page);
    await other.goBack();
    await expectNothingOfTenants(other);

    await typeSignIn(page, 'manager');
    await shows(other, 'manager');
  },
);

test('what a tab does as one member is not done as another who has signed in since, and it shows that one', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'clerk');
  const dialog = await openDialog(page, portal);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('B207 will owe');
  // Where no word of it came to this tab.
  await signInStaff(page, portal, 'manager');
  const refused = page.waitForResponse((answer) => answer.url().endsWith('/charges/add'));
  await dialog.getByRole('button', { name: 'Add a charge' }).click();
  expect((await refused).status()).toBe(409);
  await shows(page, 'manager');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const done = await portal.sql(
    `SELECT count(*)::int AS count FROM audit_events WHERE details->>'verb' = 'charges.add'`,
  );
  expect(done).toEqual([{ count: 0 }]);
});

test('a tab that is shown again, or comes back from the page cache, shows who is signed in now', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'clerk');
  await openOffice(page, '/tenants');
  await shows(page, 'clerk');
  await showAgain(page);
  await signInStaff(page, portal, 'manager');
  await showAgain(page);
  await shows(page, 'manager');

  await portal.sql(`UPDATE staff_members SET role = 'clerk' WHERE name = 'Marcus Webb'`);
  await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeVisible();
  await showAgain(page);
  await expect(page.getByRole('menuitem', { name: 'Settings' })).toHaveCount(0);

  await page.context().clearCookies();
  await page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  );
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test('a session that one tab renews is every tab’s, and what was typed in each is kept', async ({
  page,
  portal,
  context,
}) => {
  await signInStaff(page, portal, 'clerk');
  const tabs = [page, await context.newPage()];
  const dialogs = [];
  for (const tab of tabs) dialogs.push(await openDialog(tab, portal));
  await portal.sql('DELETE FROM staff_sessions');
  for (const dialog of dialogs) await dialog.getByRole('button', { name: 'Preview' }).click();
  for (const tab of tabs)
    await expect(tab.getByRole('dialog', { name: 'Sign in again' })).toBeVisible();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password').fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in' }).click();
  for (const dialog of dialogs) await expect(dialog).toContainText('B207 will owe $15.00.');
});

test('a proxy’s 401 ends no session', async ({ page, portal }) => {
  await signInStaff(page, portal, 'clerk');
  const dialog = await openDialog(page, portal);
  await page.route('**/charges/add', (route) =>
    route.fulfill({ status: 401, contentType: 'text/html', body: '<h1>Sign in</h1>' }),
  );
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog).toContainText('The answer could not be read. Please try again.');
  await expect(page.getByRole('dialog', { name: 'Sign in again' })).toHaveCount(0);
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog).toContainText('B207 will owe $15.00.');
});

test('a logout that does not reach the office shows nothing any more, and is made up for', async ({
  page,
  portal,
  context,
}) => {
  await signInStaff(page, portal, 'clerk');
  await openTenantOf(page, portal, 'B207');
  let isReached = false;
  await context.route('**/sign-out', (route) => (isReached ? route.continue() : route.abort()));
  await logout(page, 'clerk');
  await expectNothingOfTenants(page);
  const other = await context.newPage();
  await other.goto(`${portal.url}/office/tenants`);
  await expectNothingOfTenants(other);
  expect(await portal.sql('SELECT staff_id FROM staff_sessions')).toHaveLength(1);
  isReached = true;
  await other.goto(`${portal.url}/office/tenants`);
  await expectNothingOfTenants(other);
  await expect.poll(() => portal.sql('SELECT staff_id FROM staff_sessions')).toHaveLength(0);
  await typeSignIn(other, 'manager');
});

test('a logout is every tab’s once it is answered, and not before', async ({
  page,
  portal,
  context,
}) => {
  await signInStaff(page, portal, 'clerk');
  await openOffice(page, '/tenants');
  const other = await context.newPage();
  await other.goto(`${portal.url}/office/tenants`);
  await shows(other, 'clerk');
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route('**/sign-out', (route) => released.then(() => route.continue()));
  const asked = page.waitForRequest('**/sign-out');
  await logout(page, 'clerk');
  await asked;
  await shows(other, 'clerk');
  release(undefined);
  await expectNothingOfTenants(other);
});
