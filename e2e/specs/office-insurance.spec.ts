import { addDays } from '@gatehouse/contract/dates';
import { TEST_DAY } from '../../server/test/test-day.ts';
import { expectAccessible, expectNoSidewaysScroll } from '../support/axe.ts';
import { WITHOUT_MOTION, openOffice, perform, signInStaff } from '../support/office.ts';
import { expect, signIn, test } from '../support/portal.ts';
import { openDetails, openMyUnits } from '../support/tenant.ts';

test.use({ viewport: { width: 1280, height: 900 }, contextOptions: WITHOUT_MOTION });

test('a clerk refuses a proof from Today, the tenant reads why, and the clerk accepts it after all', async ({
  page,
  portal,
}) => {
  await portal.sql(
    `INSERT INTO private_policies (ledger_id, company, policy_number, coverage_cents, starts_on, ends_on, user_id, created_at)
     SELECT l.id, 'Gulf Mutual', 'GM-7', 500000, $1, $2, x.user_id, $1::date FROM ledgers l JOIN units u ON u.id = l.unit_id
     JOIN user_tenants x ON x.tenant_id = l.tenant_id WHERE u.name = 'A101'`,
    [TEST_DAY, addDays(TEST_DAY, 200)],
  );
  await signInStaff(page, portal, 'clerk');
  await openOffice(page, '/');
  const group = page.getByRole('region', { name: 'Proofs to check' });
  await expect(group.getByRole('heading')).toHaveText('Proofs to check: 1');
  await group.getByRole('link', { name: /A101: Gulf Mutual/ }).click();
  await expect(page.getByRole('cell', { name: 'To check' })).toBeVisible();
  await expect(page.getByText('Gulf Mutual, GM-7, covers $5,000.00')).toBeVisible();
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(page.getByRole('button', { name: 'Accept', exact: true })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
  await perform(
    page,
    'Refuse',
    async (dialog) => {
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await expect(dialog.getByLabel('What the tenant reads')).toBeFocused();
      await dialog.getByLabel('What the tenant reads').fill('The coverage is below $10,000.');
      await expectAccessible(page);
    },
    { says: 'the portal says that one is needed' },
  );
  await expect(page.getByText('No rental fits.')).toBeVisible();

  await signIn(page, portal, 'dana@example.com');
  await openMyUnits(page);
  await openDetails(page);
  await page.getByRole('button', { name: 'Add protection plan for A101' }).click();
  await expect(page.getByRole('dialog')).toContainText(
    'Your proof of Gulf Mutual was refused: The coverage is below $10,000.',
  );

  await openOffice(page, '/insurance?filter=%7B%22state%22%3A%22refused%22%7D');
  await expect(page.getByText(/; refused by .*: The coverage is below/)).toBeVisible();
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Accept', exact: true });
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByText('Replace that decision?')).toBeVisible();
  await dialog.getByLabel('Replace the earlier decision').check();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(dialog.getByText('Done.', { exact: true })).toBeVisible();
});
