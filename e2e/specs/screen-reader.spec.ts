import { payLinkTo } from '../support/office.ts';
import { picture } from '../support/picture.ts';
import { expect, PASSWORD, test } from '../support/portal.ts';
import { listenTo } from '../support/screen-reader.ts';
import { hold } from '../support/requests.ts';
import { fillCard, rentalCard } from '../support/tenant.ts';

// The refused sign-in.
test.use({ mayLog: [/^Sign-in failed/], permissions: ['clipboard-write'] });

test(
  'sign-in, payment, gate code and a repair with a photo are heard as heard-on-a-phone.txt has them',
  { tag: '@wide' },
  async ({ page }) => {
    const reader = await listenTo(page);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const main = page.getByRole('main');

    await test.step('sign-in', async () => {
      const state = page.getByLabel('What state is your facility located?');
      await reader.press(
        'opens the portal',
        () => page.goto('/'),
        state.and(page.locator(':enabled')),
      );
      await reader.read('the page', page.locator('body'));
      await reader.press(
        'presses "Sign In"',
        () => button('Sign In').click(),
        page.getByText('Password is required.'),
      );
      await state.selectOption('Texas');
      await page.getByLabel('Select your location').selectOption('TXDFW03');
      await page.getByLabel('Email Address').fill('dana@example.com');
      await page.getByLabel('Password', { exact: true }).fill('not-the-password');
      await reader.press(
        'fills in the form with a wrong password and presses "Sign In"',
        () => button('Sign In').click(),
        page.getByRole('alert'),
      );
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await reader.press(
        'fills in the right password and presses "Sign In"',
        () => button('Sign In').click(),
        rentalCard(page, 'A101').getByText('$214.50').first(),
      );
      await expect(page.locator('main .appear-late')).toHaveCount(0);
      await reader.read('the page', page.locator('body'));
    });

    await test.step('payment', async () => {
      const sheet = page.getByRole('dialog');
      await reader.press(
        'presses "Pay $214.50 for A101 and open the gate"',
        () => page.getByRole('link', { name: 'Pay $214.50 for A101 and open the gate' }).click(),
        sheet.getByText('This payment opens the gate.'),
      );
      await reader.read('the pay sheet', sheet);
      await reader.press(
        'presses "Pay $214.50"',
        () => sheet.getByRole('button', { name: 'Pay $214.50' }).click(),
        page.getByText(/^The gate is open/),
      );
      await reader.read('the page', main);
      await reader.press(
        'presses "Copy the gate code of A101"',
        () => button('Copy the gate code of A101').click(),
        page.getByRole('status').filter({ hasText: 'Copied' }),
      );
    });

    await test.step('repair request', async () => {
      const menu = button('Menu');
      if (await menu.isVisible())
        await reader.press('presses "Menu"', () => menu.click(), button('Logout'));
      await reader.press(
        'presses "Maintenance Request"',
        () =>
          page
            .getByRole('navigation', { name: 'Menu' })
            .getByRole('link', { name: 'Maintenance Request' })
            .click(),
        page.getByLabel('Description'),
      );
      await reader.read('the form', main);
      await reader.press(
        'presses "Submit"',
        () => button('Submit').click(),
        page.getByText('Description is required.'),
      );
      await page.getByLabel('Unit', { exact: true }).selectOption('A101');
      await page.getByLabel('Issue Type').selectOption('Gate');
      await page.getByLabel('Description').fill('The keypad does not light up.');
      await reader.press(
        'fills in the form and chooses a photo',
        () =>
          page.getByLabel(/^Photo/).setInputFiles({
            name: 'keypad.png',
            mimeType: 'image/png',
            buffer: picture(16, 16),
          }),
        button('Remove photo'),
      );
      await reader.read('the form', main);
      const release = await hold(page, '**/maintenance-requests');
      await reader.press(
        'presses "Submit"',
        () => button('Submit').click(),
        page.getByText('Sending your photo…'),
      );
      await reader.press(
        'waits',
        release,
        page.getByRole('img', { name: 'What you sent with your request' }),
      );
      await reader.read('what was sent', main);
    });

    const device = test.info().project.name === 'desktop' ? 'desktop' : 'phone';
    expect(reader.text()).toMatchSnapshot(`heard-on-a-${device}.txt`);
  },
);

test('a pay link says what became of the payment, and nothing while the card is typed', async ({
  page,
  portal,
}) => {
  const path = await payLinkTo(page, portal, 'A101');
  const reader = await listenTo(page);
  const pay = page.getByRole('button', { name: 'Pay $214.50' });
  await reader.press('opens the link', () => page.goto(path), pay);
  await reader.press(
    'presses "Pay $214.50"',
    () => pay.click(),
    page.getByText('Card number is required.'),
  );
  const form = page.getByRole('main');
  const zip = page.getByLabel('Billing Zip').and(page.locator(':focus'));
  await reader.press(
    'types a card that the bank declines',
    () => fillCard(form, '4000000000000002'),
    zip,
  );
  await reader.press('presses "Pay $214.50"', () => pay.click(), page.getByRole('alert'));
  await reader.press('types another card', () => fillCard(form), zip);
  await reader.press(
    'presses "Pay $214.50"',
    () => pay.click(),
    page.getByText('Your payment has been applied successfully'),
  );
  await reader.read('the page', page.locator('body'));
  expect(reader.text()).toMatchSnapshot('heard-from-a-pay-link.txt');
});
