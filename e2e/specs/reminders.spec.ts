import type { Page } from '@playwright/test';
import { expect, signIn, test, type Portal } from '../support/portal.ts';

async function openReminders(page: Page, portal: Portal, email = 'dana@example.com') {
  await signIn(page, portal, email);
  await page.goto('/account#reminders');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Management');
  return page.getByRole('region', { name: 'Reminders' });
}

// spec 10.30
test('with the keyboard only a kind of reminders is stopped and switched on again, and stays so', async ({
  page,
  portal,
}) => {
  const card = await openReminders(page, portal);
  const soon = card.getByRole('checkbox', { name: 'Before rent is due' });
  const gate = card.getByRole('checkbox', { name: 'Before the gate closes' });
  await expect(soon).toBeChecked();
  await soon.focus();
  await page.keyboard.press('Space');
  await expect(card.getByRole('status').first()).toHaveText('Before rent is due: no reminders.');
  await expect(soon).not.toBeChecked();
  await expect(soon).toBeFocused();
  await page.reload();
  await expect(soon).not.toBeChecked();
  await expect(gate).toBeChecked();
  await soon.focus();
  await page.keyboard.press('Space');
  await expect(card.getByRole('status').first()).toHaveText(
    'Before rent is due: you get reminders.',
  );
  await page.reload();
  await expect(soon).toBeChecked();
});

test('a change that is refused says so and leaves the choice as it was', async ({
  page,
  portal,
}) => {
  const card = await openReminders(page, portal);
  const today = card.getByRole('checkbox', { name: 'On the day rent is due' });
  await page.route('**/reminders', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { message: 'Something broke.' } })
      : route.continue(),
  );
  await today.click();
  await expect(card.getByRole('alert')).toContainText('Something broke.');
  await expect(today).toBeChecked();
  await page.unroute('**/reminders');
  await today.click();
  await expect(today).not.toBeChecked();
});

test('a facility that sends no reminders offers no choice', async ({ page, portal }) => {
  await portal.sql('UPDATE facilities SET sends_reminders = false');
  const card = await openReminders(page, portal, 'lee@example.com');
  await expect(card).toContainText('Your facility sends no reminders.');
  await expect(card.getByRole('checkbox')).toHaveCount(0);
});
