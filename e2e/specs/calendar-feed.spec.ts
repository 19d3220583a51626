import type { Page } from '@playwright/test';
import { expect, signIn, test, type Portal } from '../support/portal.ts';

async function openCalendar(page: Page, portal: Portal, email = 'dana@example.com') {
  await signIn(page, portal, email);
  await page.goto('/account#calendar');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Management');
  return page.getByRole('region', { name: 'Calendar' });
}

// spec 10.11
test('with the keyboard only a tenant makes a private calendar, a calendar app reads it, and it is removed', async ({
  page,
  portal,
}) => {
  const card = await openCalendar(page, portal);
  await expect(card).toContainText('never your gate code');
  await card.getByRole('button', { name: 'Create calendar' }).focus();
  await page.keyboard.press('Enter');
  const address = card.getByRole('textbox', { name: 'Calendar address' });
  await expect(address).toHaveValue(/\/calendar\/cal_[\w-]{70,}\.ics$/);
  await expect(card.getByRole('status').first()).toHaveText('Your calendar is ready.');
  await expect(card.locator(':focus')).toBeVisible();
  const url = await address.inputValue();
  await expect(card.getByRole('link', { name: 'Open in calendar app' })).toHaveAttribute(
    'href',
    url.replace(/^https?:/, 'webcal:'),
  );

  // As a calendar app: signed in nowhere.
  const read = () => fetch(`${portal.url}${new URL(url).pathname}`);
  const answer = await read();
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const text = (await answer.text()).replaceAll('\r\n ', '');
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\n/);
  expect(text).toContain('SUMMARY:Unpaid $214.50\\, A101');
  expect(text).toMatch(/SUMMARY:(Rent due|Autopay) \$[\d.]+\\, B207/);

  await page.reload();
  await expect(address).toHaveValue(url);
  await card.getByRole('button', { name: 'Remove calendar' }).focus();
  await page.keyboard.press('Enter');
  await expect(card.getByRole('button', { name: 'Create calendar' })).toBeFocused();
  await expect(card.getByRole('status').first()).toContainText('no longer works');
  expect((await read()).status).toBe(404);
});

test('a calendar that cannot be made or loaded says so, and a second press makes it', async ({
  page,
  portal,
}) => {
  const card = await openCalendar(page, portal, 'lee@example.com');
  await page.route('**/calendar-feed', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { message: 'Something broke.' } })
      : route.continue(),
  );
  await card.getByRole('button', { name: 'Create calendar' }).click();
  await expect(card.getByRole('alert')).toHaveText('Something broke.');
  await page.unroute('**/calendar-feed');
  await card.getByRole('button', { name: 'Create calendar' }).click();
  await expect(card.getByRole('textbox', { name: 'Calendar address' })).toBeVisible();

  await page.route('**/calendar-feed', (route) => route.abort());
  await page.reload({ waitUntil: 'networkidle' });
  await expect(card).toContainText('Your calendar could not be loaded.');
  await page.unroute('**/calendar-feed');
  await card.getByRole('button', { name: 'Try again' }).click();
  await expect(card.getByRole('textbox', { name: 'Calendar address' })).toBeVisible();
});
