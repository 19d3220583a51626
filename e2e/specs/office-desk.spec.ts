import { readFile } from 'node:fs/promises';
import { TEST_DAY } from '../../server/test/test-day.ts';
import { expectAccessible } from '../support/axe.ts';
import { addDays, formatDate } from '@gatehouse/contract/dates';
import {
  WITHOUT_MOTION,
  balances,
  because,
  expectSoundBooks,
  openOffice,
  openTenantOf,
  perform,
  rental,
  savePaper,
  selectRows,
  signInStaff,
} from '../support/office.ts';
import { mailsTo } from '../support/mailbox.ts';
import type { Page } from '@playwright/test';
import { picture } from '../support/picture.ts';
import { expect, PASSWORD, signIn, test, type Portal } from '../support/portal.ts';

test.use({
  viewport: { width: 1024, height: 768 },
  contextOptions: WITHOUT_MOTION,
  // A role that was taken away, and what another member changed meanwhile, are refused.
  mayLog: [/40[139]/],
});

/** Lee asks for a repair in the portal's API, with a photo. */
async function askWithPhoto(page: Page, portal: Portal): Promise<void> {
  await signIn(page, portal, 'lee@example.com');
  const { token } = JSON.parse(
    await page.evaluate(() => localStorage.getItem('gatehouse') ?? ''),
  ) as { token: string };
  const [ledger] = await portal.sql(
    "SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name = 'E022'",
  );
  const answer = await page.request.post(
    `${portal.url}/api/corporations/ANCHOR/locations/TXDFW03/maintenance-requests`,
    {
      headers: { authorization: `Bearer ${token}` },
      data: {
        ledgerId: ledger!.id,
        issueType: 'gate',
        issueDescription: 'The keypad is dark.',
        imageData: `data:image/png;base64,${picture(64, 32).toString('base64')}`,
      },
    },
  );
  expect(answer.status()).toBe(200);
}

test('a manager mails who is late, changes an email, raises rents in bulk, and a late fee from next month', async ({
  page,
  portal,
}) => {
  const today = TEST_DAY;
  await signInStaff(page, portal, 'manager');

  await test.step('a phone number on the late list dials', async () => {
    await openOffice(page, '/late');
    const row = page.getByRole('row', { name: /A101/ });
    await expect(row.getByRole('link', { name: '(817) 555-0142' })).toHaveAttribute(
      'href',
      'tel:+18175550142',
    );
    await expectAccessible(page);
  });

  await test.step('late notices: one mail a tenant from a kept text', async () => {
    await openOffice(page, '/late');
    await selectRows(page, 'A101', 'C014');
    await perform(
      page,
      'Mail a notice',
      async (dialog) => {
        await dialog.getByLabel('Text').selectOption('Standard');
        await dialog.getByLabel('Keep it as').fill('First notice');
        await dialog.getByRole('button', { name: 'Keep the text' }).click();
        await expect(dialog).toContainText('The text is kept.');
        await expect(dialog.getByLabel('Text')).toHaveValue('First notice');
      },
      { says: '1 tenant will be mailed.' },
    );
    const [mail] = await mailsTo(page, portal, 'dana@example.com');
    expect(mail!.subject).toBe('Unit A101 and C014: $664.50 is past due');
    await openTenantOf(page, portal, 'A101');
    await page.getByRole('tab', { name: 'Mails' }).click();
    await expect(page.getByRole('row', { name: /\$664\.50 is past due/ })).toBeVisible();
  });

  await test.step('late letters: a page a tenant in one PDF, and each on its tenant’s page', async () => {
    await openOffice(page, '/late');
    await selectRows(page, 'A101', 'C014');
    await page.getByRole('button', { name: 'Print letters' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Print letters' });
    await dialog.getByLabel('Text').selectOption('First notice');
    await expect(dialog.getByLabel('Wording')).toHaveValue(/\S/);
    await dialog.getByRole('button', { name: 'Preview' }).press('Enter');
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await expect(preview).toContainText('To be written to 1 tenant, a page each');
    await expect(preview.getByRole('region', { name: 'The first letter' })).toContainText(
      /, TX \d{5}/,
    );
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Print letters' }).press('Enter');
    expect(await savePaper(dialog, 'Save the PDF')).toBe(`letters-${today}.pdf`);
    await dialog.getByRole('button', { name: 'Close' }).press('Enter');
    await openTenantOf(page, portal, 'A101');
    await page.getByRole('tab', { name: 'Mails' }).click();
    const letter = page.getByRole('list', { name: 'Printed letters' });
    await expect(letter).toContainText('about $664.50, printed by Marcus Webb');
    await expectAccessible(page);
    expect(await savePaper(letter, /^Letter of/)).toBe(`letters-${today}.pdf`);
  });

  await test.step('the list is saved as a file', async () => {
    await openOffice(page, '/late');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export rows' }).click();
    const text = await readFile(await (await saving).path(), 'utf8');
    expect(text.split('\n')[0]).toContain('"balance"');
    expect(text).toContain('"A101"');
  });

  await test.step('another email address', async () => {
    await openTenantOf(page, portal, 'B115');
    await perform(
      page,
      'Change email',
      async (dialog) => {
        await dialog.getByLabel('New email').fill('pat.lindqvist@example.com');
        await because(dialog, 'Called back');
      },
      { says: 'The record will sign in with pat.lindqvist@example.com.' },
    );
    await expect(page.getByRole('link', { name: 'pat.lindqvist@example.com' })).toBeVisible();
  });

  await test.step('rents at once: what is replaced, and which months are paid ahead', async () => {
    await openTenantOf(page, portal, 'B115');
    await perform(rental(page, 'B115'), 'Add a credit', async (credit) => {
      await credit.getByLabel('Amount').fill('600');
      await credit.getByLabel('Description').fill('Paid ahead');
      await because(credit);
    });
    await openOffice(page, '/rates');
    await selectRows(page, 'A117', 'B115', 'B207');
    await page.getByRole('button', { name: 'Raise rents' }).click();
    const dialog = page.getByRole('dialog', { name: 'Raise 3 rents' });
    await dialog.getByLabel('From').fill(addDays(today, 75));
    await dialog.getByLabel('Reason').fill('Yearly rise');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    // 5 % of $129, $99 and $168, to the dollar.
    await expect(dialog).toContainText('3 of 3 rents can be raised: $19.00 more a month.');
    await expect(dialog).toContainText('1 of them has a change scheduled already.');
    await expect(dialog.getByRole('row', { name: /B207/ })).toContainText(
      /Ready\. It replaces \$179\.00 from \d/,
    );
    await expect(dialog.getByRole('row', { name: /B115/ })).toContainText(
      /Ready\. The months through \d+\/\d+\/\d+ are paid ahead and keep their rent: it rises on \d+\/\d+\/\d+\./,
    );
    await dialog.getByRole('button', { name: 'Raise 3 rents' }).click();
    await expect(dialog).toContainText('Done. Each tenant is mailed the notice.');
    await dialog.getByRole('button', { name: 'Close' }).click();
    const rows = await portal.sql(
      `SELECT l.scheduled_rate_cents::int AS cents FROM ledgers l JOIN units u ON u.id = l.unit_id
       WHERE u.name IN ('A117', 'B115', 'B207') ORDER BY 1`,
    );
    expect(rows).toEqual([{ cents: 10_400 }, { cents: 13_500 }, { cents: 17_600 }]);
  });

  await test.step('the late fee, from the first of next month', async () => {
    const first = addDays(`${today.slice(0, 7)}-28`, 4).slice(0, 7) + '-01';
    await openOffice(page, '/settings');
    await page.getByLabel('Late fee', { exact: true }).fill('25.00');
    await page.getByLabel(/^From/).fill(first);
    await page.getByLabel('Reason').fill('New price list');
    await page.getByRole('button', { name: 'Preview' }).click();
    const dialog = page.getByRole('dialog', { name: 'What will change' });
    await expect(dialog).toContainText(`to $25.00, from ${formatDate(first)} on.`);
    await dialog.getByRole('button', { name: 'Change the settings' }).click();
    await expect(page.getByRole('region', { name: 'Rules' })).toContainText(
      `From ${formatDate(first)}: Late fee: $25.00`,
    );
    const mails = page.getByRole('region', { name: 'Mails' });
    await mails.getByLabel('Address').fill('boss@example.com');
    await mails.getByRole('button', { name: 'Add' }).click();
    await expect(mails.getByRole('listitem')).toContainText(
      'At 07:00: who is late: boss@example.com',
    );
  });

  await test.step('the rent roll of last month', async () => {
    const last = addDays(`${today.slice(0, 7)}-01`, -1);
    await openOffice(page, '/reports');
    await page.getByLabel('As of').fill(last);
    await expect(page.getByRole('row', { name: /Reyes/ }).first()).toBeVisible();
    await expect(page.getByRole('row', { name: /E022/ })).toContainText('$240.00');
  });
  await expectSoundBooks(portal);
});

test('an owner invites a clerk, who signs in; a role taken away ends the session under an open dialog', async ({
  page,
  portal,
  otherContext,
}) => {
  await signInStaff(page, portal, 'owner');
  await openOffice(page, '/staff');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('new.clerk@anchor-axle.example');
  await dialog.getByLabel(/^TXDFW03 /).check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByRole('row', { name: /new\.clerk@/ })).toContainText('Invited');
  const [mail] = await mailsTo(page, portal, 'new.clerk@anchor-axle.example');
  // The server was given no port, so its links have none.
  const link = /\/office\/invitation\S+/.exec(mail!.text)?.[0] ?? '';

  const other = await otherContext.newPage();
  await other.goto(link);
  // As a sign-out of the same member leaves it that did not reach the office.
  const [member] = await portal.sql(
    "SELECT id FROM staff_members WHERE email = 'new.clerk@anchor-axle.example'",
  );
  await other.evaluate(
    (id) => localStorage.setItem('gatehouse-office-leaving', id),
    member!['id'] as string,
  );
  await other.getByLabel('Your name').fill('Kim Ito');
  await other.getByLabel('Password').fill('a password for the office');
  await other.getByRole('button', { name: 'Continue' }).click();
  await expect(other.getByRole('menuitem', { name: 'Tenants' })).toBeVisible();
  await expect(other.getByRole('menuitem', { name: 'Settings' })).toHaveCount(0);

  await test.step('a manager who is a clerk from now on is refused in a sentence, and keeps what was typed', async () => {
    await otherContext.clearCookies();
    await signInStaff(other, portal, 'manager');
    await openTenantOf(other, portal, 'A101');
    await rental(other, 'A101').getByRole('button', { name: 'Waive' }).first().click();
    const waive = other.getByRole('dialog', { name: 'Waive' });
    await because(waive, 'Asked nicely');
    await page.getByRole('row', { name: /manager@/ }).click();
    await page.getByRole('button', { name: 'Change the role' }).click();
    const change = page.getByRole('dialog');
    await change.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'clerk' }).click();
    await because(change, 'Works at the other gate');
    await change.getByRole('button', { name: 'Preview' }).click();
    await expect(change.getByRole('region', { name: 'Preview' })).toContainText(
      'Marcus Webb can no longer waive, refund, reverse and credit',
    );
    await expectAccessible(page);
    await change.getByRole('button', { name: 'Change the role' }).click();
    await change.getByRole('button', { name: 'Close' }).click();
    await expect(change).toHaveCount(0);
    await waive.getByRole('button', { name: 'Preview' }).click();
    const again = other.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password').fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await expect(waive.getByRole('alert')).toContainText('clerk');
    await expect(waive.getByLabel('Reason')).toHaveValue('Asked nicely');
    expect(await balances(portal, 'A101')).toEqual([21_450]);
  });

  await test.step('disabling says who is signed out, and signs out', async () => {
    await page.getByRole('row', { name: /manager@/ }).click();
    const row = page.getByRole('row', { name: /new\.clerk@/ });
    await row.click();
    await page.getByRole('button', { name: 'Disable' }).click();
    const disable = page.getByRole('dialog', { name: 'Disable' });
    await disable.getByRole('button', { name: 'Preview' }).click();
    await expect(disable).toContainText('Give the reason.');
    await because(disable, 'Left');
    await disable.getByRole('button', { name: 'Preview' }).click();
    await expect(disable.getByRole('region', { name: 'Preview' })).toContainText(
      /Kim Ito is signed out at once: 1 session ends\..*can no longer sign in as clerk of TXDFW03/,
    );
    await disable.getByRole('button', { name: 'Back' }).click();
    await expect(disable.getByLabel('Reason')).toHaveValue('Left');
    await disable.getByRole('button', { name: 'Preview' }).click();
    await disable.getByRole('button', { name: 'Disable' }).click();
    await disable.getByRole('button', { name: 'Close' }).click();
    await expect(disable).toHaveCount(0);
    await expect(row).toContainText('Disabled');
  });
});

test('a request is answered with its photo in view; of two clerks at once the second reads what the first did', async ({
  page,
  portal,
  otherContext,
}) => {
  await askWithPhoto(page, portal);
  await signInStaff(page, portal, 'clerk');
  const other = await otherContext.newPage();
  await signInStaff(other, portal, 'manager');
  for (const each of [page, other]) {
    await openOffice(each, '/requests');
    await each.getByRole('row', { name: /Lee Okafor/ }).click();
    await expect(each.getByText('The keypad is dark.')).toBeVisible();
    await expect(
      each.getByRole('img', { name: /^Attached to: Maintenance request/ }),
    ).toBeVisible();
  }
  await other.getByLabel('Reply to the tenant').fill('We come today.');
  await page.getByLabel('Reply to the tenant').fill('We come on Tuesday.');
  await page.getByRole('button', { name: 'Reply' }).click();
  await expect(page.getByRole('list', { name: 'What was done' })).toContainText(
    'We come on Tuesday.',
  );
  await other.getByRole('button', { name: 'Reply' }).click();
  // It is answered again below what the first one said, with what was typed still there.
  await expect(other.getByText('Somebody else changed this request meanwhile.')).toBeVisible();
  await expect(other.getByRole('list', { name: 'What was done' })).toContainText(
    'We come on Tuesday.',
  );
  await expect(other.getByLabel('Reply to the tenant')).toHaveValue('We come today.');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: 'Done' })).toHaveCount(0);
  const subjects = await mailsTo(page, portal, 'lee@example.com');
  expect(subjects).toHaveLength(2);
});
