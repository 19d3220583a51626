import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import {
  foundTenants,
  shownTenant,
  type FoundTenants,
  type ShownTenant,
} from '@gatehouse/contract/tenant-records';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  makeAutopay,
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
  makeUser,
  postCharges,
} from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { useTestApp, signIn } from '#test/app.ts';
import { mailsTo, readMails } from '#test/mails.ts';
import { cliOf, words } from '#test/cli.ts';
import { makePerson } from '#test/people.ts';
import { addRows, changeRows, findRows, getRow } from '#test/rows.ts';

const api = useTestApp('empty_template');
let facilityId: string;
let elsewhereId: string;
let tenantId: string;
let ledgerId: string;
let receiptNumber: string;

beforeAll(async () => {
  facilityId = await makeFacility(api.owner, {});
  elsewhereId = await makeFacility(api.owner, {
    location_code: 'AZPHX01',
  });
  tenantId = await makeTenant(api.owner, { facility_id: facilityId, phone: '(817) 555-0142' });
  const unit = { facility_id: facilityId, name: 'A101' };
  ({ ledgerId } = await makeLedger(api.owner, api.ctx.vault, { tenant_id: tenantId, unit }));
  const vehicle = { ledger_id: ledgerId, license_plate: 'TX - 123 ABC', description: 'Boat' };
  await addRows(api.owner, 'vehicles', vehicle);
  await postCharges(api.owner, ledgerId, [
    { category: 'fee', description: 'Cleaning', dueOn: '2026-11-18', priceCents: 1000 },
    {
      category: 'rent',
      description: 'Rent 11/14/2026 - 12/13/2026',
      dueOn: '2026-11-14',
      periodEnd: '2026-12-13',
      priceCents: 20_000,
    },
  ]);
  const payments = cliOf(api, 'payments');
  const paid = await payments(...words`record --ledger ${ledgerId} --type cash --amount 5 --json`);
  ({ receiptNumber } = JSON.parse(paid) as { receiptNumber: string });
  const methodId = await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: tenantId });
  await makeAutopay(api.owner, ledgerId, methodId, api.ctx.clock.now());
  await makeTenant(api.owner, {
    facility_id: elsewhereId,
    first_name: 'Lee',
    last_name: 'Reyes',
    email: 'lee@example.com',
  });
});

const cli = cliOf(api, 'tenants');
const events = (id: string) =>
  findRows(api.owner, 'audit_events', ['kind', 'details'], { tenant_id: id });

describe('tenants find', () => {
  const found = async (text: string, ...more: string[]) => {
    const answer = JSON.parse(await cli('find', '--text', text, ...more, '--json')) as FoundTenants;
    expect(foundTenants.parse(answer)).toEqual(answer);
    return answer.tenants.map(({ firstName }) => firstName);
  };

  test('is in the audit trail with how many, and without whom and what was typed', async () => {
    await cli('find', '--text', 'reyes', '--by', 'Ana', '--why', 'called', '--json');
    const noted = await findRows(api.owner, 'audit_events', 'details', { kind: 'staff_action' });
    expect(noted.at(-1)!.details).toMatchObject({
      ...{ verb: 'records.show', by: 'Ana', why: 'called' },
      ...{ shows: 'tenants find', rows: '2' },
    });
    expect(JSON.stringify(noted)).not.toMatch(/reyes/i);
  });

  test.each([
    ['the beginning of a last name', 'rey', ['Dana', 'Lee']],
    ['a first and last name', 'dana reyes', ['Dana']],
    ['a last and first name', 'Reyes, Da', ['Dana']],
    ['an email', 'DANA@example.com', ['Dana']],
    ['the beginning of an email', 'lee@', ['Lee']],
    ['a phone in another writing', '+1 817.555.0142', ['Dana', 'Lee']],
    ['a unit', 'a101', ['Dana']],
    ['a license plate', 'tx123abc', ['Dana']],
    ['a phone without its area', '555-0142', ['Dana', 'Lee']],
    ['a part of a phone', '555-014', []],
    ['the last four of a license plate', '3abc', ['Dana']],
    ['the last four of a plate in another writing', '23-ABC', ['Dana']],
    ['the first of a license plate', 'tx123', []],
    ['a unit in another writing', 'A-101', ['Dana']],
    ['a text that is a part of nothing', "100%' OR 1=1", []],
    ['signs by themselves', '--', []],
  ])('finds by %s', async (_, text, names) => {
    expect(await found(text)).toEqual(names);
  });

  // spec 10.37
  test.each([
    ['Ana', 'Muñoz', ['munoz', 'MUÑOZ', 'Mun\u0303oz', 'ana munoz']],
    ['Conor', 'O’Brien', ['obrien', "o'brien", 'O`Brien', 'o brien', 'conor obrien']],
    ['Mary Ann', 'Smith-Jones', ['smith jones', 'smithjones', 'jones', 'maryann', 'ann smith']],
    ['Café', 'Marine LLC', ['cafe', 'CAFÉ marine', 'cafe\u0301', 'marine']],
    ['Jürgen', 'Groß', ['gross', 'groß', 'GROSS', 'jurgen']],
    ['İbrahim', 'IŞIK', ['ibrahim', 'İBRAHİM', 'isik', 'ışık']],
    ['Søren', 'Łukasz', ['soren', 'lukasz', 'ŁUKASZ']],
    ['Éamon', 'ＷＡＴＴＳ', ['eamon', 'watts']],
  ])('finds %s %s by %j', async (firstName, lastName, texts) => {
    const row = { facility_id: elsewhereId, first_name: firstName, last_name: lastName };
    await makeTenant(api.owner, row);
    for (const text of texts) {
      expect([text, await found(text)]).toEqual([text, [firstName]]);
      expect([text, await found(text, '--facility', 'AZPHX01')]).toEqual([text, [firstName]]);
    }
  });

  test('finds a number of another country and one with an extension', async () => {
    const add = (phone: string) =>
      makeTenant(api.owner, {
        facility_id: elsewhereId,
        first_name: phone,
        last_name: 'Far',
        phone,
      });
    await add('+4532123456');
    await add('8175550188 ext. 12');
    for (const text of ['+45 32 12 34 56', '32123456', '32 12 34 56'])
      expect([text, await found(text)]).toEqual([text, ['+4532123456']]);
    for (const text of ['(817) 555-0188', '555-0188', '817 555 0188 x12'])
      expect([text, await found(text)]).toEqual([text, ['8175550188 ext. 12']]);
  });

  test('finds by a receipt number, at one facility alone, and says the rentals', async () => {
    expect(await found(receiptNumber)).toEqual(['Dana']);
    expect(await found('reyes', '--facility', 'AZPHX01')).toEqual(['Lee']);
    const printed = await cli('find', '--text', 'a101');
    expect(printed).toMatch(/email +dana@example\.com\n/);
    expect(printed).toMatch(new RegExp(`${ledgerId} +A101 +\\$205\\.00 +none`));
    await expect(cli('find', '--text', 'a')).rejects.toThrow('Look for two characters at least.');
  });

  test('lists 50 at most and says that there are more', async () => {
    const rows = Array.from({ length: 51 }, () => ({
      facility_id: elsewhereId,
      last_name: 'Many',
    }));
    for (const row of rows) await makeTenant(api.owner, row);
    const answer = JSON.parse(await cli('find', '--text', 'many', '--json')) as FoundTenants;
    expect([answer.tenants.length, answer.isMore]).toEqual([50, true]);
  });
});

describe('tenants show', () => {
  test('says of the sign-in alone that has the address of the record', async () => {
    const id = await makeTenant(api.owner, { facility_id: elsewhereId });
    const signInOf = async () => {
      const shown = await cli('show', '--tenant', id, '--by', 'Ana', '--json');
      return (JSON.parse(shown) as ShownTenant).signIn;
    };
    const email = `before-${id}@example.com`;
    const user = { password: DEMO_PASSWORD, tenantIds: [id] };
    await makeUser(api.owner, { ...user, email });
    expect(await signInOf()).toBe('none');
    await changeRows(api.owner, 'tenants', { email }, { id });
    expect(await signInOf()).toBe('active');
  });

  test('says how a record stands, with the ids that the other verbs take, and is noted once', async () => {
    const shown = JSON.parse(
      await cli('show', '--tenant', tenantId, '--by', 'Ana', '--json'),
    ) as ShownTenant;
    expect(shownTenant.parse(shown)).toEqual(shown);
    expect(shown).toMatchObject({
      firstName: 'Dana',
      alternateContact: null,
      signIn: 'none',
      ledgers: [
        {
          ledgerId,
          balance: 205,
          paidThrough: '2026-11-13',
          isLockedOut: true,
          autopayMethodId: shown.methods[0]!.methodId,
          mandate: { methodId: shown.methods[0]!.methodId },
          openCharges: [
            { description: 'Rent 11/14/2026 - 12/13/2026', owed: 195 },
            { description: 'Cleaning', owed: 10 },
          ],
        },
      ],
      methods: [{ description: 'Visa ending in 4242', isRefused: false }],
      entries: [
        { kind: 'payment', amount: -5, receiptNumber },
        { kind: 'charge' },
        { kind: 'charge' },
      ],
    });
    const shownEvents = (await events(tenantId)).filter(
      ({ details }) => details?.verb === 'tenants.show',
    );
    expect(shownEvents).toMatchObject([{ kind: 'staff_action', details: { by: 'Ana' } }]);
  });

  test('says a unit as locked out by the facility’s own rule, and since when it is locked by hand', async () => {
    const shown = async () =>
      (JSON.parse(await cli('show', '--tenant', tenantId, '--json')) as ShownTenant).ledgers[0]!;
    const setting = (least: number) =>
      changeRows(api.owner, 'facilities', { gate_least_cents: least }, { id: facilityId });
    const rentals = cliOf(api, 'rentals');
    await setting(20_501);
    expect(await shown()).toMatchObject({ isLockedOut: false, overlockedOn: null });
    await rentals('overlock', '--ledger', ledgerId);
    const today = calendarDateIn('America/Chicago', api.ctx.clock.now());
    expect(await shown()).toMatchObject({ isLockedOut: true, overlockedOn: today });
    await rentals('release', '--ledger', ledgerId);
    expect(await shown()).toMatchObject({ isLockedOut: false, overlockedOn: null });
    await setting(1);
    expect(await shown()).toMatchObject({ isLockedOut: true, overlockedOn: null });
  });

  test('says which rent and which transfer are scheduled', async () => {
    const { unit_id: unitId } = await getRow(api.owner, 'ledgers', 'unit_id', { id: ledgerId });
    const scheduled = { scheduled_rate_cents: 21_500, scheduled_rate_on: '2027-01-14' };
    const planned = { transfer_unit_id: unitId, transfer_on: '2026-12-15' };
    const set = (values: object) => changeRows(api.owner, 'ledgers', values, { id: ledgerId });
    await set({ ...scheduled, ...planned });
    const shown = async () =>
      (JSON.parse(await cli('show', '--tenant', tenantId, '--json')) as ShownTenant).ledgers[0];
    expect(await shown()).toMatchObject({
      scheduledRate: { rate: 215, on: '2027-01-14' },
      transfer: { unitName: expect.any(String) as string, on: '2026-12-15' },
    });
    expect(await cli('show', '--tenant', tenantId)).toMatch(
      /scheduled rate +rate \$215\.00, on 1\/14\/2027\n/,
    );
    await set({
      scheduled_rate_cents: null,
      scheduled_rate_on: null,
      transfer_unit_id: null,
      transfer_on: null,
    });
    expect(await shown()).toMatchObject({ scheduledRate: null, transfer: null });
  });

  test('of a record that is not there or of another facility is refused, and noted for nobody', async () => {
    const lee = (await api.owner
      .selectFrom('tenants')
      .select('id')
      .where('first_name', '=', 'Lee')
      .executeTakeFirst())!;
    await expect(cli('show', '--tenant', randomUUID())).rejects.toThrow(
      'There is no tenant record',
    );
    await expect(cli('show', '--tenant', lee.id, '--facility', 'TXDFW03')).rejects.toThrow(
      'There is no tenant record',
    );
    expect(await events(lee.id)).toEqual([]);
  });
});

describe('tenants add', () => {
  const add = (phone: string, ...more: string[]) =>
    cli(
      ...words`add --first-name Max --last-name Voss --email max@example.com --phone ${phone}`,
      ...words`--street1 ${'1 Pier'} --city Azle --region TX --postal-code 76020`,
      ...more,
    );
  const count = async () =>
    (await findRows(api.owner, 'tenants', 'id', { first_name: 'Max' })).length;

  test('makes a record at the facility, once under a key; its preview makes none', async () => {
    await add('(817) 555-0100', '--facility', 'TXDFW03', '--dry-run');
    expect(await count()).toBe(0);
    const more = ['--facility', 'TXDFW03', '--json', '--key', randomUUID()];
    const answers = await Promise.all([
      add('(817) 555-0100', ...more),
      add('(817) 555-0100', ...more),
    ]);
    expect(new Set(answers).size).toBe(1);
    const { tenantId: id } = JSON.parse(answers[0]) as { tenantId: string };
    const row = await api.owner
      .selectFrom('tenants')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      facility_id: facilityId,
      last_name: 'Voss',
      phone: '8175550100',
      street2: null,
    });
    expect(await events(id)).toMatchObject([{ details: { verb: 'tenants.add' } }]);
    expect(await count()).toBe(1);
  });

  test('without a facility, or with a phone, state or address that is none, is refused', async () => {
    await expect(add('8175550100')).rejects.toThrow('Name the facility of the new tenant record.');
    await expect(add('123', '--facility', 'TXDFW03')).rejects.toThrow('Phone must have 10 digits.');
    await expect(add('8175550100', '--facility', 'TXDFW03', '--region', 'ZZ')).rejects.toThrow(
      'State is required.',
    );
    await expect(add('8175550100', '--facility', 'TXDFW03', '--email', 'x')).rejects.toThrow(
      'Email must look like',
    );
    expect(await count()).toBe(1);
  });
});

describe('tenants email', () => {
  let record: string;
  let other: string;
  let old: string;
  beforeEach(async () => {
    old = `${randomUUID()}@example.com`;
    record = await makeTenant(api.owner, { facility_id: facilityId, email: old });
    other = await makeTenant(api.owner, { facility_id: facilityId, email: old });
    await makeUser(api.owner, {
      email: old,
      password: DEMO_PASSWORD,
      tenantIds: [record, other],
    });
    await api.owner.deleteFrom('mails').execute();
  });

  test('takes the record from the old address, ends its sessions and registrations, and mails both', async () => {
    const dana = await signIn(api, old);
    const lookup = { email: old, locationCode: 'TXDFW03', corporationCode: 'ANCHOR' };
    expect((await api.call('POST', '/users/register', { body: lookup })).status).toBe(200);
    await api.owner.deleteFrom('mails').execute();
    expect(
      await cli('email', '--tenant', record, '--email', 'new@example.com', '--dry-run'),
    ).toMatch(/sessions ended +1\njoined with +none\nThis would be done/);
    expect((await api.call('GET', `${dana.prefix}/tenants/${record}`, dana)).status).toBe(200);
    const key = randomUUID();
    const answer = await cli(
      ...words`email --tenant ${record} --email new@example.com --key ${key} --json`,
    );
    expect(
      await cli('email', '--tenant', record, '--email', 'new@example.com', '--key', key, '--json'),
    ).toBe(answer);
    expect(JSON.parse(answer)).toMatchObject({
      tenantId: record,
      email: 'new@example.com',
      sessionsEnded: 1,
    });
    expect((await api.call('GET', `${dana.prefix}/tenants/${record}`, dana)).status).toBe(401);
    expect((await signIn(api, old)).tenantIds).toEqual([other]);
    expect(await findRows(api.owner, 'account_lookups', 'email', { email: old })).toEqual([]);
    expect(await readMails(api)).toMatchObject([
      { to_address: old, text: expect.stringContaining('does not show that rental any more') },
      { to_address: 'new@example.com', text: expect.stringContaining('/register') },
    ]);
    expect(await events(record)).toMatchObject([
      { details: { verb: 'tenants.email', sessionsEnded: '1' } },
    ]);
  });

  test('lets a user who has the new address register for the record, beside those it has', async () => {
    const lee = `${randomUUID()}@example.com`;
    const own = await makePerson(api, facilityId, lee);
    await cli('email', '--tenant', record, '--email', lee);
    expect((await signIn(api, lee)).tenantIds).toEqual([own]);
    const of = { corporationCode: 'ANCHOR' };
    const begun = await api.call('POST', '/users/register', {
      body: { ...of, email: lee, locationCode: 'TXDFW03' },
    });
    const { token } = begun.body as { token: string };
    const code = /\b\d{8}\b/.exec((await mailsTo(api, lee)).at(-1)!.text)![0];
    await api.call('POST', '/users/verify', { body: { ...of, token, code } });
    await api.call('POST', '/users/password-update', {
      body: { ...of, token, password: 'boats on a lake' },
    });
    const body = { ...of, username: lee, password: 'boats on a lake', locationCode: 'TXDFW03' };
    const { tenants } = (await api.call('POST', '/users/login', { body })).body as {
      tenants: object[];
    };
    expect(tenants).toEqual([{ id: own }, { id: record }]);
  });

  test('to the same address, to one that is none, or of another facility’s record is refused', async () => {
    await expect(cli('email', '--tenant', record, '--email', old.toUpperCase())).rejects.toThrow(
      'has this email address already',
    );
    await expect(cli('email', '--tenant', record, '--email', 'nobody')).rejects.toThrow(
      'Email must look like',
    );
    await expect(
      cli('email', '--tenant', record, '--email', 'x@example.com', '--facility', 'AZPHX01'),
    ).rejects.toThrow('no tenant record');
    expect((await signIn(api, old)).tenantIds).toEqual([record, other]);
    expect(await events(record)).toEqual([]);
  });

  test('by two members of staff at once to two addresses leaves one of them', async () => {
    await Promise.all([
      cli('email', '--tenant', record, '--email', 'one@example.com'),
      cli('email', '--tenant', record, '--email', 'two@example.com'),
    ]);
    const { email } = await getRow(api.owner, 'tenants', 'email', { id: record });
    expect(['one@example.com', 'two@example.com']).toContain(email);
    expect((await signIn(api, old)).tenantIds).toEqual([other]);
  });
});
