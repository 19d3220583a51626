import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import type { OfficeRole } from '@gatehouse/contract/office/office-endpoint';
import { officeVerbs, type OfficeVerbName } from '@gatehouse/contract/office/verbs';
import type { StaffVerb } from '@gatehouse/contract/staff-verb';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeGateCode } from '#features/service/gate-access/codes.ts';
import { makeFacility, makeLedger, makeStaffMember, makeTenant } from '#seeds/builders.ts';
import { useTestApp } from './app.ts';
import { callOffice, signInStaff } from './office.ts';
import { addRows, getRow } from './rows.ts';

const NOW = new Date('2026-11-20T15:00:00Z');
const TODAY = '2026-11-20';

const api = useTestApp('demo_template', { clock: { now: () => NOW } });

/** A rental of unit A1, and the free unit B1, which was let for $200, of their own facility. */
type Place = { facilityId: string; tenantId: string; ledgerId: string };
let here: Place;
let as: Record<OfficeRole, string>;
beforeEach(async () => {
  const facilityId = await makeFacility(api.owner, {
    location_code: randomUUID().slice(0, 8),
    billing_kind: 'first_of_month',
    rent_tax1_basis_points: 825,
  });
  const tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  const billed = { billed_through: '2026-11-30', paid_through: '2026-11-30' };
  const let_ = async (name: string, row: object) =>
    makeLedger(api.owner, api.ctx.vault, {
      tenant_id: tenantId,
      unit: { facility_id: facilityId, name },
      moved_in_on: '2026-01-01',
      ...billed,
      ...row,
    });
  const { ledgerId } = await let_('A1', {});
  await let_('B1', { moved_out_on: '2026-06-01', rental_rate_cents: 20_000 });
  here = { facilityId, tenantId, ledgerId };
  const signIn = async (role: OfficeRole) => {
    const email = `${role}-${facilityId}@anchor-axle.example`;
    await makeStaffMember(api.owner, {
      email,
      name: `${role} ${facilityId}`,
      role,
      password: randomUUID(),
      facilityIds: role === 'owner' ? null : [facilityId],
      createdAt: NOW,
    });
    return signInStaff(api, { email });
  };
  as = {
    clerk: await signIn('clerk'),
    manager: await signIn('manager'),
    owner: await signIn('owner'),
  };
});

async function act(role: OfficeRole, name: OfficeVerbName, body: object, isPreview = false) {
  const { status, body: answer } = await callOffice(api, 'POST', officeVerbs[name].path, {
    as: as[role],
    body: { key: randomUUID(), why: 'test', isPreview, ...body },
  });
  return [status, answer.message as string | undefined, answer] as const;
}

const verbs = Object.values(officeVerbs).map(({ verb }): StaffVerb => verb);
const restricted = (verb: StaffVerb) =>
  Object.entries(verb.fields).flatMap(([name, { role }]) =>
    role === undefined ? [] : [{ name, role }],
  );

test('a field that a clerk may not fill in is so in every verb of a clerk’s that has it', () => {
  const names = new Set(verbs.flatMap(restricted).map(({ name }) => name));
  expect([...names].toSorted()).toEqual(['gateCode', 'rate', 'taxes', 'waivesFees']);
  const open = verbs
    .filter(({ role }) => role === 'clerk')
    .flatMap((verb) => {
      const closed = restricted(verb).map(({ name }) => name);
      const named = Object.keys(verb.fields).filter((name) => names.has(name));
      return named.filter((name) => !closed.includes(name)).map((name) => `${verb.name} ${name}`);
    });
  expect(open).toEqual([]);
});

const moveIn = () => ({ tenantId: here.tenantId, unit: 'B1', on: TODAY });
const person = () => ({ ledgerId: here.ledgerId, name: 'Ada Okafor' });
const move = () => ({ ledgerId: here.ledgerId, unit: 'B1', on: '2027-02-01' });
/** What reaches a manager's limit by a verb of a clerk's: a rent, a tax, a code, a waiver. */
const attacks: [OfficeVerbName, string, () => object, words: string][] = [
  ['rentals.moveIn', 'rate', () => ({ ...moveIn(), rate: 0.01 }), 'Rent a month'],
  ['rentals.moveIn', 'taxes', () => ({ ...moveIn(), taxes: 'none' }), 'Taxes on rent'],
  ['rentals.moveIn', 'gateCode', () => ({ ...moveIn(), gateCode: '48210#' }), 'Gate code'],
  ['rentals.authorize', 'gateCode', () => ({ ...person(), gateCode: '48210#' }), 'Gate code'],
  ['rentals.quote', 'rate', () => ({ ...moveIn(), rate: 0.01 }), 'Rent a month'],
  ['rentals.quote', 'taxes', () => ({ ...moveIn(), taxes: 'none' }), 'Taxes on rent'],
  ['rentals.quote', 'gateCode', () => ({ ...moveIn(), gateCode: '48210#' }), 'Gate code'],
  ['rentals.mailQuote', 'rate', () => ({ ...moveIn(), rate: 0.01 }), 'Rent a month'],
  ['rentals.mailQuote', 'taxes', () => ({ ...moveIn(), taxes: 'none' }), 'Taxes on rent'],
  ['rentals.mailQuote', 'gateCode', () => ({ ...moveIn(), gateCode: '48210#' }), 'Gate code'],
  ['rentals.transfer', 'rate', () => ({ ...move(), rate: 215 }), 'Rent from that day on'],
  [
    'payments.record',
    'waivesFees',
    () => ({
      ledgerIds: [here.ledgerId],
      type: 'cash',
      amount: 5,
      isPrepaid: true,
      waivesFees: true,
    }),
    'Waive the late fees that it would have prevented on that day',
  ],
];

test('every field that asks for a role is attacked', () => {
  const fields = verbs.flatMap((verb) => restricted(verb).map(({ name }) => [verb.name, name]));
  expect(attacks.map(([verb, field]) => [verb, field]).toSorted()).toEqual(fields.toSorted());
});

describe.each([false, true])('as a preview: %s', (isPreview) => {
  test.each(attacks)(
    '%s is refused to a clerk with %s, in words, and a manager may',
    async (verb, _, body, words) => {
      const [status, message] = await act('clerk', verb, body(), isPreview);
      expect([status, message]).toEqual([
        403,
        `Your role, clerk, may not fill in “${words}”; a manager may.`,
      ]);
      expect((await act('manager', verb, body(), isPreview))[0]).toBe(200);
    },
  );
});

test('a clerk moves in and quotes at the rent, the taxes and with a code that are the facility’s', async () => {
  const [quoted, , quote] = await act('clerk', 'rentals.quote', moveIn());
  expect([quoted, quote.rate, quote.charges[0].tax1 > 0]).toEqual([200, 200, true]);
  const { total: quotedTotal } = quote;
  const [status, , made] = await act('clerk', 'rentals.moveIn', { ...moveIn(), quotedTotal });
  expect([status, made.rate]).toEqual([200, 200]);
});

test('a unit that was never rented has no rent, and only a manager names one', async () => {
  await addRows(api.owner, 'units', {
    facility_id: here.facilityId,
    name: 'N1',
    width_feet: 9,
    length_feet: 9,
    type_name: 'RV',
  });
  const [status, message] = await act('clerk', 'rentals.moveIn', { ...moveIn(), unit: 'N1' });
  expect([status, message]).toEqual([
    422,
    'Unit N1 was not rented before: give its rate, which a manager may.',
  ]);
});

test('a clerk takes no rent back that a manager scheduled with a transfer, by no other transfer either', async () => {
  expect((await act('manager', 'rentals.transfer', { ...move(), rate: 215 }))[0]).toBe(200);
  for (const body of [{ ledgerId: here.ledgerId, cancel: true }, move()]) {
    const [status, message] = await act('clerk', 'rentals.transfer', body);
    expect([status, message]).toEqual([
      403,
      'Your role, clerk, may not take back the rent that came with the planned transfer; a manager may.',
    ]);
  }
  const { scheduled_rate_cents } = await getRow(api.owner, 'ledgers', 'scheduled_rate_cents', {
    id: here.ledgerId,
  });
  expect(scheduled_rate_cents).toBe(21_500);
  expect(
    (await act('manager', 'rentals.transfer', { ledgerId: here.ledgerId, cancel: true }))[0],
  ).toBe(200);
});

test('a clerk gives no rent back by ending a rental on a day that is over', async () => {
  const body = { ledgerId: here.ledgerId, on: addDays(TODAY, -1) };
  const [status, message] = await act('clerk', 'rentals.moveOut', body, true);
  expect([status, message]).toEqual([
    403,
    'Your role, clerk, may not end a rental on a day that is over; a manager may.',
  ]);
  expect((await act('manager', 'rentals.moveOut', body, true))[0]).toBe(200);
  expect((await act('clerk', 'rentals.moveOut', { ...body, on: TODAY }, true))[0]).toBe(200);
});

describe('a gate code that is given by hand', () => {
  const foreign =
    'Another tenant or person of the facility has or had this code. Give another one.';
  const locked = 'Unit C1 has this code and is overlocked. Give another one.';
  const anybodys = 'Somebody at the facility has or had this code. Give another one.';
  /** Each verb that gives one, and what it says of another tenant's and of an overlocked one. */
  const givers: [OfficeVerbName, () => object, foreign: string, locked: string][] = [
    ['rentals.moveIn', moveIn, foreign, locked],
    ['rentals.changeCode', () => ({ ledgerId: here.ledgerId }), foreign, locked],
    ['rentals.authorize', person, anybodys, anybodys],
  ];
  const give = (ledgerId: string, code: string) =>
    api.owner.transaction().execute((trx) => writeGateCode(api.ctx, trx, ledgerId, code));

  test('is asked for by no other verb', () => {
    const named = verbs.filter(({ fields }) => 'gateCode' in fields);
    const quotes = ['rentals.quote', 'rentals.mailQuote'];
    expect(named.map(({ name }) => name).toSorted()).toEqual(
      [...givers.map(([name]) => name), ...quotes].toSorted(),
    );
  });

  test.each(givers)('%s: has four letters and digits at least', async (verb, body) => {
    for (const gateCode of ['1', '123', '12#', '####', '１２３４#', '12 34'])
      expect([gateCode, (await act('manager', verb, { ...body(), gateCode }))[0]]).toEqual([
        gateCode,
        422,
      ]);
  });

  test.each(givers)(
    '%s: is not of another tenant of the facility, however it is written',
    async (verb, body, says) => {
      const other = await makeLedger(api.owner, api.ctx.vault, {
        tenant_id: await makeTenant(api.owner, { facility_id: here.facilityId }),
        unit: { facility_id: here.facilityId, name: 'C1' },
        moved_in_on: '2026-01-01',
      });
      await give(other.ledgerId, '48ab#');
      for (const gateCode of ['48ab#', '48ab', '*48AB'])
        expect((await act('manager', verb, { ...body(), gateCode })).slice(0, 2)).toEqual([
          409,
          says,
        ]);
    },
  );

  test.each(givers)(
    '%s: is not of an own rental that is overlocked',
    async (verb, body, _, says) => {
      const own = await makeLedger(api.owner, api.ctx.vault, {
        tenant_id: here.tenantId,
        unit: { facility_id: here.facilityId, name: 'C1' },
        moved_in_on: '2026-01-01',
        overlocked_at: NOW,
      });
      await give(own.ledgerId, '48210#');
      expect((await act('manager', verb, { ...body(), gateCode: '48210#' })).slice(0, 2)).toEqual([
        409,
        says,
      ]);
    },
  );

  test('is given to one of two tenants who ask for it at once', async () => {
    const other = await makeLedger(api.owner, api.ctx.vault, {
      tenant_id: await makeTenant(api.owner, { facility_id: here.facilityId }),
      unit: { facility_id: here.facilityId, name: 'C1' },
      moved_in_on: '2026-01-01',
    });
    const done = await Promise.all(
      [here.ledgerId, other.ledgerId].map((ledgerId) =>
        act('manager', 'rentals.changeCode', { ledgerId, gateCode: '77330#' }),
      ),
    );
    expect(done.map(([status]) => status).toSorted()).toEqual([200, 409]);
  });
});
