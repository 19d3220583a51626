import { expectAccessible, expectNoSidewaysScroll } from '../support/axe.ts';
import { mailsTo } from '../support/mailbox.ts';
import {
  WITHOUT_MOTION,
  because,
  chooseUnit,
  openOffice,
  openTenantOf,
  perform,
  press,
  signInStaff,
} from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({ viewport: { width: 768, height: 1024 }, contextOptions: WITHOUT_MOTION });

const NAME = 'Vehicle storage and winter covering addendum';

test('a form is added in the settings, sent to a tenant, and the document is withdrawn', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'manager');
  await openOffice(page, '/settings');
  const forms = page.getByRole('region', { name: 'Document forms' });
  await expect(forms).toBeVisible();
  await forms.getByRole('button', { name: 'Add a document form' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add a document form' });
  const text = dialog.getByRole('textbox', { name: 'Text', exact: true });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(NAME);
  await text.fill('{tenant} rents {unit}.\n\n{signatur}');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByRole('alert')).toContainText('{signatur}');
  await expectAccessible(page);
  await text.fill('{tenant} rents {unit}.\n\n{signature}');
  await dialog.getByRole('switch', { name: 'Each move-in makes one' }).check();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog).toContainText('2 fields, 1 place');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Done.', { exact: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(forms).toContainText(NAME);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await openTenantOf(page, portal, 'A101');
  const documents = page.getByRole('region', { name: 'Documents' });
  await perform(
    documents,
    'Send a document to sign',
    async (form) => {
      await form.getByRole('combobox', { name: 'Form' }).click();
      await page.getByRole('option', { name: NAME }).click();
    },
    { says: `${NAME} of A101 will be mailed to dana@example.com.` },
  );
  await expect(documents).toContainText(`${NAME}, A101`);
  await expect(documents).toContainText('To be signed');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const subjects = (await mailsTo(page, portal, 'dana@example.com')).map(({ subject }) => subject);
  expect(subjects.join()).toContain(NAME);
  const sent = documents.getByRole('listitem').filter({ hasText: NAME });
  await perform(sent, 'Withdraw', (form) => because(form, 'The wrong form'));
  await expect(sent).toContainText('Withdrawn');

  await press(page, 'Move in');
  const moveIn = page.getByRole('dialog', { name: 'Move in' });
  await chooseUnit(moveIn, 'C009');
  await moveIn.getByRole('button', { name: 'Preview' }).click();
  await expect(moveIn).toContainText(`${NAME} will be mailed to dana@example.com, to be signed.`);
  await expectAccessible(page);
  await moveIn.getByRole('button', { name: 'Move in' }).click();
  await expect(moveIn).toContainText(`${NAME} is mailed to dana@example.com, to be signed.`);
  await moveIn.getByRole('button', { name: 'Close' }).click();
  await expect(documents).toContainText(`${NAME}, C009`);
});
