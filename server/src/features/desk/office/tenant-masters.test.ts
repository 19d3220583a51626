import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { showGateCodeOf } from '#features/service/gate-access/staff.ts';
import { makeFacility, makeTenant } from '#seeds/builders.ts';
import { useTestApp, type Answer } from '#test/app.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, doVerb, signInNewStaff } from '#test/office.ts';
import { makeOwingRental, type OwingRental } from '#test/owing-rental.ts';
import { pagesOf } from '#test/pdf.ts';
import { changeRows, getRow } from '#test/rows.ts';

const api = useTestApp('demo_template');
let clerk: string;
let manager: string;
let facilityId: string;
let rental: OwingRental;
beforeAll(async () => {
  facilityId = await makeFacility(api.owner, { location_code: 'TXMAS01' });
  clerk = await signInNewStaff(api, 'clerk', facilityId);
  manager = await signInNewStaff(api, 'manager', facilityId);
});
beforeEach(async () => {
  rental = await makeOwingRental(api, facilityId);
});

const call = (verb: string, body: object, as = manager) =>
  doVerb(api, as, verb, { why: 'asked at the counter', ...body });
const read = async (path: string, query = {}) =>
  (await callOffice(api, 'GET', path, { as: manager, query })).body as Record<string, unknown>;
const lastAudit = async () =>
  (
    await api.owner
      .selectFrom('audit_events')
      .select('details')
      .where('tenant_id', '=', rental.tenantId)
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
  ).details;

describe('a company', () => {
  const HVAC = 'Tri-County HVAC, Inc.';
  const becomeCompany = () =>
    call('tenants/change', {
      tenantId: rental.tenantId,
      ...{ company: HVAC, firstName: 'Rosa', lastName: 'Méndez' },
    });

  test('is listed and sorted by its name, found by a word of it and by its contact in either order', async () => {
    expect((await becomeCompany()).body.changes).toEqual([
      { field: 'company', from: null, to: HVAC },
      { field: 'firstName', from: 'Dana', to: 'Rosa' },
      { field: 'lastName', from: 'Reyes', to: 'Méndez' },
    ]);
    await makeTenant(api.owner, { facility_id: facilityId, first_name: 'Al', last_name: 'Zuk' });
    await makeTenant(api.owner, { facility_id: facilityId, first_name: 'Zoe', last_name: 'Abel' });
    const { rows } = (await read('/office/tenants', { locationCode: 'TXMAS01' })) as {
      rows: { company: string | null; lastName: string }[];
    };
    const names = rows.map(({ company, lastName }) => company ?? lastName);
    expect(names).toEqual(names.toSorted());
    expect(names).toContain(HVAC);
    for (const q of ['hvac', 'tri county', 'TRICOUNTY', 'rosa mendez', 'Mendez Rosa']) {
      const found = (await read('/office/tenants', { q })).rows as { id: string }[];
      expect([q, found.map(({ id }) => id)]).toEqual([q, [rental.tenantId]]);
    }
    const late = (await read('/office/late', { q: 'tri-county' })).rows as { company: string }[];
    expect(late.map(({ company }) => company)).toEqual([HVAC]);
    expect(await lastAudit()).toMatchObject({ company: ` → ${HVAC}`, firstName: 'Dana → Rosa' });
  });

  test('is on its papers, and its contact is greeted in mails', async () => {
    await becomeCompany();
    const { ledgerId } = rental;
    const paid = await call('payments/record', {
      ledgerIds: [ledgerId],
      type: 'cash',
      amount: 200,
    });
    const { data } = await read(`/office/receipts/${String(paid.body.receiptNumber)}`);
    expect(pagesOf(Buffer.from(data as string, 'base64')).join(' ')).toContain(HVAC);
    const { text } = (await mailsTo(api, rental.email)).at(-1)!;
    expect(text).toMatch(/^Hello Rosa,/m);
    expect(text).not.toContain('Inc.,');
  });

  test('is a person again once the company is emptied', async () => {
    await becomeCompany();
    await call('tenants/change', { tenantId: rental.tenantId, company: '' });
    const { name, last_key } = await getRow(api.owner, 'tenants', ['name', 'last_key'], {
      id: rental.tenantId,
    });
    expect([name, last_key]).toEqual(['Rosa Méndez', 'mendez']);
  });
});

describe('a change of a record', () => {
  test('says what becomes of what, keeps the rest, and notifies the address of a new phone', async () => {
    const change = { tenantId: rental.tenantId, phone: '(817) 555-0199', city: 'Azle' };
    const preview = await call('tenants/change', { ...change, isPreview: true });
    const done = await call('tenants/change', change);
    expect(preview.body).toEqual(done.body);
    expect(done.body.changes).toMatchObject([{ field: 'phone', to: '8175550199' }]);
    const { street1 } = await getRow(api.owner, 'tenants', 'street1', { id: rental.tenantId });
    expect(street1).toBe('18 Heron Lane');
    expect((await mailsTo(api, rental.email)).at(-1)!.subject).toBe(
      'A phone number was added to your account',
    );
  });

  test.each([
    ['a clerk', () => ({ city: 'Waco' }), 403, /manager/],
    ['what is so already', () => ({ firstName: 'Dana' }), 422, /is like that already/],
    ['a formula', () => ({ company: '=HYPERLINK()' }), 422, /^Company must not begin with/],
    ['a link', () => ({ company: 'evil.example' }), 422, /^Company must not contain/],
  ])('is refused: %s', async (_, body, status, sentence) => {
    const as = status === 403 ? clerk : manager;
    const answer = await call('tenants/change', { tenantId: rental.tenantId, ...body() }, as);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(sentence)]);
  });

  test('gives no name that would let an address reach a record that it does not', async () => {
    const { email } = rental;
    const ann = await makeTenant(api.owner, { facility_id: facilityId, email, first_name: 'Ann' });
    const answer = await call('tenants/change', { tenantId: ann, firstName: 'Dana' });
    expect([answer.status, answer.body.message]).toEqual([
      409,
      `${email} is on file for several names: join the address first, or change the email.`,
    ]);
    expect((await call('tenants/change', { tenantId: ann, city: 'Waco' })).status).toBe(200);
  });
});

describe('a tenant to whom nothing is rented', () => {
  const today = () => calendarDateIn('America/Chicago', api.ctx.clock.now());
  const terms = (tenantId: string | undefined) => ({
    ...(tenantId !== undefined && { tenantId }),
    ...{ unit: rental.unit, on: today(), rate: 180 },
  });
  const sentence = {
    status: 409,
    body: { message: 'Nothing is rented to Dana Reyes until a manager allows it again.' },
  };
  const refuse = () =>
    call('tenants/refuse', { tenantId: rental.tenantId, why: 'Lived in the unit.' });

  test('is refused a quote, a mailed quote and a move-in, by a manager too, until one lifts it', async () => {
    await refuse();
    const shown = await read(`/office/tenants/${rental.tenantId}`);
    expect(shown['doNotRent']).toBe('Lived in the unit.');
    for (const verb of ['quote', 'mail-quote', 'move-in'])
      expect(await call(`rentals/${verb}`, terms(rental.tenantId))).toMatchObject(sentence);
    expect((await call('tenants/accept', { tenantId: rental.tenantId }, clerk)).status).toBe(403);
    await call('tenants/accept', { tenantId: rental.tenantId });
    expect((await call('rentals/move-in', terms(rental.tenantId))).status).toBe(200);
  });

  test('is refused as a new record of the same name and address, and as a guest of that address', async () => {
    await refuse();
    const { email } = rental;
    const again = await makeTenant(api.owner, { facility_id: facilityId, email });
    expect(await call('rentals/move-in', terms(again))).toMatchObject(sentence);
    const guest = { ...terms(undefined), firstName: 'Di', email, locationCode: 'TXMAS01' };
    const answer = await call('rentals/mail-quote', guest);
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'Nothing is rented to whoever has this address until a manager allows it again.',
    ]);
    const spouse = { facility_id: facilityId, email, first_name: 'Ann' };
    const ann = await makeTenant(api.owner, spouse);
    expect((await call('rentals/move-in', terms(ann))).status).toBe(200);
  });

  test('is not moved in by a request that began before and ends after', async () => {
    let answered: Promise<Answer> | undefined;
    await api.ctx.db.transaction().execute(async (trx) => {
      await sql`UPDATE tenants SET do_not_rent = 'Lived in it.' WHERE id = ${rental.tenantId}`.execute(
        trx,
      );
      answered = call('rentals/move-in', terms(rental.tenantId));
      await untilLockWait(api.owner);
    });
    expect(await answered).toMatchObject(sentence);
  });

  test('needs a reason', async () => {
    const answer = await call('tenants/refuse', { tenantId: rental.tenantId, why: '' });
    expect(answer).toMatchObject({ status: 422, body: { message: 'Give the reason (why).' } });
  });
});

describe('a tenant who is tax-exempt', () => {
  test('is not taxed on the bills from the day on, nor in a new rental, and keeps the certificate', async () => {
    const { tenantId, ledgerId } = rental;
    await changeRows(api.owner, 'facilities', { rent_tax1_basis_points: 825 }, { id: facilityId });
    await changeRows(api.owner, 'ledgers', { is_taxed: true }, { id: ledgerId });
    const on = addDays(calendarDateIn('America/Chicago', api.ctx.clock.now()), 3);
    const exempt = { tenantId, taxes: 'none', paper: 'TX 01-339', on };
    const { body } = await call('tenants/tax', exempt);
    expect(body).toMatchObject({ paper: 'TX 01-339', rentals: [{ ledgerId }] });
    const [{ firstBill }] = body.rentals as [{ firstBill: { before: number; total: number } }];
    expect(firstBill.total).toBeLessThan(firstBill.before);
    const { scheduled_tax } = await getRow(api.owner, 'ledgers', 'scheduled_tax', { id: ledgerId });
    expect(scheduled_tax).toBe(false);
    const terms = { tenantId, unit: rental.unit, on, rate: 180 };
    const quote = async () =>
      ((await call('rentals/quote', terms)).body.charges as { tax1: number }[])[0]?.tax1;
    expect(await quote()).toBe(0);
    expect((await call('tenants/tax', exempt)).body.message).toBe(
      'The tenant is taxed like that already.',
    );
    expect((await call('tenants/tax', { ...exempt, taxes: 'charged' })).status).toBe(422);
    await call('tenants/tax', { tenantId, taxes: 'charged', on });
    expect(await quote()).toBeGreaterThan(0);
    await changeRows(api.owner, 'facilities', { rent_tax1_basis_points: 0 }, { id: facilityId });
  });
});

test('tags and military service are kept for staff', async () => {
  const { tenantId } = rental;
  await call('tenants/change', { tenantId, tags: ' boat club, VIP,boat club', isMilitary: true });
  expect(await read(`/office/tenants/${tenantId}`)).toMatchObject({
    tags: ['boat club', 'VIP'],
    isMilitary: true,
  });
  const { body } = await call('tenants/change', { tenantId, tags: '' });
  expect(body.changes).toEqual([{ field: 'tags', from: 'boat club, VIP', to: null }]);
  const many = Array.from({ length: 11 }, (_, n) => `t${n}`).join();
  expect((await call('tenants/change', { tenantId, tags: many })).body.message).toMatch(
    /10 at most/,
  );
});

describe('an authorized person', () => {
  const authorize = (body: object = {}, as = manager) =>
    call('rentals/authorize', { ledgerId: rental.ledgerId, name: 'Ada Okafor', ...body }, as);
  const shownRental = async () => {
    const { ledgers } = await read(`/office/tenants/${rental.tenantId}`);
    return (ledgers as { authorized: { name: string; lastOn: string }[] }[])[0]!.authorized;
  };
  const codesOf = () =>
    showGateCodeOf(api.ctx, { by: 'Ana', why: '', facilityIds: null }, rental.ledgerId);

  test('has a code that no answer and no mail has, is shown to staff, and ends', async () => {
    const lastOn = addDays(calendarDateIn('America/Chicago', api.ctx.clock.now()), 30);
    const { body } = await authorize({ lastOn, phone: '6825550119' }, clerk);
    expect(await shownRental()).toMatchObject([{ name: 'Ada Okafor', lastOn }]);
    const { gateCode, others } = await codesOf();
    expect(others).toMatchObject([{ name: 'Ada Okafor' }]);
    expect(others[0]!.gateCode).not.toBe(gateCode);
    const mail = (await mailsTo(api, rental.email)).at(-1)!;
    expect(mail.subject).toContain('Ada Okafor can open the gate for unit');
    expect(JSON.stringify([body, mail.text])).not.toContain(others[0]!.gateCode);
    const end = () => call('rentals/end-authorization', { personId: body.personId });
    expect((await end()).status).toBe(200);
    expect((await end()).status).toBe(422);
    expect([await shownRental(), (await codesOf()).others]).toEqual([[], []]);
  });

  test.each([
    ['a code by a clerk', 403, () => authorize({ gateCode: '55501#' }, clerk)],
    ['a day that is over', 422, () => authorize({ lastOn: '2020-01-01' })],
    [
      'a person of another facility',
      404,
      () => call('rentals/end-authorization', { personId: randomUUID() }),
    ],
    [
      'the tenant’s own code',
      409,
      async () => authorize({ gateCode: (await codesOf()).gateCode! }),
    ],
  ])('is refused: %s', async (_, status, ask) => {
    expect((await ask()).status).toBe(status);
  });

  test('has a code that no tenant is given after that, nor another person, also once it has ended', async () => {
    const gateCode = '88112#';
    const { body } = await authorize({ gateCode });
    const other = await makeOwingRental(api, facilityId);
    const taken = () => call('rentals/change-code', { ledgerId: other.ledgerId, gateCode });
    expect((await taken()).status).toBe(409);
    await call('rentals/end-authorization', { personId: body.personId });
    expect((await taken()).status).toBe(409);
    expect((await authorize({ ledgerId: other.ledgerId, gateCode })).status).toBe(409);
  });

  test('is given one code by two clerks at once only once', async () => {
    const other = await makeOwingRental(api, facilityId);
    const gateCode = '88113#';
    const answers = await Promise.all([
      authorize({ gateCode }),
      authorize({ ledgerId: other.ledgerId, gateCode }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});
