import { randomUUID } from 'node:crypto';
import type { moveIn } from '@gatehouse/contract/moves';
import type { VerbReply } from '@gatehouse/contract/staff-verb';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { runBilling } from '#features/money/billing/billing.ts';
import { findUnits } from '#features/service/gate-controllers/units.ts';
import {
  makeFacility,
  makeLedger,
  makeProtectionPlan,
  makeTenant,
  makeUser,
} from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { expectSoundBooks } from '#test/books.ts';
import { mailQuoteOf, moveInOf, quoteMoveInOf } from './move-in.ts';
import { addRows, changeRows, findRows, getRow } from '#test/rows.ts';

let facilityId: string;
let tenantId: string;
let now: Date;
const api = useTestApp('empty_template', { clock: { now: () => now } });
beforeEach(async () => {
  now = new Date('2026-11-20T15:00:00Z');
  ({ facilityId, tenantId } = await facilityWith({ billing_kind: 'first_of_month' }));
});
afterAll(() => expectSoundBooks(api.owner));

/** A facility with a tenant record without a rental, and the free unit A101. */
async function facilityWith(row: Partial<Parameters<typeof makeFacility>[1]>) {
  const location_code = randomUUID().slice(0, 8);
  const facility_id = await makeFacility(api.owner, {
    location_code,
    ...row,
  });
  const email = `${location_code}@example.com`;
  const unit = { facility_id, name: 'A101', width_feet: 12, length_feet: 40, type_name: 'RV' };
  await addRows(api.owner, 'units', unit);
  return {
    facilityId: facility_id,
    tenantId: await makeTenant(api.owner, { facility_id, email }),
    email,
  };
}

type Body = Record<string, unknown>;
const call = (key: string, ofFacility: string | null = null) => ({
  key,
  by: 'Ana',
  why: '',
  facilityIds: ofFacility === null ? null : [ofFacility],
  isPreview: false,
});
const given = (body: Body) => ({ tenantId, unit: 'A101', on: '2026-11-24', rate: 200, ...body });
const begin = (
  body: Body = {},
  key = randomUUID(),
  ofFacility: string | null = null,
): Promise<VerbReply<typeof moveIn>> => moveInOf(api.ctx, call(key, ofFacility), given(body));
const quote = (body: Body = {}) => quoteMoveInOf(api.ctx, call(randomUUID()), given(body));
const ledgers = () =>
  api.owner.selectFrom('ledgers').selectAll().where('tenant_id', '=', tenantId).execute();
const mails = async () => {
  const { email } = await getRow(api.owner, 'tenants', 'email', { id: tenantId });
  return mailsTo(api, email);
};
const amounts = ({ charges }: Pick<VerbReply<typeof moveIn>, 'charges'>) =>
  charges.map(({ description, amount }) => [description, amount]);

describe('a move-in', () => {
  test('charges the rest of the month by its days, with discount, taxes and plan, and the deposit', async () => {
    const settings = { deposit_cents: 5000, rent_tax1_basis_points: 825 };
    await changeRows(api.owner, 'facilities', settings, { id: facilityId });
    const protectionPlanId = await makeProtectionPlan(api.owner, { facility_id: facilityId });
    const discount = {
      facility_id: facilityId,
      name: 'Tenth',
      basis_points: 1000,
      amount_cents: null,
      ended_on: null,
    };
    const { id: discountPlanId } = await api.owner
      .insertInto('discount_plans')
      .values(discount)
      .returning('id')
      .executeTakeFirstOrThrow();
    const reply = await begin({ protectionPlanId, discountPlanId, taxes: 'charged' });
    // 7 of 30 days of $200 are $46.67, less $4.67, with 8.25 % of $42.00; and of $14.00.
    expect(reply).toMatchObject({
      charges: [
        { description: 'Deposit', amount: 50 },
        {
          description: 'Rent 11/24/2026 - 11/30/2026',
          price: 46.67,
          discount: 4.67,
          tax1: 3.47,
          amount: 45.47,
        },
        { description: 'Protection plan 11/24/2026 - 11/30/2026', amount: 3.27 },
      ],
      total: 98.74,
      ledgers: [{ unitName: 'A101', balance: 98.74 }],
    });
    expect(await ledgers()).toMatchObject([
      {
        balance_cents: 9874,
        billed_through: '2026-11-30',
        paid_through: '2026-11-23',
        moved_in_on: '2026-11-24',
      },
    ]);
    // Billing continues after it.
    expect(await runBilling(api.ctx, { facilityId, date: '2026-11-30' })).toMatchObject({
      periods: 0,
    });
    expect(await runBilling(api.ctx, { facilityId, date: '2026-12-01' })).toMatchObject({
      periods: 1,
      rentCents: 20_000,
    });
  });

  test('on the 31st at a facility with anniversaries is charged a whole period, and the next on the last day', async () => {
    ({ facilityId, tenantId } = await facilityWith({}));
    now = new Date('2026-01-31T15:00:00Z');
    expect(amounts(await begin({ on: '2026-01-31' }))).toEqual([
      ['Rent 1/31/2026 - 2/27/2026', 200],
    ]);
    expect(await ledgers()).toMatchObject([{ billing_day: 31 }]);
    await runBilling(api.ctx, { facilityId, date: '2026-02-28' });
    expect(await ledgers()).toMatchObject([{ billed_through: '2026-03-30' }]);
  });

  test('is what its quote said, which writes nothing', async () => {
    const counted = () => findRows(api.owner, 'staff_actions', 'key');
    const before = await counted();
    const { ledgers: _, ...quoted } = await quote();
    expect([await ledgers(), await mails(), await counted()]).toEqual([[], [], before]);
    expect(await begin()).toMatchObject(quoted);
  });

  test('some days back is charged what is due by now, 60 days back and no more', async () => {
    expect(amounts(await quote({ on: '2026-09-21' }))).toEqual([
      ['Rent 9/21/2026 - 9/30/2026', 66.67],
      ['Rent 10/1/2026 - 10/31/2026', 200],
      ['Rent 11/1/2026 - 11/30/2026', 200],
    ]);
    await expect(begin({ on: '2026-09-20' })).rejects.toMatchObject({
      status: 422,
      message: 'A rental may begin at most 60 days back: on 2026-09-21 or later.',
    });
    await expect(begin({ on: '9999-12-31' })).rejects.toMatchObject({
      status: 422,
      message: 'The day 12/31/9999 is over two years ahead: check its year.',
    });
  });

  test('ahead opens the gate from its day on', async () => {
    await begin();
    const codes = async (today: string) =>
      (await findUnits(api.ctx, { facilityId, today })).filter(({ ledgerId }) => ledgerId !== null)
        .length;
    expect([await codes('2026-11-23'), await codes('2026-11-24')]).toEqual([0, 1]);
  });

  test('takes the code that is given, and a random one otherwise', async () => {
    const codeOf = async (reply: VerbReply<typeof moveIn>) => {
      const { ledgerId } = reply.ledgers[0]!;
      const { access_code } = await getRow(api.owner, 'gate_codes', 'access_code', {
        ledger_id: ledgerId,
      });
      return api.ctx.vault.open('gateCode', ledgerId, access_code);
    };
    expect(await codeOf(await begin({ gateCode: '48210#' }))).toBe('48210#');
    ({ facilityId, tenantId } = await facilityWith({}));
    expect(await codeOf(await begin())).toMatch(/^\d{4}#$/);
  });

  test('invites a tenant without a sign-in, and no one who signs in to the record', async () => {
    expect((await begin()).isInvited).toBe(true);
    expect(await mails()).toMatchObject([
      { subject: 'Your account at Anchor & Axle Eagle Mountain' },
    ]);
    const { email, ...other } = await facilityWith({});
    ({ facilityId, tenantId } = other);
    await makeUser(api.owner, {
      email,
      password: 'a long password',
      tenantIds: [tenantId],
    });
    expect((await begin()).isInvited).toBe(false);
    expect(await mails()).toEqual([]);
  });

  test('invites a tenant whose record is linked to the sign-in of another address, which does not reach it', async () => {
    const email = `before-${tenantId}@example.com`;
    const user = { email, password: 'a long password', tenantIds: [tenantId] };
    await makeUser(api.owner, user);
    expect((await begin()).isInvited).toBe(true);
  });

  test('invites a tenant whose address signs in to another record, and links nothing; not one who is disabled', async () => {
    const { email, tenantId: known } = await facilityWith({});
    const user = { email, password: 'a long password', tenantIds: [known] };
    const userId = await makeUser(api.owner, user);
    const links = () => findRows(api.owner, 'user_tenants', 'tenant_id', { user_id: userId });
    await changeRows(api.owner, 'tenants', { email: email.toUpperCase() }, { id: tenantId });
    expect((await begin()).isInvited).toBe(true);
    expect(await mails()).toMatchObject([
      {
        text: expect.stringContaining(
          'If you sign in with this address already, do the same',
        ) as string,
      },
    ]);
    expect(await links()).toEqual([{ tenant_id: known }]);
    await changeRows(api.owner, 'users', { disabled_at: now }, { id: userId });
    const more = {
      facility_id: facilityId,
      name: 'A102',
      width_feet: 12,
      length_feet: 40,
      type_name: 'RV',
    };
    await addRows(api.owner, 'units', more);
    expect((await begin({ unit: 'A102' })).isInvited).toBe(false);
  });

  test('under a key is made once, and of two clerks at once one has the unit', async () => {
    const key = randomUUID();
    const first = await begin({}, key);
    expect(await begin({}, key)).toEqual(first);
    expect(await ledgers()).toHaveLength(1);
    ({ facilityId, tenantId } = await facilityWith({}));
    const tries = await Promise.allSettled([begin(), begin()]);
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(tries.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 409 },
    });
  });

  test('begins on the day of a planned move-out and not before', async () => {
    const unit = { facility_id: facilityId, name: 'B207' };
    const former = await makeTenant(api.owner, { facility_id: facilityId });
    await makeLedger(api.owner, api.ctx.vault, {
      tenant_id: former,
      unit,
      moved_out_on: '2026-12-01',
    });
    await expect(begin({ unit: 'B207', on: '2026-11-30' })).rejects.toMatchObject({ status: 409 });
    // The rate is that of the last rental.
    expect(await begin({ unit: 'B207', on: '2026-12-01', rate: undefined })).toMatchObject({
      rate: 200,
    });
  });

  test('counts days by the calendar where the facility is', async () => {
    ({ facilityId, tenantId } = await facilityWith({ time_zone: 'Pacific/Honolulu' }));
    now = new Date('2026-11-20T05:00:00Z');
    // The nineteenth in Hawaii.
    expect((await quote({ on: '2026-09-20' })).movedInOn).toBe('2026-09-20');
    await expect(quote({ on: '2026-09-19' })).rejects.toMatchObject({ status: 422 });
  });

  test.each([
    ['a tenant that is none', { tenantId: randomUUID() }, 404, 'There is no tenant record'],
    ['a unit that is none', { unit: 'Z999' }, 404, 'There is no unit Z999 at this facility.'],
    ['a day that does not exist', { on: '2026-02-30' }, 422, ''],
    ['no rate of a unit that was never rented', { rate: undefined }, 422, 'give its rate'],
    ['a rate with three decimals', { rate: 200.125 }, 422, 'two decimals'],
    ['a plan that is none', { protectionPlanId: randomUUID() }, 404, 'There is no protection plan'],
    ['a discount that is none', { discountPlanId: randomUUID() }, 404, 'There is no discount plan'],
    ['a schedule that is none', { gateScheduleId: 7 }, 422, 'There is no gate schedule 7.'],
  ])('with %s is refused in a sentence and writes nothing', async (_, body, status, sentence) => {
    await expect(begin(body)).rejects.toMatchObject({
      status,
      message: expect.stringContaining(sentence) as string,
    });
    expect([await ledgers(), await mails()]).toEqual([[], []]);
  });

  test('of another facility’s tenant is refused', async () => {
    const { facilityId: other } = await facilityWith({});
    await expect(begin({}, randomUUID(), other)).rejects.toMatchObject({ status: 404 });
  });
});

test('is taxed where the facility has a tax on rent, unless the clerk says otherwise', async () => {
  const bill = async (body: Body = {}) => (await quote(body)).charges.at(-1)!.tax1;
  expect(await bill()).toBe(0);
  const tax = { rent_tax1_basis_points: 825 };
  await changeRows(api.owner, 'facilities', tax, { id: facilityId });
  // 8.25 % of 7 of 30 days of $200.
  expect(await bill()).toBe(3.85);
  expect(await bill({ taxes: 'charged' })).toBe(3.85);
  expect(await bill({ taxes: 'none' })).toBe(0);
});

describe('a quote', () => {
  const mailed = (body: Body = {}, key = randomUUID()) =>
    mailQuoteOf(api.ctx, call(key), given(body));

  test('is mailed as the move-in would charge it, once under its key, and leaves nothing else', async () => {
    const settings = { deposit_cents: 5000, rent_tax1_basis_points: 825 };
    await changeRows(api.owner, 'facilities', settings, { id: facilityId });
    const asked = await quote({ taxes: 'charged' });
    const key = randomUUID();
    const reply = await mailed({ taxes: 'charged' }, key);
    expect(await mailed({ taxes: 'charged' }, key)).toEqual(reply);
    expect({ ...reply, ledgers: [] }).toEqual({ ...asked, to: reply.to, ledgers: [] });
    expect(await ledgers()).toEqual([]);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail!.subject).toBe('Quote for unit A101 from 11/24/2026: $100.52');
    expect(mail!.text).toContain('Deposit, due 11/24/2026: $50.00\n');
    expect(mail!.text).toContain(
      'Rent 11/24/2026 - 11/30/2026, due 11/24/2026: $50.52 ($46.67, with $3.85 tax)\n',
    );
    expect(mail!.text).toContain('First bill in all: $100.52');
  });

  // spec 10.35
  test('for a guest without a record is the same, is mailed to the email that is named, and leaves no record', async () => {
    const tenants = async () => (await findRows(api.owner, 'tenants', 'id')).length;
    const before = await tenants();
    const guest = { tenantId: undefined, taxes: 'charged' };
    const here = (body: Body, isPreview = false) =>
      mailQuoteOf(api.ctx, { ...call(randomUUID(), facilityId), isPreview }, given(body));
    const asked = await quote({ taxes: 'charged' });
    const shown = await quoteMoveInOf(api.ctx, call(randomUUID(), facilityId), given(guest));
    expect({ ...shown, ledgers: [] }).toEqual({ ...asked, ledgers: [] });
    expect(await here(guest, true)).toMatchObject({ total: asked.total, to: null });
    await expect(here(guest)).rejects.toMatchObject({
      status: 422,
      message: 'Give the first name and the email to mail it.',
    });
    const email = `guest-${randomUUID()}@example.com`;
    expect(await here({ ...guest, firstName: 'Robin', email })).toMatchObject({ to: email });
    const [mail, ...others] = await mailsTo(api, email);
    expect(others).toEqual([]);
    expect(mail!.subject).toBe('Quote for unit A101 from 11/24/2026: $46.67');
    expect(mail!.text).toContain('Hello Robin,');
    expect([await tenants(), await mailsTo(api, 'guest@example.com')]).toEqual([before, []]);
  });

  // spec 10.35
  test('for a guest without a record needs one facility, and names no record besides', async () => {
    const guest = given({ tenantId: undefined });
    await expect(quoteMoveInOf(api.ctx, call(randomUUID()), guest)).rejects.toMatchObject({
      status: 422,
      message: 'Name the facility of the quote.',
    });
    const both = { firstName: 'Robin', email: 'robin@example.com' };
    for (const body of [both, { tenantId: undefined, email: both.email }])
      await expect(mailed(body)).rejects.toMatchObject({
        status: 422,
        message: 'Name a tenant record, or the first name and email of a person who has none.',
      });
  });

  test('is taken by the move-in to the cent, and refused where the first bill changed since', async () => {
    const { total: quotedTotal } = await quote();
    await changeRows(api.owner, 'facilities', { deposit_cents: 2500 }, { id: facilityId });
    await expect(begin({ quotedTotal })).rejects.toThrow(
      'The first bill is now $71.67, and the quote said $46.67. Make a new quote.',
    );
    expect(await ledgers()).toEqual([]);
    expect(await begin({ quotedTotal: 71.67 })).toMatchObject({ total: 71.67 });
  });
});
