import { expectAccessible } from '../support/axe.ts';
import { openOffice, signInStaff, WITHOUT_MOTION } from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({ viewport: { width: 1280, height: 900 }, contextOptions: WITHOUT_MOTION });

for (const colorScheme of ['light', 'dark'] as const)
  test(`an owner reads the state of each step of the guide, ${colorScheme}`, async ({
    page,
    portal,
  }) => {
    await page.emulateMedia({ colorScheme });
    await signInStaff(page, portal, 'owner');
    await openOffice(page, '/go-live');
    const steps = page.getByRole('list', { name: 'Steps' });
    await expect(steps.getByRole('listitem').filter({ hasText: 'Owner' })).toContainText(
      'Owners who can sign in to the office: 1.',
    );
    await expect(steps.getByRole('listitem')).toHaveCount(8);
    for (const width of [768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expectAccessible(page);
      const path = `${process.env.PICTURES}/go-live-${width}-${colorScheme}.png`;
      if (process.env.PICTURES) await page.screenshot({ path });
    }
  });

test('an owner looks again by keyboard, and reads what to do about what is missing', async ({
  page,
  portal,
}) => {
  await signInStaff(page, portal, 'owner');
  await openOffice(page, '/go-live');
  const answer = {
    isLive: true,
    steps: [
      {
        subject: 'owner',
        level: 'warning',
        says: 'An owner is invited and has not accepted yet.',
        todo: 'Open the link of the mail; gatehouse staff reinvite EMAIL mails another.',
      },
      {
        subject: 'office',
        level: 'fault',
        says: 'The office does not answer at https://office.example.com (ECONNREFUSED).',
        todo: 'See the DNS, the firewall, the server_name and certificate of the proxy.',
      },
    ],
  };
  await page.route('**/api/office/going-live', (route) => route.fulfill({ json: answer }));
  await expect(page.getByRole('status')).toHaveText('Nothing is missing.');
  const again = page.getByRole('button', { name: 'Look again' });
  await again.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText('2 steps are to be done.');
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Address of the office' }),
  ).toContainText('To do: See the DNS');
  await expectAccessible(page);
  if (process.env.PICTURES)
    await page.screenshot({ path: `${process.env.PICTURES}/go-live-missing.png` });
});
