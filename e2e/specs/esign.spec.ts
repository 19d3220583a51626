import { expect, signIn, test } from '../support/portal.ts';
import { bodiesOf, clickTwice } from '../support/requests.ts';
import { openDetails, openMyUnits, rentalCard, row } from '../support/tenant.ts';

test.beforeEach(async ({ page, portal }) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
});

test('documents are asked for again, and a request that fails can be repeated', async ({
  page,
  portal,
}) => {
  // spec 1.10, 2.88, 4.64, 7.37, 7.38, 8.7
  await test.step('the documents of a rental are asked for again, once, and the success names the address on file', async () => {
    const bodies = bodiesOf(page, '/resend-esign-documents');
    await openDetails(page);
    await expect(
      page.getByRole('button', { name: /^Resend documents for (A101|B207|C014)$/ }),
    ).toHaveCount(3);
    await row(rentalCard(page, 'A101'), 'E-sign Status (Required)')
      .getByRole('button', { name: 'Resend documents' })
      .click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toHaveAccessibleName('Ask for the documents');
    await clickTwice(dialog.getByRole('button', { name: 'Ask for the documents' }));
    await expect(dialog).toHaveAccessibleName('Documents asked for');
    await expect(
      dialog.getByText(
        'The request to receive the e-sign documents has been successfully submitted. Once the submission has been reviewed, you will recieve an email at dana@example.com.',
        { exact: true },
      ),
    ).toBeVisible();
    const [request, ...more] = await portal.sql(
      "SELECT * FROM requests WHERE kind = 'resend_esign_documents_form'",
    );
    expect(more).toEqual([]);
    await expect(dialog.getByText(`Reference ${request?.reference as string}`)).toBeVisible();
    expect(bodies).toEqual([
      {
        emailAddress: 'dana@example.com',
        facilityName: 'Anchor & Axle Eagle Mountain',
        firstName: 'Dana',
        lastName: 'Reyes',
        tenantId: request?.tenant_id,
        unitName: 'A101',
        formType: 'resend_esign_documents_form',
      },
    ]);
  });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  // spec 8.5, 8.6
  await test.step('a resend that fails says so with the server’s message, and can be tried again; nothing need be pending', async () => {
    await portal.sql('REVOKE INSERT ON requests FROM gatehouse_app');
    await page.getByRole('button', { name: 'Resend documents for B207' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Ask for the documents' }).click();
    const alert = dialog.getByRole('alert');
    await expect(alert).toHaveText(
      'An error was encountered while submitting the request. Something went wrong on our side. Please try again.',
    );
    await expect(alert.locator('..')).toBeFocused();
    await portal.sql('GRANT INSERT ON requests TO gatehouse_app');
    await dialog.getByRole('button', { name: 'Ask for the documents' }).click();
    await expect(dialog.getByText('has been successfully submitted')).toBeVisible();
  });
});
