import { expectAccessible } from '../support/axe.ts';
import {
  WITHOUT_MOTION,
  because,
  openOffice,
  openTenantOf,
  perform,
  press,
  rental,
  signInStaff,
} from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({ viewport: { width: 1024, height: 768 }, contextOptions: WITHOUT_MOTION });

test('each verb at a rental opens with its inputs, asks for the reason where money moves, and is accessible', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'manager');
  await openTenantOf(page, portal, 'B207');
  const card = rental(page, 'B207');
  const labels: string[] = [];
  for (const menu of ['Rental', 'Money', 'Access']) {
    await card.getByRole('button', { name: menu, exact: true }).click();
    labels.push(...(await page.getByRole('menu').getByRole('menuitem').allTextContents()));
    await page.keyboard.press('Escape');
  }
  expect(labels).toContain('Change the gate code');
  for (const label of labels) {
    await press(card, label);
    const dialog = page.getByRole('dialog', { name: label });
    await expect(dialog.getByLabel('Reason')).toBeVisible();
    await expectAccessible(page);
    await because(dialog);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    // What would be done, what is missing, or why not.
    await expect(
      dialog
        .getByRole('region', { name: 'Preview' })
        .or(dialog.locator('[role=alert], .Mui-error'))
        .first(),
    ).toBeVisible();
    await page.reload();
    await expect(card.getByRole('button').first()).toBeVisible();
  }
});

test('an alarm is found by its kind among all, and closed', async ({ page, portal }) => {
  await portal.sql(
    `INSERT INTO alarms (kind, key, facility_id, sentence, facts, raised_at)
     SELECT kind, kind, id, kind || ' happened.', '{}', '2026-11-25T10:00:00Z' FROM facilities,
       unnest(ARRAY['dispute_won', 'webhook_dead']) AS kind WHERE location_code = 'TXDFW03'`,
  );
  await signInStaff(page, portal, 'manager');
  await openOffice(page, '/alarms');
  await page.getByRole('combobox', { name: 'Of' }).fill('dispute');
  await page.getByRole('option', { name: 'Dispute won' }).click();
  await expect(page.getByRole('row', { name: /webhook_dead/ })).toHaveCount(0);
  await page.getByRole('row', { name: /dispute_won/ }).click();
  await perform(page, 'Close alarm', (dialog) => because(dialog), {
    says: 'Closed: dispute_won happened.',
  });
  await expect(page.getByRole('row', { name: /dispute_won/ })).toHaveCount(0);
});
