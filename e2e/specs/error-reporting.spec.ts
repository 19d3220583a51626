import type { Page } from '@playwright/test';
import { type ErrorSink, openErrorSink } from '../support/error-sink.ts';
import { expect, PASSWORD, type Portal, signIn, test as portalTest } from '../support/portal.ts';
import { fillCard, openByMenu, openPaymentMethod, rentalCard, row } from '../support/tenant.ts';

/** With an error sink of the operator's. */
const test = portalTest.extend<{ sink: ErrorSink }>({
  // Playwright reads the first parameter's form.
  // oxlint-disable-next-line no-empty-pattern
  sink: async ({}, use) => {
    const sink = await openErrorSink();
    await use(sink);
    await sink.close();
  },
  environment: async ({ sink }, use) => use({ SENTRY_DSN: sink.dsn }),
});

// Errors are what these tests make.
for (const one of [portalTest, test]) one.use({ mayLog: [/./] });

const EMAIL = 'dana@example.com';
const CARD = '4242424242424242';
const SECURITY_CODE = '9317';
const CARDHOLDER = 'Zelda Quartermain';

/** A bug of the portal outside its screens. */
async function failOn(page: Page, message: string): Promise<void> {
  await page.evaluate((text) => void Promise.reject(new Error(text)), message);
}

const says = (text: string) => (event: { exception: { values: { value: string }[] } }) =>
  event.exception.values.some(({ value }) => value.includes(text));

/**
 * Whether this visit is of the tenth whose replay is sent all along, or of those whose replay is
 * sent on an error.
 */
async function drawLots(page: Page, isSampled: boolean): Promise<void> {
  await page.addInitScript((sampled) => {
    const random = Math.random;
    Math.random = () => (sampled ? random() * 0.1 : 0.1 + random() * 0.9);
  }, isSampled);
}

/** When the first content was painted, and when the parts of the SDK were asked for. */
async function timesOf(page: Page): Promise<{ paint: number; sdk: number[] }> {
  return page.evaluate(() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity;
    const sdk = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/sentry'));
    return { paint, sdk: sdk.map(({ startTime }) => startTime) };
  });
}

/** What is known of the tenant: stored in the browser, shown on My Units, written in the books. */
async function secretsOf(page: Page, portal: Portal) {
  const [tenant] = await portal.sql(
    'SELECT first_name, last_name, street1, phone FROM tenants WHERE email = $1',
    [EMAIL],
  );
  const { first_name, last_name, street1, phone } = tenant as Record<string, string>;
  const { token, currentTenantId } = await page.evaluate(
    () =>
      JSON.parse(localStorage.getItem('gatehouse')!) as Record<'token' | 'currentTenantId', string>,
  );
  const gateCode = await row(rentalCard(page, 'B207'), 'Gate Access')
    .locator('span')
    .first()
    .innerText();
  const shown = {
    token,
    tenantId: currentTenantId,
    gateCode: gateCode.replace('#', ''),
    phone: phone!.slice(-10),
  };
  return { ...shown, name: `${first_name} ${last_name}`, street: street1! };
}

function expectNothingOf(secrets: string[], sink: ErrorSink): void {
  const text = sink.texts().join('\n');
  const dense = text.replace(/[\s-]/g, '');
  for (const secret of secrets) {
    if (/^\d{1,8}$/.test(secret)) {
      // As part of another number it means nothing.
      expect(text).not.toMatch(new RegExp(`(?<![\\w.])${secret}(?![\\w.])`));
      continue;
    }
    const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
    for (const form of [secret, base64, Array.from(secret).toReversed().join('')]) {
      expect([text, dense].filter((sent) => sent.includes(form))).toEqual([]);
    }
  }
}

portalTest(
  'without a DSN nothing of the error reporting is loaded and nothing leaves',
  async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const answer = await page.goto('/login');
    expect(answer?.headers()['content-security-policy']).toContain("connect-src 'self';");
    await page.getByLabel('What state is your facility located?').selectOption('Texas');
    await expect(page.getByLabel('Select your location')).toBeEnabled();
    await failOn(page, 'Nobody hears of this.');
    // The same wait as the portal's, which began first.
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          const painted = new PerformanceObserver((entries) => {
            if (entries.getEntriesByName('first-contentful-paint').length === 0) return;
            painted.disconnect();
            requestIdleCallback(resolve, { timeout: 3000 });
          });
          painted.observe({ type: 'paint', buffered: true });
        }),
    );
    expect((await timesOf(page)).sdk).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(new URL(page.url()).origin))).toEqual([]);
  },
);

// spec 9.32, 9.34
// asvs 14.2.3
test('an error arrives with its replay and its trace, and nothing secret with them', async ({
  page,
  portal,
  sink,
}) => {
  await drawLots(page, false);
  await page.addInitScript(() =>
    addEventListener(
      'DOMContentLoaded',
      () => void Promise.reject(new Error('Before the SDK was there.')),
    ),
  );
  const answer = await page.goto('/login');
  expect(answer?.headers()['content-security-policy']).toContain(
    `connect-src 'self' ${sink.origin};`,
  );
  await sink.first('event', says('Before the SDK was there.'));
  const { paint, sdk } = await timesOf(page);
  expect(sdk.length).toBeGreaterThanOrEqual(2);
  expect(Math.min(...sdk)).toBeGreaterThan(paint);

  await page.getByLabel('What state is your facility located?').selectOption('Texas');
  await page.getByLabel('Select your location').selectOption('TXDFW03');
  await page.getByLabel('Email Address').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(row(rentalCard(page, 'B207'), 'Gate Access')).toContainText('#');
  const { token, tenantId, gateCode, phone, name, street } = await secretsOf(page, portal);
  // The first error's segment is sent seconds after it: the next error is in another one.
  await sink.first('replay_event');
  await failOn(
    page,
    `A careless message: Bearer ${token}, ${tenantId}, ${EMAIL}, code ${gateCode}#, ${phone}, 4242 4242 4242 4242, ${SECURITY_CODE}`,
  );
  const event = await sink.first('event', says('A careless message'));
  expect(event.tags?.replayId).toBeDefined();
  // A replay comes in segments: the error is named in the one that was recorded when it happened,
  // which is sent once something is recorded after it.
  await page.locator('summary').first().click();
  await sink.first(
    'replay_event',
    ({ replay_id, error_ids }) =>
      replay_id === event.tags?.replayId && error_ids.includes(event.event_id),
  );
  // What was on the screen is there, behind its mask.
  expect(JSON.stringify(sink.all('replay_recording'))).toMatch(/"\*{2} \*{5}/);

  await page.goto('/billing-info');
  await sink.first('transaction', ({ transaction }) => transaction === '/billing-info');
  const dialog = await openPaymentMethod(page, 'A101');
  await dialog.getByRole('radio', { name: 'New payment method' }).check();
  await fillCard(dialog, CARD);
  await dialog.getByLabel('Security Code').fill(SECURITY_CODE);
  await dialog.getByLabel('Name on Card').fill(CARDHOLDER);
  await failOn(page, 'While a card was typed.');
  expect(
    (await sink.first('event', says('While a card was typed.'))).tags?.replayId,
  ).toBeUndefined();

  const known = [token, tenantId, gateCode, phone, name, street];
  expectNothingOf([...known, EMAIL, PASSWORD, CARD, SECURITY_CODE, CARDHOLDER], sink);
});

// spec 9.33
test('what breaks a screen is reported, and the replay is off while a payment dialog is open', async ({
  page,
  portal,
  sink,
}) => {
  await drawLots(page, true);
  await signIn(page, portal, EMAIL);
  await page.goto('/');
  await openByMenu(page, 'Billing Info');
  const before = await sink.first('replay_event');

  const now = () => page.evaluate(() => Date.now());
  const dialog = await openPaymentMethod(page, 'A101');
  const opened = await now();
  await dialog.getByRole('radio', { name: 'New payment method' }).check();
  await fillCard(dialog, CARD);
  const closing = await now();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();

  await page.evaluate(() => {
    Object.defineProperty(Number.prototype, 'toFixed', {
      get() {
        throw new Error('No number can be shown.');
      },
    });
  });
  await page.goBack();
  await expect(
    page.getByRole('heading', { name: 'Something went wrong while showing this page.' }),
  ).toBeVisible();
  const event = await sink.first('event', says('No number can be shown.'));
  expect(event.exception.values.at(-1)?.mechanism).toMatchObject({
    type: 'error-page',
    handled: true,
  });

  const after = await sink.first('replay_event', ({ replay_id }) => replay_id !== before.replay_id);
  expect(event.tags?.replayId).toBe(after.replay_id);
  const times = sink
    .all('replay_recording')
    .flatMap((events) => events.map(({ timestamp }) => timestamp));
  expect(Math.min(...times)).toBeLessThan(opened);
  expect(Math.max(...times)).toBeGreaterThan(closing);
  expect(times.filter((time) => time >= opened && time <= closing)).toEqual([]);
});
