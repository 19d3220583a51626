import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { MEMBER_HEADER } from '@gatehouse/contract/office/office-endpoint';
import { expect, type Locator, type Page } from '@playwright/test';
import { openOwnerDatabase } from '../../server/src/db/database.ts';
import { walkBooks } from '../../server/src/features/money/books-check/check-all-books.ts';
import { OFFICE_COOKIE } from '../../server/src/http/staff-guard.ts';
import { hashToken, newStaffToken } from '../../server/src/http/token.ts';
import { testClock } from '../../server/test/test-day.ts';
import type { Portal } from './portal.ts';

export type Role = 'clerk' | 'manager' | 'owner';

/** Options of a test's context: animations are a third of the processor time of the office. */
export const WITHOUT_MOTION = { reducedMotion: 'reduce' } as const;

/** Begins a session of a demo member of staff; one test types the password. */
export async function signInStaff(page: Page, portal: Portal, role: Role): Promise<void> {
  const token = newStaffToken();
  await portal.sql(
    `INSERT INTO staff_sessions (token_hash, staff_id, created_at, last_seen_at)
     SELECT $1, id, $3, $3 FROM staff_members WHERE email = $2`,
    [hashToken(token), `${role}@anchor-axle.example`, testClock.now()],
  );
  const { hostname } = new URL(portal.url);
  await page
    .context()
    .addCookies([{ name: OFFICE_COOKIE, value: token, domain: hostname, path: '/', secure: true }]);
}

/** Opens a page of the office, and waits until its menu is there. */
export async function openOffice(page: Page, path: string): Promise<void> {
  await page.goto(`/office${path}`);
  await expect(page.getByRole('menuitem', { name: 'Tenants' })).toBeVisible();
}

/** Opens the page of the tenant who rents a unit. */
export async function openTenantOf(page: Page, portal: Portal, unitName: string): Promise<void> {
  const [row] = await portal.sql(
    `SELECT l.tenant_id AS id FROM ledgers l JOIN units u ON u.id = l.unit_id
     WHERE u.name = $1 AND l.moved_out_on IS NULL`,
    [unitName],
  );
  await openOffice(page, `/tenants/${String(row!.id)}/show`);
  await expect(page.getByText('Owed in all')).toBeVisible();
}

/** The path of a new pay link for what a unit owes, made by a clerk's call without the office. */
export async function payLinkTo(page: Page, portal: Portal, unitName: string): Promise<string> {
  await signInStaff(page, portal, 'clerk');
  const [cookie] = await page.context().cookies(portal.url);
  const [ledger] = await portal.sql(
    `SELECT l.id, m.id AS member FROM ledgers l JOIN units u ON u.id = l.unit_id, staff_members m
     WHERE u.name = $1 AND m.email = 'clerk@anchor-axle.example'`,
    [unitName],
  );
  const answer = await page.request.post(`${portal.url}/api/office/verbs/pay-links/create`, {
    headers: {
      cookie: `${OFFICE_COOKIE}=${cookie!.value}`,
      [MEMBER_HEADER]: String(ledger!['member']),
      origin: portal.url,
    },
    data: { ledgerId: ledger!['id'], key: randomUUID(), why: 'Asked for', isPreview: false },
  });
  const { url } = (await answer.json()) as { url: string };
  return new URL(url).pathname;
}

/** The card of a rental on a tenant's page. */
export function rental(page: Page, unitName: string): Locator {
  return page.getByRole('region', { name: `Rental ${unitName}` });
}

/** The menus of a tenant's page, each with what it may hold; other verbs have a button in sight. */
const menus: Record<string, string[]> = {
  Rental: [
    ...['Quote', 'Move in', 'Change the rent', 'Cancel the rent change'],
    ...['Transfer', 'Cancel the transfer', 'Move out', 'Cancel the move-out'],
    'Assign to another tenant',
  ],
  Money: [
    ...['Send a pay link', 'Statement', 'Change the tax of all', 'Add a credit', 'Move the credit'],
    ...['Pay out the credit', 'Change the tax', 'Hold', 'Change the hold', 'End the hold'],
    ...['Stop autopay', 'Write off'],
  ],
  Access: ['Change the gate code', 'Authorize a person', 'Release the lock', 'Overlock'],
  Person: [
    ...['Change the record', 'Change email', 'Join the address', 'Rent again', 'Do not rent'],
    ...['Record a death', 'Change the executor', 'Take back the death'],
  ],
};

/** Presses what opens a verb on a tenant's page: its button, or its item of a menu. */
export async function press(scope: Locator | Page, label: string): Promise<void> {
  const button = (name: string) => scope.getByRole('button', { name, exact: true }).first();
  const menu = Object.keys(menus).find((name) => menus[name]!.includes(label));
  if (menu === undefined) return button(label).click();
  await button(menu).click();
  const page = 'page' in scope ? scope.page() : scope;
  await page.getByRole('menuitem', { name: label, exact: true }).click();
}

/** Opens the dialog of a new charge on a rental of the record. */
export async function openNewCharge(page: Page, unitName: string): Promise<Locator> {
  await press(page, 'Add a charge');
  const dialog = page.getByRole('dialog', { name: 'Add a charge' });
  await chooseRental(dialog, unitName);
  return dialog;
}

/** Chooses a rental of the record; of its only one there is nothing to choose. */
export async function chooseRental(dialog: Locator, unitName: string): Promise<void> {
  const choice = dialog.getByRole('combobox', { name: 'Rental' });
  if ((await choice.textContent()) === unitName) return;
  await choice.click();
  await dialog.page().getByRole('option', { name: unitName, exact: true }).click();
}

/**
 * Performs a verb: opens it, fills the form in, reads the preview, does it and closes the
 * result. `says` is what the preview must hold.
 */
export async function perform(
  scope: Locator | Page,
  label: string,
  fill: (dialog: Locator) => Promise<void>,
  { says, act = label }: { says?: string | RegExp; act?: string } = {},
): Promise<void> {
  await press(scope, label);
  const page = 'page' in scope ? scope.page() : scope;
  const dialog = page.getByRole('dialog', { name: label });
  await fill(dialog);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  if (says !== undefined)
    await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText(says);
  await dialog.getByRole('button', { name: act, exact: true }).click();
  await expect(dialog.getByText('Done.', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
}

/** Chooses one of the units that are free. */
export async function chooseUnit(dialog: Locator, unitName: string, label = 'Unit'): Promise<void> {
  await dialog.getByRole('combobox', { name: label }).fill(unitName);
  await dialog
    .page()
    .getByRole('option', { name: new RegExp(`^${unitName}, `) })
    .click();
}

/** Saves a paper that a button gives, which must be a PDF; answers its file name. */
export async function savePaper(scope: Locator, label: string | RegExp): Promise<string> {
  const saved = scope.page().waitForEvent('download');
  await scope.getByRole('button', { name: label }).click();
  const paper = await saved;
  expect(readFileSync(await paper.path(), 'latin1')).toMatch(/^%PDF-/);
  return paper.suggestedFilename();
}

/** Ticks the rows of a list that name these units. */
export async function selectRows(page: Page, ...unitNames: string[]): Promise<void> {
  for (const unitName of unitNames)
    await page
      .getByRole('row', { name: new RegExp(unitName) })
      .getByRole('checkbox')
      .check();
}

/** Fills in the reason. */
export async function because(dialog: Locator, why = 'Asked for at the counter'): Promise<void> {
  await dialog.getByLabel('Reason').fill(why);
}

/** Balances by unit, in cents. */
export async function balances(portal: Portal, ...unitNames: string[]): Promise<number[]> {
  const rows = await portal.sql(
    `SELECT l.balance_cents::int AS cents FROM ledgers l JOIN units u ON u.id = l.unit_id
     WHERE u.name = ANY($1) ORDER BY u.name`,
    [unitNames],
  );
  return rows.map(({ cents }) => cents as number);
}

/** Expects that every ledger's books hold their invariants, as the nightly check reads them. */
export async function expectSoundBooks(portal: Portal): Promise<void> {
  const owner = openOwnerDatabase(portal.databaseUrl);
  try {
    const faults: string[] = [];
    for await (const batch of walkBooks(owner, testClock.now()))
      faults.push(...batch.faults.map(({ invariant, sentence }) => `${invariant}: ${sentence}`));
    expect(faults).toEqual([]);
  } finally {
    await owner.destroy();
  }
}
