import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import type { UnitRow } from '@gatehouse/contract/office/units';
import { unitNames } from '@gatehouse/contract/unit-records';
import { beforeAll, expect, test } from 'vitest';
import { makeTenant } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { callOffice, doVerb, signInStaff } from '#test/office.ts';
import { makeRentalOf } from '#test/owing-rental.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { addRows, changeRows, getRow } from '#test/rows.ts';

const api = useTestApp('demo_template');
let manager: string;
let clerk: string;
let tenantId: string;
const today = () => calendarDateIn('America/Chicago', api.ctx.clock.now());
beforeAll(async () => {
  manager = await signInStaff(api, 'manager');
  clerk = await signInStaff(api, 'clerk');
  const { id } = await getRow(api.owner, 'facilities', 'id', { location_code: 'TXDFW03' });
  tenantId = await makeTenant(api.owner, { facility_id: id });
});

const act = (verb: string, body: object, { as = manager, isPreview = false } = {}) =>
  doVerb(api, as, verb, { why: 'masters', isPreview, locationCode: 'TXDFW03', ...body });
const add = (units: string, rest: object = {}, options = {}) =>
  act(
    'units/add',
    { units, typeName: 'Covered RV', widthFeet: 12, lengthFeet: 40, ...rest },
    options,
  );
const unit = async (name: string) => {
  const query = { q: name, locationCode: 'TXDFW03' };
  const { body } = await callOffice(api, 'GET', '/office/units', { as: clerk, query });
  return (body.rows as UnitRow[])[0];
};
const quote = (name: string) =>
  act('rentals/quote', { tenantId, unit: name, on: today() }, { as: clerk });

test('a range of units is previewed, added, and can be let at its street rate', async () => {
  const preview = await add('X101-X140', { streetRate: 189.5 }, { isPreview: true });
  expect(preview.body.names).toHaveLength(40);
  expect(await unit('X101')).toBeUndefined();
  expect((await add('X101-X140', { streetRate: 189.5 })).status).toBe(200);
  expect(await unit('X140')).toMatchObject({
    state: 'vacant',
    widthFeet: 12,
    lengthFeet: 40,
    typeName: 'Covered RV',
    rate: 189.5,
    streetRate: 189.5,
  });
  expect((await quote('X140')).body.rate).toBe(189.5);
  const again = await add('x140-x141');
  expect([again.status, again.body.message]).toEqual([409, 'Unit x140 is there already.']);
  expect(await unit('X141')).toBeUndefined();
});

test('a unit that was vacated offers its street rate at the move-in, not its last rent', async () => {
  await add('Y1', { streetRate: 150 });
  const { id } = (await unit('Y1'))!;
  const reply = await act('units/rate', { unitId: id, streetRate: 175 });
  expect(reply.body).toEqual({ name: 'Y1', from: 150, to: 175 });
  expect((await quote('Y1')).body.rate).toBe(175);
  expect((await act('units/rate', { unitId: id, streetRate: 175 })).status).toBe(422);
});

test('a unit out of service says why, and cannot be moved into', async () => {
  await add('Z1', { streetRate: 150 });
  const { id } = (await unit('Z1'))!;
  expect((await act('units/close', { unitId: id, why: '' })).status).toBe(422);
  await act('units/close', { unitId: id, why: 'The door is broken.' });
  expect(await unit('Z1')).toMatchObject({
    state: 'outOfService',
    outOfService: 'The door is broken.',
  });
  const refused = await quote('Z1');
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'Unit Z1 is out of service: The door is broken.',
  ]);
  const inState = async (state: string) => {
    const query = { q: 'Z1', state, locationCode: 'TXDFW03' };
    const { body } = await callOffice(api, 'GET', '/office/units', { as: clerk, query });
    return (body.rows as UnitRow[]).map(({ name }) => name);
  };
  expect(await inState('outOfService')).toEqual(['Z1']);
  expect(await inState('vacant')).toEqual([]);
  expect(await inState('reserved')).toEqual([]);
  await act('units/open', { unitId: id });
  expect((await quote('Z1')).status).toBe(200);
  expect((await act('units/open', { unitId: id })).status).toBe(422);
});

test('a transfer into a unit that is closed at the same moment is refused', async () => {
  await add('T1', { streetRate: 150 });
  await add('T2', { streetRate: 150 });
  const movedIn = await act('rentals/move-in', { tenantId, unit: 'T1', on: today() });
  const { ledgerId } = movedIn.body.ledgers[0];
  let transfer: ReturnType<typeof act> | undefined;
  await api.ctx.db.transaction().execute(async (closing) => {
    const closed = { out_of_service: 'The roof leaks.' };
    await changeRows(closing, 'units', closed, { name: 'T2' });
    transfer = act('rentals/transfer', { ledgerId, unit: 'T2', on: today() });
    await Promise.race([transfer, untilLockWait(api.owner)]);
  });
  const { status, body } = await transfer!;
  expect([status, body.message]).toEqual([409, 'Unit T2 is out of service: The roof leaks.']);
});

test('a unit out of service is not vacant today, and is counted apart in the occupancy', async () => {
  const read = (path: string) =>
    callOffice(api, 'GET', path, { as: manager, query: { locationCode: 'TXDFW03' } });
  const sums = async () => {
    const here = (await read('/office/today')).body.sums;
    const { units, occupied, outOfService } = (await read('/office/reports/occupancy')).body;
    expect([units, occupied]).toEqual([here.units, here.occupied]);
    return { vacant: here.vacant as number, outOfService: outOfService as number };
  };
  await add('V1');
  const before = await sums();
  await act('units/close', { unitId: (await unit('V1'))!.id });
  // A rented unit is no vacancy.
  await act('units/close', { unitId: (await unit('A101'))!.id });
  expect(await sums()).toEqual({
    vacant: before.vacant - 1,
    outOfService: before.outOfService + 1,
  });
});

test('units that are added twice at the same moment are refused in a sentence', async () => {
  const { facility_id } = await getRow(api.owner, 'units', 'facility_id', { name: 'A101' });
  let adding: ReturnType<typeof act> | undefined;
  await api.ctx.db.transaction().execute(async (other) => {
    const size = { width_feet: 10, length_feet: 20 };
    await addRows(other, 'units', { facility_id, name: 'N5', type_name: 'RV', ...size });
    adding = add('n1-n9');
    await Promise.race([adding, untilLockWait(api.owner)]);
  });
  const { status, body } = await adding!;
  expect([status, body.message]).toEqual([409, 'Unit n5 is there already.']);
  expect(await unit('n1')).toBeUndefined();
});

test('a clerk changes no unit', async () => {
  const { id: unitId } = (await unit('A101'))!;
  const answers = await Promise.all([
    add('W1', {}, { as: clerk }),
    act('units/rate', { unitId, streetRate: 100 }, { as: clerk }),
    act('units/close', { unitId }, { as: clerk }),
    act('units/open', { unitId }, { as: clerk }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});

test('a unit of another facility is not found', async () => {
  const other = await getRow(api.owner, 'facilities', 'id', { location_code: 'TXDFW03A' });
  const unitId = randomUUID();
  await addRows(api.owner, 'units', {
    id: unitId,
    facility_id: other.id,
    name: 'Q1',
    type_name: 'RV',
    width_feet: 10,
    length_feet: 20,
  });
  const answers = await Promise.all(
    ['close', 'open', 'rate'].map((verb) => act(`units/${verb}`, { unitId, streetRate: 100 })),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test.each(['', 'A-', 'A140-A101', 'A1-A1000', 'A101-B140', 'A1-A01'])(
  'units named %j are refused in a sentence',
  async (units) => {
    expect(unitNames(units)).toEqual([]);
    const { status, body } = await add(units);
    expect([status, body.message]).toEqual([422, expect.stringMatching(/\.$/)]);
  },
);

test('a type is renamed for all units of a facility, which its tenants read, and joins another', async () => {
  const here = await getRow(api.owner, 'facilities', 'id', { location_code: 'TXDFW03' });
  const types = async () => {
    const { body } = await callOffice(api, 'GET', `/office/facilities/${here.id}`, { as: clerk });
    return body.unitTypes as { name: string; units: number }[];
  };
  const rename = (typeName: string, newName: string, options = {}) =>
    act('units/rename-type', { typeName, newName }, options);
  await add('T101-T103', { typeName: 'Tall' });
  await add('T104', { typeName: 'Low' });
  await makeRentalOf(api, here.id, tenantId, 'T105');
  await changeRows(api.owner, 'units', { type_name: 'Tall' }, { name: 'T105' });
  const preview = await rename('Tall', 'Covered', { isPreview: true });
  expect(preview.body).toEqual({
    ...{ typeName: 'Tall', newName: 'Covered', units: 4, rented: 1, others: 0 },
  });
  expect(await types()).toContainEqual({ name: 'Tall', units: 4 });
  expect((await rename('Tall', 'Covered')).body).toEqual(preview.body);
  expect((await unit('T103'))!.typeName).toBe('Covered');
  expect((await rename('Low', 'Covered')).body).toMatchObject({ units: 1, rented: 0, others: 4 });
  expect(await types()).toContainEqual({ name: 'Covered', units: 5 });
  expect((await rename('Low', 'High')).status).toBe(404);
  expect((await rename('Covered', 'Covered')).status).toBe(422);
  expect((await rename('Covered', 'High', { as: clerk })).status).toBe(403);
  // The same type of another facility stays.
  expect(
    (await act('units/rename-type', { typeName: 'Covered', newName: 'X', locationCode: 'AZPHX01' }))
      .status,
  ).toBe(404);
});
