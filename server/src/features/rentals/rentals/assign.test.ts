import { randomUUID } from 'node:crypto';
import { assignRental } from '@gatehouse/contract/moves';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reaching } from '#db/database.ts';
import { findYear } from '#features/base/papers/year-data.ts';
import { recordPaymentFor } from '#features/money/counter/record-payment.ts';
import { reverseCreditOf } from '#features/money/counter/credits.ts';
import { reversePaymentOf } from '#features/money/counter/reverse-payment.ts';
import { makePayment } from '#features/money/payments/payments.ts';
import { postLateFees } from '#features/money/billing/late-fees.ts';
import { readFacts } from '#features/money/journal/facts.ts';
import { linesOf } from '#features/money/journal/lines.ts';
import { addFormFor } from '#features/service/esign/forms.ts';
import { signingToken } from '#features/service/esign/link.ts';
import { showSigning, giveConsent, sign } from '#features/service/esign/signing.ts';
import { sendDocumentFor } from '#features/service/esign/staff.ts';
import { findUnits } from '#features/service/gate-controllers/units.ts';
import {
  makeAutopay,
  makeCorporation,
  makeFacility,
  makePaymentMethod,
  makeTenant,
  makeUser,
  postCharges,
} from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { expectOneDone } from '#test/at-once.ts';
import { expectSoundBooks } from '#test/books.ts';
import { mailsTo } from '#test/mails.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';
import { assignRentalOf } from './assign.ts';
import { moveInOf } from './move-in.ts';
import { moveOutOf } from './move-out.ts';
import { transferUnitOf } from './transfer.ts';

let api: TestApp;
let corporationId: string;
let facilityId: string;
let dana: string;
let ann: string;
let ledgerId: string;
let now: Date;
beforeAll(async () => {
  api = await openTestApp('empty_template', { clock: { now: () => now } });
  corporationId = await makeCorporation(api.owner);
});
/** Dana has rented A101 since 14 November for $180.00 with a deposit of $50.00. */
beforeEach(async () => {
  now = new Date('2026-11-14T15:00:00Z');
  const tag = randomUUID().slice(0, 8);
  facilityId = await makeFacility(api.owner, {
    ...{ corporation_id: corporationId, location_code: tag, deposit_cents: 5000 },
    ...{ late_fee_cents: 2500, late_fee_after_days: 5, rent_tax1_basis_points: 825 },
  });
  const record = (first_name: string, last_name: string) =>
    makeTenant(api.owner, {
      ...{ facility_id: facilityId, email: `${first_name}-${tag}@example.com` },
      ...{ first_name, last_name },
    });
  dana = await record('Dana', 'Reyes');
  ann = await record('Ann', 'Lee');
  for (const name of ['A101', 'B207'])
    await api.owner
      .insertInto('units')
      .values({ facility_id: facilityId, name, width_feet: 12, length_feet: 40, type_name: 'RV' })
      .execute();
  const begun = await moveInOf(api.ctx, call(), {
    ...{ tenantId: dana, unit: 'A101', on: '2026-11-14', rate: 180 },
  });
  ledgerId = begun.ledgers[0]!.ledgerId;
  now = new Date('2026-11-24T15:00:00Z');
});
afterAll(async () => {
  await expectSoundBooks(api.owner);
  await api.close();
});

const call = (isPreview = false) => ({
  key: randomUUID() as string,
  ...{ by: 'Ana', why: 'The boat was sold.', facilityIds: null, isPreview },
});
const assign = (isPreview = false, body: object = {}) =>
  assignRentalOf(api.ctx, call(isPreview), { ledgerId, toTenantId: ann, ...body });
const pay = (amount: number, of = ledgerId) =>
  recordPaymentFor(api.ctx, call(), {
    ...{ ledgerIds: [of], type: 'cash', amount, isPrepaid: true },
  });
const ledgerOf = (id: string) =>
  getRow(
    api.owner,
    'ledgers',
    ['tenant_id', 'balance_cents', 'moved_out_on', 'paid_through', 'billed_through'],
    { id },
  );
const newLedger = async () =>
  (await getRow(api.owner, 'ledgers', 'id', { continues_ledger_id: ledgerId })).id;
const chargesOf = async (id: string) =>
  await api.sql<{ category: string; due_on: string; cents: number; owed: number }>`
    SELECT c.category, c.due_on, e.amount_cents AS cents, e.amount_cents - coalesce((
      SELECT sum(amount_cents) FROM allocations WHERE charge_entry_id = c.entry_id), 0)::bigint AS owed
    FROM charges c JOIN entries e ON e.id = c.entry_id WHERE c.ledger_id = ${id} ORDER BY c.category, c.due_on`;

/** The journal of all days, by account, in cents. */
async function journal(basis: 'accrual' | 'cash') {
  const range = { from: '2026-11-01', to: '2027-01-31' };
  const facts = await readFacts(api.owner, range, [facilityId], basis);
  const sums: Record<string, number> = {};
  for (const { account, cents, day } of facts.flatMap((fact) => linesOf(fact, basis)))
    sums[`${day < '2026-11-24' ? 'before' : 'since'} ${account}`] =
      (sums[`${day < '2026-11-24' ? 'before' : 'since'} ${account}`] ?? 0) + cents;
  return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0));
}

describe('a rental that is assigned to another tenant', () => {
  test('ends at 0, and the other one owes what was owed and has the deposit, the rent ahead and the rate', async () => {
    // Deposit and the first days, not the whole.
    await pay(100);
    const preview = await assign(true);
    const done = await assign();
    expect({ ...preview, ledgers: [] }).toEqual({ ...done, ledgers: [] });
    const id = await newLedger();
    expect(done.ledgers).toEqual([
      { ledgerId, unitName: 'A101', balance: 0 },
      { ledgerId: id, unitName: 'A101', balance: done.owed },
    ]);
    expect(await ledgerOf(ledgerId)).toMatchObject({
      ...{ tenant_id: dana, balance_cents: 0, moved_out_on: '2026-11-24' },
    });
    expect(await ledgerOf(id)).toMatchObject({
      ...{ tenant_id: ann, balance_cents: done.owed * 100, moved_out_on: null },
      billed_through: (await ledgerOf(ledgerId)).billed_through,
    });
    const sum = (rows: { owed: number }[]) => rows.reduce((all, { owed }) => all + owed, 0);
    expect(sum(await chargesOf(ledgerId))).toBe(0);
    expect(sum(await chargesOf(id))).toBe(done.owed * 100);
  });

  test.each(['accrual', 'cash'] as const)(
    'changes no account of the journal on any day, by %s',
    async (basis) => {
      await pay(120);
      await postCharges(api.owner, ledgerId, [
        {
          ...{ category: 'rent', description: 'Rent 12/14/2026 - 1/13/2027', priceCents: 18_000 },
          ...{ dueOn: '2026-12-14', periodEnd: '2027-01-13', tax1Cents: 1485 },
        },
      ]);
      const before = await journal(basis);
      await assign();
      expect(await journal(basis)).toEqual(before);
    },
  );

  test.each([
    ['oldest_first', 10],
    ['oldest_first', 199.99],
    ['rent_first', 75],
    ['fees_first', 75],
    ['fees_first', 333.33],
    ['oldest_first', 900],
  ] as const)(
    'comes to the same books with a late fee and months ahead, paid %s by $%d',
    async (payment_order, amount) => {
      await changeRows(api.owner, 'facilities', { payment_order }, { id: facilityId });
      const month = (dueOn: string, periodEnd: string) => ({
        ...{ category: 'rent' as const, description: `Rent ${dueOn}`, dueOn, periodEnd },
        ...{ priceCents: 18_000, discountCents: 1000, tax1Cents: 1403 },
      });
      await postCharges(api.owner, ledgerId, [
        month('2026-12-14', '2027-01-13'),
        month('2027-01-14', '2027-02-13'),
        { category: 'service', description: 'Lock cut', dueOn: '2026-11-20', priceCents: 3500 },
      ]);
      await postLateFees(api.ctx, { facilityId, date: '2026-11-24' });
      await pay(amount);
      const { balance_cents: before } = await ledgerOf(ledgerId);
      const journals = [await journal('accrual'), await journal('cash')];
      await assign();
      expect([await journal('accrual'), await journal('cash')]).toEqual(journals);
      expect((await ledgerOf(ledgerId)).balance_cents).toBe(0);
      const next = await ledgerOf(await newLedger());
      expect([next.balance_cents, next.billed_through]).toEqual([before, '2027-02-13']);
    },
  );

  test('has a deposit that is given back to the new tenant, by hand, and rent paid ahead with it', async () => {
    const { balance_cents } = await ledgerOf(ledgerId);
    await pay(balance_cents / 100);
    const done = await assign();
    expect(done).toMatchObject({ owed: 0, credit: 0, deposit: 50 });
    const id = await newLedger();
    expect((await chargesOf(id)).filter(({ owed }) => owed !== 0)).toEqual([]);
    expect((await ledgerOf(id)).paid_through).toBe((await ledgerOf(ledgerId)).billed_through);
    const left = await moveOutOf(api.ctx, call(), {
      ...{ ledgerId: id, on: '2026-11-24', credit: 'refund' },
    });
    expect(left.lines.map(({ description }) => description)).toContain('Deposit given back');
    expect([left.refunds, left.byHand > 0]).toEqual([[], true]);
  });

  test('is charged no second late fee for a rent that had one', async () => {
    const date = '2026-11-24';
    await postLateFees(api.ctx, { facilityId, date });
    await assign();
    const id = await newLedger();
    const fees = async () =>
      (await chargesOf(id)).filter(({ category }) => category === 'fee').length;
    expect(await fees()).toBe(1);
    expect(await postLateFees(api.ctx, { facilityId, date })).toBe(0);
    await pay(((await ledgerOf(id)).balance_cents - 2500) / 100, id);
    await assignRentalOf(api.ctx, call(), { ledgerId: id, toTenantId: dana });
    expect(await postLateFees(api.ctx, { facilityId, date })).toBe(0);
  });

  test('leaves autopay, its consent, the code and the hold behind, and mails both', async () => {
    const methodId = await makePaymentMethod(api.owner, api.ctx.vault, { tenant_id: dana });
    await makeAutopay(api.owner, ledgerId, methodId, now);
    await changeRows(api.owner, 'ledgers', { is_on_hold: true }, { id: ledgerId });
    const codes = () => findRows(api.owner, 'gate_codes', ['ledger_id', 'access_code'], {});
    const [before] = (await codes()).filter(({ ledger_id }) => ledger_id === ledgerId);
    const done = await assign();
    const id = await newLedger();
    expect(done.ends).toMatchObject({ autopay: true, hold: true });
    expect(await getRow(api.owner, 'autopays', 'active', { ledger_id: ledgerId })).toEqual({
      active: false,
    });
    expect(await findRows(api.owner, 'autopays', 'active', { ledger_id: id })).toEqual([]);
    const { is_on_hold } = await getRow(api.owner, 'ledgers', 'is_on_hold', { id });
    expect(is_on_hold).toBe(false);
    const code = (sealed: string, of: string) => api.ctx.vault.open('gateCode', of, sealed);
    const [after] = (await codes()).filter(({ ledger_id }) => ledger_id === id);
    expect(code(after!.access_code, id)).not.toBe(code(before!.access_code, ledgerId));
    const units = await findUnits(api.ctx, { facilityId, today: '2026-11-24' });
    expect(units.map((unit) => unit.ledgerId)).toEqual([id]);
    const subjectsOf = async (tenantId: string) => {
      const { email } = await getRow(api.owner, 'tenants', 'email', { id: tenantId });
      return (await mailsTo(api, email)).map(({ subject }) => subject);
    };
    expect(await subjectsOf(dana)).toContainEqual(
      expect.stringMatching(/^Your rental of unit A101/),
    );
    expect(await subjectsOf(ann)).toContainEqual(expect.stringMatching(/rented to you from/));
  });

  test('takes vehicles, contents and the plan along, and leaves the rest with who gave it', async () => {
    await api.owner
      .insertInto('vehicles')
      .values({ ledger_id: ledgerId, license_plate: 'TX1', description: 'Airstream' })
      .execute();
    await api.owner
      .insertInto('unit_contents')
      .values({ ledger_id: ledgerId, contents: 'vehicle:1FTEW1EP5GKE00001' })
      .execute();
    await assign();
    const id = await newLedger();
    const where = { ledger_id: id };
    expect(await findRows(api.owner, 'vehicles', 'license_plate', where)).toEqual([
      { license_plate: 'TX1' },
    ]);
    expect(await findRows(api.owner, 'unit_contents', 'contents', where)).toHaveLength(1);
  });

  test('withdraws what waits for the signature of the tenant before, as its preview says', async () => {
    const here = { ...call(), facilityIds: [facilityId] };
    const send = async (name: string) => {
      const text = 'I rent.\n\n{signature}';
      const { formId } = await addFormFor(api.ctx, { ...here, key: randomUUID() }, { name, text });
      const { documentId } = await sendDocumentFor(api.ctx, call(), { ledgerId, formId });
      const { id: signerId, linked_at: linkedAt } = await getRow(
        ...([api.owner, 'document_signers', ['id', 'linked_at']] as const),
        { document_id: documentId! },
      );
      return signingToken(api.ctx, { signerId, linkedAt: linkedAt! });
    };
    const [signed, open] = [await send('Rules'), await send('Rental Agreement')];
    const origin = { ip: '203.0.113.7', userAgent: '', requestId: randomUUID() };
    await giveConsent(api.ctx, signed, origin);
    await sign(api.ctx, signed, { name: 'Dana Reyes', drawing: null, places: [1] }, origin);
    const preview = await assign(true);
    expect(preview).toMatchObject({
      ...{ stays: { documents: 1 }, ends: { documents: ['Rental Agreement'] } },
    });
    expect(assignRental.says!(preview, false)[3]).toContain('to sign Rental Agreement');
    expect(await showSigning(api.ctx, open, origin.ip)).toMatchObject({ state: 'open' });
    const done = await assign();
    expect([done.stays, done.ends]).toEqual([preview.stays, preview.ends]);
    await expect(showSigning(api.ctx, open, origin.ip)).rejects.toMatchObject({ status: 404 });
    expect(await showSigning(api.ctx, signed, origin.ip)).toMatchObject({ state: 'signed' });
  });

  test('goes to one of two who are named at once', async () => {
    const ben = await makeTenant(api.owner, { facility_id: facilityId, first_name: 'Ben' });
    await expectOneDone([assign(), assign(false, { toTenantId: ben })]);
    const rows = await findRows(api.owner, 'ledgers', 'id', { continues_ledger_id: ledgerId });
    expect(rows).toHaveLength(1);
  });

  test('stays in the year of who paid for it, as it was used', async () => {
    const year = (tenantId: string) =>
      findYear(api.owner, '2026', { tenantId, today: '2026-11-24', now });
    const { balance_cents } = await ledgerOf(ledgerId);
    await pay(balance_cents / 100);
    const before = await year(dana);
    expect(before?.leftCents).toBe(0);
    await assign();
    expect(await year(dana)).toEqual(before);
    expect(await year(ann)).toBeNull();
  });

  test.each([300, 900])(
    'leaves nothing of $%d of the tenant’s in the paper of the year: what was not used went along',
    async (amount) => {
      const reach = { userId: randomUUID(), tenantIds: [dana], ledgerIds: [ledgerId] };
      const db = reaching(api.ctx.db, reach);
      const year = () => findYear(db, '2026', { tenantId: dana, today: '2026-11-24', now });
      await pay(amount);
      const left = (await year())!.leftCents;
      expect(left).toBeGreaterThan(0);
      await assign();
      const after = await year();
      expect(after!.leftCents).toBe(0);
      expect(after!.lines.map(({ description, cents }) => [description, cents])).toEqual([
        [expect.anything(), amount * 100],
        ['Moved to the next tenant', -left],
      ]);
      const { receiptNumber } = after!.lines[0]!;
      await reversePaymentOf(api.ctx, call(), { receiptNumber, reason: 'mistake' });
      expect((await year())!.leftCents).toBe(0);
    },
  );

  test('has entries that are not taken back one by one', async () => {
    await assign();
    const [waived] = await findRows(api.owner, 'credits', 'entry_id', { ledger_id: ledgerId });
    await expect(
      reverseCreditOf(api.ctx, call(), { creditId: waived!.entry_id }),
    ).rejects.toMatchObject({ status: 422 });
  });

  test('says what goes, what stays and what ends in words and dollars', async () => {
    const done = await assign(true);
    expect(assignRental.says!(done, false)).toEqual([
      'A101 will be rented to Ann Lee instead of Dana Reyes from 11/24/2026 on, for $180.00 a month plus taxes.',
      expect.stringMatching(/^To Ann Lee: \$\d+\.\d\d owed, rent paid through/),
      'With Dana Reyes stay: what was paid for days before, saved methods.',
      'For Dana Reyes end: the gate code. The portal shows them an ended rental.',
      expect.stringMatching(/^Both are mailed/),
      expect.stringMatching(/^Dana Reyes will owe \$0\.00, Ann Lee \$/),
    ]);
  });

  test('is taxed without a certificate, also where an exemption of the tenant before was scheduled', async () => {
    await changeRows(api.owner, 'tenants', { tax_exempt_paper: 'TX-1' }, { id: dana });
    const scheduled = { is_taxed: true, scheduled_tax: false, scheduled_tax_on: '2026-12-01' };
    await changeRows(api.owner, 'ledgers', scheduled, { id: ledgerId });
    await assign();
    const tax = ['is_taxed', 'scheduled_tax', 'scheduled_tax_on'] as const;
    expect(await getRow(api.owner, 'ledgers', tax, { id: await newLedger() })).toEqual({
      ...{ is_taxed: true, scheduled_tax: null, scheduled_tax_on: null },
    });
  });
});

describe('a rental is not assigned', () => {
  const refused = async (status: number, sentence: RegExp, body: object = {}) => {
    await expect(assign(false, body)).rejects.toMatchObject({
      ...{ status, message: expect.stringMatching(sentence) },
    });
    expect(await findRows(api.owner, 'ledgers', 'id', { continues_ledger_id: ledgerId })).toEqual(
      [],
    );
  };

  test('to its own tenant, to a record elsewhere, or to nobody', async () => {
    await refused(422, /has the rental already/, { toTenantId: dana });
    const location_code = randomUUID().slice(0, 8);
    const facility_id = await makeFacility(api.owner, {
      ...{ corporation_id: corporationId, location_code },
    });
    const stranger = await makeTenant(api.owner, { facility_id });
    await refused(404, /at the facility of the rental/, { toTenantId: stranger });
    await refused(404, /at the facility of the rental/, { toTenantId: randomUUID() });
  });

  test('to a tenant to whom nothing is rented', async () => {
    await changeRows(api.owner, 'tenants', { do_not_rent: 'Lived in it.' }, { id: ann });
    await refused(409, /^Nothing is rented to Ann Lee/);
  });

  test('while a payment or bank debit of it is not final', async () => {
    const { unit_id: unitId } = await getRow(api.owner, 'ledgers', 'unit_id', { id: ledgerId });
    const { email } = await getRow(api.owner, 'tenants', 'email', { id: dana });
    const userId = await makeUser(api.owner, {
      ...{ corporationId, email, password: DEMO_PASSWORD, tenantIds: [dana] },
    });
    const ach = {
      accountType: 'Consumer Checking' as const,
      ...{ accountNumber: '000123456789', routingNumber: '110000000' },
    };
    await makePayment(api.ctx, {
      ...{ userId, tenantId: dana, timeZone: 'America/Chicago', idempotencyKey: undefined },
      params: { payments: [{ ledgerId, unitId: unitId!, amount: 100 }], ach },
    });
    await refused(409, /has a payment that is not final yet/);
    const id = randomUUID();
    const state = 'unknown' as const;
    const one = { type: 'creditCard' as const, method_description: 'Visa ending in 4242' };
    await api.owner
      .insertInto('payment_intents')
      .values({
        ...{ id, tenant_id: dana, ...one, amount_cents: 100, state, debt_key: Buffer.from(id) },
        ...{ attempt: 1, created_at: now, updated_at: now },
      })
      .execute();
    await api.owner
      .insertInto('payment_intent_ledgers')
      .values({ intent_id: id, ledger_id: ledgerId, amount_cents: 100, state })
      .execute();
    await refused(409, /has a payment that is not final yet/);
  });

  test('while a card dispute of a payment is open', async () => {
    await pay(100);
    const [{ intent_id }] = (await findRows(api.owner, 'payments', 'intent_id', {
      ledger_id: ledgerId,
    })) as [{ intent_id: string }];
    await api.owner
      .insertInto('disputes')
      .values({
        ...{ gateway_id: randomUUID(), intent_id, amount_cents: 100, posted_cents: 100 },
        ...{ state: 'opened', opened_at: now, created_at: now, decided_at: null },
      })
      .execute();
    await refused(409, /has a payment that is not final yet/);
    await api.owner.deleteFrom('disputes').where('intent_id', '=', intent_id).execute();
  });

  test('while money that went back of a payment is owed again', async () => {
    await pay(100);
    const [charge] = await findRows(api.owner, 'charges', 'entry_id', { ledger_id: ledgerId });
    const [payment] = await findRows(api.owner, 'payments', 'entry_id', { ledger_id: ledgerId });
    await api.owner
      .insertInto('owed_again')
      .values({
        ...{ entry_id: charge!.entry_id, payment_entry_id: payment!.entry_id },
        ...{ ledger_id: ledgerId, reason: 'return', description: 'Returned' },
      })
      .execute();
    await refused(409, /owes again what went back of a payment/);
    await api.owner.deleteFrom('owed_again').where('entry_id', '=', charge!.entry_id).execute();
  });

  test('while a move-out or a transfer is planned, or after it has ended', async () => {
    await moveOutOf(api.ctx, call(), { ledgerId, on: '2026-11-30' });
    await refused(409, /has a move-out planned/);
    await moveOutOf(api.ctx, call(), { ledgerId, cancel: true });
    await transferUnitOf(api.ctx, call(), { ledgerId, unit: 'B207', on: '2026-11-30' });
    await refused(409, /has a transfer planned/);
    await transferUnitOf(api.ctx, call(), { ledgerId, cancel: true });
    await moveOutOf(api.ctx, call(), { ledgerId, on: '2026-11-24' });
    await refused(409, /was moved out of on/);
  });
});
