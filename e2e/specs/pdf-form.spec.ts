import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { pagesOf } from '../../server/test/pdf.ts';
import { LEASE, pdfForm } from '../../server/test/pdf-forms.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../support/axe.ts';
import { mailsTo } from '../support/mailbox.ts';
import {
  WITHOUT_MOTION,
  openOffice,
  openTenantOf,
  perform,
  signInStaff,
} from '../support/office.ts';
import { expect, test } from '../support/portal.ts';
import { agree } from '../support/signer.ts';

test.use({ contextOptions: WITHOUT_MOTION });

const DESK = { width: 768, height: 1024 };
const PHONE = { width: 360, height: 800 };
const NAME = 'Vehicle storage lease';

/** The text of the pages of a PDF that is downloaded by a press. */
async function pagesBy(page: Page, button: string): Promise<string[]> {
  const saved: Promise<Download> = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return pagesOf(await readFile(await (await saved).path()));
}

test('an operator’s PDF becomes a form in the office, and a tenant signs it on the phone', async ({
  page,
  portal,
}) => {
  await page.setViewportSize(DESK);
  await signInStaff(page, portal, 'manager');
  await openOffice(page, '/settings');
  const forms = page.getByRole('region', { name: 'Document forms' });
  await forms.getByRole('button', { name: 'Add a PDF form' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a PDF form' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(NAME);
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByText('Choose a PDF.')).toBeVisible();
  const choose = async (buffer: Buffer) =>
    dialog
      .getByLabel('PDF *')
      .setInputFiles({ name: 'lease.pdf', mimeType: 'application/pdf', buffer });
  await choose(await pdfForm([...LEASE, { name: 'Rnt', y: 300 }]));
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByRole('alert')).toContainText('“Rnt” on page 1');
  await expectAccessible(page);
  await choose(await pdfForm(LEASE));
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog).toContainText('3 fields, 2 places to sign');
  await expect(dialog).toContainText('“lease.MonthlyRent” is understood as “monthly rent”');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add a PDF form' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(forms).toContainText(`${NAME}, PDF of 2 pages`);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  expect((await pagesBy(page, `Download a sample of ${NAME}`))[0]).toContain('Jordan Sample');
  await openTenantOf(page, portal, 'A101');
  await perform(
    page.getByRole('region', { name: 'Documents' }),
    'Send a document to sign',
    async (form) => {
      await form.getByRole('combobox', { name: 'Form' }).click();
      await page.getByRole('option', { name: NAME }).click();
    },
    { says: `${NAME} of A101 will be mailed to dana@example.com.` },
  );
  const mails = await mailsTo(page, portal, 'dana@example.com');
  const [, link = ''] = /(\/sign\/rdo_[\w-]+)/.exec(mails.map(({ text }) => text).join()) ?? [];

  await page.setViewportSize(PHONE);
  await page.goto(link);
  await agree(page);
  await expect(page.getByText('The document is a PDF of 2 pages (0.1 MB).')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const [first] = await pagesBy(page, 'Download the document');
  expect(first!.split('\n')).toEqual(['Dana Reyes', expect.stringMatching(/^\$/), 'A101']);
  await page.getByRole('button', { name: 'Initial here' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Initial here' }).click();
  await page.getByRole('button', { name: 'Sign here' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign here' }).click();
  await expect(page.getByText('Signature of Dana Reyes, page 2')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign the document' }).click();
  await expect(page.getByText('The document is signed.')).toBeVisible();

  await page.setViewportSize(DESK);
  await openTenantOf(page, portal, 'A101');
  const document = page
    .getByRole('region', { name: 'Documents' })
    .getByRole('listitem')
    .filter({ hasText: NAME });
  await expect(async () => {
    await page.reload();
    await expect(document).toContainText('Signed');
    await expect(document.getByRole('button', { name: 'Signed copy' })).toBeVisible({
      timeout: 1000,
    });
  }).toPass();
  const saved = page.waitForEvent('download');
  await document.getByRole('button', { name: 'Signed copy' }).click();
  const pages = pagesOf(await readFile(await (await saved).path()));
  expect(pages).toHaveLength(3);
  expect(pages[1]).toContain('Dana Reyes, ');
  expect(pages[2]).toContain('Record of signatures');
});
