import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { testClock } from '../../server/test/test-day.ts';
import { expectAccessible } from '../support/axe.ts';
import { newestCode } from '../support/mailbox.ts';
import { expect, PASSWORD, signIn, test, type Portal } from '../support/portal.ts';
import { changeLocation, openByMenu } from '../support/tenant.ts';

test.use({
  // A page that is opened without a connection, and what it does not load.
  mayLog: [/ERR_INTERNET_DISCONNECTED/],
});

/** Signs in and keeps the gate pass as a tenant does. */
async function keepPass(page: Page, portal: Portal, email = 'lee@example.com'): Promise<void> {
  await signIn(page, portal, email);
  await page.goto(`${portal.url}/`);
  await keep(page);
}

/**
 * Opens My Units where a pass is kept. The worker shows that pass where the start page is late, and
 * on a busy machine it may be; to this address it waits.
 */
async function openPortal(page: Page): Promise<void> {
  await page.goto('/?portal');
}

// spec 10.5
test('a gate pass that is not kept now leaves the focus on the button that asks again', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/');
  const keepHere = page.getByRole('button', { name: 'Keep on this phone' });
  await keepHere.press('Enter');
  await page.getByRole('button', { name: 'Not now' }).press('Enter');
  await expect(keepHere).toBeFocused();
  await expect(page.getByText(/Whoever holds this phone/)).toHaveCount(0);
});

/** Keeps the gate pass on My Units. */
async function keep(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Keep on this phone' }).click();
  // One button at a time, and the focus is on it.
  await expect(page.getByRole('button', { name: /^Keep/ })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Keep gate pass' })).toBeFocused();
  await expect(page.getByText(/Whoever holds this phone unlocked can read them/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep gate pass' }).click();
  await expect(page.getByText(/^Kept on this phone until \d+\/\d+\/\d{4}$/)).toBeVisible();
  // It says so in one line with what takes it away, and explains nothing any more.
  await expect(page.getByText(/Whoever holds this phone unlocked can read them/)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Keep/ })).toHaveCount(0);
}

async function fillAddress(page: Page, email: string): Promise<void> {
  await changeLocation(page);
  await page.getByLabel('What state is your facility located?').selectOption('Texas');
  await page.getByLabel('Select your location').selectOption('TXDFW03');
  await page.getByLabel('Email Address').fill(email);
}

const codeOf = async (page: Page) =>
  (await page.getByRole('region', { name: 'Gate pass' }).locator('.text-40').textContent()) ?? '';

const pass = (page: Page) => page.getByRole('heading', { level: 1, name: 'Gate pass' });

/** Opens the portal without a connection and expects no pass, and not this code. */
async function expectNoPass(page: Page, code?: string): Promise<void> {
  await page.context().setOffline(true);
  await page.goto('/');
  await expect(page.getByText(/^No gate pass is kept on this phone/)).toBeVisible();
  if (code !== undefined) await expect(page.getByText(code, { exact: true })).toHaveCount(0);
}

const stored = (page: Page) =>
  page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }));

/** What the database of the passes has, by name. */
const keysOf = (page: Page) =>
  page.evaluate(async () => {
    const opening = indexedDB.open('gatehouse-pass');
    await new Promise((resolve) => (opening.onsuccess = resolve));
    const keys = opening.result.transaction('passes').objectStore('passes').getAllKeys();
    await new Promise((resolve) => (keys.onsuccess = resolve));
    opening.result.close();
    return keys.result.map(String);
  });

// spec 10.2
test(
  'a kept gate pass opens without a connection, says how old it is, and the portal comes back with it',
  { tag: ['@smoke', '@wide'] },
  async ({ page, portal, context }) => {
    await keepPass(page, portal);
    const code = await codeOf(page);
    await context.setOffline(true);
    await page.goto('/');
    await expect(pass(page)).toBeVisible();
    await expect(page).toHaveTitle('Gate pass · Anchor & Axle');
    await expect(page.getByText(code, { exact: true })).toBeVisible();
    await expect(page.getByText(/^No connection\. Payments/)).toBeVisible();
    await expect(page.getByText(/^As of \d+\/\d+\/\d{4}, /)).toBeVisible();
    await expect(page.getByText(/^Shown until \d/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Directions' })).toBeVisible();
    await expectAccessible(page);
    // Any page of the portal is opened as the pass.
    await page.goto('/billing-info');
    await expect(pass(page)).toBeVisible();

    await context.setOffline(false);
    await page.getByRole('link', { name: 'Open the portal' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
  },
);

// spec 10.6
test('where a connection carries nothing the pass is shown, and the portal when it answers', async ({
  page,
  portal,
}) => {
  await using link = await openLink(portal);
  await keepPass(page, { ...portal, url: link.url });
  const code = await codeOf(page);
  link.stall();
  await page.goto(`${link.url}/`);
  await expect(pass(page)).toBeVisible();
  await expect(page.getByText(code, { exact: true })).toBeVisible();
  await expect(page.getByText('The portal did not answer yet.')).toBeVisible();
  link.resume();
  await page.getByRole('link', { name: 'Open the portal' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
});

for (const status of [401, 403, 502])
  test(`where a proxy answers ${status} in place of the portal the pass is shown, and neither it nor the session ends`, async ({
    page,
    portal,
  }) => {
    await using link = await openLink(portal);
    await keepPass(page, { ...portal, url: link.url });
    const code = await codeOf(page);
    link.refuse(status);
    await page.goto(`${link.url}/`);
    await expect(pass(page)).toBeVisible();
    await expect(page.getByText(code, { exact: true })).toBeVisible();
    link.resume();
    await page.getByRole('link', { name: 'Open the portal' }).click();
    await expect(page.getByText(/^Kept on this phone until/)).toBeVisible();
  });

// spec 10.5
test('a session that ended by itself leaves the pass, a logout takes it away', async ({
  page,
  portal,
  context,
}) => {
  await keepPass(page, portal);
  const code = await codeOf(page);
  await portal.sql('DELETE FROM sessions');
  await openPortal(page);
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await context.setOffline(true);
  await page.goto('/');
  await expect(page.getByText(code, { exact: true })).toBeVisible();
  await context.setOffline(false);

  await signIn(page, portal, 'lee@example.com');
  await openPortal(page);
  await expect(page.getByText(/^Kept on this phone until/)).toBeVisible();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await expectNoPass(page, code);
});

// spec 10.5
test('a logout in another tab is not undone by this one, which is renewing the pass or storing it', async ({
  page,
  portal,
  context,
}) => {
  await keepPass(page, portal);
  // The other tab deletes the passes while this one looks, for the second time, what there is.
  await page.addInitScript(() => {
    const open = indexedDB.open.bind(indexedDB);
    let opened = 0;
    indexedDB.open = (name, ...rest) => {
      const opening = open(name, ...rest);
      if (name !== 'gatehouse-pass') return opening;
      const turn = (opened += 1);
      const end = () => document.documentElement.setAttribute(`data-opened-${turn}`, '');
      opening.addEventListener('error', end);
      opening.addEventListener('success', () => {
        if (turn === 2) indexedDB.deleteDatabase(name);
        end();
      });
      return opening;
    };
  });
  await openPortal(page);
  await expect(page.locator('[data-opened-3]')).toBeAttached();
  const databases = async () => (await stored(page)).databases;
  expect(await databases()).not.toContain('gatehouse-pass');

  const other = await context.newPage();
  await signIn(other, portal, 'lee@example.com');
  // The tab stores the page of the pass, for which a phone may take long.
  await other.addInitScript(() => {
    const { serviceWorker } = navigator;
    const register = serviceWorker.register.bind(serviceWorker);
    serviceWorker.register = async (...args) => {
      const registered = await register(...args);
      await new Promise((go) => addEventListener('go on', go));
      document.documentElement.setAttribute('data-registered', '');
      return registered;
    };
  });
  await openPortal(other);
  await other.getByRole('button', { name: 'Keep on this phone' }).click();
  await other.getByRole('button', { name: 'Keep gate pass' }).click();
  await openPortal(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(other.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await other.evaluate(() => dispatchEvent(new Event('go on')));
  await expect(other.locator('[data-registered]')).toBeAttached();
  expect(await databases()).not.toContain('gatehouse-pass');
  await expectNoPass(page);
});

// spec 10.5
test('a session of 30 days that was ended elsewhere, as that of a lost phone, takes the pass with it', async ({
  page,
  portal,
}) => {
  await keepPass(page, portal);
  const code = await codeOf(page);
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('gatehouse')!) as object;
    localStorage.setItem('gatehouse', JSON.stringify({ ...session, isKept: true }));
  });
  await portal.sql('DELETE FROM sessions');
  await openPortal(page);
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await expectNoPass(page, code);
});

// spec 10.5
test('a lock-out that the portal learns of takes the code away', async ({ page, portal }) => {
  await keepPass(page, portal);
  const code = await codeOf(page);
  await portal.sql(
    `UPDATE ledgers SET overlocked_at = $1 FROM tenants t
     WHERE t.id = ledgers.tenant_id AND t.email = 'lee@example.com'`,
    [testClock.now()],
  );
  await openPortal(page);
  await expect(page.getByText('No gate is open: nothing is kept on this phone.')).toBeVisible();
  await expectNoPass(page, code);
});

// spec 10.5
test('the tenant who signs in next on the phone does not find the pass of another tenant', async ({
  page,
  portal,
}) => {
  await keepPass(page, portal);
  await portal.sql('DELETE FROM sessions');
  await openPortal(page);
  await signInByForm(page, 'dana@example.com');
  await expect.poll(async () => (await stored(page)).databases).not.toContain('gatehouse-pass');
  await expectNoPass(page);
});

/** Fills in the sign-in form and waits for My Units. */
async function signInByForm(page: Page, email: string, password = PASSWORD): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await fillAddress(page, email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
}

/** The same after the session has ended by itself. */
async function signInAgain(page: Page, portal: Portal, email: string): Promise<void> {
  await portal.sql('DELETE FROM sessions');
  await openPortal(page);
  await signInByForm(page, email);
}

// spec 10.5
test('a new password that was set elsewhere takes the pass away at the next sign-in', async ({
  page,
  portal,
}) => {
  const email = 'lee@example.com';
  await signIn(page, portal, email);
  // By the form, as on a phone: the pass is kept by a browser that has a device token.
  await signInAgain(page, portal, email);
  await keep(page);
  await signInAgain(page, portal, email);
  expect((await stored(page)).databases).toContain('gatehouse-pass');

  const post = async (path: string, data: object) =>
    (await page.request.post(`${portal.url}/api/users/${path}`, { data })).json() as Promise<{
      token: string;
    }>;
  const corporationCode = 'ANCHOR';
  const { token } = await post('register', { email, locationCode: 'TXDFW03', corporationCode });
  const code = await newestCode(page, portal, email);
  await post('verify', { token, code, corporationCode });
  const password = 'tide-table 1994';
  await post('password-update', { token, password, corporationCode });
  await openPortal(page);
  await signInByForm(page, email, password);
  await expect.poll(async () => (await stored(page)).databases).not.toContain('gatehouse-pass');
});

// spec 10.5
test('signing in at another location of the account leaves the pass', async ({ page, portal }) => {
  const email = 'lee@example.com';
  await portal.sql(
    `WITH record AS (
       INSERT INTO tenants (facility_id, first_name, last_name, email, street1, city, region, postal_code)
       SELECT f.id, t.first_name, t.last_name, t.email, t.street1, t.city, t.region, t.postal_code
       FROM tenants t, facilities f WHERE t.email = '${email}' AND f.location_code = 'AZPHX01' RETURNING id)
     INSERT INTO user_tenants (user_id, tenant_id) SELECT u.id, record.id FROM users u, record WHERE u.email = '${email}'`,
  );
  await signIn(page, portal, email);
  await signInAgain(page, portal, email);
  await keep(page);
  await portal.sql('DELETE FROM sessions');
  await openPortal(page);
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await changeLocation(page);
  await page.getByLabel('What state is your facility located?').selectOption('Arizona');
  await page.getByLabel('Select your location').selectOption('AZPHX01');
  await page.getByLabel('Email Address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
  expect((await stored(page)).databases).toContain('gatehouse-pass');
});

// spec 10.5
test('a new password takes the pass away', async ({ page, portal }) => {
  await keepPass(page, portal);
  await portal.sql('DELETE FROM sessions');
  await openPortal(page);
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await page.goto('/forgot-password');
  await fillAddress(page, 'lee@example.com');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByLabel('Verification Code')).toBeVisible();
  const code = await newestCode(page, portal, 'lee@example.com');
  await page.getByLabel('Verification Code').fill(code);
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByLabel('Password', { exact: true }).fill('tide-table 1994');
  expect((await stored(page)).databases).toContain('gatehouse-pass');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('link', { name: 'Sign in to your account' })).toBeVisible();
  await expect.poll(async () => (await stored(page)).databases).not.toContain('gatehouse-pass');
});

// spec 10.7
test('a worker that the browser has ended opens the pass', async ({ page, portal, context }) => {
  await using link = await openLink(portal);
  await keepPass(page, { ...portal, url: link.url });
  const code = await codeOf(page);
  const browser = await context.newCDPSession(page);
  await browser.send('ServiceWorker.enable');
  await browser.send('ServiceWorker.stopAllWorkers');
  await browser.detach();
  link.stall();
  await page.goto(`${link.url}/`);
  await expect(pass(page)).toBeVisible();
  await expect(page.getByText(code, { exact: true })).toBeVisible();
});

// spec 10.7
test('a new version replaces the old one when it is stored whole, and until then the old one opens', async ({
  page,
  portal,
  context,
}) => {
  await using link = await openLink(portal);
  await keepPass(page, { ...portal, url: link.url });
  const code = await codeOf(page);
  const [first] = (await stored(page)).caches;
  async function expectOffline() {
    await context.setOffline(true);
    await page.goto(`${link.url}/`);
    await expect(page.getByText(code, { exact: true })).toBeVisible();
    await context.setOffline(false);
    // However late the answer is.
    await page.goto(`${link.url}/?portal`);
    await expect(page.getByText(/^Kept on this phone until/)).toBeVisible();
  }
  const update = () =>
    page.evaluate(async () => {
      const registration = (await navigator.serviceWorker.getRegistration('/'))!;
      await registration.update();
      const { installing } = registration;
      if (installing)
        await new Promise((resolve) => (installing.onstatechange = () => resolve(undefined)));
    });

  for (const part of ['cut', 'mixed'] as const) {
    link.publish(part);
    await update();
    await expectOffline();
    expect((await stored(page)).caches).toContain(first);
  }

  link.publish('whole');
  await update();
  await expect.poll(async () => (await stored(page)).caches).toEqual(['gate-next']);
  await expectOffline();
});

// spec 10.73
test('after another language was chosen the pass opens in that one', async ({
  page,
  portal,
  context,
}) => {
  await keepPass(page, portal);
  const code = await codeOf(page);
  const { caches: before } = await stored(page);
  await page.getByRole('link', { name: 'Español' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Mis unidades' })).toBeVisible();
  // The browser itself looks for a new worker after it has opened a page.
  await expect.poll(async () => (await stored(page)).caches).not.toEqual(before);
  await expect.poll(async () => (await stored(page)).caches.length).toBe(1);
  await context.setOffline(true);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Pase del portón' })).toBeVisible();
  await expect(page.getByText(code, { exact: true })).toBeVisible();
});

// spec 10.3
test('a page of another origin finds nothing of the pass', async ({ page, portal }) => {
  await keepPass(page, portal);
  expect((await stored(page)).databases).toEqual(['gatehouse-pass']);
  const other = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Another origin</title>'),
  ).listen(0, '127.0.0.1');
  await once(other, 'listening');
  await page.goto(`http://localhost:${(other.address() as AddressInfo).port}/`);
  expect(await stored(page)).toEqual({ databases: [], caches: [], workers: 0 });
  other.close();
  other.closeAllConnections();
});

// spec 10.7
test('what the browser has cleared is stored again by the next visit', async ({
  page,
  portal,
  context,
}) => {
  await keepPass(page, portal);
  const code = await codeOf(page);
  const browser = await context.newCDPSession(page);
  const clear = (storageTypes: string) =>
    browser.send('Storage.clearDataForOrigin', { origin: portal.url, storageTypes });
  await clear('cache_storage');
  await openPortal(page);
  await expect(page.getByText(/^Kept on this phone until/)).toBeVisible();
  await expect
    .poll(() => page.evaluate(async () => (await caches.match('/gate'))?.status))
    .toBe(200);
  await context.setOffline(true);
  await page.goto('/');
  await expect(page.getByText(code, { exact: true })).toBeVisible();
  await context.setOffline(false);

  await clear('all');
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible();
  await keepPass(page, portal);
  await context.setOffline(true);
  await page.goto('/');
  await expect(page.getByText(code, { exact: true })).toBeVisible();
});

// spec 10.1
test('the manifest names the operator, the start page and icons that are there', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/');
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const answer = await page.request.get(href!);
  expect(answer.headers()['content-type']).toContain('application/manifest+json');
  const manifest = (await answer.json()) as { icons: { src: string }[] };
  expect(manifest).toMatchObject({
    name: 'Anchor & Axle RV & Boat Storage',
    start_url: '/',
    display: 'standalone',
  });
  const touch = await page.locator('link[rel=apple-touch-icon]').getAttribute('href');
  for (const src of [touch!, ...manifest.icons.map((icon) => icon.src)])
    expect([src, (await page.request.get(src)).status()]).toEqual([src, 200]);
});

test('each record of a tenant keeps its own gate pass', async ({ page, portal, context }) => {
  await keepPass(page, portal, 'dana@example.com');
  await page.getByRole('button', { name: 'Reyes Marine LLC' }).click();
  await expect(page.getByRole('heading', { level: 3, name: 'D310' })).toBeVisible();
  await expect(page.getByText(/^Kept on this phone until/)).toBeVisible();
  const code = await codeOf(page);
  // Two passes, their key and when they were seen last.
  await expect.poll(() => keysOf(page)).toHaveLength(4);
  await context.setOffline(true);
  await page.goto('/');
  await expect(pass(page)).toBeVisible();
  await expect(page.getByText(code, { exact: true })).toHaveCount(1);
  await expect(page.getByText(/^B207\s·\s/)).toHaveCount(1);
});

// spec 10.4
test('a clock that was set back does not renew a pass', async ({ page, portal, context }) => {
  await page.clock.install({ time: testClock.now() });
  await keepPass(page, portal);
  const code = await codeOf(page);
  const { now } = await page.evaluate(() => ({ now: Date.now() }));
  await context.setOffline(true);
  const HOUR = 3_600_000;
  await page.clock.setFixedTime(now + HOUR);
  await page.goto('/');
  await expect(page.getByText(code, { exact: true })).toBeVisible();
  await page.clock.setFixedTime(now);
  await page.goto('/');
  await expect(page.getByText(/^No gate pass is kept on this phone/)).toBeVisible();
  await page.clock.setFixedTime(now + HOUR);
  await page.goto('/');
  await expect(page.getByText(/^No gate pass is kept on this phone/)).toBeVisible();
});

// spec 10.3
test('what is stored is nothing before the tenant asks, sealed afterwards, and nothing after it is removed', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Keep on this phone' })).toBeVisible();
  const nothing = { databases: [], caches: [], workers: 0 };
  expect(await stored(page)).toEqual(nothing);
  await keepPass(page, portal);
  const code = await codeOf(page);
  const raw = await page.evaluate(async () => {
    const opening = indexedDB.open('gatehouse-pass');
    await new Promise((resolve) => (opening.onsuccess = resolve));
    const store = opening.result.transaction('passes').objectStore('passes');
    const all = store.getAll();
    await new Promise((resolve) => (all.onsuccess = resolve));
    opening.result.close();
    const key = all.result.find((value) => value instanceof CryptoKey) as CryptoKey;
    const bytes = all.result.flatMap(({ bytes }: { bytes?: ArrayBuffer }) =>
      bytes ? [...new Uint8Array(bytes)] : [],
    );
    const text = String.fromCharCode(...bytes);
    const given = await crypto.subtle.exportKey('raw', key).then(
      () => 'exported',
      (error: unknown) => (error as Error).name,
    );
    const urls = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys())
        urls.push(new URL(url).pathname);
    return { text, given, urls, local: JSON.stringify(localStorage) };
  });
  expect(raw.text.length).toBeGreaterThan(100);
  expect(raw.text + raw.local).not.toContain(code);
  expect(raw.given).toBe('InvalidAccessError');
  expect(raw.urls).toContain('/gate');
  expect(raw.urls.filter((url) => url.startsWith('/api'))).toEqual([]);

  await page.getByRole('button', { name: 'Remove from this phone' }).click();
  await expect(page.getByRole('button', { name: 'Keep on this phone' })).toBeVisible();
  await expect.poll(() => stored(page)).toEqual(nothing);
  await openByMenu(page, 'Profile');
});

/**
 * How a new version of the kept page is published: without the page, with the page of an earlier
 * build, as where servers are replaced one after another, or whole.
 */
type Published = 'cut' | 'mixed' | 'whole';

/**
 * A connection to the portal that can be there and carry nothing, as one bar of signal may, and on
 * which a new version of the kept page can be published, whole or in part.
 */
async function openLink(portal: Portal) {
  const { port } = new URL(portal.url);
  let isStalled = false;
  let refusal = 200;
  let next: Published | undefined;
  const server = createServer((asked, answer) => {
    if (isStalled) return;
    if (refusal !== 200) {
      answer.writeHead(refusal, { 'content-type': 'text/html' });
      return void answer.end('<h1>The network asks you to sign in</h1>');
    }
    if (next === 'cut' && asked.url === '/gate') return void answer.destroy();
    const isNewWorker = next !== undefined && asked.url === '/sw.js';
    const isChanged = isNewWorker || (next === 'mixed' && asked.url === '/gate');
    const headers = { ...asked.headers, host: `localhost:${port}` };
    if (isChanged) {
      headers['accept-encoding'] = 'identity';
      delete headers['if-none-match'];
      delete headers['if-modified-since'];
    }
    const { method, url: path } = asked;
    const onward = request({ port, host: 'localhost', method, path, headers });
    onward.on('error', () => answer.destroy());
    onward.on('response', (given) => {
      const received = { ...given.headers };
      if (isChanged) delete received['content-length'];
      answer.writeHead(given.statusCode!, received);
      if (!isChanged) return void given.pipe(answer);
      const [name, other] = isNewWorker
        ? [/gate-[\w+/-]+=/, 'gate-next']
        : [/gate-[\w-]+\.js/, 'gate-earlier.js'];
      void text(given).then((code) => answer.end(code.replace(name, other)));
    });
    asked.pipe(onward);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  function setStalled(to: boolean) {
    isStalled = to;
    server.closeAllConnections();
  }
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stall: () => setStalled(true),
    resume() {
      refusal = 200;
      setStalled(false);
    },
    refuse(status: number) {
      refusal = status;
    },
    publish(version: Published) {
      next = version;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
