import type { Locator, Page } from '@playwright/test';
import { mailsTo, newestCode } from '../support/mailbox.ts';
import { openOffice, signInStaff, WITHOUT_MOTION } from '../support/office.ts';
import { expect, type Portal, test } from '../support/portal.ts';
import { exports, LEASES } from './sheets.ts';

test.use({ contextOptions: WITHOUT_MOTION });

const CODE = 'TXDFW03';
const PASSWORD = 'tide-table 1994';

/** Counts what a person presses and fills in. */
class Hand {
  presses = 0;
  fills = 0;

  async press(button: Locator) {
    this.presses += 1;
    await button.click();
  }

  async fill(input: Locator, text: string) {
    this.fills += 1;
    await input.fill(text);
  }
}

const isReading = (page: Page) => page.getByRole('button', { name: 'Stop reading' });

/** Waits for what was read, and answers the first fault; null where there is none. */
async function nextFault(page: Page): Promise<Locator | null> {
  await expect(isReading(page)).toHaveCount(0);
  const groups = page.getByRole('region', { name: 'Faults' }).locator('> div > ul > li');
  return (await groups.count()) === 0 ? null : groups.first();
}

async function remedyAll(page: Page, hand: Hand) {
  const effects = page.getByRole('region', { name: 'What it does' });
  await expect(effects).toBeVisible();
  const missing = page.getByText('Say which one does.');
  if (await missing.isVisible()) {
    hand.presses += 1;
    await page.getByLabel('What Amt is').selectOption('balance');
    await expect(missing).toHaveCount(0);
  }
  for (let group = await nextFault(page); group !== null; group = await nextFault(page)) {
    const words = await group.locator('p').first().innerText();
    const input = group.getByRole('textbox').first();
    const button = group.getByRole('button').first();
    if (await input.isVisible()) await hand.fill(input, (await input.getAttribute('placeholder'))!);
    await hand.press(button);
    await expect(page.getByText(words, { exact: true })).toHaveCount(0);
  }
}

async function signUp(page: Page, portal: Portal, hand: Hand, email: string) {
  await page.goto(`${portal.url}/register`);
  hand.presses += 2;
  await page.getByLabel('What state is your facility located?').selectOption('Texas');
  await page.getByLabel('Select your location').selectOption(CODE);
  await hand.fill(page.getByLabel('Email Address'), email);
  await hand.press(page.getByRole('button', { name: 'Submit' }));
  await expect(page.getByLabel('Verification Code')).toBeVisible();
  const code = await newestCode(page, portal, email);
  await hand.fill(page.getByLabel('Verification Code'), code);
  await hand.press(page.getByRole('button', { name: 'Submit' }));
  await hand.fill(page.getByLabel('Password', { exact: true }), PASSWORD);
  await hand.press(page.getByRole('button', { name: 'Submit' }));
  await hand.press(page.getByRole('link', { name: 'Sign in to your account' }));
  await hand.fill(page.getByLabel('Password', { exact: true }), PASSWORD);
  await hand.press(page.getByRole('button', { name: 'Sign In', exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: 'My Units' })).toBeVisible();
}

for (const [system, fileOf] of Object.entries(exports))
  test(`${system}: from the file to the first tenant signed in`, async ({ page, portal }) => {
    const { name, bytes } = fileOf();
    const hand = new Hand();
    await signInStaff(page, portal, 'owner');
    const begun = performance.now();
    const seconds = () => Math.round((performance.now() - begun) / 1000);
    await openOffice(page, '/import');
    hand.presses += 1;
    await page
      .getByLabel('Files', { exact: true })
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: bytes });
    await hand.press(page.getByLabel('Facility of rows that name none'));
    await hand.press(page.getByRole('option', { name: new RegExp(`^${CODE} `) }));
    await hand.press(page.getByRole('button', { name: 'Read the files' }));
    await remedyAll(page, hand);
    const read = seconds();
    await hand.press(page.getByRole('button', { name: /^Import \d+ leases$/ }));
    const done = page.getByText(/\d+ leases are imported at TXDFW03\. Tenants/);
    await expect(done).toBeVisible();
    const imported = Number(/\d+/.exec(await done.innerText())![0]);
    expect(imported).toBeGreaterThan(0.94 * LEASES);
    const written = seconds();
    await hand.press(page.getByRole('button', { name: 'Invite tenants' }));
    const dialog = page.getByRole('dialog');
    await hand.press(dialog.getByRole('combobox'));
    await hand.press(page.getByRole('option', { name: new RegExp(`^${CODE} `) }));
    await hand.press(dialog.getByRole('button', { name: 'Preview' }));
    await hand.press(dialog.getByRole('button', { name: 'Invite tenants' }));
    await expect(dialog).toContainText(/\d+ invited by mail/);
    const [first] = await portal.sql(
      `SELECT t.email FROM mails m JOIN tenants t ON t.id = m.tenant_id
       WHERE m.about = 'invitation' ORDER BY m.position LIMIT 1`,
    );
    const email = String(first!['email']);
    await expect.poll(async () => (await mailsTo(page, portal, email)).length).toBeGreaterThan(0);
    const invited = seconds();
    await signUp(page, portal, hand, email);
    console.log(
      `${system}: ${imported} of ${LEASES} leases; ${hand.presses} presses, ${hand.fills} fields; ` +
        `read after ${read} s, imported after ${written} s, invited after ${invited} s, signed in after ${seconds()} s`,
    );
  });
