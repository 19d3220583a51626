import { testClock } from '../../server/test/test-day.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../support/axe.ts';
import { openOffice, signInStaff, WITHOUT_MOTION } from '../support/office.ts';
import { expect, test } from '../support/portal.ts';

test.use({ viewport: { width: 1280, height: 900 }, contextOptions: WITHOUT_MOTION });

test('Today lists what is to be done in the order of urgency, what is empty in one line, and each row leads to its action', async ({
  page,
  portal,
}) => {
  await portal.sql(
    `INSERT INTO alarms (kind, key, sentence, facts, raised_at)
     VALUES ('gate_controller', 'gate', 'The gate does not answer.', '{}', $1)`,
    [testClock.now()],
  );
  await signInStaff(page, portal, 'owner');
  await openOffice(page, '');
  const groups = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect(groups).toHaveText(['Alarms: 1', 'Move-ins: 1', 'Late since yesterday: 1']);
  await expect(
    page.getByText(
      'Nothing else waits: payments taken back, move-outs, transfers, requests without a reply, proofs to check, ending within 30 days, papers that expire.',
    ),
  ).toBeVisible();
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  await page.getByRole('link', { name: /P118/ }).press('Enter');
  await expect(page.getByText('Owed in all')).toBeVisible();
});
