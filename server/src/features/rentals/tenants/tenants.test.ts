import type { Tenant } from '@gatehouse/contract/tenants';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeTenant, makeUser } from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { getRow } from '#test/rows.ts';

/** Two records: the first has neither license nor phone. */
let kim: SignedIn;
let userId: string;
let fresh: string;
const api = useTestApp('demo_template');
beforeEach(async () => {
  const facility = await getRow(api.owner, 'facilities', 'id', { location_code: 'TXDFW03' });
  const email = `kim-${Math.random()}@example.com`;
  const row = { facility_id: facility.id, first_name: 'Kim', last_name: 'Ito', email, phone: null };
  fresh = await makeTenant(api.owner, row);
  const other = await makeTenant(api.owner, { facility_id: facility.id, email });
  const user = {
    email,
    password: DEMO_PASSWORD,
    tenantIds: [fresh, other],
  };
  userId = await makeUser(api.owner, user);
  kim = await signIn(api, email);
});

const patch = (body: object, tenantId = fresh, { prefix, token } = kim) =>
  api.call('PATCH', `${prefix}/tenants/${tenantId}`, { token, body });
const read = async (tenantId = fresh) =>
  (await api.call('GET', `${kim.prefix}/tenants/${tenantId}`, { token: kim.token })).body as Tenant;
const rowOf = (tenantId = fresh) =>
  api.owner.selectFrom('tenants').selectAll().where('id', '=', tenantId).executeTakeFirstOrThrow();
const changesOf = (tenantId = fresh) =>
  api.owner
    .selectFrom('tenant_changes')
    .select(['part', 'value', 'user_id'])
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .execute();

const license = { driversLicenseNumber: 'D1234-5678', driversLicenseState: 'TX' };
const contact = {
  firstName: 'Ada',
  lastName: 'Ito',
  email: 'ada@example.com',
  phone: '6825550119',
};

describe('a driver’s license', () => {
  // spec 3.25, 5.39, 7.60, 7.61
  test('is added where it is missing, kept sealed and answered masked', async () => {
    const answer = await patch(license);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id: fresh,
      driversLicenseNumber: '****5678',
      driversLicenseState: 'TX',
    });
    expect(await read()).toEqual(answer.body);
    const { drivers_license_number: sealed } = await rowOf();
    expect(sealed).toMatch(/^sealed:1:/);
    expect(sealed).not.toContain('5678');
    expect(api.ctx.vault.open('license', fresh, sealed!)).toBe('D1234-5678');
    expect(await changesOf()).toEqual([{ part: 'license', value: null, user_id: userId }]);
  });

  test('is added under an id in capitals as well', async () => {
    expect((await patch(license, fresh.toUpperCase())).status).toBe(200);
    expect((await read()).driversLicenseNumber).toBe('****5678');
  });

  // spec 5.39, 5.40
  test('that is there is not changed: 409, call the facility', async () => {
    await patch(license);
    const before = await rowOf();
    for (const again of [license, { ...license, driversLicenseNumber: '99999999' }]) {
      const answer = await patch(again);
      expect([answer.status, answer.body.message]).toEqual([
        409,
        "A driver's license is already on file. Please call your facility to change it.",
      ]);
    }
    expect(await rowOf()).toEqual(before);
  });

  // asvs 15.4.2
  test('a hundred times at once is added once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        patch({ ...license, driversLicenseNumber: `NUMBER-${1000 + index}` }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array<number>(99).fill(409),
    ]);
    const winner = answers.find(({ status }) => status === 200)!;
    expect((await read()).driversLicenseNumber).toBe(winner.body.driversLicenseNumber);
    expect(await changesOf()).toHaveLength(1);
    expect(await mailsTo(api, (await rowOf()).email)).toHaveLength(1);
  });

  // spec 5.37, 5.38
  test.each([
    [{ driversLicenseNumber: undefined }, "Driver's license number and state belong together."],
    [{ driversLicenseState: undefined }, "Driver's license number and state belong together."],
    [{ driversLicenseNumber: '' }, "Driver's license number is required."],
    [{ driversLicenseNumber: '  ' }, "Driver's license number is required."],
    [{ driversLicenseNumber: 12345678 }, "Driver's license number is required."],
    [{ driversLicenseNumber: null }, "Driver's license number is required."],
    [{ driversLicenseNumber: 'x'.repeat(31) }, "Driver's license number is too long."],
    [{ driversLicenseNumber: 'a\0b' }, 'The request holds a character that cannot be used.'],
    [{ driversLicenseState: '' }, "Driver's license state is required."],
    [{ driversLicenseState: 'Texas' }, "Driver's license state is required."],
    [{ driversLicenseState: 'ZZ' }, "Driver's license state is required."],
    [{ driversLicenseState: 'toString' }, "Driver's license state is required."],
  ])('with %j is refused with 422, and nothing is written', async (change, sentence) => {
    const before = await rowOf();
    const answer = await patch({ ...license, ...change });
    expect([answer.status, answer.body.message]).toEqual([422, sentence]);
    expect([await rowOf(), await changesOf()]).toEqual([before, []]);
  });
});

describe('a phone', () => {
  // spec 5.42, 7.62
  test.each([
    '8175550142',
    '(817) 555-0142',
    '817-555-0142',
    '+1 817.555.0142',
    ' 1 817 555 0142 ',
  ])('%s is added where there is none, and kept as ten digits', async (primary) => {
    const answer = await patch({ phone: { primary } });
    expect([answer.status, answer.body.phone]).toEqual([200, { primary: '8175550142' }]);
    expect((await rowOf()).phone).toBe('8175550142');
    expect(await changesOf()).toEqual([{ part: 'phone', value: '8175550142', user_id: userId }]);
  });

  // spec 5.42
  test('that is there is not changed: 409, call the facility', async () => {
    await patch({ phone: { primary: '8175550142' } });
    const answer = await patch({ phone: { primary: '8175550143' } });
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'A phone number is already on file. Please call your facility to change it.',
    ]);
    expect((await rowOf()).phone).toBe('8175550142');
  });

  test('a hundred times at once is added once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        patch({ phone: { primary: `8175550${100 + index}` } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array<number>(99).fill(409),
    ]);
    expect((await rowOf()).phone).toBe(
      answers.find(({ status }) => status === 200)!.body.phone.primary,
    );
  });

  // spec 5.41
  test.each([
    [{}, 'Phone is required.'],
    [{ primary: '' }, 'Phone is required.'],
    [{ primary: null }, 'Phone is required.'],
    [{ primary: 8175550142 }, 'Phone is required.'],
    [{ primary: '555-0142' }, 'Phone must have 10 digits.'],
    [{ primary: '28175550142' }, 'Phone must have 10 digits.'],
    [{ primary: '817555014x' }, 'Phone must have 10 digits.'],
    [{ primary: '٨١٧٥٥٥٠١٤٢' }, 'Phone must have 10 digits.'],
    ['8175550142', 'The field phone must be an object.'],
    [null, 'The field phone must be an object.'],
  ])('%j is refused with 422, and nothing is written', async (phone, sentence) => {
    const answer = await patch({ phone });
    expect([answer.status, answer.body.message]).toEqual([422, sentence]);
    expect((await rowOf()).phone).toBeNull();
  });
});

describe('the alternate contact', () => {
  // spec 3.26, 7.63
  test('is set, and replaced, and what was given before is kept', async () => {
    const first = await patch({ alternateContact: { ...contact, phone: '(682) 555-0119' } });
    expect([first.status, first.body.alternateContact]).toEqual([200, contact]);
    const second = { ...contact, firstName: 'Ben', email: 'ben@example.com' };
    expect((await patch({ alternateContact: second })).body.alternateContact).toEqual(second);
    expect((await read()).alternateContact).toEqual(second);
    expect(await changesOf()).toEqual([
      { part: 'alternateContact', value: contact, user_id: userId },
      { part: 'alternateContact', value: second, user_id: userId },
    ]);
  });

  // spec 5.52
  test.each([
    [{ firstName: undefined }, 'First name is required.'],
    [{ firstName: ' ' }, 'First name is required.'],
    [{ firstName: 'x'.repeat(101) }, 'First name is too long.'],
    [{ lastName: undefined }, 'Last name is required.'],
    [{ lastName: 7 }, 'Last name is required.'],
    [{ email: undefined }, 'Email is required.'],
    [{ email: 'ada' }, 'Email must look like name@example.com.'],
    [{ email: 'ada@example.com\nBcc: x@example.com' }, 'Email must look like name@example.com.'],
    [{ email: `${'x'.repeat(251)}@a.b` }, 'Email is too long.'],
    [{ phone: undefined }, 'Phone is required.'],
    [{ phone: '1' }, 'Phone must have 10 digits.'],
  ])('with %j is refused with 422, and nothing is written', async (change, sentence) => {
    const before = await rowOf();
    const answer = await patch({ alternateContact: { ...contact, ...change } });
    expect([answer.status, answer.body.message]).toEqual([422, sentence]);
    expect([await rowOf(), await changesOf()]).toEqual([before, []]);
  });
});

describe('a change of several parts', () => {
  const all = { ...license, phone: { primary: '8175550142' }, alternateContact: contact };

  test('is made whole', async () => {
    expect((await patch(all)).body).toMatchObject({
      driversLicenseNumber: '****5678',
      phone: { primary: '8175550142' },
      alternateContact: contact,
    });
    expect((await changesOf()).map(({ part }) => part)).toEqual([
      'license',
      'phone',
      'alternateContact',
    ]);
  });

  test.each([
    ['license', license, /^A driver's license is already/],
    ['phone', { phone: { primary: '8175550199' } }, /^A phone number is already/],
  ])('is not made at all where there is a %s', async (_, there, sentence) => {
    await patch(there);
    const before = [
      await rowOf(),
      await changesOf(),
      (await mailsTo(api, (await rowOf()).email)).length,
    ];
    const answer = await patch(all);
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringMatching(sentence)]);
    expect([
      await rowOf(),
      await changesOf(),
      (await mailsTo(api, (await rowOf()).email)).length,
    ]).toEqual(before);
  });

  test('of nothing is refused with 422', async () => {
    for (const body of [{}, { phone: undefined }, { firstName: 'X' }]) {
      const answer = await patch(body);
      expect([answer.status, answer.body.message]).toEqual([
        422,
        'Give at least one field to change.',
      ]);
    }
  });
});

describe('nothing else can be changed', () => {
  const more = {
    id: '00000000-0000-4000-8000-000000000000',
    firstName: 'Mallory',
    lastName: 'Mallory',
    email: 'mallory@example.com',
    email_address: 'mallory@example.com',
    facility_id: '00000000-0000-4000-8000-000000000000',
    locationCode: 'AZPHX01',
    corporationCode: 'OTHER',
    tenantId: '00000000-0000-4000-8000-000000000000',
    balance: 0,
    role: 'admin',
    isAdmin: true,
    address: { street1: 'X', city: 'X', region: 'AZ', postalCode: '1' },
    street1: 'X',
    drivers_license_number: 'X',
    drivers_license_state: 'AZ',
    alternate_first_name: 'X',
  };

  // asvs 15.3.3
  test('by fields besides those of the call', async () => {
    const before = await rowOf();
    expect(
      (await patch({ ...more, phone: { primary: '8175550142', secondary: '1', ...more } })).status,
    ).toBe(200);
    const phone = '8175550142';
    expect(await rowOf()).toEqual({ ...before, phone, phone_digits: phone });
    await patch({
      ...more,
      alternateContact: {
        ...contact,
        ...more,
        firstName: 'Ada',
        lastName: 'Ito',
        email: contact.email,
      },
    });
    expect(await rowOf()).toMatchObject({
      first_name: 'Kim',
      alternate_first_name: 'Ada',
      street1: before.street1,
    });
  });

  test('by a prototype: 422', async () => {
    const before = await rowOf();
    const headers = { authorization: `Bearer ${kim.token}`, 'content-type': 'application/json' };
    const url = `/api${kim.prefix}/tenants/${fresh}`;
    for (const payload of [
      '{"phone":{"primary":"8175550142"},"__proto__":{"role":"admin"}}',
      '{"phone":{"primary":"8175550142","__proto__":{"role":"admin"}}}',
      '{"phone":{"primary":"8175550142"},"constructor":{"prototype":{"role":"admin"}}}',
    ])
      expect((await api.app.inject({ method: 'PATCH', url, payload, headers })).statusCode).toBe(
        422,
      );
    expect(await rowOf()).toEqual(before);
  });

  test('of another record of the same sign-in', async () => {
    const [, other] = kim.tenantIds;
    const before = await rowOf(other);
    await patch({ ...license, alternateContact: contact });
    expect(await rowOf(other)).toEqual(before);
  });

  test('of another tenant’s record: 404', async () => {
    const lee = await signIn(api, 'lee@example.com');
    const before = await rowOf(lee.tenantIds[0]);
    for (const tenantId of [lee.tenantIds[0]!, '00000000-0000-4000-8000-000000000000', '1']) {
      const answer = await patch({ alternateContact: contact }, tenantId);
      expect([answer.status, answer.text]).toEqual([404, '{"message":"Not found."}']);
    }
    expect(await rowOf(lee.tenantIds[0])).toEqual(before);
  });
});

describe('the address on file is notified', () => {
  // asvs 7.5.3
  test.each([
    ['a license', license, "A driver's license was added to your account"],
    ['a phone', { phone: { primary: '8175550142' } }, 'A phone number was added to your account'],
  ])('of %s, without the number', async (_, body, subject) => {
    await patch(body);
    const { email } = await rowOf();
    const [mail, ...others] = await mailsTo(api, email);
    expect(others).toEqual([]);
    expect(mail!.subject).toBe(subject);
    expect(mail!.text).toContain(`${subject} at Anchor & Axle Eagle Mountain.`);
    expect(mail!.text).toContain('please call your facility at (817) 555-0103.');
    expect(mail!.subject + mail!.text + mail!.html).not.toMatch(/5678|0142/);
  });

  test('of nothing that was refused, nor of the alternate contact', async () => {
    await patch({ alternateContact: contact });
    await patch({ phone: { primary: '1' } });
    expect(await mailsTo(api, (await rowOf()).email)).toEqual([]);
    expect(await mailsTo(api, contact.email)).toEqual([]);
  });
});
