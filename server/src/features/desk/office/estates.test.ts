import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { TenantFile } from '@gatehouse/contract/office/tenants';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendMails } from '#features/desk/mail-sending/send.ts';
import { remindOfDay } from '#features/rentals/reminders/send.ts';
import { hello, paragraph } from '#emails/email.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { makeAutopay, makeFacility, makePaymentMethod } from '#seeds/builders.ts';
import { signIn, useTestApp } from '#test/app.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, doVerb, signInNewStaff, signInStaff } from '#test/office.ts';
import { makePerson } from '#test/people.ts';
import { makeOwingRental, type OwingRental } from '#test/owing-rental.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';

const api = useTestApp('demo_template');
const HERE = 'TXEST01';
const EXECUTOR = { name: 'Ann Reyes', relation: 'Daughter', email: 'ann@example.com' };
let clerk: string;
let manager: string;
let facilityId: string;
let rental: OwingRental;
beforeAll(async () => {
  facilityId = await makeFacility(api.owner, { location_code: HERE });
  await changeRows(api.owner, 'facilities', { sends_reminders: true }, { id: facilityId });
  clerk = await signInNewStaff(api, 'clerk', facilityId);
  manager = await signInNewStaff(api, 'manager', facilityId);
});
beforeEach(async () => {
  rental = await makeOwingRental(api, facilityId);
});

const call = (verb: string, body: object = {}, as = manager) =>
  doVerb(api, as, verb, { why: 'the daughter called', ...body });
const died = (rest: object = {}, as = manager) =>
  call('tenants/record-death', { tenantId: rental.tenantId, ...EXECUTOR, ...rest }, as);
const revoke = (rest: object = {}) =>
  call('tenants/revoke-death', { tenantId: rental.tenantId, ...rest });
const shown = async () =>
  (await callOffice(api, 'GET', `/office/tenants/${rental.tenantId}`, { as: clerk }))
    .body as TenantFile;
const pay = () =>
  call('payments/record', { ledgerIds: [rental.ledgerId], type: 'cash', amount: 50 });
const subjectsTo = async (address: string) =>
  (await mailsTo(api, address)).map(({ subject }) => subject);
const register = (email: string) =>
  api.call('POST', '/users/register', {
    body: { corporationCode: 'ANCHOR', locationCode: HERE, email },
  });
const today = () => calendarDateIn('America/Chicago', api.ctx.clock.now());
/** Reminds of rent that is due in three days. */
async function remind(): Promise<number> {
  const { ledgerId: id } = rental;
  await changeRows(api.owner, 'ledgers', { billed_through: addDays(today(), 2) }, { id });
  return remindOfDay(api.ctx, { facilityId, date: today() });
}

async function giveAutopay(): Promise<void> {
  const { tenantId: tenant_id, ledgerId } = rental;
  const methodId = await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id });
  await makeAutopay(api.owner, ledgerId, methodId, api.ctx.clock.now());
}

describe('a tenant who died', () => {
  test('has no autopay, session or waiting mail from one step on, as its preview says', async () => {
    await giveAutopay();
    const { token } = await signIn(api, rental.email, HERE);
    await pay();
    const [waiting] = await mailsTo(api, rental.email);
    const preview = await died({ isPreview: true });
    expect((await api.call('GET', '/session', { token })).status).not.toBe(401);
    const done = await died();
    expect(preview.body).toEqual(done.body);
    const unit = (await shown()).ledgers[0]!.unitName;
    expect(done.body).toMatchObject({
      ...{ tenantName: 'Dana Reyes', closedEmail: rental.email, autopayOf: [unit], units: [unit] },
      ...{ sessionsEnded: 1, dropped: 1, alsoAt: [] },
    });
    const { ledgerId: ledger_id } = rental;
    expect(await getRow(api.owner, 'autopays', 'active', { ledger_id })).toEqual({ active: false });
    expect(await findRows(api.owner, 'mandate_ends', 'reason', {})).toContainEqual({
      reason: 'switched_off',
    });
    expect(await findRows(api.owner, 'user_tenants', 'user_id', rowsOf())).toEqual([]);
    await sendMails(api.ctx, [waiting!.id]);
    const { id } = waiting!;
    expect(await getRow(api.owner, 'mails', ['sent_at', 'is_dropped'], { id })).toEqual({
      sent_at: null,
      is_dropped: true,
    });
    expect((await mailsTo(api, rental.email)).length).toBe(1);
  });
  const rowsOf = () => ({ tenant_id: rental.tenantId });

  test('is not reminded, and cannot be registered or invited by the address', async () => {
    await died();
    expect(await remind()).toBe(0);
    expect(await mailsTo(api, rental.email)).toEqual([]);
    await register(rental.email);
    expect((await mailsTo(api, rental.email)).at(-1)!.text).not.toMatch(/^\d{8}$/m);
    const invited = await call('tenants/invite', { locationCode: HERE }, await owner());
    expect(JSON.stringify(invited.body.names)).not.toContain('Dana');
  });

  test('is written to at the executor, who is greeted, with receipts and notices', async () => {
    await died();
    const paid = await pay();
    const notice = await call('notices/send', {
      ledgerIds: [rental.ledgerId],
      ...{ subject: 'What is past due', text: 'Hello {firstName}, {owed} is due.' },
    });
    expect(notice.body.first).toMatchObject({
      to: EXECUTOR.email,
      text: expect.stringContaining('Hello Ann Reyes, $150.00'),
    });
    const { receiptNumber } = paid.body as { receiptNumber: string };
    const again = await call('payments/mail-receipt', { receiptNumber });
    expect(again.body.to).toBe(EXECUTOR.email);
    const [receipt] = await mailsTo(api, EXECUTOR.email);
    expect(receipt!.text).toMatch(/^Hello Ann Reyes,\n\nYou get this mail for Dana Reyes\./m);
    expect(await subjectsTo(rental.email)).toEqual([]);
  });

  test('is refused a quote and a move-in', async () => {
    await died();
    const { tenantId } = rental;
    for (const verb of ['quote', 'mail-quote', 'move-in'])
      expect(
        await call(`rentals/${verb}`, { tenantId, unit: rental.unit, on: today(), rate: 180 }),
      ).toMatchObject({ status: 409, body: { message: 'The death of Dana Reyes is recorded.' } });
  });

  test('has statements mailed to the executor, as the preview says', async () => {
    await died();
    const days = { from: addDays(today(), -60), to: today(), isMailed: true };
    const preview = await call('statements/issue', {
      ...{ tenantId: rental.tenantId, ...days, isPreview: true },
    });
    expect(preview.body).toMatchObject({ mailedTo: EXECUTOR.email });
    await call('statements/issue', { tenantId: rental.tenantId, ...days });
    expect(await subjectsTo(EXECUTOR.email)).toContainEqual(expect.stringContaining('tatement'));
  });

  test('has its executor greeted only in mails to the executor or the record', async () => {
    await died();
    const { tenantId } = rental;
    const send = (to: string) =>
      api.ctx.db.transaction().execute((trx) =>
        queueMail(api.ctx, trx, {
          ...{ to, kind: 'document' as const, tenantId },
          email: () => ({ subject: 'To sign', blocks: [hello('Sam'), paragraph('Please sign.')] }),
        }),
      );
    await send('second-signer@example.com');
    expect((await mailsTo(api, 'second-signer@example.com')).at(-1)!.text).toMatch(/^Hello Sam,/);
    expect(await send(rental.email)).toBeNull();
    await send(EXECUTOR.email);
    expect((await mailsTo(api, EXECUTOR.email)).at(-1)!.text).toContain('for Dana Reyes.');
  });

  test('says whom a mail without a greeting is for, and greets a notice by the whole name', async () => {
    await died({ name: 'Ann Lee Reyes' });
    const text = 'Dear {firstName} {lastName}. {owed} is due.';
    const ledgerIds = [rental.ledgerId];
    await call('notices/send', { ledgerIds, subject: 'What is past due', text });
    const { text: sent } = (await mailsTo(api, EXECUTOR.email)).at(-1)!;
    expect(sent).toContain('Dear Ann Lee Reyes');
    expect(sent).not.toContain('Reyes Reyes');
    expect(sent).toContain('You get this mail for Dana Reyes.');
  });

  test('has no executor at the address that is closed', async () => {
    const answer = await died({ email: rental.email.toUpperCase() });
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'This is the address that is closed with the record: give another one for the executor, or none.',
    ]);
  });

  test('shows the executor to a clerk, and another one who is recorded later', async () => {
    await died();
    const { executor } = await shown();
    expect(executor).toEqual({ ...EXECUTOR, phone: null, note: null });
    await died({ name: 'Ben Lee', relation: '', email: undefined, phone: '(817) 555-0119' });
    expect((await shown()).executor).toEqual({
      ...{ name: 'Ben Lee', relation: null, phone: '8175550119', email: null, note: null },
    });
    const answer = await call('pay-links/create', {
      ...{ ledgerId: rental.ledgerId, amount: 50, isMailed: true },
    });
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'The tenant has no valid email address. Copy the link instead.',
    ]);
  });

  test('has each executor who is named in an event of its own, with the address', async () => {
    await died();
    await died({ name: 'Ben Lee', relation: '', email: undefined, phone: '(817) 555-0119' });
    const events = await findRows(api.owner, 'audit_events', 'details', rowsOf());
    const named = events.flatMap(({ details }) => {
      const { verb, executor, mailedTo, phone } = details as Record<string, string>;
      return verb === 'tenants.recordDeath' ? [[executor, mailedTo, phone]] : [];
    });
    expect(named).toEqual([
      [EXECUTOR.name, EXECUTOR.email, undefined],
      ['Ben Lee', undefined, '8175550119'],
    ]);
  });

  test('has no executor by name while the bills go to another’s email on the record', async () => {
    await died();
    const heirs = `${randomUUID()}@example.com`;
    await call('tenants/email', { tenantId: rental.tenantId, email: heirs });
    const later = { name: 'Ben Lee', email: `${randomUUID()}@example.com` };
    for (const isPreview of [true, false]) {
      const answer = await died({ ...later, isPreview });
      expect([answer.status, answer.body.message]).toEqual([
        409,
        `Mails go to ${heirs}, which is the record’s email by now and signs in: change that first.`,
      ]);
    }
    await call('tenants/email', { tenantId: rental.tenantId, email: later.email });
    expect((await died(later)).status).toBe(200);
    await pay();
    expect(await subjectsTo(later.email)).toContainEqual(expect.stringContaining('eceipt'));
  });

  test('has no autopay that is turned on in the moment of the recording', async () => {
    await giveAutopay();
    const { ledgerId: ledger_id } = rental;
    const { payment_method_id: paymentMethodId } = await getRow(
      api.owner,
      'autopays',
      'payment_method_id',
      { ledger_id },
    );
    await changeRows(api.owner, 'autopays', { active: false }, { ledger_id });
    // After the last look at the session, before the commit's answer.
    await api.sql`CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NULL; END'`;
    await api.sql`CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON mandates
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`;
    const { token, prefix } = await signIn(api, rental.email, HERE);
    const answers = await api.ctx.db.transaction().execute(async (trx) => {
      await sql`SELECT pg_advisory_xact_lock(4711)`.execute(trx);
      const turning = api.call('POST', `${prefix}/ledgers/${ledger_id}/autopay-update`, {
        ...{ token, headers: { 'idempotency-key': randomUUID() } },
        body: { creditCard: { paymentMethodId } },
      });
      await untilLockWait(api.owner);
      const dying = died();
      await untilLockWait(api.owner, 2);
      return { turning, dying };
    });
    expect([(await answers.turning).status, (await answers.dying).status]).toEqual([200, 200]);
    await api.sql`DROP TRIGGER wait_at_commit ON mandates`;
    expect(await getRow(api.owner, 'autopays', 'active', { ledger_id })).toEqual({ active: false });
  });

  test('signs in again by an invitation once the mistake is taken back, without autopay', async () => {
    await giveAutopay();
    await died();
    const done = await revoke();
    expect(done.body).toMatchObject({ name: 'Dana Reyes', email: rental.email, isInvited: true });
    expect((await shown()).executor).toBeNull();
    expect(await subjectsTo(rental.email)).toEqual([expect.stringContaining('Your account at')]);
    await register(rental.email);
    expect((await mailsTo(api, rental.email)).at(-1)!.text).toMatch(/^\d{8}$/m);
    const { ledgerId: ledger_id } = rental;
    expect(await getRow(api.owner, 'autopays', 'active', { ledger_id })).toEqual({ active: false });
    expect(await remind()).toBe(1);
    const again = await revoke();
    expect([again.status, again.body.message]).toEqual([
      422,
      'No death of this tenant is recorded.',
    ]);
  });

  test('is recorded once by two requests at once, with the executor of the last', async () => {
    const [one, other] = await Promise.all([died(), died({ name: 'Ben Lee' })]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect([one.body.sessionsEnded, other.body.sessionsEnded]).toEqual([0, 0]);
    expect(await findRows(api.owner, 'estates', 'tenant_id', rowsOf())).toHaveLength(1);
  });

  test('keeps an executor out until the email of the record is theirs', async () => {
    await died();
    await register(EXECUTOR.email);
    expect((await mailsTo(api, EXECUTOR.email)).at(-1)!.text).not.toMatch(/^\d{8}$/m);
    await call('tenants/email', { tenantId: rental.tenantId, email: EXECUTOR.email });
    await register(EXECUTOR.email);
    expect((await mailsTo(api, EXECUTOR.email)).at(-1)!.text).toMatch(/^\d{8}$/m);
    expect(await remind()).toBe(0);
  });

  test.each([
    ['a clerk', () => died({}, clerk), 403, /manager/],
    ['no reason', () => died({ why: '' }), 422, 'Give the reason (why).'],
    ['no name', () => died({ name: ' ' }), 422, 'Executor is required.'],
    ['no address', () => died({ email: 'ann' }), 422, /^Email must look like/],
  ])('is refused: %s', async (_, act, status, sentence) => {
    const answer = await act();
    expect([answer.status, answer.body.message]).toEqual([
      status,
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    ]);
    expect(await findRows(api.owner, 'estates', 'tenant_id', rowsOf())).toEqual([]);
  });
});

describe('a rental that an heir takes over', () => {
  const PORTAL = `/corporations/ANCHOR/locations/${HERE}`;
  const seen = async (path: string, token: string) =>
    JSON.stringify((await api.call('GET', `${PORTAL}/${path}`, { token })).body);

  test('is lost by open sessions of the tenant before at once, and shown to the heir only', async () => {
    const email = `ann-${randomUUID().slice(0, 8)}@example.com`;
    const heir = await makePerson(api, facilityId, email);
    await changeRows(api.owner, 'tenants', { first_name: 'Ann' }, { id: heir });
    const before = await signIn(api, rental.email, HERE);
    const after = await signIn(api, email, HERE);
    const { unitName } = (await shown()).ledgers[0]!;
    const { unit_id: unitId } = await getRow(api.owner, 'ledgers', 'unit_id', {
      id: rental.ledgerId,
    });
    expect(await seen('gate-access', before.token)).toContain(unitId);
    const sums = async () =>
      (
        await callOffice(api, 'GET', '/office/reports/revenue', {
          as: manager,
          query: { from: addDays(today(), -30), to: today(), locationCode: HERE },
        })
      ).body as unknown;
    const revenue = await sums();
    const done = await call('rentals/assign', { ledgerId: rental.ledgerId, toTenantId: heir });
    expect(await sums()).toEqual(revenue);
    expect(done.body).toMatchObject({ unitName, owed: 200, toName: 'Ann Reyes' });
    expect(await seen('gate-access', before.token)).not.toContain(unitId);
    expect(await seen('gate-access', after.token)).toContain(unitId);
    const ledgersOf = (who: typeof before) =>
      seen(`tenants/${who.tenantIds[0]}/ledgers`, who.token);
    expect(await ledgersOf(before)).not.toContain('"balance":200');
    const [{ id: newId }] = (await findRows(api.owner, 'ledgers', 'id', {
      continues_ledger_id: rental.ledgerId,
    })) as [{ id: string }];
    expect(await ledgersOf(before)).not.toContain(newId);
    expect(await ledgersOf(after)).toContain(newId);
    expect(await ledgersOf(after)).not.toContain(rental.ledgerId);
    const history = `ledgers/${rental.ledgerId}/payment-history`;
    expect((await api.call('GET', `${PORTAL}/${history}`, { token: after.token })).status).toBe(
      404,
    );
    expect((await shown()).ledgers[0]).toMatchObject({
      ...{ isEnded: true, balance: 0, wentTo: { tenantId: heir, name: 'Ann Reyes' } },
    });
  });

  test('is not assigned to a tenant who died, nor by a clerk', async () => {
    const other = await makeOwingRental(api, facilityId);
    await died();
    const body = { ledgerId: other.ledgerId, toTenantId: rental.tenantId };
    expect(await call('rentals/assign', body)).toMatchObject({
      ...{ status: 409, body: { message: 'The death of Dana Reyes is recorded.' } },
    });
    expect((await call('rentals/assign', body, clerk)).status).toBe(403);
  });
});

const owner = () => signInStaff(api, { email: 'owner@anchor-axle.example' });
