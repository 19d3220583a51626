import { randomUUID } from 'node:crypto';
import type { AuditRow } from '@gatehouse/contract/office/audit';
import { officeVerbs, type OfficeVerbName } from '@gatehouse/contract/office/verbs';
import { beforeAll, expect, test } from 'vitest';
import { makeStaffMember } from '#seeds/builders.ts';
import { useTestApp } from './app.ts';
import { callOffice, signInStaff } from './office.ts';
import { getRow } from './rows.ts';
import { testClock } from './test-day.ts';

const api = useTestApp('demo_template');
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const EMAIL = 'imposter@anchor-axle.example';
let as: string;
let staffId: string;
let dana: { tenantId: string; ledgerId: string };
beforeAll(async () => {
  const { id } = await getRow(api.owner, 'facilities', 'id', { location_code: 'TXDFW03' });
  // As a name from before names were compared: the owner's.
  await makeStaffMember(api.owner, {
    email: EMAIL,
    name: 'June Park',
    role: 'manager',
    password: randomUUID(),
    facilityIds: [id],
    createdAt: testClock.now(),
  });
  as = await signInStaff(api, { email: EMAIL });
  staffId = (await getRow(api.owner, 'staff_members', 'id', { email: EMAIL })).id;
  const rows = await api.sql<{ tenantId: string; ledgerId: string }>`
    SELECT t.id AS "tenantId", l.id AS "ledgerId" FROM tenants t JOIN ledgers l ON l.tenant_id = t.id
    JOIN facilities f ON f.id = t.facility_id JOIN units u ON u.id = l.unit_id
    WHERE t.email = 'dana@example.com' AND f.location_code = 'TXDFW03' AND u.name = 'A101'`;
  dana = rows[0]!;
});

const act = (name: OfficeVerbName, body: object, more: { key?: string; why?: string } = {}) =>
  callOffice(api, 'POST', officeVerbs[name].path, {
    as,
    headers: { 'user-agent': CHROME },
    body: { key: randomUUID(), why: 'test', isPreview: false, ...more, ...body },
  });
const lastEvent = async () => {
  const [event] = await api.owner
    .selectFrom('audit_events')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  return event!;
};

test('a verb is noted with the account, the network, the device and what decided, in the event and the action', async () => {
  const key = randomUUID();
  const body = { ledgerId: dana.ledgerId, amount: 5, description: 'For the bad road' };
  expect((await act('credits.add', body, { key, why: 'complaint' })).status).toBe(200);
  const origin = { staff_id: staffId, ip: '127.0.0.1', device: CHROME };
  expect(await lastEvent()).toMatchObject({
    kind: 'staff_action',
    ...origin,
    details: { verb: 'credits.add', by: 'June Park', amount: '5', why: 'complaint', key },
  });
  const columns = ['staff_id', 'ip', 'device', 'by_name'] as const;
  expect(await getRow(api.owner, 'staff_actions', columns, { key })).toEqual({
    ...origin,
    by_name: 'June Park',
  });
});

test.each([
  ['rentals.rate', { amount: 300, on: '2027-06-01' }, { amount: '300', on: '2027-06-01' }],
  ['rentals.hold', { until: '2027-01-05' }, { until: '2027-01-05' }],
  [
    'charges.add',
    { category: 'fee', description: 'Lock', amount: 7.5 },
    { category: 'fee', amount: '7.5' },
  ],
] as const)(
  'the event of %s holds the values that decided, and no typed text',
  async (name, body, values) => {
    const answer = await act(name, { ledgerId: dana.ledgerId, ...body });
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    const { details } = await lastEvent();
    expect(details).toMatchObject(values);
    expect(JSON.stringify(details)).not.toContain('Lock');
  },
);

test('the event of a mail again holds who it went to', async () => {
  const { receipt_number: receiptNumber } = await getRow(api.owner, 'payments', 'receipt_number', {
    ledger_id: dana.ledgerId,
  });
  expect((await act('payments.mailReceipt', { receiptNumber })).status).toBe(200);
  expect((await lastEvent()).details).toMatchObject({ mailedTo: 'dana@example.com' });
});

test('a reason that is twice as long in JSON is kept', async () => {
  const why = '"'.repeat(500);
  expect((await act('rentals.overlock', { ledgerId: dana.ledgerId }, { why })).status).toBe(200);
  expect((await lastEvent()).details).toMatchObject({ why });
});

test('the office shows name and address, network and browser, and finds by the address', async () => {
  const owner = await signInStaff(api, 'owner');
  const find = async (by: string) => {
    const query = { by, locationCode: 'TXDFW03', verb: 'credits.add' };
    const { body } = await callOffice(api, 'GET', '/office/audit', { as: owner, query });
    return body.rows as AuditRow[];
  };
  const shown = {
    by: 'June Park',
    staffEmail: EMAIL,
    ip: '127.0.0.1',
    device: 'Chrome on Windows',
  };
  expect(await find('Imposter@')).toMatchObject([shown]);
  expect(await find('june p')).toMatchObject([shown]);
  expect(await find('owner@')).toEqual([]);
});
