import type { Page } from '@playwright/test';
import { openOffice, openTenantOf, signInStaff, WITHOUT_MOTION } from '../support/office.ts';
import { settleFaults } from '../support/faults.ts';
import { payloads } from '../support/payloads.ts';
import { expect, test } from '../support/portal.ts';
import {
  signInAsTenant,
  storeAsStaff,
  storeAsTenant,
  watchForScript,
} from '../support/stored-texts.ts';

test.use({ viewport: { width: 1280, height: 900 }, contextOptions: WITHOUT_MOTION });

const LISTS = [
  ...[
    '/',
    '/tenants',
    '/units',
    '/late',
    '/requests',
    '/insurance',
    '/papers',
    '/alarms',
    '/differences',
  ],
  ...['/rates', '/audit', '/staff', '/deposits', '/reports', '/settings', '/import', '/account'],
  '/go-live',
];

/**
 * No link leads to a script or another server, and no text makes the page wider than the window.
 */
async function expectHarmless(page: Page) {
  const links = await page
    .locator('[href], [src], [action]')
    .evaluateAll((found) =>
      found.flatMap((one) => ['href', 'src', 'action'].map((name) => one.getAttribute(name) ?? '')),
    );
  expect(
    links.filter((one) => /^\s*(javascript|vbscript|data:text)|evil\.example/i.test(one)),
  ).toEqual([]);
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
}

// asvs 1.2.1, 3.2.2
test('40 texts that would be script, in every text that a tenant or an import can write, run on no screen of the office', async ({
  page,
  portal,
  faults,
}) => {
  test.slow();
  const tenant = await signInAsTenant(page, portal);
  expect(await storeAsTenant(page, tenant)).toBeGreaterThan(100);
  await storeAsStaff(portal);
  await portal.sql("UPDATE requests SET reference = reference || ' ' || $1", [payloads[0]]);
  const seen = watchForScript(page, portal);
  await signInStaff(page, portal, 'owner');
  for (const path of LISTS) {
    await openOffice(page, path);
    await page.waitForLoadState('networkidle');
    await expectHarmless(page);
  }
  const [unit] = await portal.sql('SELECT id, name FROM units WHERE id = $1', [tenant.unitId]);
  await openTenantOf(page, portal, String(unit!['name']));
  await expect(page.getByRole('main')).toContainText(payloads[0]!);
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await page.waitForLoadState('networkidle');
    await expectHarmless(page);
  }
  await openOffice(page, `/units/${tenant.unitId}/show`);
  await page.waitForLoadState('networkidle');
  const requests = await portal.sql(
    'SELECT DISTINCT ON (kind) id FROM requests WHERE tenant_id = $1 ORDER BY kind, id',
    [tenant.tenantId],
  );
  expect(requests.length).toBeGreaterThan(4);
  for (const { id } of requests) {
    await openOffice(page, `/requests/${String(id)}/show`);
    await page.waitForLoadState('networkidle');
  }
  await page.getByRole('combobox', { name: 'Find a tenant' }).fill('script');
  await expect(page.getByRole('listbox').getByRole('option').first()).toContainText(payloads[0]!);

  expect(seen).toEqual({ alerts: [], strangers: [] });
  await settleFaults(page.context());
  expect(faults).toEqual({ refused: [], thrown: [] });
});
