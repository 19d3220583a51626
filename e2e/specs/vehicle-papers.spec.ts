import { readFile } from 'node:fs/promises';
import { addDays } from '@gatehouse/contract/dates';
import type { Locator, Page } from '@playwright/test';
import { PAPER_FILE_BYTES } from '../../contract/src/vehicle-papers.ts';
import { TEST_DAY } from '../../server/test/test-day.ts';
import { expectAccessible, expectNoSidewaysScroll, expectTouchable } from '../support/axe.ts';
import { signInStaff } from '../support/office.ts';
import { expect, signIn, test, type Portal } from '../support/portal.ts';

const PDF = Buffer.from('%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\n');

async function openPapers(page: Page, portal: Portal, email = 'dana@example.com') {
  await signIn(page, portal, email);
  await page.goto('/account#papers');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Management');
  return page.getByRole('region', { name: 'Vehicle and Vessel Papers' });
}

/** The part of the card about one paper. */
function paper(card: Locator, title: string): Locator {
  const [kind, unit] = title.split(', unit ') as [string, string];
  return card
    .getByRole('listitem')
    .filter({ hasText: unit })
    .getByRole('listitem')
    .filter({ has: card.page().getByRole('heading', { name: kind }) });
}

/** The part of the card about one vehicle or boat. */
function vehicle(card: Locator, description: string): Locator {
  const heading = card.page().getByRole('heading', { name: description, level: 3 });
  return card.getByRole('listitem').filter({ has: heading });
}

/** Where the letters of a text begin. */
function leftOf(text: Locator): Promise<number> {
  return text.evaluate((element) => {
    const letters = document.createRange();
    letters.selectNodeContents(element);
    return letters.getBoundingClientRect().left;
  });
}

async function choose(dialog: Locator, name: string, mimeType: string, buffer: Buffer) {
  await dialog.getByLabel('Photo or PDF').setInputFiles({ name, mimeType, buffer });
}

// spec 10.19
test(
  'a PDF is filed, shown by its standing and last four characters, downloaded and never opened, replaced and removed',
  { tag: '@wide' },
  async ({ page, portal, context }) => {
    const card = await openPapers(page, portal);
    const row = paper(card, 'Registration, unit B207');
    await expect(row).toContainText('None on file');
    const [title, none] = [row.getByRole('heading'), row.getByText('None on file')];
    expect(await leftOf(none)).toBe(await leftOf(title));
    await row.getByRole('button', { name: 'Add registration for B207' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    for (const sentence of [
      'A photo or PDF is required.',
      'Number is required.',
      'Expiration date is required.',
    ])
      await expect(dialog.getByText(sentence)).toBeVisible();
    await expect(dialog.getByLabel('Photo or PDF')).toBeFocused();
    await expectAccessible(page);
    await choose(dialog, 'scan.pdf', 'application/pdf', PDF);
    await expect(dialog.getByText('scan.pdf')).toBeVisible();
    await dialog.getByLabel('Registration Number').fill('TX-88120042');
    await dialog.getByLabel('Expiration Date').fill(addDays(TEST_DAY, 200));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('The registration for unit B207 is on file.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(row).toContainText('Valid until');
    await expect(row).toContainText('No. ****0042');
    await expect(row).not.toContainText('88120042');
    await expect(row.getByRole('button', { name: 'Replace' })).toBeFocused();
    await expectAccessible(page);

    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: 'Download registration for B207' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('registration-B207.pdf');
    expect(await readFile(await saved.path())).toEqual(PDF);
    expect(context.pages()).toHaveLength(1);

    await row.getByRole('button', { name: 'Replace' }).click();
    await choose(dialog, 'again.pdf', 'application/pdf', PDF);
    await dialog.getByLabel('Registration Number').fill('TX-88129999');
    await dialog.getByLabel('Expiration Date').fill(addDays(TEST_DAY, 20));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('is on file')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(row).toContainText('Expires soon');
    await expect(row).toContainText('No. ****9999');
    expect(
      await portal.sql('SELECT id FROM vehicle_papers WHERE replaced_at IS NOT NULL'),
    ).toHaveLength(1);

    await row.getByRole('button', { name: 'Remove registration for B207' }).click();
    const removal = page.getByRole('dialog');
    await removal.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(removal.getByText('The registration for unit B207 is removed.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(row).toContainText('None on file');
    await expect(row.getByRole('heading')).toBeFocused();
    expect(await portal.sql('SELECT id FROM vehicle_papers WHERE replaced_at IS NULL')).toEqual([]);
  },
);

// spec 10.20, 10.82
test(
  'a photo is filed; a file that is neither, one that is too large, and a paper that has expired are refused in the form',
  { tag: '@wide' },
  async ({ page, portal }) => {
    const card = await openPapers(page, portal);
    const row = paper(card, 'Insurance, unit B207');
    await row.getByRole('button', { name: 'Add insurance for B207' }).click();
    const dialog = page.getByRole('dialog');
    const file = () => dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByLabel('Policy Number').fill('LSM-204417');
    await dialog.getByLabel('Expiration Date').fill(addDays(TEST_DAY, 100));
    await choose(dialog, 'policy.heic', 'image/heic', Buffer.from('\0\0\0\x18ftypheic', 'latin1'));
    await expect(dialog.getByText(/^This browser cannot read HEIC photos/)).toBeVisible();
    await file();
    await expect(dialog.getByLabel('Photo or PDF')).toBeFocused();
    expect(await portal.sql('SELECT id FROM vehicle_papers')).toEqual([]);
    const html = Buffer.from('<html><script>alert(1)</script>%PDF-1.7</html>');
    await choose(dialog, 'policy.pdf', 'application/pdf', html);
    await file();
    await expect(dialog.getByRole('alert')).toContainText(
      'The file must be a PDF, or a photo as JPEG, PNG, GIF or WebP.',
    );
    await choose(
      dialog,
      'long.pdf',
      'application/pdf',
      Buffer.concat([PDF, Buffer.alloc(PAPER_FILE_BYTES)]),
    );
    await file();
    await expect(dialog.getByRole('alert')).toContainText(
      'The file is too large. It may have at most 8 MB.',
    );
    expect(await portal.sql('SELECT id FROM vehicle_papers')).toEqual([]);
    const photo = await page.evaluate(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 2000, height: 900 });
      canvas.getContext('2d')!.fillRect(0, 0, 900, 900);
      return canvas.toDataURL('image/png').split(',')[1]!;
    });
    await choose(dialog, 'policy.png', 'image/png', Buffer.from(photo, 'base64'));
    await dialog.getByLabel('Expiration Date').fill(addDays(TEST_DAY, -3));
    await file();
    await expect(dialog.getByRole('alert')).toContainText('This paper has expired.');
    await dialog.getByLabel('Expiration Date').fill(addDays(TEST_DAY, 100));
    await file();
    await expect(dialog.getByText('The insurance for unit B207 is on file.')).toBeVisible();
    await page.keyboard.press('Escape');
    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: 'Download insurance for B207' }).click();
    expect((await download).suggestedFilename()).toBe('insurance-B207.jpg');

    await portal.sql('UPDATE vehicle_papers SET expires_on = $1', [addDays(TEST_DAY, -10)]);
    await page.reload();
    await expect(row).toContainText('Expired on');
    await expectAccessible(page);
  },
);

// spec 10.94
test(
  'a second vehicle of a unit is added, gets its own registration, is changed and removed',
  { tag: '@wide' },
  async ({ page, portal }) => {
    const card = await openPapers(page, portal);
    await card.getByRole('button', { name: 'Add a vehicle or boat' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a Vehicle or Boat' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('Unit is required.')).toBeVisible();
    await expect(dialog.getByText('Type is required.')).toBeVisible();
    await expect(dialog.getByLabel('Unit')).toBeFocused();
    await dialog.getByLabel('Unit').selectOption('B207');
    await dialog.getByLabel('Type').selectOption('Vehicle');
    await expect(dialog.getByText('Year, make and model.')).toBeVisible();
    await expectAccessible(page);
    await expectTouchable(page);
    await dialog.getByLabel('VIN').fill('1M8GDM9AXKP042788');
    await dialog.getByLabel('License Plate').fill('77TRL');
    await dialog.getByLabel('Description').fill('2019 Big Tex 70TV');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    const trailer = vehicle(card, '2019 Big Tex 70TV');
    await expect(trailer).toContainText('Unit B207 · 77TRL');
    await expect(vehicle(card, '2014 Four Winns H200')).toContainText('Unit B207 · TX - 4471KB');

    await trailer.getByRole('button', { name: 'Add registration for 2019 Big Tex 70TV' }).click();
    const form = page.getByRole('dialog');
    await choose(form, 'scan.pdf', 'application/pdf', PDF);
    await form.getByLabel('Registration Number').fill('TX-88120042');
    await form.getByLabel('Expiration Date').fill(addDays(TEST_DAY, 200));
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(
      form.getByText('The registration for 2019 Big Tex 70TV is on file.'),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(trailer).toContainText('No. ****0042');
    await expect(vehicle(card, '2014 Four Winns H200')).not.toContainText('0042');
    await expectAccessible(page);
    await expectTouchable(page);
    await expectNoSidewaysScroll(page);
    const download = page.waitForEvent('download');
    await trailer.getByRole('button', { name: 'Download registration' }).click();
    expect((await download).suggestedFilename()).toBe('registration-B207-2019-Big-Tex-70TV.pdf');

    await trailer.getByRole('button', { name: 'Update 2019 Big Tex 70TV' }).click();
    const change = page.getByRole('dialog', { name: 'Vehicle or Boat' });
    await expect(change.getByLabel('VIN')).toHaveValue('1M8GDM9AXKP042788');
    await change.getByLabel('Description').fill('Utility trailer');
    await change.getByRole('button', { name: 'Save' }).click();
    const changed = vehicle(card, 'Utility trailer');
    await expect(changed).toContainText('No. ****0042');

    // The first one goes: the other takes its place on My Units.
    await vehicle(card, '2014 Four Winns H200')
      .getByRole('button', { name: 'Remove 2014 Four Winns H200' })
      .click();
    const removal = page.getByRole('dialog');
    await expectAccessible(page);
    await removal.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(removal.getByText('2014 Four Winns H200 is removed.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(vehicle(card, '2014 Four Winns H200')).toHaveCount(0);
    await expect(changed).toContainText('No. ****0042');
    expect(
      await portal.sql(
        "SELECT c.contents, v.description FROM vehicles v JOIN unit_contents c USING (ledger_id) WHERE v.license_plate = '77TRL'",
      ),
    ).toEqual([{ contents: 'vehicle:1M8GDM9AXKP042788', description: 'Utility trailer' }]);

    await signInStaff(page, portal, 'clerk');
    const [{ id }] = (await portal.sql(
      "SELECT tenant_id AS id FROM ledgers l JOIN vehicles v ON v.ledger_id = l.id WHERE v.license_plate = '77TRL'",
    )) as [{ id: string }];
    await page.goto(`/office/tenants/${id}/show`);
    const shown = page.getByRole('list', { name: 'Vehicles in B207' });
    await expect(shown).toContainText('Utility trailer, 77TRL');
    await expect(
      shown.getByRole('button', { name: /^Registration, until .*, of Utility trailer$/ }),
    ).toBeVisible();
    await expectAccessible(page);
  },
);

// spec 10.22
test(
  'what expires is on Today of the office, opens as a list, and the file is downloaded and never shown',
  { tag: '@wide' },
  async ({ page, portal, context }) => {
    const card = await openPapers(page, portal);
    await paper(card, 'Registration, unit A101').getByRole('button', { name: 'Add' }).click();
    const dialog = page.getByRole('dialog');
    await choose(dialog, 'scan.pdf', 'application/pdf', PDF);
    await dialog.getByLabel('Registration Number').fill('TX-88120042');
    await dialog.getByLabel('Expiration Date').fill(addDays(TEST_DAY, 20));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('is on file')).toBeVisible();

    await signInStaff(page, portal, 'clerk');
    await page.goto('/office');
    await page
      .getByRole('region', { name: 'Papers that expire' })
      .getByRole('link', { name: /Dana Reyes, A101: Registration/ })
      .click();
    const row = page.getByRole('row', { name: /A101/ });
    await expect(row).toContainText('Expires soon');
    await expect(row).not.toContainText('0042');
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: 'Download registration of Dana Reyes, A101' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('registration-A101.pdf');
    expect(await readFile(await saved.path())).toEqual(PDF);
    expect(context.pages()).toHaveLength(1);
    expect(
      await portal.sql(
        "SELECT details ->> 'by' AS by FROM audit_events WHERE kind = 'vehicle_paper_shown'",
      ),
    ).toEqual([{ by: 'Ana Flores' }]);
  },
);
