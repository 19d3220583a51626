import { randomUUID } from 'node:crypto';
import type { OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import { officeVerbs } from '@gatehouse/contract/office/verbs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '#config/limits.ts';
import { makeTenant } from '#seeds/builders.ts';
import { useTestApp } from './app.ts';
import { setLimits } from './limits.ts';
import { mailsTo } from './mails.ts';
import { callOffice, signInStaff } from './office.ts';
import { getRow } from './rows.ts';

const api = useTestApp('demo_template');
const TOO_MANY =
  'Too many mails went to addresses that are no tenant’s. Please wait and try again.';
let facilityId: string;
let unit: string;
let dana: { tenantId: string };
beforeAll(async () => {
  const rows = await api.sql<{ facilityId: string; unit: string; tenantId: string }>`
    SELECT f.id AS "facilityId", u.name AS unit, t.id AS "tenantId" FROM facilities f
    JOIN units u ON u.facility_id = f.id
    JOIN tenants t ON t.facility_id = f.id AND t.email = 'dana@example.com'
    WHERE f.location_code = 'TXDFW03' AND NOT EXISTS (SELECT FROM ledgers l WHERE l.unit_id = u.id
      AND l.moved_out_on IS NULL)
    AND EXISTS (SELECT FROM ledgers l WHERE l.unit_id = u.id) LIMIT 1`;
  ({ facilityId, unit } = rows[0]!);
  dana = rows[0]!;
});
let as: Record<OfficeRole, string>;
beforeEach(async () => {
  as = {
    clerk: await signInStaff(api, 'clerk'),
    manager: await signInStaff(api, 'manager'),
    owner: await signInStaff(api, 'owner'),
  };
});

const common = () => ({ key: randomUUID(), why: 'test', isPreview: false });
const quote = (body: object, role: OfficeRole = 'clerk') =>
  callOffice(api, 'POST', officeVerbs['rentals.mailQuote'].path, {
    as: as[role],
    body: { ...common(), locationCode: 'TXDFW03', unit, on: '2026-12-01', ...body },
  });
const stranger = () => `${randomUUID()}@elsewhere.example`;
/** A record that was only typed: it rents nothing. */
const record = async (email: string) => makeTenant(api.owner, { facility_id: facilityId, email });

/** Every call by which a member of staff has a mail sent to an address that is no tenant's. */
const mails: [string, (to: string) => Promise<{ status: number; body: { message?: string } }>][] = [
  ['a quote to a guest', (email) => quote({ firstName: 'Robin', email }, 'owner')],
  [
    'a quote to a record that rents nothing',
    async (to) => quote({ tenantId: await record(to) }, 'owner'),
  ],
  [
    'another address of a record',
    async (email) => {
      const tenantId = await record(stranger());
      return callOffice(api, 'POST', officeVerbs['tenants.email'].path, {
        as: as.owner,
        body: { ...common(), tenantId, email },
      });
    },
  ],
  [
    // It is mailed too.
    'the address that a record had',
    async (to) => {
      const tenantId = await record(to);
      return callOffice(api, 'POST', officeVerbs['tenants.email'].path, {
        as: as.owner,
        body: { ...common(), tenantId, email: 'dana@example.com', joined: true },
      });
    },
  ],
  [
    'an invitation of staff',
    (email) =>
      callOffice(api, 'POST', '/office/staff', {
        as: as.owner,
        body: { email, role: 'clerk', isForAllFacilities: true, locationCodes: [] },
      }),
  ],
  [
    'who is mailed of a facility',
    (address) =>
      callOffice(api, 'POST', `/office/facilities/${facilityId}/recipients`, {
        as: as.owner,
        body: { kind: 'morning_late', address, isRemoved: false },
      }),
  ],
  [
    'the email of a facility',
    (email) =>
      callOffice(api, 'PATCH', `/office/facilities/${facilityId}`, {
        as: as.owner,
        body: { ...common(), changes: { email } },
      }),
  ],
  [
    'an executor',
    async (email) => {
      const tenantId = await record(stranger());
      return callOffice(api, 'POST', officeVerbs['tenants.recordDeath'].path, {
        as: as.owner,
        body: { ...common(), tenantId, name: 'Ann Reyes', email },
      });
    },
  ],
  [
    'the second signer of a form',
    (secondEmail) =>
      callOffice(api, 'POST', officeVerbs['forms.add'].path, {
        as: as.owner,
        body: {
          ...{ ...common(), locationCode: 'TXDFW03', name: randomUUID(), secondEmail },
          ...{ text: '{signature}\n\n{second signature}', secondName: 'Ann Lee' },
        },
      }),
  ],
];

describe('mails that staff have sent to addresses that are no tenant’s', () => {
  test.each(mails)('%s: limited by member, all kinds together', async (_, send) => {
    const most = 3;
    await setLimits(api, {
      'staff-mails-to-strangers-an-hour': { most, seconds: 3600 },
    });
    for (let sent = 0; sent < most; sent += 1)
      expect((await quote({ firstName: 'Robin', email: stranger() }, 'owner')).status).toBe(200);
    const to = stranger();
    const { status, body } = await send(to);
    expect([status, body.message]).toEqual([429, TOO_MANY]);
    expect(await mailsTo(api, to)).toEqual([]);
    // Another member may.
    expect((await quote({ firstName: 'Robin', email: stranger() }, 'manager')).status).toBe(200);
  });

  test.each(mails)('%s: limited by address, however it is written', async (_, send) => {
    await setLimits(api, { 'staff-mails-to-a-stranger-a-day': { most: 1, seconds: 86_400 } });
    const name = randomUUID();
    const first = await quote({ firstName: 'Robin', email: `${name}@elsewhere.example` }, 'clerk');
    expect(first.status).toBe(200);
    const again = await send(`${name.replace('-', '.-')}+a@Elsewhere.example`);
    expect([again.status, again.body.message]).toEqual([429, TOO_MANY]);
  });

  test.each(mails)('%s is sent within the budget', async (_, send) => {
    await setLimits(api, {});
    const { status, body } = await send(stranger());
    expect([status, body.message]).toEqual([200, undefined]);
  });

  test('thirty quotes in a minute end, as the limits are without a setting', async () => {
    await setLimits(api, limits);
    const sent: number[] = [];
    for (let tried = 0; tried < 30; tried += 1)
      sent.push((await quote({ firstName: 'Robin', email: stranger() })).status);
    expect(sent.filter((status) => status === 200)).toHaveLength(20);
    expect(sent.at(-1)).toBe(429);
  });

  test('a preview counts nothing, and a quote to a tenant has no budget', async () => {
    const one = { most: 1, seconds: 86_400 };
    await setLimits(api, {
      'staff-mails-to-strangers-an-hour': one,
      'staff-mails-to-a-stranger-a-day': one,
    });
    const guest = { firstName: 'Robin', email: stranger() };
    for (const isPreview of [true, true, false])
      expect((await quote({ ...guest, isPreview })).status).toBe(200);
    for (let sent = 0; sent < 3; sent += 1)
      expect((await quote({ tenantId: dana.tenantId })).status).toBe(200);
  });

  test('an executor who is recorded again with the same address is counted once', async () => {
    await setLimits(api, { 'staff-mails-to-a-stranger-a-day': { most: 1, seconds: 86_400 } });
    const tenantId = await record(stranger());
    const died = (body: object) =>
      callOffice(api, 'POST', officeVerbs['tenants.recordDeath'].path, {
        as: as.owner,
        body: { ...common(), tenantId, ...body },
      });
    const email = stranger();
    for (const name of ['Ann Reyes', 'Ann Lee'])
      expect((await died({ name, email })).status).toBe(200);
  });

  test('a death that is revoked over the budget sends no invitation', async () => {
    await setLimits(api, { 'staff-mails-to-a-stranger-a-day': { most: 1, seconds: 86_400 } });
    const email = stranger();
    const tenantId = await record(email);
    const isInvited = [];
    for (let round = 0; round < 2; round += 1) {
      const body = { ...common(), tenantId };
      const { path } = officeVerbs['tenants.recordDeath'];
      await callOffice(api, 'POST', path, { as: as.owner, body: { ...body, name: 'Ann Lee' } });
      const revoked = await callOffice(api, 'POST', officeVerbs['tenants.revokeDeath'].path, {
        ...{ as: as.owner, body: { ...body, key: randomUUID() } },
      });
      isInvited.push(revoked.body.isInvited);
    }
    expect(isInvited).toEqual([true, false]);
    expect(await mailsTo(api, email)).toHaveLength(1);
  });

  test('a move-in over the budget is done without an invitation', async () => {
    await setLimits(api, { 'staff-mails-to-strangers-an-hour': { most: 1, seconds: 3600 } });
    expect((await quote({ firstName: 'Robin', email: stranger() })).status).toBe(200);
    const email = stranger();
    const tenantId = await record(email);
    const { status, body } = await callOffice(api, 'POST', officeVerbs['rentals.moveIn'].path, {
      as: as.clerk,
      body: { ...common(), isPreview: true, tenantId, unit, on: '2026-12-01' },
    });
    expect([status, body.isInvited]).toEqual([200, false]);
    const byManager = await callOffice(api, 'POST', officeVerbs['rentals.moveIn'].path, {
      as: as.manager,
      body: { ...common(), isPreview: true, tenantId, unit, on: '2026-12-01' },
    });
    expect(byManager.body.isInvited).toBe(true);
  });
});

test.each([
  ['a web address', 'Win at evil.example'],
  ['a link', 'http://10.0.0.1/x'],
  ['a mail address', 'ask@evil.example'],
  ['a formula', '=1+1'],
])('a name with %s goes into no quote and no record', async (_, firstName) => {
  const email = stranger();
  expect((await quote({ firstName, email })).status).toBe(422);
  const { status } = await callOffice(api, 'POST', officeVerbs['tenants.add'].path, {
    as: as.clerk,
    body: {
      ...common(),
      ...{ locationCode: 'TXDFW03', firstName, lastName: 'Ode', email, phone: '8175550142' },
      ...{ street1: '1 Main', city: 'Azle', region: 'TX', postalCode: '76020' },
    },
  });
  expect(status).toBe(422);
});

test('each of these mails leaves its recipient in the trail, with the member’s account', async () => {
  const { id: owner } = await getRow(api.owner, 'staff_members', 'id', {
    email: 'owner@anchor-axle.example',
  });
  for (const [what, send] of mails) {
    const to = stranger();
    expect([what, (await send(to)).status]).toEqual([what, 200]);
    const rows = await api.sql<{ staffId: string }>`
      SELECT staff_id AS "staffId" FROM audit_events WHERE ${to} IN (details->>'mailedTo', details->>'address', details->>'from')`;
    expect([what, rows]).toEqual([what, [{ staffId: owner }]]);
  }
});

test('an invitation of a move-in is noted for the member who moves in, not for the command line', async () => {
  const email = stranger();
  const tenantId = await record(email);
  const { status } = await callOffice(api, 'POST', officeVerbs['rentals.moveIn'].path, {
    as: as.manager,
    body: { ...common(), tenantId, unit, on: '2026-12-01' },
  });
  expect(status).toBe(200);
  const { id } = await getRow(api.owner, 'staff_members', 'id', { name: 'Marcus Webb' });
  const where = { kind: 'user_invited', tenant_id: tenantId };
  expect(await getRow(api.owner, 'audit_events', ['staff_id', 'details'], where)).toEqual({
    staff_id: id,
    details: { by: 'Marcus Webb', mailedTo: email },
  });
});
