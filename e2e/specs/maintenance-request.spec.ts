import type { Page } from '@playwright/test';
import { picture } from '../support/picture.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { bodiesOf, clickTwice } from '../support/requests.ts';

/** Whether the page can still show a picture under this address. */
function loads(page: Page, address: string): Promise<boolean> {
  return page.evaluate(
    (src) =>
      new Promise<boolean>((resolve) => {
        const image = new Image();
        image.onload = () => resolve(true);
        image.onerror = () => resolve(false);
        image.src = src;
      }),
    address,
  );
}

const SENT = 'Your maintenance request has been successfully submitted.';

// spec 1.14, 2.5, 2.103, 5.55, 5.56, 7.23, 7.24, 7.70, 7.73, 8.10, 9.20, 9.21, 9.22, 9.23, 9.24
// spec 9.25
test(
  'a request with a photo is sent, named by a reference, mailed to the facility, and shows the photo back',
  { tag: '@smoke' },
  async ({ page, portal }) => {
    await signIn(page, portal, 'dana@example.com');
    await page.goto('/maintenance-request');
    await expect(
      page.getByRole('heading', { level: 1, name: 'Maintenance Request' }),
    ).toBeVisible();

    const unit = page.getByLabel('Unit', { exact: true });
    await expect(unit.getByRole('option')).toHaveText([
      'Select unit',
      'A101',
      'B207',
      'C014',
      'D310',
    ]);
    await unit.selectOption('B207');
    const issue = page.getByLabel('Issue Type');
    await expect(issue.getByRole('option')).toHaveText([
      'Select issue type',
      'Door',
      'Electrical',
      'Gate',
      'Gravel/Asphalt Repair',
      'Maintenance',
      'Transfer Parking (photo required)',
    ]);
    await issue.selectOption('Gate');
    const description = page.getByLabel('Description');
    await expect(description).toHaveAttribute('rows', '4');
    await description.fill('The keypad <b>does not</b> light up.');
    const photo = page.getByLabel(/^Photo/);
    await expect(photo).toHaveAttribute('accept', '.jpg,.gif,.png,image/*');
    await photo.setInputFiles({
      name: 'keypad.png',
      mimeType: 'image/png',
      buffer: picture(2400, 1200),
    });
    await expect(page.getByText('keypad.png')).toBeVisible();
    const preview = page.getByRole('figure').locator('img');
    await expect(preview).toHaveAttribute('src', /^blob:/);
    const blob = (await preview.getAttribute('src'))!;
    expect(await loads(page, blob)).toBe(true);

    const sent = page.waitForRequest((request) => request.url().endsWith('/maintenance-requests'));
    await page.getByRole('button', { name: 'Submit' }).click();
    const body = (await sent).postDataJSON() as Record<string, string>;
    expect(body).toMatchObject({
      issueType: 'gate',
      issueDescription: 'The keypad <b>does not</b> light up.',
      file: 'keypad.png',
      facilityName: 'Anchor & Axle Eagle Mountain',
      formType: 'maintenance_request_form',
      unitName: 'B207',
      firstName: 'Dana',
      lastName: 'Reyes',
      emailAddress: 'dana@example.com',
    });
    expect(body.imageData).toMatch(/^data:image\/jpeg;base64,/);

    const status = page.getByRole('status').filter({ hasText: SENT });
    await expect(status.locator('..')).toBeFocused();
    // The preview's own address ends with it.
    expect(await loads(page, blob)).toBe(false);
    const reference = /Reference (R-\d+)/.exec((await status.textContent()) ?? '')?.[1];
    const kept = page.getByRole('img', { name: 'What you sent with your request' });
    await expect(kept).toHaveAttribute('src', /^data:image\//);
    expect(
      await kept.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]),
    ).toEqual([1600, 800]);

    const mails = await page.request.get('/api/dev/mailbox?to=eagle-mountain@anchor-axle.example');
    const [mail] = (await mails.json()) as { subject: string; text: string }[];
    expect(`${mail?.subject} ${mail?.text}`).toContain(reference);
    expect(mail?.text).toContain('The keypad <b>does not</b> light up.');

    await page.getByRole('button', { name: 'Send another request' }).click();
    await expect(description).toHaveValue('');
    await expect(unit).toBeFocused();
  },
);

// spec 4.64, 5.53, 5.54, 5.55, 5.56, 5.57, 5.58, 8.10
test('unit, issue type and description are required; a photo is not, for parking neither', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'dana@example.com');
  await page.goto('/maintenance-request');
  const bodies = bodiesOf(page, '/maintenance-requests');
  await page.getByRole('button', { name: 'Submit' }).click();
  for (const sentence of [
    'Unit is required.',
    'Issue type is required.',
    'Description is required.',
  ])
    await expect(page.getByText(sentence)).toBeVisible();
  await expect(page.getByLabel('Unit', { exact: true })).toBeFocused();
  expect(await portal.sql('SELECT id FROM requests')).toEqual([]);

  await page.getByLabel('Unit', { exact: true }).selectOption('A101');
  await page.getByLabel('Issue Type').selectOption('Transfer Parking (photo required)');
  await expect(page.getByLabel('Photo')).toHaveAccessibleDescription(
    /^Required to transfer parking\./,
  );
  await page.getByLabel('Description').fill('Please move me nearer to the gate.');
  await clickTwice(page.getByRole('button', { name: 'Submit' }));
  await expect(page.getByText(SENT)).toBeVisible();
  expect(bodies).toHaveLength(1);
  expect(await portal.sql('SELECT id FROM requests')).toHaveLength(1);
});

const NO_IMAGE = 'The photo must be a JPEG, PNG, GIF or WebP image.';
const refused: [name: string, bytes: Buffer, sentence: string][] = [
  ['door.png', Buffer.from('<html></html>'), NO_IMAGE],
  ['door.pdf', Buffer.from('%PDF-1.7'), NO_IMAGE],
  ['door.txt', Buffer.from('The door'), NO_IMAGE],
  ['door.jpg', Buffer.alloc(0), 'The photo is empty. Please choose another one.'],
  [
    'IMG_0042.HEIC',
    Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
    'This browser cannot read HEIC photos. Set the phone’s camera to “Most Compatible”, or choose a screenshot.',
  ],
  [
    'broken.jpg',
    Buffer.from('ffd8ffe000104a464946000101000001', 'hex'),
    'The photo is damaged. Please choose another one.',
  ],
];
for (const [name, buffer, sentence] of refused)
  test(`a refused photo says so as soon as it is chosen, and nothing is sent until it is removed: ${name}`, async ({
    page,
    portal,
  }) => {
    await signIn(page, portal, 'lee@example.com');
    await page.goto('/maintenance-request');
    // One unit needs no choice.
    await expect(
      page.getByLabel('Unit', { exact: true }).getByRole('option', { selected: true }),
    ).toHaveText('E022');
    await page.getByLabel('Issue Type').selectOption('Door');
    await page.getByLabel('Description').fill('The door is stuck.');
    const photo = page.getByLabel(/^Photo/);
    await photo.setInputFiles({ name, mimeType: 'image/jpeg', buffer });
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(page.getByRole('figure')).toContainText(name);
    await expect(photo).toHaveAccessibleDescription(new RegExp(sentence.slice(0, 20)));
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(photo).toBeFocused();
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(page.getByLabel('Description')).toHaveValue('The door is stuck.');
    expect(await portal.sql('SELECT id FROM requests')).toEqual([]);

    await page.getByRole('button', { name: 'Remove photo' }).click();
    await expect(page.getByText(sentence)).toHaveCount(0);
    await expect(photo).toBeFocused();
    await expect(photo).toHaveValue('');
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect(page.getByText(SENT)).toBeVisible();
    expect(await portal.sql('SELECT id FROM images')).toEqual([]);
  });

// spec 7.71, 8.5, 10.82
test('a refused photo is replaced by one that can be read, which is sent', async ({
  page,
  portal,
}) => {
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/maintenance-request');
  await page.getByLabel('Issue Type').selectOption('Door');
  await page.getByLabel('Description').fill('The door is stuck.');
  const photo = page.getByLabel(/^Photo/);
  const text = { name: 'door.txt', mimeType: 'text/plain', buffer: Buffer.from('The door') };
  await photo.setInputFiles(text);
  await expect(page.getByText(NO_IMAGE)).toBeVisible();
  await photo.setInputFiles({ name: 'door.png', mimeType: 'image/png', buffer: picture(16, 16) });
  await expect(page.getByText(NO_IMAGE)).toHaveCount(0);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText(SENT)).toBeVisible();
  expect(await portal.sql('SELECT id FROM images')).toHaveLength(1);
});

test('offline the form says that what was entered is still there, the photo too, and sends it later', async ({
  page,
  portal,
  context,
}) => {
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/maintenance-request');
  await page.getByLabel('Issue Type').selectOption('Door');
  await page.getByLabel('Description').fill('The door is stuck.');
  const photo = page.getByLabel(/^Photo/);
  await photo.setInputFiles({ name: 'door.png', mimeType: 'image/png', buffer: picture(16, 16) });
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'We could not reach the server. Check your connection and try again. What you entered is still here.',
  );
  await expect(page.getByLabel('Issue Type')).toHaveValue('door');
  await expect(page.getByLabel('Description')).toHaveValue('The door is stuck.');
  await expect(photo).toHaveValue(/door\.png$/);
  expect(await portal.sql('SELECT id FROM requests')).toEqual([]);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText(SENT)).toBeVisible();
});

test('how much of a photo is sent can be seen while it is sent', async ({
  page,
  portal,
  context,
}) => {
  await signIn(page, portal, 'lee@example.com');
  await page.goto('/maintenance-request');
  await page.getByLabel('Issue Type').selectOption('Door');
  await page.getByLabel('Description').fill('The door is stuck.');
  await page
    .getByLabel(/^Photo/)
    .setInputFiles({ name: 'door.png', mimeType: 'image/png', buffer: picture(1600, 1600) });
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 40_000 };
  await network.send('Network.emulateNetworkConditions', slow);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('progressbar', { name: 'Photo sent' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit' })).toHaveAttribute('aria-busy', 'true');
  await network.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
  await expect(page.getByText(SENT)).toBeVisible();
});
