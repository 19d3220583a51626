import { addDays, calendarDateIn, formatDate } from '@gatehouse/contract/dates';
import { expect, type Locator, type Page } from '@playwright/test';

/** A date relative to the demo facility's today, as the tenant reads it. */
export function dateFromToday(days: number): string {
  return formatDate(addDays(calendarDateIn('America/Chicago', new Date()), days));
}

/** The rental card of a unit on My Units. */
export function rentalCard(page: Page, unitName: string): Locator {
  return page.getByRole('region', { name: unitName, exact: true });
}

/** The value of a row of a rental card, found by its label. */
export function row(card: Locator, label: string): Locator {
  return card
    .locator('dl > div')
    .filter({ has: card.page().locator('dt', { hasText: label }) })
    .locator('dd');
}

/** Opens the payment method dialog of a unit from Billing Info. */
export async function openPaymentMethod(page: Page, unitName: string): Promise<Locator> {
  await page.getByRole('button', { name: new RegExp(`^(Setup|Update) autopay for ${unitName}$`) }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('group', { name: 'Units' })).toBeVisible();
  return dialog;
}

/** Types a new card into the open dialog. */
export async function fillCard(dialog: Locator, cardNumber = '4242424242424242'): Promise<void> {
  await dialog.getByLabel('Card Number').fill(cardNumber);
  await dialog.getByLabel('Expiration Month').selectOption('04');
  await dialog.getByLabel('Expiration Year').selectOption(String(new Date().getFullYear() + 3));
  await dialog.getByLabel('Security Code').fill('123');
  await dialog.getByLabel('Name on Card').fill('Dana Reyes');
  await dialog.getByLabel('Billing Zip').fill('76020');
}
