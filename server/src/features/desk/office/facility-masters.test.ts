import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { Facility } from '@gatehouse/contract/facilities';
import { type GateAccess, hoursLabel } from '@gatehouse/contract/gate-access';
import { beforeAll, expect, test } from 'vitest';
import { signIn, useTestApp, type SignedIn } from '#test/app.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { getRow } from '#test/rows.ts';
import { applyScheduledSettings } from './settings.ts';

const api = useTestApp('demo_template');
let manager: string;
let facilityId: string;
let dana: SignedIn;
let today: string;
beforeAll(async () => {
  manager = await signInStaff(api, 'manager');
  dana = await signIn(api, 'dana@example.com');
  facilityId = (await getRow(api.owner, 'facilities', 'id', { location_code: 'TXDFW03' })).id;
  today = calendarDateIn('America/Chicago', api.ctx.clock.now());
});

const change = (changes: object, { as = manager, ...rest }: { as?: string; on?: string } = {}) =>
  callOffice(api, 'PATCH', `/office/facilities/${facilityId}`, {
    as,
    body: { key: randomUUID(), why: 'moved in', isPreview: false, changes, ...rest },
  });
const hours = async () => {
  const { body } = await api.call('GET', `${dana.prefix}/gate-access`, dana);
  return (body as GateAccess[])[0]?.timeZone;
};

test('the hours that a tenant sees are 6am - 10pm until the office says others', async () => {
  expect(hoursLabel((await hours())!)).toBe('Business Hours (6am - 10pm)');
  const [, month, day] = today.split('-').map(Number);
  const { body } = await change({
    gateHours: 'mon-sat 7am-9pm, sun closed',
    gateHolidays: `${month}/${day} Closed, 1/1/2020 closed`,
  });
  expect(body.effects).toEqual([
    'Gate hours: from 6am - 10pm to Mon-Sat 7am - 9pm, Sun closed, from now on.',
    `Holidays of the gate: from none to ${month}/${day} closed, 1/1/2020 closed, from now on.`,
  ]);
  expect(await hours()).toBe(
    `Business Hours (Mon-Sat 7am - 9pm, Sun closed, ${month}/${day} closed)`,
  );
});

test('hours change on a later day by the facility’s day', async () => {
  const before = await hours();
  const on = addDays(today, 3);
  await change({ gateHours: '5am - 11pm' }, { on });
  expect(await hours()).toBe(before);
  await applyScheduledSettings(api.ctx, { facilityId, date: on });
  expect(await hours()).toContain('5am - 11pm');
});

test('a manager changes name, address, zone and office hours, which tenants then see', async () => {
  const changes = { name: 'Lake Worth Storage', street1: '1 Dock Rd', officeHours: '9am - 6pm' };
  expect((await change(changes)).status).toBe(200);
  const { body } = await api.call('GET', dana.prefix, dana);
  expect(body).toMatchObject({
    name: 'Lake Worth Storage',
    address: { street1: '1 Dock Rd', city: 'Fort Worth' },
    officeHours: '9am - 6pm',
  } satisfies object as Partial<Facility>);
});

test.each([
  { gateHours: 'always' },
  { gateHours: 'Mon-Fri 6am - 10pm, Fri 8am - 6pm' },
  { gateHolidays: '2/30 closed' },
  { officeHours: 'ask' },
  { timeZone: 'Fort Worth' },
  { name: '' },
  { region: 'Texas' },
])('%j is refused in a sentence', async (changes) => {
  const { status, body } = await change(changes);
  expect([status, body.message]).toEqual([422, expect.stringMatching(/\.$/)]);
});

test('a clerk changes none of it', async () => {
  const as = await signInStaff(api, 'clerk');
  expect((await change({ gateHours: '5am - 10pm' }, { as })).status).toBe(403);
});
