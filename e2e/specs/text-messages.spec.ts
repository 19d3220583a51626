import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/axe.ts';
import { expect, signIn, test, type Portal } from '../support/portal.ts';

async function openReminders(page: Page, portal: Portal, email = 'dana@example.com') {
  await signIn(page, portal, email);
  await page.goto('/account#reminders');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Management');
  return page.getByRole('region', { name: 'Reminders' });
}

/** The code in the newest text message to Dana's phone, as the sandbox's mailbox shows it. */
async function newestCode(page: Page): Promise<string> {
  const mailbox = await page.context().newPage();
  await mailbox.goto('/mailbox?to=8175550142');
  const text = await mailbox.getByRole('article').first().innerText();
  await mailbox.close();
  return /\b\d{8}\b/.exec(text)![0];
}

async function switchOn(page: Page, card: Locator): Promise<void> {
  await card.getByRole('checkbox', { name: 'Text me reminders' }).check();
  await card.getByRole('button', { name: 'Text me a code' }).click();
  const field = card.getByLabel('Code', { exact: true });
  await expect(field).toBeVisible();
  await field.fill(await newestCode(page));
  await card.getByRole('button', { name: 'Switch on' }).click();
  await expect(card.getByText('Reminders go by text message to (817) 555-0142')).toBeVisible();
}

// spec 10.62
test(
  'with the keyboard only a tenant agrees to text messages, confirms the phone and switches them off',
  { tag: '@wide' },
  async ({ page, portal }) => {
    const card = await openReminders(page, portal);
    const box = card.getByRole('checkbox', { name: 'Text me reminders' });
    await expect(box).not.toBeChecked();
    await expect(card).toContainText('Message and data rates may apply. Reply STOP to end');
    await expectAccessible(page);
    await box.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(box).toHaveAccessibleDescription(/Tick the box to agree/);
    await box.focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(card.getByRole('status').first()).toHaveText('A code was sent to (817) 555-0142.');
    await expect(card.getByRole('heading', { name: 'Text messages' })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    await page.keyboard.type('1234');
    await page.keyboard.press('Enter');
    const field = card.getByLabel('Code', { exact: true });
    await expect(field).toHaveAccessibleDescription(/This code is wrong or too old/);
    await field.fill('');
    await page.keyboard.type(await newestCode(page));
    await page.keyboard.press('Enter');
    await expect(card.getByRole('status').first()).toHaveText('Reminders now go by text message.');
    await page.reload();
    await expect(card).toContainText('Reminders go by text message to (817) 555-0142');
    await card.getByRole('button', { name: 'Switch text messages off' }).focus();
    await page.keyboard.press('Enter');
    await expect(card.getByRole('status').first()).toHaveText(
      'Text messages are off. Reminders go by email.',
    );
    await expect(box).not.toBeChecked();
  },
);

// spec 10.63
test('STOP from the phone ends them, as the mailbox lets one try, and START gives them again', async ({
  page,
  portal,
}) => {
  const card = await openReminders(page, portal);
  await switchOn(page, card);
  const answer = async (word: string) => {
    await page.goto('/mailbox?to=8175550142');
    await expectAccessible(page);
    const text = page.getByRole('article').first();
    await text.getByLabel('Answer from (817) 555-0142').fill(word);
    await text.getByRole('button', { name: 'Send answer' }).click();
    await expect(page.getByRole('status')).toContainText(`answered “${word}”`);
    await page.goto('/account#reminders');
  };
  await answer('STOP');
  await expect(card).toContainText('STOP was texted from (817) 555-0142');
  await expectAccessible(page);
  await answer('START');
  await expect(card).toContainText('Reminders go by text message to (817) 555-0142');
});

test('a code is sent again, and asking is taken back', async ({ page, portal }) => {
  const card = await openReminders(page, portal);
  await card.getByRole('checkbox', { name: 'Text me reminders' }).check();
  await card.getByRole('button', { name: 'Text me a code' }).click();
  await card.getByRole('button', { name: 'Text me another code' }).click();
  await expect(card.getByRole('status').first()).toHaveText(
    'Another code was sent to (817) 555-0142.',
  );
  await card.getByRole('button', { name: 'Cancel' }).click();
  await expect(card.getByRole('checkbox', { name: 'Text me reminders' })).not.toBeChecked();
});

// spec 10.60
test('where the facility sends none, or no phone is on file, none are offered', async ({
  page,
  portal,
}) => {
  const card = await openReminders(page, portal, 'pat@example.com');
  await expect(card).toContainText('There is no phone number on file that gets text messages.');
  await portal.sql('UPDATE facilities SET sends_texts = false');
  await page.reload();
  await expect(card.getByRole('checkbox').first()).toBeVisible();
  await expect(card).not.toContainText('Text messages');
});
