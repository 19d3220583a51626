import { expectAccessible, expectNoSidewaysScroll } from '../support/axe.ts';
import { mailsTo } from '../support/mailbox.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { bodiesOf, clickTwice } from '../support/requests.ts';
import { agree, openDocument } from '../support/signer.ts';
import { openDetails, openMyUnits, rentalCard, row } from '../support/tenant.ts';

// A link that opens nothing is not found.
test.use({ mayLog: [/404/, /net::ERR_FAILED/] });

test('a tenant agrees, signs each place in turn by keyboard, and the document is signed once', async ({
  page,
  portal,
}) => {
  await openDocument(page, portal);
  const bodies = bodiesOf(page, '/signature');
  await page.getByRole('button', { name: 'Read the document' }).click();
  await expect(page.getByText('Please tick the box to go on.')).toBeVisible();
  await expectAccessible(page);
  await agree(page);
  await expect(page.getByText('Dana Reyes keeps a vehicle in unit A101')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Next place' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Initial here' })).toBeFocused();
  await page.keyboard.press('Enter');
  const form = page.getByRole('form', { name: 'Your signature' });
  await expect(form.getByLabel('Your name')).toBeFocused();
  await expect(form.getByLabel('Your name')).toHaveValue('Dana Reyes');
  await page.keyboard.press('Enter');
  await expect(page.getByText('DR', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign here' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 of 2 places signed')).toBeVisible();
  await clickTwice(page.getByRole('button', { name: 'Sign the document' }));
  await expect(page.getByText('The document is signed.')).toBeVisible();
  await expectAccessible(page);
  expect(bodies).toEqual([{ name: 'Dana Reyes', drawing: null, places: [2, 5] }]);
  const signers = await portal.sql('SELECT signed_name FROM document_signers');
  expect(signers).toEqual([{ signed_name: 'Dana Reyes' }]);
  await expect
    .poll(async () =>
      (await mailsTo(page, portal, 'dana@example.com')).map(({ subject }) => subject),
    )
    .toContain('Signed: Vehicle Storage Addendum');
  await page.reload();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the signed copy' }).click();
  expect((await saved).suggestedFilename()).toBe('Vehicle-Storage-Addendum-A101.pdf');
});

test('an answer that is lost is no second signature, and a document that is declined is told to staff', async ({
  page,
  portal,
}) => {
  await openDocument(page, portal);
  await agree(page);
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await page.getByRole('button', { name: 'Decline the document' }).click();
  await expect(page.getByText('Please say why.')).toBeVisible();
  await page.getByLabel('Why do you decline?').fill('On paper, please.');
  // It arrives, and its answer does not.
  await page.route('**/refusal', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Decline the document' }).click();
  await expect(page.getByText('The document was declined.')).toBeVisible();
  await expectAccessible(page);
  const signers = await portal.sql('SELECT decline_reason FROM document_signers');
  expect(signers).toEqual([{ decline_reason: 'On paper, please.' }]);
});

test('at the only place of a document a signature is drawn as the finger moves, and its button has the focus', async ({
  page,
  portal,
}) => {
  const blocks = [{ kind: 'place', mark: 'signature', signer: 1 }];
  await portal.sql('UPDATE esign_documents SET body = $1 WHERE body IS NOT NULL', [
    JSON.stringify(blocks),
  ]);
  await openDocument(page, portal);
  await agree(page, 1);
  await page.getByRole('button', { name: 'Sign here' }).click();
  const form = page.getByRole('form', { name: 'Your signature' });
  await form.getByLabel('Draw it').check();
  const image = page.getByRole('img', { name: 'Box to draw your signature in' });
  await image.scrollIntoViewIfNeeded();
  const box = (await image.boundingBox())!;
  await page.mouse.move(box.x + 30, box.y + 40);
  await page.mouse.down();
  // Faster than the page is drawn.
  await image.evaluate((target, { x, y }) => {
    for (const along of [10, 20, 30, 40, 50])
      target.dispatchEvent(
        new PointerEvent('pointermove', {
          ...{ pointerId: 1, isPrimary: true, bubbles: true },
          ...{ clientX: x + 30 + along, clientY: y + 40 },
        }),
      );
  }, box);
  await page.mouse.up();
  // A dot, as on an i.
  await page.mouse.click(box.x + 60, box.y + 20);
  const lines = await image
    .locator('polyline')
    .evaluateAll((all) => all.map((line) => (line as SVGPolylineElement).points.length));
  expect(lines).toEqual([7, 2]);
  await form.getByRole('button', { name: 'Sign here' }).click();
  await expect(page.getByRole('button', { name: 'Sign the document' })).toBeFocused();
});

test('a signed document does not have the color of one that waits for a signature', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  await openDetails(page);
  const documents = row(rentalCard(page, 'A101'), 'E-sign Status (Required)');
  const colorOf = (state: string) =>
    documents.getByText(state, { exact: true }).evaluate((text) => getComputedStyle(text).color);
  expect(await colorOf('Completed')).not.toBe(await colorOf('Needs\u00a0E-sign'));
});
