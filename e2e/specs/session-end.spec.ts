import type { Page } from '@playwright/test';
import { setClock } from '../support/page-clock.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { hold } from '../support/requests.ts';
import { rentalCard } from '../support/tenant.ts';

/** All that the browser stores for the portal, by where it is stored. */
async function keptBy(page: Page) {
  return page.evaluate(async () => ({
    local: Object.fromEntries(Object.entries(localStorage)),
    session: Object.fromEntries(Object.entries(sessionStorage)),
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    cookies: document.cookie,
  }));
}

const DEVICE = `rdt_${'A'.repeat(43)}`;

/** Puts a device token next to the session, where a sign-in by the form keeps it. */
const addDevice = (page: Page) =>
  page.evaluate((device) => {
    const session = JSON.parse(localStorage.getItem('gatehouse')!) as object;
    localStorage.setItem('gatehouse', JSON.stringify({ ...session, device }));
  }, DEVICE);

test('a record chosen in one tab is every tab’s, and so is a logout, also for a page that comes back from the page cache', async ({
  page,
  portal,
  context,
}) => {
  // A page in the page cache hears nothing. The first listener is asked first.
  await page.addInitScript(() => {
    addEventListener('storage', (event) => {
      if ('isAsleep' in globalThis) event.stopImmediatePropagation();
    });
  });
  await signIn(page, portal, 'dana@example.com');
  await addDevice(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 3, name: 'A101' })).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${portal.url}/profile`);
  await other.getByLabel('Unit', { exact: true }).selectOption({ label: 'D310' });
  await expect(page.getByRole('heading', { level: 3, name: 'D310' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 3, name: 'A101' })).toHaveCount(0);

  const { local, ...rest } = await keptBy(page);
  expect(rest).toEqual({ session: {}, databases: [], caches: [], cookies: '' });
  expect(Object.keys(local)).toEqual(['gatehouse']);
  const session = JSON.parse(local.gatehouse) as Record<string, unknown>;
  const id = expect.stringMatching(/^[\da-f-]{36}$/) as unknown;
  expect(session).toEqual({
    token: expect.stringMatching(/^rvt_/) as unknown,
    tenants: [{ id }, { id }],
    currentTenantId: (session.tenants as { id: string }[])[1]!.id,
    locationCode: 'TXDFW03',
    device: DEVICE,
  });

  await page.evaluate(() => void Object.assign(globalThis, { isAsleep: true }));
  const ended = other.waitForResponse((response) => response.url().endsWith('/users/logout'));
  const menu = other.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  await other.getByRole('button', { name: 'Logout' }).click();
  expect((await (await ended).allHeaders())['clear-site-data']).toBe('"cache"');
  await expect(other).toHaveURL(/\/login$/);
  expect(await keptBy(other)).toEqual({
    local: { gatehouse: JSON.stringify({ device: DEVICE }) },
    ...rest,
  });
  await expect(page.getByRole('heading', { level: 3, name: 'D310' })).toBeVisible();
  await page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  );
  await expect(page).toHaveURL(/\/login$/);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account');
    expect(await tab.content()).not.toMatch(/D310|Reyes|A101/);
  }
});

test('a session that the server has ended leads to sign-in once, however many calls find out at the same time', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await addDevice(page);
  await page.goto('/schedule-move-out');
  await expect(page.getByText('please fill in the move-out form')).toBeVisible();
  // Away from the app: else what it still asks for would meet the ended session.
  await page.goto('/healthz');
  const arrivals: string[] = [];
  let asked = 0;
  page.on('framenavigated', (frame) => arrivals.push(new URL(frame.url()).pathname));
  page.on('request', (request) => (asked += request.headers().authorization === undefined ? 0 : 1));
  await portal.sql('DELETE FROM sessions');
  const release = await hold(page, '**/api/**');
  await page.goto('/billing-info');
  await expect.poll(() => asked).toBeGreaterThan(1);
  release();
  await expect(page.getByText('Your session has ended. Please sign in again.')).toHaveCount(1);
  await page.waitForLoadState('networkidle');
  expect(arrivals).toEqual(['/billing-info', '/login']);
  const { gatehouse = '' } = (await keptBy(page)).local;
  expect(JSON.parse(gatehouse)).toEqual({ device: DEVICE });
});

/** Expects the sign-in page in place of what was there, and nothing else. */
async function expectSignInOnly(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account');
  await expect(page.locator('main')).toHaveCount(1);
  await expect(page.locator('header')).toHaveCount(1);
  expect((await page.locator('main').boundingBox())!.y).toBeLessThan(300);
}

for (const path of ['/', '/billing-info', '/payment-history']) {
  test(`a session that is found ended while ${path} is loaded leaves nothing of it above the sign-in form`, async ({
    page,
    portal,
  }) => {
    await signIn(page, portal, 'dana@example.com');
    await portal.sql('DELETE FROM sessions');
    // The answer is there before the style sheet, which the app waits for.
    const release = await hold(page, /\/assets\/[^/]+\.css$/);
    const ended = page.waitForFunction(
      () => !(localStorage.getItem('gatehouse') ?? '').includes('token'),
    );
    await page.goto(path, { waitUntil: 'commit' });
    await ended;
    release();
    await expectSignInOnly(page);
  });
}

/** Tasks after the app has begun to take the page over, and before its next ones. */
for (const turns of [0, 1, 2, 3, 4, 6, 8]) {
  test(`a session that ends ${turns} tasks after the app has begun on its page leaves nothing of it either`, async ({
    page,
    portal,
  }) => {
    await signIn(page, portal, 'dana@example.com');
    // No answer is there, so that the page is hydrated; the sign-in page has its own.
    await page.route('**/api/**', (route, request) =>
      request.headers().authorization === undefined ? route.continue() : undefined,
    );
    await page.addInitScript((most) => {
      const { port1, port2 } = new MessageChannel();
      let left = most;
      const end = () => {
        localStorage.removeItem('gatehouse');
        dispatchEvent(new StorageEvent('storage', { key: 'gatehouse' }));
      };
      const turn = () => (left-- > 0 ? port2.postMessage(null) : end());
      port1.onmessage = turn;
      new MutationObserver((changes, observer) => {
        if (!changes.some(({ target }) => (target as Element).id === 'root')) return;
        observer.disconnect();
        turn();
      }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-screen'] });
    }, turns);
    await page.goto('/');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await expectSignInOnly(page);
  });
}

// spec 2.17
test('a logout leads to the sign-in page from everywhere, whatever the server makes of it', async ({
  page,
  portal,
  context,
}) => {
  for (const path of [
    '/nowhere',
    '/nowhere/',
    '/pay?',
    '/pay/',
    '/profile/',
    '/billing-info?x=1#y',
  ])
    for (const answer of ['ok', 'broken', 'offline'] as const) {
      await signIn(page, portal, 'dana@example.com');
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      if (answer === 'broken')
        await page.route('**/users/logout', (route) =>
          route.fulfill({ status: 500, json: { message: 'Something went wrong.' } }),
        );
      await context.setOffline(answer === 'offline');
      const menu = page.getByRole('button', { name: 'Menu' });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole('button', { name: 'Logout' }).click();
      await expectSignInOnly(page);
      await context.setOffline(false);
      await page.unrouteAll();
    }
});

test('an account that signed in in another tab while this one was asleep finds nothing of the last one', async ({
  page,
  portal,
  context,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/profile');
  await expect(page.getByRole('main')).toContainText('Reyes');
  const other = await context.newPage();
  await signIn(other, portal, 'maria@example.com', 'AZPHX01');
  await expect(page.getByRole('main')).toContainText('maria@example.com');
  expect(await page.content()).not.toMatch(/Reyes|dana@example.com/);
  const refused = await portal.sql("SELECT kind FROM audit_events WHERE kind = 'access_refused'");
  expect(refused).toEqual([]);
});

test('dates are the same wherever the visitor’s clock is', async ({ browser, portal }) => {
  const read: string[] = [];
  for (const timezoneId of ['America/Los_Angeles', 'Pacific/Auckland']) {
    const context = await browser.newContext({ baseURL: portal.url, timezoneId });
    await setClock(context);
    const page = await context.newPage();
    await signIn(page, portal, 'dana@example.com');
    await page.goto('/');
    await expect(rentalCard(page, 'B207')).toContainText('Next Charge');
    await expect(rentalCard(page, 'C014')).toContainText('Not entered');
    // Cards, counts and codes come one after another.
    await page.waitForLoadState('networkidle');
    const units = await page.getByRole('main').innerText();
    await page.goto('/payment-history');
    await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible();
    read.push(units + (await page.getByRole('table').innerText()));
    await context.close();
  }
  expect(read[0]).toMatch(/\d{4}/);
  expect(read[1]).toBe(read[0]);
});
