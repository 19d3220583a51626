import { expectAccessible, expectNoSidewaysScroll } from '../support/axe.ts';
import { mailsTo } from '../support/mailbox.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { bodiesOf, clickTwice } from '../support/requests.ts';
import { agree, draw, openDocument } from '../support/signer.ts';
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
  await page.getByRole('button', { name: 'Next: initials' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Initial here' })).toBeFocused();
  await page.keyboard.press('Enter');
  // Initials are asked for in their own words, and are not drawn.
  const initials = page.getByRole('dialog', { name: 'Your initials' });
  await expect(initials.getByLabel('Draw it')).toBeHidden();
  const name = initials.getByLabel('Your name');
  await expect(name).toHaveValue('Dana Reyes');
  await expect(name).toHaveAccessibleDescription('Your initials: DR');
  await expectAccessible(page);
  await name.press('Enter');
  await expect(page.getByText('DR', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign here' })).toBeFocused();
  await page.keyboard.press('Enter');
  const signature = page.getByRole('dialog', { name: 'Your signature' });
  await expect(signature.getByLabel('Your name')).toHaveValue('Dana Reyes');
  await signature.getByLabel('Your name').press('Enter');
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

test('the consent names the facility once, and its phone number is pressed whole', async ({
  page,
  portal,
}) => {
  await page.setViewportSize({ width: 360, height: 844 });
  await openDocument(page, portal);
  const main = page.getByRole('main');
  expect((await main.innerText()).split('Anchor & Axle Eagle Mountain')).toHaveLength(2);
  const phone = main.getByRole('link', { name: '(817) 555-0103' });
  await expect(phone).toHaveAttribute('href', 'tel:+18175550103');
  expect(await phone.evaluate((link) => link.getClientRects().length)).toBe(1);
});

test('a dead link gives the number of the facility that the device is signed in at', async ({
  page,
  portal,
}) => {
  await page.goto('/sign/rdo_x');
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('link', { name: /Call/ })).toBeHidden();
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/sign/rdo_x');
  await expect(page.getByRole('link', { name: 'Call (817) 555-0103' })).toBeVisible();
});

test('what was signed at a place is changed before the document is signed, and a drawing stays drawn', async ({
  page,
  portal,
}) => {
  await openDocument(page, portal);
  const bodies = bodiesOf(page, '/signature');
  await agree(page);
  await page.getByRole('button', { name: 'Initial here' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Initial here' }).click();
  await expect(page.getByRole('button', { name: 'Next: signature' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign here' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign here' }).click();
  await page.getByRole('button', { name: 'Change the signature' }).click();
  const form = page.getByRole('dialog', { name: 'Your signature' });
  await form.getByLabel('Draw it').check();
  await draw(page);
  await form.getByRole('button', { name: 'Sign here' }).click();
  await expect(page.getByRole('img', { name: 'Dana Reyes' })).toBeVisible();
  await page.getByRole('button', { name: 'Change the initials' }).click();
  await page.getByLabel('Your name').fill('Dana M. Reyes');
  await page.getByLabel('Your name').press('Enter');
  await expect(page.getByText('DMR', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign the document' }).click();
  await expect(page.getByText('The document is signed.')).toBeVisible();
  expect(bodies).toMatchObject([
    { name: 'Dana M. Reyes', drawing: [expect.anything(), expect.anything()], places: [2, 5] },
  ]);
});

test('an answer that is lost is no second signature, and a document that is declined is told to staff', async ({
  page,
  portal,
}) => {
  await openDocument(page, portal);
  await agree(page);
  const next = page.getByRole('button', { name: 'Next: initials' });
  await expect(next).toBeVisible();
  await page.getByRole('button', { name: 'Decline' }).click();
  const sheet = page.getByRole('dialog', { name: 'Decline the document' });
  // What signs is not in sight of what declines.
  await expect(next).toBeHidden();
  await sheet.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('Please say why.')).toBeVisible();
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await expect(next).toBeVisible();
  await page.getByRole('button', { name: 'Decline' }).click();
  await sheet.getByLabel('Why do you decline?').fill('On paper, please.');
  // It arrives, and its answer does not.
  await page.route('**/refusal', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await sheet.getByRole('button', { name: 'Decline' }).click();
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
  const form = page.getByRole('dialog', { name: 'Your signature' });
  await form.getByLabel('Draw it').check();
  const image = page.getByRole('img', { name: 'Box to draw your signature in' });
  await image.scrollIntoViewIfNeeded();
  const box = (await image.boundingBox())!;
  // A thumb has room: from margin to margin of the sheet.
  expect(box.height).toBeGreaterThanOrEqual(160);
  expect(box.width).toBeGreaterThanOrEqual((await form.boundingBox())!.width - 52);
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
