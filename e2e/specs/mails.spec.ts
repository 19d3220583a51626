import type { Email } from '../../server/src/emails/email.ts';
import { mailsToTenants } from '../../server/test/mails-to-tenants.ts';
import { expectAccessible } from '../support/axe.ts';
import { expect, signIn, test } from '../support/portal.ts';

/** What a page that a mail leads to has as its first heading, and the card or dialog it opens. */
type Place = { heading: string; card?: string; dialog?: RegExp; isForVisitors?: true };

const LEDGER = 'ID';
const places: Record<string, Place> = {
  '/': { heading: 'My Units' },
  '/account#calendar': { heading: 'Account Management', card: 'Calendar' },
  '/account#license': { heading: 'Account Management', card: "Driver's License" },
  '/account#papers': { heading: 'Account Management', card: 'Vehicle and Vessel Papers' },
  '/account#passkeys': { heading: 'Account Management', card: 'Sign-in and passkeys' },
  '/account#requests': { heading: 'Account Management', card: 'Requests' },
  '/account#sessions': { heading: 'Account Management', card: 'Where you are signed in' },
  '/billing-info': { heading: 'Billing Information' },
  '/billing-info?autopay=ID': {
    heading: 'Billing Information',
    dialog: /^(Setup|Update) payment method$/,
  },
  '/billing-info?ledger=ID': { heading: 'Billing Information', dialog: /^Pay$/ },
  '/billing-info?ledger=all&of=ID': { heading: 'Billing Information', dialog: /^Pay$/ },
  '/login': { heading: 'Sign in to your account', isForVisitors: true },
  '/payment-history': { heading: 'Payment History' },
  '/profile': { heading: 'Profile' },
  '/register': { heading: 'Account Lookup', isForVisitors: true },
};

/** The links of a mail to pages of the portal; the others have tests of their own. */
function pathsIn({ blocks }: Email): string[] {
  return blocks.flatMap((block) =>
    block.kind === 'link' && block.url.startsWith('/')
      ? [block.url.replace(/=[\w-]{36}$/, `=${LEDGER}`)]
      : [],
  );
}

// spec 10.100
test('each link of each mail leads to what it names', async ({ page, portal }) => {
  test.slow();
  const mails = Object.values(mailsToTenants).flatMap((forms) => forms.map((form) => form()));
  const paths = [...new Set(mails.flatMap(pathsIn))].toSorted();
  expect(paths).toEqual(Object.keys(places));
  const [ledger] = await portal.sql(
    `SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id JOIN tenants t ON t.id = l.tenant_id
       WHERE u.name = 'A101' AND t.email = 'dana@example.com'`,
  );
  const open = async (path: string, { heading, card, dialog }: Place) => {
    // A change of the hash only would load nothing.
    await page.goto('about:blank');
    await page.goto(path.replace(LEDGER, ledger!.id as string));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    if (card !== undefined) {
      const region = page.getByRole('region', { name: card, exact: true });
      await expect(region.getByRole('group').first()).toHaveAttribute('open');
      await expect(region.getByRole('heading', { name: card })).toBeInViewport();
    }
    if (dialog !== undefined)
      await expect(
        page.getByRole('dialog').getByRole('heading', { name: dialog }).first(),
      ).toBeVisible();
  };
  for (const [path, place] of Object.entries(places))
    if (place.isForVisitors) await open(path, place);
  await signIn(page, portal, 'dana@example.com');
  for (const [path, place] of Object.entries(places))
    if (!place.isForVisitors) await open(path, place);
});

test(
  'the mailbox shows a mail as it looks, its text by the keyboard, and its button opens its page',
  { tag: '@wide' },
  async ({ page }) => {
    await page.request.post('/api/users/register', {
      data: {
        ...{ email: 'nobody@example.com', locationCode: 'TXDFW03', corporationCode: 'ANCHOR' },
      },
    });
    await page.goto('/mailbox?to=nobody@example.com');
    const mail = page.getByRole('article').first();
    const frame = mail.locator('iframe');
    await expect(
      frame.contentFrame().getByText('If you rent there, please call the facility'),
    ).toBeVisible();
    await expect(mail.locator('pre')).toBeHidden();
    await expect(mail.getByRole('time')).toHaveText(/ [AP]M [CM][SD]T$/);
    await expectAccessible(page);
    // The mail's own address of the portal, which is another one here.
    const href = (await frame.contentFrame().getByRole('link').last().getAttribute('href'))!;
    const answer = { body: 'The page of the mail', contentType: 'text/plain' };
    await page.context().route(`${href}**`, (route) => route.fulfill(answer));
    const popup = page.waitForEvent('popup');
    await frame.contentFrame().getByRole('link').last().click();
    const opened = await popup;
    await expect(opened.getByText('The page of the mail')).toBeVisible({ timeout: 20_000 });
    await opened.close();
    await page.bringToFront();
    await mail.getByRole('radio', { name: 'As it looks' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(mail.locator('pre')).toContainText('If you rent there, please call the facility');
    await expect(frame).toBeHidden();
    await expectAccessible(page);
  },
);
