import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeFacility, makeStaffMember, makeTenant } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, doVerb, signInStaff } from '#test/office.ts';
import { findRows, getRow } from '#test/rows.ts';
import { testClock } from '#test/test-day.ts';

const api = useTestApp('demo_template');
const HERE = 'TXDFW03';
const ELSEWHERE = 'AZPHX01';
let clerk: string;
let manager: string;
let facilities: Record<string, string>;
beforeAll(async () => {
  const [here, there] = await Promise.all(
    [HERE, ELSEWHERE].map((location_code) =>
      getRow(api.owner, 'facilities', 'id', { location_code }),
    ),
  );
  facilities = { [HERE]: here!.id, [ELSEWHERE]: there!.id };
  const sessionOf = async (role: 'clerk' | 'manager') => {
    const email = `${role}-here@anchor-axle.example`;
    await makeStaffMember(api.owner, {
      email,
      name: role === 'clerk' ? 'Kim Ode' : 'Jo Park',
      role,
      password: randomUUID(),
      facilityIds: [here!.id],
      createdAt: testClock.now(),
    });
    return signInStaff(api, { email });
  };
  clerk = await sessionOf('clerk');
  manager = await sessionOf('manager');
});

const newAddress = () => `${randomUUID().slice(0, 8)}@example.com`;
const record = (email: string, first_name: string, locationCode = HERE) =>
  makeTenant(api.owner, {
    facility_id: facilities[locationCode]!,
    email,
    first_name,
    last_name: 'Lee',
  });
const act = (verb: string, body: object, as = manager) => doVerb(api, as, `tenants/${verb}`, body);
const add = (email: string, rest: object = {}, as = clerk) => {
  const names = { firstName: 'Ben', lastName: 'Lee', phone: '8175550199' };
  const place = { street1: '1 Main', city: 'Azle', region: 'TX', postalCode: '76020' };
  return act('add', { ...names, ...place, email, locationCode: HERE, ...rest }, as);
};
const unjoinedWith = async (tenantId: string) =>
  (await callOffice(api, 'GET', `/office/tenants/${tenantId}`, { as: clerk })).body
    .unjoinedWith as string[];

/** What the holder of an address signs in to at a facility, by registering there; null for none. */
async function reached(email: string, locationCode = HERE): Promise<string[] | null> {
  const given = { corporationCode: 'ANCHOR', locationCode };
  const post = (path: string, body: object) =>
    api.call('POST', `/users/${path}`, { body: { ...given, ...body } });
  const { token } = (await post('register', { email })).body as { token: string };
  const code = /^\d{8}$/m.exec((await mailsTo(api, email)).at(-1)!.text)?.[0];
  if (code === undefined) return null;
  await post('verify', { token, code });
  await post('password-update', { token, password: 'harbor gate 81' });
  const session = await post('login', { username: email, password: 'harbor gate 81' });
  return (session.body.tenants as { id: string }[]).map(({ id }) => id);
}

const shown = () =>
  findRows(api.owner, 'audit_events', ['tenant_id', 'facility_id', 'details'], {}).then((rows) =>
    rows.filter(({ details }) => details?.['verb'] === 'records.show'),
  );
const lastDetails = async (tenant_id: string) =>
  (await findRows(api.owner, 'audit_events', ['details'], { tenant_id })).at(-1)?.details;

// asvs 8.2.2
describe('an address that staff give to a record and another name has', () => {
  test.each([
    ['one', ['Ann'], 'Ann Lee'],
    ['two', ['Ann', 'Cleo'], 'Ann Lee and Cleo Lee'],
    ['four', ['Ann', 'Cleo', 'Dov', 'Eve'], 'Ann Lee, Cleo Lee and 2 more'],
    ['a long', ['A'.repeat(100)], `${'A'.repeat(29)}…`],
  ])('is asked about, with %s name, in words that fit a refusal', async (_, others, names) => {
    const email = newAddress();
    for (const name of others) await record(email, name);
    const { status, body } = await add(email.toUpperCase());
    expect([status, body]).toEqual([
      409,
      {
        message: `This address is also on file for ${names}. May one sign-in see all of them? Then say that they are joined.`,
      },
    ]);
    expect(body.message.length).toBeLessThanOrEqual(200);
    expect(await findRows(api.owner, 'tenants', ['id'], { email: email.toUpperCase() })).toEqual(
      [],
    );
  });

  test('is asked about with an event that says that names were shown, and so is a preview of joining', async () => {
    const [email, old] = [newAddress(), newAddress()];
    const ann = await record(email, 'Ann');
    await record(email, 'Ben', ELSEWHERE);
    const tenantId = await record(old, 'Ben');
    const before = await shown();
    await act('email', { tenantId, email });
    await act('email', { tenantId, email, isPreview: true });
    await act('email', { tenantId, email, isPreview: true, joined: true });
    await add(email);
    await add(email, { isPreview: true, joined: true });
    const since = (await shown()).slice(before.length);
    expect(since.map(({ tenant_id }) => tenant_id)).toEqual([
      ...[tenantId, tenantId, tenantId],
      ...[null, null],
    ]);
    for (const { details, facility_id } of since) {
      expect(facility_id).toBe(facilities[HERE]);
      expect(details).toMatchObject({
        ...{ verb: 'records.show', shows: 'sharers of an address', rows: '1' },
      });
    }
    await record(email, 'Cleo');
    await act('join', { tenantId: ann, isPreview: true }, clerk);
    expect((await shown()).at(-1)).toMatchObject({ tenant_id: ann, details: { rows: '1' } });
    const many = await shown();
    await add(newAddress(), { isPreview: true });
    expect(await shown()).toEqual(many);
  });

  test('is asked about where two names differ that are one when joined', async () => {
    const email = newAddress();
    await makeTenant(api.owner, {
      ...{ facility_id: facilities[HERE]!, email, first_name: 'Ann', last_name: 'Alee' },
    });
    expect((await add(email, { firstName: 'Anna', lastName: 'Lee' })).status).toBe(409);
  });

  test('is asked about where it is changed: the record keeps its address, session and mails', async () => {
    const [email, old] = [newAddress(), newAddress()];
    await record(email, 'Ann');
    const tenantId = await record(old, 'Ben');
    await reached(old);
    const before = await findRows(api.owner, 'mails', ['to_address']);
    expect((await act('email', { tenantId, email })).status).toBe(409);
    expect(await getRow(api.owner, 'tenants', 'email', { id: tenantId })).toEqual({ email: old });
    expect(await findRows(api.owner, 'mails', ['to_address'])).toEqual(before);
    expect(await reached(old)).toEqual([tenantId]);
  });

  test('joins them where staff say so, which the trail has with the names', async () => {
    const email = newAddress();
    const ann = await record(email, 'Ann');
    const { body } = await add(email, { joined: true });
    expect(body).toEqual({ tenantId: expect.any(String), joinedWith: ['Ann Lee'] });
    expect(await lastDetails(body.tenantId)).toMatchObject({
      verb: 'tenants.add',
      by: 'Kim Ode',
      joined: 'true',
      joinedWith: 'Ann Lee',
    });
    const cleo = await record(newAddress(), 'Cleo');
    expect((await act('email', { tenantId: cleo, email, joined: true })).body).toMatchObject({
      joinedWith: ['Ann Lee', 'Ben Lee'],
    });
    expect(await lastDetails(cleo)).toMatchObject({ joinedWith: 'Ann Lee, Ben Lee' });
    expect((await reached(email))!.toSorted()).toEqual([ann, body.tenantId, cleo].toSorted());
  });

  test('is not asked about where one name has several records, or no other record has it', async () => {
    const email = newAddress();
    await record(email, 'BEN');
    expect((await add(email)).body).toMatchObject({ joinedWith: [] });
    expect((await add(newAddress(), { joined: true })).body).toMatchObject({ joinedWith: [] });
  });

  test('is asked for anew after the record had another address', async () => {
    const email = newAddress();
    const ann = await record(email, 'Ann');
    const { tenantId } = (await add(email, { joined: true })).body as { tenantId: string };
    expect((await act('email', { tenantId, email: newAddress() })).status).toBe(200);
    expect((await act('email', { tenantId, email })).status).toBe(409);
    expect(await reached(email)).toEqual([ann]);
  });

  test('of a facility that the member does not work for names nobody, and joins nothing there', async () => {
    const email = newAddress();
    const far = await record(email, 'Ann', ELSEWHERE);
    const refused = await add(email);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining('on file for a tenant of another facility.'),
    ]);
    const { body } = await add(email, { joined: true });
    expect(body.joinedWith).toEqual([]);
    expect(await reached(email)).toEqual([body.tenantId]);
    expect(await reached(email, ELSEWHERE)).toBeNull();
    const shared = newAddress();
    await record(shared, 'Ann', ELSEWHERE);
    const cleo = await record(shared, 'Cleo');
    expect(await unjoinedWith(cleo)).toEqual(['a tenant of another facility']);
    expect(await getRow(api.owner, 'tenants', 'joined_at', { id: far })).toEqual({
      joined_at: null,
    });
  });
});

describe('tenants.join', () => {
  test('lets one sign-in see the records of an address, once, after the page has said their names', async () => {
    const email = newAddress();
    const [ann, ben, cleo] = [
      await record(email, 'Ann'),
      await record(email, 'Ben'),
      await record(email, 'Cleo'),
    ];
    expect(await reached(email)).toBeNull();
    expect(await unjoinedWith(ann)).toEqual(['Ben Lee', 'Cleo Lee']);
    const join = (isPreview: boolean) => act('join', { tenantId: ann, isPreview }, clerk);
    const reply = { tenantId: ann, email, joinedWith: ['Ben Lee', 'Cleo Lee'] };
    expect((await join(true)).body).toEqual(reply);
    expect(await reached(email)).toBeNull();
    expect((await join(false)).body).toEqual(reply);
    expect(await lastDetails(ann)).toMatchObject({
      verb: 'tenants.join',
      by: 'Kim Ode',
      email,
      joinedWith: 'Ben Lee, Cleo Lee',
    });
    for (const other of [ben, cleo])
      expect(await lastDetails(other)).toMatchObject({ verb: 'tenants.join', by: 'Kim Ode' });
    expect(await unjoinedWith(ann)).toEqual([]);
    expect((await reached(email))!.toSorted()).toEqual([ann, ben, cleo].toSorted());
    const again = await join(false);
    expect([again.status, again.body.message]).toEqual([
      422,
      'One sign-in may see these records already.',
    ]);
  });

  test('joins a placeholder that hundreds of names have, and the trail has the first of them', async () => {
    const email = newAddress();
    for (let count = 0; count < 200; count += 1)
      await record(email, `Ann ${count} of the old files`);
    const tenantId = await record(email, 'Zoe');
    const { status, body } = await act('join', { tenantId });
    expect([status, body.joinedWith?.length]).toEqual([200, 200]);
    const { joinedWith } = (await lastDetails(tenantId)) as { joinedWith: string };
    expect(joinedWith).toMatch(/^Ann 0 of the old files Lee, .* and 180 more$/);
  });

  test('leaves a record that comes later to be joined too', async () => {
    const email = newAddress();
    const [ann, ben] = [await record(email, 'Ann'), await record(email, 'Ben')];
    await act('join', { tenantId: ann });
    const cleo = await record(email, 'Cleo');
    expect((await reached(email))!.toSorted()).toEqual([ann, ben].toSorted());
    expect(await unjoinedWith(cleo)).toEqual(['Ann Lee', 'Ben Lee']);
    expect(await unjoinedWith(ann)).toEqual([]);
  });

  test('refuses what is shared with nobody, and what is not there or out of reach', async () => {
    const email = newAddress();
    const ann = await record(email, 'Ann');
    expect((await act('join', { tenantId: ann })).body.message).toBe(
      'No record of another name has this address.',
    );
    const far = await record(email, 'Ben', ELSEWHERE);
    for (const tenantId of [far, randomUUID()])
      expect((await act('join', { tenantId })).status).toBe(404);
  });

  test('of another operator’s record has no part in it', async () => {
    const email = newAddress();
    await record(email, 'Ann');
    const { id: corporation_id } = await api.owner
      .insertInto('corporations')
      .values({ code: 'OTHER', name: 'Another operator' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const facility_id = await makeFacility(api.owner, { corporation_id, location_code: 'OTHER' });
    const theirs = await makeTenant(api.owner, { facility_id, email, first_name: 'Ben' });
    await record(email, 'Cleo');
    await act('join', {
      tenantId: (await findRows(api.owner, 'tenants', ['id'], { email }))[0]!.id,
    });
    expect(await getRow(api.owner, 'tenants', 'joined_at', { id: theirs })).toEqual({
      joined_at: null,
    });
  });
});

test('a move-in invites no address that reaches nothing', async () => {
  const email = newAddress();
  await record(email, 'Ann');
  const tenantId = await record(email, 'Ben');
  const [{ name: unit }] = (await api.sql<{ name: string }>`
    INSERT INTO units (facility_id, name, width_feet, length_feet, type_name)
    VALUES (${facilities[HERE]!}, ${randomUUID().slice(0, 8)}, 12, 40, 'RV') RETURNING name`) as [
    { name: string },
  ];
  const on = testClock.now().toISOString().slice(0, 10);
  const moveIn = () =>
    doVerb(api, manager, 'rentals/move-in', {
      ...{ tenantId, unit, on, rate: 180, why: 'asked', isPreview: true },
    });
  expect((await moveIn()).body).toMatchObject({ isInvited: false });
  await act('join', { tenantId });
  expect((await moveIn()).body).toMatchObject({ isInvited: true });
});
