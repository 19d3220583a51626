import type { Page } from '@playwright/test';
import { tenantPaths } from '../support/paths.ts';
import { openDetails } from '../support/tenant.ts';
import { expect, PASSWORD, type Portal, test } from '../support/portal.ts';
import { settleFaults } from '../support/faults.ts';
import { inTexts, payloads } from '../support/payloads.ts';

type Tenant = { token: string; tenantId: string; ledgerId: string; unitId: string };

/** Dana with A101, signed in through the API; the session is stored where the portal keeps it. */
async function signInAsTenant(page: Page, portal: Portal): Promise<Tenant> {
  const answer = await page.request.post('/api/users/login', {
    data: {
      username: 'dana@example.com',
      password: PASSWORD,
      locationCode: 'TXDFW03',
      corporationCode: 'ANCHOR',
    },
  });
  const { token, tenants } = (await answer.json()) as { token: string; tenants: { id: string }[] };
  await page.goto('/healthz');
  const session = { token, tenants, currentTenantId: tenants[0]!.id, locationCode: 'TXDFW03' };
  await page.evaluate((text) => localStorage.setItem('gatehouse', text), JSON.stringify(session));
  const [unit] = await portal.sql(
    "SELECT l.id AS ledger, u.id AS unit FROM ledgers l JOIN units u ON u.id = l.unit_id WHERE u.name = 'A101'",
  );
  return {
    token,
    tenantId: tenants[0]!.id,
    ledgerId: unit!.ledger as string,
    unitId: unit!.unit as string,
  };
}

/**
 * Stores every payload in every text that the API takes from a tenant; answers how many requests
 * that were.
 */
async function storeAsTenant(
  page: Page,
  { token, tenantId, ledgerId, unitId }: Tenant,
): Promise<number> {
  const prefix = '/api/corporations/ANCHOR/locations/TXDFW03';
  const [ofTenant, ofLedger] = [`${prefix}/tenants/${tenantId}`, `${prefix}/ledgers/${ledgerId}`];
  let stored = 0;
  async function send(path: string, data: object, method = 'POST') {
    const answer = await page.request.fetch(path, {
      method,
      data,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status(), `${path} ${JSON.stringify(data)}: ${await answer.text()}`).toBe(200);
    stored += 1;
  }
  const copies = (text: string) => ({
    facilityName: text,
    firstName: text,
    lastName: text,
    unitName: text,
  });
  for (const text of inTexts(500)) await send(`${ofLedger}/resend-esign-documents`, copies(text));
  for (const text of inTexts(1000)) {
    await send(`${ofLedger}/request-gate-access`, { reason: text });
    await send(`${ofLedger}/move-out`, { reason: text });
  }
  for (const text of inTexts(2000))
    await send(`${prefix}/maintenance-requests`, {
      ledgerId,
      issueType: 'gate',
      issueDescription: text,
    });
  const contact = {
    phone: '8175550100',
    emailAddress: 'dana@example.com',
    state: 'TX',
    postal: '76020',
  };
  for (const text of inTexts(100)) {
    const [first, address] = [
      { firstName: text, lastName: text },
      { address1: text, address2: text },
    ];
    await send(`${ofTenant}/update/request`, { ...contact, ...first, ...address, city: text });
    const alternateContact = { ...first, email: 'kim@example.com', phone: '8175550101' };
    await send(ofTenant, { alternateContact }, 'PATCH');
    await send(`${ofLedger}/vehicles`, { licensePlate: text.slice(0, 30), description: text });
    const proof = {
      description: text,
      policyNumber: text.slice(0, 50),
      coverageAmount: 5000,
      coverageEnd: '2099-01-01',
    };
    await send(`${ofLedger}/insurance-proof`, proof);
    const copied = {
      unitId,
      formType: text,
      coverageAmount: text,
      description: text,
      policyNumber: text.slice(0, 50),
    };
    await send(`${ofTenant}/insurance/update`, {
      ...proof,
      ...copied,
      ...copies(text),
      coverageAmount: 5000,
    });
  }
  for (const payload of payloads)
    await send(`${ofLedger}/unit-contents`, { contents: `vehicle:${payload.slice(0, 50)}` });
  return stored;
}

/**
 * Writes all payloads at once into every text that staff or the API's own checks leave open, of all
 * the tenant sees.
 */
async function storeAsStaff(portal: Portal): Promise<void> {
  const columns: Record<string, string> = {
    corporations: 'name',
    facilities: 'name street1 street2 city postal_code phone email',
    discount_plans: 'name',
    protection_plans: 'description',
    gate_schedules: 'name',
    units: 'type_name',
    tenants:
      'first_name last_name phone street1 street2 city region postal_code alternate_first_name alternate_last_name alternate_email alternate_phone',
    vehicles: 'license_plate description',
    private_policies: 'company policy_number',
    envelope_statuses: 'name',
    esign_documents: 'form_name',
    charges: 'description',
    credits: 'description',
    payments: 'description',
    payment_methods: 'brand last_four holder_name street_address postal_code',
    mandates: 'text',
    autopay_items: 'note',
  };
  const all = payloads.join('\n');
  for (const [table, names] of Object.entries(columns)) {
    const list = names
      .split(' ')
      .map((name) => `${name} = CASE WHEN ${name} IS NULL THEN NULL ELSE $1::text END`);
    await portal.sql(`UPDATE ${table} SET ${list.join(', ')}`, [all]);
  }
  await portal.sql("UPDATE unit_contents SET contents = 'vehicle:' || $1", [all]);
  await portal.sql("UPDATE units SET name = name || ' ' || $1", [all]);
  await portal.sql('UPDATE facilities SET move_out_url = \'https://x/" onmouseover="alert(1)\'');
}

// asvs 1.1.2, 1.2.1, 1.3.2, 1.3.5, 3.2.2
test('40 texts that would be script, in every text that is stored, run on no screen, dialog or mail', async ({
  page,
  portal,
  faults,
}) => {
  test.slow();
  expect(new Set(payloads).size).toBe(40);
  const alerts: string[] = [];
  const strangers: string[] = [];
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'blob:' && url.protocol !== 'data:' && url.origin !== portal.url)
      strangers.push(request.url());
  });
  const tenant = await signInAsTenant(page, portal);
  expect(await storeAsTenant(page, tenant)).toBeGreaterThan(100);
  await storeAsStaff(portal);

  const dialog = page.getByRole('dialog');
  /** Opens the dialog of the first such button, until it shows what it has loaded. */
  async function lookInto(button: RegExp, text: string) {
    await page.getByRole('button', { name: button }).first().click();
    await expect(dialog).toContainText(text);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 3, name: /^A101/ })).toContainText(payloads[0]!);
  for (const summary of await page.locator('summary').all()) await summary.click();
  await openDetails(page);
  await lookInto(/^View Charges/, payloads[39]!);
  await lookInto(/private insurance for A101/, payloads[39]!);
  await lookInto(/unit contents for A101/, 'License Plate');
  await lookInto(/^Request 24-hour access/, 'Reason');
  await lookInto(/^Resend documents/, 'dana@example.com');
  await lookInto(/^Add driver's license/, "Driver's License State");
  await page.goto('/billing-info');
  for (const summary of await page.locator('summary').all()) await summary.click();
  await lookInto(/^Setup autopay for A101/, payloads[39]!);
  await lookInto(/^Update autopay for B207/, payloads[39]!);
  await lookInto(/^Switch autopay off/, 'stays saved');
  await page.goto('/payment-history');
  await expect(page.getByRole('table')).toContainText(payloads[0]!);
  await page.goto('/profile');
  await expect(page.getByRole('main')).toContainText(payloads[0]!);
  await lookInto(/^Update contact information/, 'Street 1');
  await lookInto(/alternate contact/, 'First Name');
  for (const path of tenantPaths) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
  }
  await page.goto('/mailbox');
  await expect(page.getByText(payloads[0]!).first()).toBeVisible();
  await page.goto(
    `/nothing-${encodeURIComponent(payloads[0]!)}?x=${encodeURIComponent(payloads[8]!)}#${payloads[1]!}`,
  );
  await expect(page.getByText('404')).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await page.getByLabel('What state is your facility located?').selectOption('TX');
  await expect(page.getByLabel('Select your location')).toContainText(payloads[0]!);

  expect(alerts).toEqual([]);
  expect(strangers).toEqual([]);
  await settleFaults(page.context());
  expect(faults).toEqual({ refused: [], thrown: [] });
});
