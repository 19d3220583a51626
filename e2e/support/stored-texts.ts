import { expect, type Page } from '@playwright/test';
import { inTexts, payloads } from './payloads.ts';
import { PASSWORD, type Portal } from './portal.ts';

type Tenant = { token: string; tenantId: string; ledgerId: string; unitId: string };

/** Dana with A101, signed in through the API; the session is stored where the portal keeps it. */
export async function signInAsTenant(page: Page, portal: Portal): Promise<Tenant> {
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
export async function storeAsTenant(
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
export async function storeAsStaff(portal: Portal): Promise<void> {
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
    further_vehicles: 'license_plate description',
    images: 'file_name',
    alarms: 'sentence closed_why',
    late_templates: 'text',
    gateway_lines: 'reference',
    refunds: 'reason',
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

/** Alerts, and requests to other servers, that the pages of a test make. */
export function watchForScript(
  page: Page,
  portal: Portal,
): { alerts: string[]; strangers: string[] } {
  const seen = { alerts: [] as string[], strangers: [] as string[] };
  page.on('dialog', (dialog) => {
    seen.alerts.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'blob:' && url.protocol !== 'data:' && url.origin !== portal.url)
      seen.strangers.push(request.url());
  });
  return seen;
}
