import type { Page } from '@playwright/test';
import { expect, PASSWORD, signIn, test } from '../support/portal.ts';

async function signInByForm(page: Page) {
  await page.goto('/login');
  await page.getByLabel('What state is your facility located?').selectOption('Texas');
  await page.getByLabel('Select your location').selectOption('TXDFW03');
  await page.getByLabel('Email Address').fill('dana@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

const units = (page: Page) => page.getByRole('heading', { level: 3, name: 'A101' });
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('gatehouse'));
const databases = (page: Page) =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));

/** The statuses of the API's answers to calls with a token. */
function listen(page: Page): number[] {
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.request().headers()['authorization'] !== undefined)
      statuses.push(response.status());
  });
  return statuses;
}

test('a token copied from local storage is refused in another browser and still works in its own', async ({
  page,
  otherContext,
  context,
}) => {
  const statuses = listen(page);
  await signInByForm(page);
  await expect(units(page)).toBeVisible();
  const copy = await stored(page);
  const token = (JSON.parse(copy!) as { token: string }).token;

  const elsewhere = await otherContext.newPage();
  await elsewhere.goto('/healthz');
  await elsewhere.evaluate((text) => localStorage.setItem('gatehouse', text!), copy);
  const taken = listen(elsewhere);
  await elsewhere.goto('/');
  await expect(elsewhere).toHaveURL(/\/login$/);
  expect(Object.keys(JSON.parse((await stored(elsewhere))!) as object)).toEqual([
    'device',
    'remembered',
  ]);
  expect(new Set(taken)).toEqual(new Set([401]));
  const answer = await page.request.get('/api/corporations/ANCHOR/locations/TXDFW03', {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(answer.status()).toBe(401);

  // The reads before the paint are proven too, and those of a second tab.
  await page.reload();
  await expect(units(page)).toBeVisible();
  const tab = await context.newPage();
  const inTab = listen(tab);
  await tab.goto('/');
  await expect(units(tab)).toBeVisible();
  expect(new Set([...statuses, ...inTab])).toEqual(new Set([200]));
});

test('the private key cannot be read, and a logout deletes it', async ({ page }) => {
  await signInByForm(page);
  await expect(units(page)).toBeVisible();
  const isReadable = await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('gatehouse');
        opening.onerror = reject;
        opening.onsuccess = () => {
          const reading = opening.result.transaction('proof').objectStore('proof').get('keys');
          reading.onsuccess = () => {
            opening.result.close();
            resolve((reading.result as CryptoKeyPair).privateKey.extractable);
          };
        };
      }),
  );
  expect(isReadable).toBe(false);
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  const ended = page.waitForResponse((response) => response.url().endsWith('/users/logout'));
  await page.getByRole('button', { name: 'Logout' }).click();
  expect((await ended).status()).toBe(200);
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => databases(page)).toEqual([]);
});

test('a token whose key was cleared is signed out', async ({ page }) => {
  await signInByForm(page);
  await expect(units(page)).toBeVisible();
  await page.goto('/healthz');
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.deleteDatabase('gatehouse').onsuccess = resolve;
      }),
  );
  await page.goto('/');
  await expect(page).toHaveURL(/\/login$/);
  expect(Object.keys(JSON.parse((await stored(page))!) as object)).toEqual([
    'device',
    'remembered',
  ]);
});

test('a phone whose clock is an hour wrong signs in and stays signed in', async ({ page }) => {
  await page.addInitScript(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 3_600_000;
  });
  await signInByForm(page);
  await expect(units(page)).toBeVisible();
  const statuses = listen(page);
  // The time was learnt at the first refusal, and is kept.
  await page.reload();
  await expect(units(page)).toBeVisible();
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test.describe('without IndexedDB', () => {
  test.beforeEach(({ page }) =>
    page.addInitScript(() => Reflect.deleteProperty(globalThis, 'indexedDB')),
  );

  test('a tenant signs in with an unbound token', async ({ page, portal }) => {
    await signInByForm(page);
    await expect(units(page)).toBeVisible();
    const rows = await portal.sql(
      'SELECT proof_key FROM sessions ORDER BY created_at DESC LIMIT 1',
    );
    expect(rows).toEqual([{ proof_key: null }]);
  });

  test.describe('where tokens must be bound', () => {
    test.use({
      environment: { REQUIRE_BOUND_TOKENS: 'on' },
      mayLog: [/^Sign-in failed: 422 This browser cannot keep a key/],
    });

    test('a sign-in is refused with a sentence, and so is an unbound session', async ({
      page,
      portal,
    }) => {
      await signInByForm(page);
      await expect(page.getByRole('alert')).toContainText('This browser cannot keep a key');
      await signIn(page, portal, 'dana@example.com');
      await page.goto('/');
      await expect(page).toHaveURL(/\/login$/);
    });
  });
});
