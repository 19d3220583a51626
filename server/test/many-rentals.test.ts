import { randomUUID } from 'node:crypto';
import { addDays } from '@gatehouse/contract/dates';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { papersOfMail } from '#features/base/mail/papers.ts';
import { notifyOfPayments } from '#features/money/payments/notify.ts';
import {
  makeFacility,
  makeLedger,
  makeStaffMember,
  makeTenant,
  makeUser,
  postCharges,
} from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { card } from '#test/card.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { mailsTo } from '#test/mails.ts';
import { TEST_DAY } from '#test/test-day.ts';
import { findRows } from './rows.ts';

const MOST = 120;

let dana: SignedIn;
let lee: SignedIn;
/** Of dana's record, each owing $100.00. */
let rentals: { ledgerId: string; unitId: string }[];

const api = useTestApp('empty_template');
beforeAll(async () => {
  const facility_id = await makeFacility(api.owner, {});
  const records = (email: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => makeTenant(api.owner, { facility_id, email })));
  const user = { password: DEMO_PASSWORD };
  const [first, ...others] = await records('dana@example.com', 51);
  await makeUser(api.owner, { ...user, email: 'dana@example.com', tenantIds: [first!, ...others] });
  const leeIds = await records('lee@example.com', 1);
  await makeUser(api.owner, { ...user, email: 'lee@example.com', tenantIds: leeIds });
  await makeStaffMember(api.owner, {
    email: 'ana@example.com',
    name: 'Ana Flores',
    role: 'clerk',
    password: DEMO_PASSWORD,
    facilityIds: null,
    createdAt: api.ctx.clock.now(),
  });
  const dueOn = addDays(TEST_DAY, -3);
  const rent = async (number: number) => {
    const rental = await makeLedger(api.owner, api.ctx.vault, {
      tenant_id: first!,
      unit: { facility_id, name: `F${100 + number}` },
      moved_in_on: dueOn,
    });
    const charge = { category: 'rent', description: 'Rent', priceCents: 10_000 } as const;
    const periodEnd = addDays(dueOn, 29);
    await postCharges(api.owner, rental.ledgerId, [{ ...charge, dueOn, periodEnd }]);
    return rental;
  };
  rentals = await Promise.all(Array.from({ length: MOST }, (_, number) => rent(number)));
  dana = await signIn(api, 'dana@example.com');
  lee = await signIn(api, 'lee@example.com');
});
afterAll(() => expectSoundBooks(api.owner));

const refusedAccesses = async () =>
  (
    await api.owner
      .selectFrom('audit_events')
      .where('kind', '=', 'access_refused')
      .selectAll()
      .execute()
  ).length;
const get = (path: string, { token, prefix } = dana) => api.call('GET', prefix + path, { token });

describe('a list of ids in a path', () => {
  const statusesOf = (ids: string[], caller = dana) =>
    get(`/ledgers/${ids.join(',')}/insurance-statuses`, caller);
  const own = (count: number) => rentals.slice(0, count).map(({ ledgerId }) => ledgerId);

  test.each([1, 50])('of %i rentals is answered', async (count) => {
    const { status, body } = await statusesOf(own(count));
    expect([status, body.length]).toEqual([200, count]);
  });

  // spec 7.91
  test.each([51, MOST])(
    'of %i rentals says how many there may be, and is no misuse',
    async (count) => {
      const before = await refusedAccesses();
      const { status, body } = await statusesOf(own(count));
      expect([status, body]).toEqual([422, { message: 'A path may name at most 50 ids.' }]);
      expect(await refusedAccesses()).toBe(before);
    },
  );

  test('of records has the same limit', async () => {
    const records = (count: number) =>
      get(`/tenants/${dana.tenantIds.slice(0, count).join()}/ledgers`);
    const [most, more] = [await records(50), await records(51)];
    expect([most.status, (most.body as Ledger[]).length]).toEqual([200, MOST]);
    expect([more.status, more.body]).toEqual([422, { message: 'A path may name at most 50 ids.' }]);
  });

  test('that is too long and names what is not the caller’s is not found, as a short one', async () => {
    const before = await refusedAccesses();
    const [foreign] = own(1);
    const missing = '00000000-0000-4000-8000-000000000000';
    const short = await statusesOf([foreign!], lee);
    const answers = [
      await statusesOf(own(51), lee),
      await statusesOf([...own(MOST), missing]),
      await statusesOf([...own(MOST), 'x']),
    ];
    for (const { status, text } of answers) expect([status, text]).toEqual([404, short.text]);
    expect(await refusedAccesses()).toBe(before + 4);
  });

  test('that is too long needs a session first', async () => {
    const path = `${dana.prefix}/ledgers/${own(MOST).join(',')}/insurance-statuses`;
    expect((await api.call('GET', path)).status).toBe(401);
  });
});

test('My Units of 120 rentals is one answer', async () => {
  const { status, body } = await get(`/tenants/${dana.tenantIds[0]}/overview`);
  expect(status).toBe(200);
  const { ledgers, insuranceStatuses, gateAccess } = body;
  expect([ledgers.length, insuranceStatuses.length, gateAccess.length]).toEqual([MOST, MOST, MOST]);
});

test('staff preview a check for 120 units', async () => {
  const { body, status } = await callOffice(api, 'POST', '/office/verbs/payments/record', {
    as: await signInStaff(api, { email: 'ana@example.com' }),
    body: {
      key: randomUUID(),
      isPreview: true,
      why: 'At the counter',
      ledgerIds: rentals.map(({ ledgerId }) => ledgerId),
      type: 'check',
      number: '1041',
      amount: MOST * 100,
    },
  });
  expect([status, body.payments?.length]).toEqual([200, MOST]);
});

test('120 units are paid in one capture, with the first 20 receipts in one mail', async () => {
  const { token, prefix, tenantIds } = dana;
  const payments = rentals.map((rental) => ({ ...rental, amount: 100 }));
  const { status, body } = await api.call('POST', `${prefix}/tenants/${tenantIds[0]}/payments`, {
    token,
    body: { payments, creditCard: card },
  });
  expect([status, body.status, body.payments?.length]).toEqual([200, 'succeeded', MOST]);
  const captures = await findRows(api.owner, 'payment_intents', 'amount_cents');
  expect(captures).toEqual([{ amount_cents: MOST * 10_000 }]);

  await notifyOfPayments(api.ctx);
  const [mail, ...more] = await mailsTo(api, 'dana@example.com');
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Receipts for 120 units');
  const rows = await api.sql<{ count: number }>`
    SELECT json_array_length(${papersOfMail}) AS count FROM mails m WHERE m.id = ${mail!.id}`;
  expect(rows).toEqual([{ count: 20 }]);
  expect(mail?.text).toContain(
    'The first 20 receipts are attached. The receipts of the other rentals are in Payment History.',
  );
  const year = await get(`/tenants/${tenantIds[0]}/year-statements/${TEST_DAY.slice(0, 4)}`);
  const autopays = await get(`/tenants/${tenantIds[0]}/autopays`);
  expect([year.status, autopays.body.length]).toEqual([200, MOST]);
});
