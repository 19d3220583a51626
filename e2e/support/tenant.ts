import { t } from '@gatehouse/language/t';
import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Opens My Units and waits until all of it is loaded: a row that comes in moves those under it, and
 * a press that begins on a button may end outside of it.
 */
export async function openMyUnits(page: Page): Promise<void> {
  await page.goto('/');
  await expect(page.getByRole('region', { name: t('Current Rentals') })).toBeVisible();
  await expect(page.locator('main .appear-late')).toHaveCount(0);
}

/** The rental card of a unit on My Units. */
export function rentalCard(page: Page, unitName: string): Locator {
  return page.getByRole('region', { name: unitName, exact: true });
}

/** Opens what the rows that are done have in store: details, and how to change them. */
export async function openDetails(scope: Page | Locator): Promise<void> {
  for (const button of await scope
    .getByRole('button', { name: t('Details of {unit}', { unit: '' }).trim() })
    .all())
    if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
}

/** On the sign-in page: has the picker of the location in sight, also where one is remembered. */
export async function changeLocation(page: Page): Promise<void> {
  const change = page.getByRole('button', { name: 'Change location' });
  if (await change.isVisible()) await change.click();
}

/** Opens a card of one line, as on Profile and Account, and answers it. */
export async function openCard(page: Page, name: string): Promise<Locator> {
  const card = page.getByRole('region', { name, exact: true });
  await card.locator('summary').click();
  return card;
}

/** The value of a row of a rental card, found by its label. */
export function row(card: Locator, label: string): Locator {
  return card
    .locator('dl > div')
    .filter({ has: card.page().locator('dt', { hasText: label }) })
    .locator('dd');
}

/** Expects text in the red that the tokens have for what is missing or went wrong. */
export async function expectRed(text: Locator): Promise<void> {
  await expectTone(text, 'bad');
}

/** Expects text in the green that the tokens have for what is done. */
export async function expectGreen(text: Locator): Promise<void> {
  await expectTone(text, 'good');
}

async function expectTone(text: Locator, token: 'bad' | 'good'): Promise<void> {
  const [toned, plain] = await text.page().evaluate((name) => {
    const probe = document.body.appendChild(document.createElement('i'));
    const plain = getComputedStyle(probe).color;
    probe.style.color = `var(--${name})`;
    const toned = getComputedStyle(probe).color;
    probe.remove();
    return [toned, plain] as const;
  }, token);
  expect(toned).not.toBe(plain);
  await expect(text).toHaveCSS('color', toned);
}

/** Goes to a screen by the menu, which a phone has behind a button. */
export async function openByMenu(page: Page, item: string): Promise<void> {
  const toggle = page.getByRole('button', { name: t('Menu') });
  if (await toggle.isVisible()) await toggle.click();
  await page
    .getByRole('navigation', { name: t('Menu') })
    .getByRole('link', { name: item, exact: true })
    .click();
}

/** Opens the payment method dialog of a unit from Billing Info. */
export async function openPaymentMethod(page: Page, unitName: string): Promise<Locator> {
  const about = t('autopay for {unit}', { unit: unitName });
  const name = new RegExp(`^(${t('Setup')}|${t('Update')}) ${about}$`);
  await page.getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('group', { name: t('Units') })).toBeVisible();
  return dialog;
}

/** Opens the pay sheet of a unit from Billing Info. */
export async function openPaySheet(page: Page, unitName: string): Promise<Locator> {
  const about = t('for {unit}', { unit: unitName });
  const name = new RegExp(`^(${t('Pay')}|${t('Pay ahead')}) ${about}$`);
  await page.getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('button[type=submit]')).toBeVisible();
  return dialog;
}

/** Has the open pay sheet ask for a new method in place of the saved one. */
export async function chooseNewMethod(sheet: Locator): Promise<void> {
  const change = `${t('Change')} ${t('the payment method')}`;
  await sheet.getByRole('button', { name: change }).click();
  await sheet.getByRole('radio', { name: t('New payment method') }).check();
}

/** Types a new card into the open dialog. */
export async function fillCard(dialog: Locator, cardNumber = '4242424242424242'): Promise<void> {
  await dialog.getByLabel(t('Card Number')).fill(cardNumber);
  await dialog.getByLabel(t('Expiration Month')).selectOption('04');
  await dialog.getByLabel(t('Expiration Year')).selectOption('2029');
  await dialog.getByLabel(t('Security Code')).fill('123');
  await dialog.getByLabel(t('Name on Card')).fill('Dana Reyes');
  await dialog.getByLabel(t('Billing Zip')).fill('76020');
}

/** From now on the one call of My Units lacks these parts: their own calls are sent. */
export async function leaveOutOfOverview(page: Page, ...parts: string[]): Promise<void> {
  await page.route('**/overview', async (route) => {
    const response = await route.fetch();
    const overview = (await response.json()) as object;
    const kept = Object.entries(overview).filter(([part]) => !parts.includes(part));
    await route.fulfill({ response, json: Object.fromEntries(kept) });
  });
}

/** Leaves a dialog in which something was typed, with Escape. */
export async function discard(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page
    .getByRole('dialog', { name: t('Discard what you entered?') })
    .getByRole('button', { name: t('Discard') })
    .click();
}
