import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { YearStatement } from '@gatehouse/contract/papers';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Attachment, MailMessage } from '#adapters/mail/transport.ts';
import { addChargeTo, waiveChargeOf } from '#features/money/counter/charges.ts';
import { reverseCreditOf } from '#features/money/counter/credits.ts';
import { refundPaymentOf } from '#features/money/payments/refund-payment.ts';
import { post, type Change } from '#features/base/ledgers/books.ts';
import { getPostedPayment } from '#features/base/ledgers/postings.fixture.ts';
import { readBooks, writePostings } from '#features/base/ledgers/postings.ts';
import { sendMails } from '#features/desk/mail-sending/send.ts';
import {
  makeFacility,
  makeLedger,
  makeTenant,
  makeUser,
  postCharges,
  postPastPayments,
} from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { pagesOf } from '#test/pdf.ts';
import { testClock } from '#test/test-day.ts';
import { queueReceiptMails } from '#features/money/payments/receipt-mails.ts';
import { getReceiptOfEntry } from './receipts.ts';
import { getStatement } from './statement-data.ts';
import { makeStatements } from '#features/money/statements/statements.ts';
import { makePerson } from '#test/people.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';
import { staffCall } from '#test/staff-call.ts';

const api = useTestApp('empty_template', {
  mail: {
    send: async ({ attachments, ...message }) => {
      const files = await Promise.all(attachments.map((draw) => draw()));
      sent.push({ ...message, file: files[0], files });
    },
  },
});
let dana: SignedIn;
let facilityId: string;
let tenantId: string;
const sent: (Omit<MailMessage, 'attachments'> & {
  file: Attachment | undefined;
  files: Attachment[];
})[] = [];

beforeAll(async () => {
  facilityId = await makeFacility(api.owner, {});
  tenantId = await makeTenant(api.owner, {
    facility_id: facilityId,
    first_name: 'Žofie',
    last_name: '王小明',
  });
  const email = 'dana@example.com';
  const user = { email, password: DEMO_PASSWORD, tenantIds: [tenantId] };
  await makeUser(api.owner, user);
  await makePerson(api, facilityId, 'lee@example.com');
  dana = await signIn(api, email);
});

let units = 0;
const newLedger = async (owner = tenantId) => {
  units += 1;
  const unit = { facility_id: facilityId, name: `P${units}` };
  return (
    await makeLedger(api.owner, api.ctx.vault, {
      tenant_id: owner,
      unit,
      moved_in_on: '2026-09-14',
    })
  ).ledgerId;
};

/** A unit with a rent of $190.00 with discount and taxes and the card fee, paid by card. */
async function paidUnit(owner = tenantId) {
  const ledgerId = await newLedger(owner);
  const [rent, fee] = await postCharges(api.owner, ledgerId, [
    {
      category: 'rent',
      description: 'Rent 9/14/2026 - 10/13/2026',
      dueOn: '2026-09-14',
      periodEnd: '2026-10-13',
      priceCents: 20_000,
      discountCents: 2000,
      tax1Cents: 750,
      tax2Cents: 250,
    },
    { category: 'fee', description: 'Card fee', dueOn: '2026-09-14', priceCents: 300 },
  ]);
  await postPastPayments(api.owner, [
    {
      tenantId: owner,
      ledgerId,
      paidOn: '2026-09-15',
      charges: [
        { id: rent!, cents: 19_000 },
        { id: fee!, cents: 300 },
      ],
    },
  ]);
  const payment = await getRow(api.owner, 'payments', ['entry_id', 'receipt_number', 'intent_id'], {
    ledger_id: ledgerId,
  });
  return { ledgerId, ...payment };
}

const receiptPath = (ledgerId: string, number: string) =>
  `${dana.prefix}/ledgers/${ledgerId}/receipts/${number}`;
const textOf = (data: string) => pagesOf(Buffer.from(data, 'base64')).join('\n');

describe('a receipt', () => {
  test('says who paid what for which charges, with discount, taxes and the card fee on lines of their own', async () => {
    const { ledgerId, receipt_number } = await paidUnit();
    const { status, body } = await api.call('GET', receiptPath(ledgerId, receipt_number), dana);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      fileName: `receipt-${receipt_number}.pdf`,
      contentType: 'application/pdf',
    });
    const lines = textOf(body.data).split('\n');
    for (const line of [
      'Anchor & Axle RV & Boat Storage',
      `Receipt ${receipt_number}`,
      'Anchor & Axle Eagle Mountain',
      '4100 Marina Drive',
      '(817) 555-0103',
      '9/15/2026',
      'P1',
      'Visa ending in 4242',
      'Rent 9/14/2026 - 10/13/2026',
      'Price',
      '$200.00',
      'Discount',
      '-$20.00',
      'Tax 1',
      '$7.50',
      'Tax 2',
      '$2.50',
      'Card fee',
      '$3.00',
      'Total paid',
      '$193.00',
    ])
      expect(lines).toContain(line);
    expect(lines.join('')).toContain('Žofie 王小明');
  });

  test('says what its rental owed before and after, and that a bank payment is pending', async () => {
    const unit = { facility_id: facilityId, name: 'ACH' };
    const { ledgerId, unitId } = await makeLedger(api.owner, api.ctx.vault, {
      tenant_id: tenantId,
      unit,
    });
    await postCharges(api.owner, ledgerId, [
      { category: 'fee', description: 'Late fee', dueOn: '2026-09-14', priceCents: 1500 },
    ]);
    const ach = {
      accountType: 'Consumer Checking',
      accountNumber: '000123456789',
      routingNumber: '110000000',
    };
    const paid = await api.call('POST', `${dana.prefix}/tenants/${tenantId}/payments`, {
      token: dana.token,
      body: { payments: [{ ledgerId, unitId, amount: 10 }], ach },
    });
    expect(paid.body.status).toBe('pending');
    const { body } = await api.call('GET', receiptPath(ledgerId, paid.body.receiptNumber), dana);
    expect(textOf(body.data)).toContain('This bank payment is pending.');
    const { entry_id } = await getRow(api.owner, 'payments', 'entry_id', { ledger_id: ledgerId });
    expect(await getReceiptOfEntry(api.owner, entry_id)).toMatchObject({
      owedBeforeCents: 1500,
      owedAfterCents: 500,
      isPending: true,
      charges: [{ description: 'Late fee', paidCents: 1000 }],
      takenBack: [],
    });
  });

  test('of a payment that was taken back says so, and still what it had paid', async () => {
    const { ledgerId, receipt_number, entry_id } = await paidUnit();
    const payment = await getPostedPayment(api.owner, entry_id);
    await postNow(ledgerId, '2026-09-20', [
      {
        kind: 'reversal',
        id: randomUUID(),
        payment,
        cents: 19_300,
        reason: 'return',
        description: 'R01 Insufficient funds',
      },
    ]);
    const { body } = await api.call('GET', receiptPath(ledgerId, receipt_number), dana);
    const text = textOf(body.data);
    expect(text).toContain(
      'This payment was returned by the bank on 9/20/2026: R01 Insufficient funds.',
    );
    expect(text).toContain('Rent 9/14/2026 - 10/13/2026');
  });

  test('read after a waiver says where the payment is now, and adds up to what was paid, whatever comes after', async () => {
    const { ledgerId, entry_id, receipt_number } = await paidUnit();
    const paidFor = async () =>
      (await getReceiptOfEntry(api.owner, entry_id)).charges.map(({ description, paidCents }) => [
        description,
        paidCents,
      ]);
    const rent = ['Rent 9/14/2026 - 10/13/2026', 19_000];
    const { entry_id: chargeId } = await getRow(api.owner, 'charges', 'entry_id', {
      ledger_id: ledgerId,
      category: 'rent',
    });
    const { creditId } = await waiveChargeOf(api.ctx, staffCall(), { chargeId });
    expect(await paidFor()).toEqual([['Card fee', 300]]);
    const { body } = await api.call('GET', receiptPath(ledgerId, receipt_number), dana);
    expect(textOf(body.data)).toMatch(/Credit on your account\n\$190\.00/);
    await addChargeTo(api.ctx, staffCall(), {
      ledgerId,
      category: 'service',
      description: 'Battery',
      amount: 40,
    });
    expect(await paidFor()).toEqual([
      ['Card fee', 300],
      ['Battery', 4000],
    ]);
    await reverseCreditOf(api.ctx, staffCall(), { creditId });
    expect(await paidFor()).toEqual([
      [rent[0], 15_000],
      ['Card fee', 300],
      ['Battery', 4000],
    ]);
    await refundPaymentOf(api.ctx, staffCall(), { receiptNumber: receipt_number, way: 'cash' });
    expect(await paidFor()).toEqual([
      [rent[0], 15_000],
      ['Card fee', 300],
      ['Battery', 4000],
    ]);
  });

  // spec 7.75
  test('is no other tenant’s: another tenant’s, another rental’s and a made-up number are all alike not found', async () => {
    const own = await paidUnit();
    const other = await paidUnit();
    const lee = await getRow(api.owner, 'tenants', 'id', { email: 'lee@example.com' });
    const foreign = await paidUnit(lee.id);
    const paths = [
      receiptPath(foreign.ledgerId, foreign.receipt_number),
      receiptPath(own.ledgerId, foreign.receipt_number),
      receiptPath(own.ledgerId, other.receipt_number),
      receiptPath(own.ledgerId, '999'),
      receiptPath(own.ledgerId, encodeURIComponent("' OR 1=1 --")),
    ];
    const answers = await Promise.all(paths.map((path) => api.call('GET', path, dana)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(404);
    expect((await api.call('GET', receiptPath(own.ledgerId, own.receipt_number))).status).toBe(401);
  });

  test('is mailed to the address on file with its PDF, drawn when it is sent', async () => {
    const { intent_id, receipt_number } = await paidUnit();
    await api.ctx.db.transaction().execute((trx) => queueReceiptMails(api.ctx, trx, intent_id));
    const mails = await findRows(api.owner, 'mails', 'id', { paper_kind: 'receipt' });
    sent.length = 0;
    await sendMails(
      api.ctx,
      mails.map(({ id }) => id),
    );
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      to: 'dana@example.com',
      subject: expect.stringContaining(`Receipt ${receipt_number} for unit P`),
      text: expect.stringContaining('Amount: $193.00'),
      file: { fileName: `receipt-${receipt_number}.pdf`, contentType: 'application/pdf' },
    });
    expect(pagesOf(sent[0]!.file!.content).join('')).toContain(`Receipt ${receipt_number}`);
    const { body } = await api.call('GET', '/dev/mailbox');
    const page = await api.app.inject({ url: '/mailbox' });
    expect(page.body).toContain(`href="${body[0].attachments[0]}"`);
    const download = await api.app.inject({ url: body[0].attachments[0] });
    expect(download.headers['content-type']).toBe('application/pdf');
    expect(
      (await api.app.inject({ url: `/mailbox/attachments/receipt/${randomUUID()}` })).statusCode,
    ).toBe(404);
  });

  // spec 10.71
  test('is mailed in the language of the account, and downloaded in that of the page', async () => {
    const readsIn = (language: 'es' | null) =>
      changeRows(api.owner, 'users', { language }, { email: 'dana@example.com' });
    await readsIn('es');
    const { ledgerId, intent_id, receipt_number } = await paidUnit();
    await api.ctx.db.transaction().execute((trx) => queueReceiptMails(api.ctx, trx, intent_id));
    const mail = await api.owner
      .selectFrom('mails')
      .select('id')
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    // A mail and its paper keep the language in which the mail was queued.
    await readsIn(null);
    sent.length = 0;
    await sendMails(api.ctx, [mail.id]);
    const spanish = /\s(ene|feb|mar|abr|may|jun|jul|ago|sept|oct|nov|dic)\s20\d\d/;
    expect(sent[0]!.text).toMatch(spanish);
    expect(pagesOf(sent[0]!.file!.content).join('')).toMatch(spanish);
    const download = (headers = {}) =>
      api.call('GET', receiptPath(ledgerId, receipt_number), { token: dana.token, headers });
    expect(textOf((await download()).body.data)).not.toMatch(spanish);
    const inSpanish = await download({ 'gatehouse-language': 'es' });
    expect(textOf(inSpanish.body.data)).toMatch(spanish);
    const { body } = await api.call('GET', '/dev/mailbox');
    expect(body[0].attachments[0]).toMatch(/\?language=es$/);
    const shown = await api.app.inject({ url: body[0].attachments[0] });
    expect(pagesOf(shown.rawPayload).join('')).toMatch(spanish);
  });
});

describe('of a rental that has ended', () => {
  const get = (path: string, token = dana.token) =>
    api.call('GET', `${dana.prefix}/tenants/${tenantId}/${path}`, { token });

  // spec 7.80
  test('the payments are listed newest first with their unit, and a current rental’s are not', async () => {
    const [ended, current] = [await paidUnit(), await paidUnit()];
    const unitName = `P${units - 1}`;
    const end = (day: string) =>
      changeRows(api.owner, 'ledgers', { moved_out_on: day }, { id: ended.ledgerId });
    const today = calendarDateIn('America/Chicago', testClock.now());
    await end(addDays(today, 1));
    expect((await get('past-payments')).body).toEqual([]);
    await end(today);
    const { body } = await get('past-payments');
    expect(body).toEqual([
      {
        date: expect.any(String),
        paymentTypeDescription: expect.any(String),
        amount: 193,
        receiptNumber: ended.receipt_number,
        isPending: false,
        takenBack: null,
        unitName,
      },
    ]);
    expect(current.receipt_number).not.toBe(ended.receipt_number);

    // The ledger's call is for current rentals; the record's has the receipt for years.
    const number = ended.receipt_number;
    const byLedger = await api.call('GET', receiptPath(ended.ledgerId, number), dana);
    expect(byLedger.status).toBe(404);
    const paper = await get(`receipts/${number}`);
    expect([paper.status, paper.body.fileName]).toEqual([200, `receipt-${number}.pdf`]);
    expect(textOf(paper.body.data)).toContain(`Receipt ${number}`);
  });

  test('another tenant’s payments and receipts are not found', async () => {
    const lee = await signIn(api, 'lee@example.com');
    const own = await paidUnit();
    const foreign = await paidUnit(lee.tenantIds[0]);
    const answers = [
      await get(`receipts/${own.receipt_number}`, lee.token),
      await get('past-payments', lee.token),
      await get(`receipts/${foreign.receipt_number}`),
      await get('receipts/999'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await api.call('GET', `${dana.prefix}/tenants/${tenantId}/past-payments`)).status).toBe(
      401,
    );
  });
});

test('one payment of two units is one mail with the receipts of both', async () => {
  const [one, other] = [await paidUnit(), await paidUnit()];
  await changeRows(
    api.owner,
    'payments',
    { intent_id: one.intent_id },
    { intent_id: other.intent_id },
  );
  sent.length = 0;
  const before = await findRows(api.owner, 'mails', 'id');
  await api.ctx.db.transaction().execute((trx) => queueReceiptMails(api.ctx, trx, one.intent_id));
  const mails = await findRows(api.owner, 'mails', 'id');
  const added = mails.filter(({ id }) => !before.some((mail) => mail.id === id));
  expect(added).toHaveLength(1);
  await sendMails(api.ctx, [added[0]!.id]);
  const numbers = [one.receipt_number, other.receipt_number];
  expect(sent).toHaveLength(1);
  expect(sent[0]!.subject).toMatch(/^Receipts for units P\d+ and P\d+$/);
  expect(sent[0]!.files.map(({ fileName }) => fileName)).toEqual(
    numbers.map((number) => `receipt-${number}.pdf`),
  );
  for (const number of numbers) expect(sent[0]!.text).toContain(`Receipt number: ${number}`);
  expect(sent[0]!.text).toContain('Total: $386.00');
  const { body } = await api.call('GET', '/dev/mailbox');
  expect(body[0].attachments).toHaveLength(2);
  for (const [index, number] of numbers.entries()) {
    const { headers } = await api.app.inject({ url: body[0].attachments[index] });
    expect(headers['content-disposition']).toContain(`receipt-${number}.pdf`);
  }
});

async function postNow(ledgerId: string, day: string, changes: Change[]): Promise<void> {
  const [books] = await readBooks(api.owner, [ledgerId]);
  const { posting } = post(books!, changes);
  const at = { instant: new Date(`${day}T17:00:00Z`), dayOf: () => day };
  await writePostings(api.owner, at, [posting]);
}

describe('a year', () => {
  let recordId: string;
  let record: SignedIn;
  const list = async () => {
    const path = `${record.prefix}/tenants/${recordId}/year-statements`;
    return (await api.call('GET', path, record)).body as YearStatement[];
  };
  const paper = (year: string, { token } = record) =>
    api.call('GET', `${record.prefix}/tenants/${recordId}/year-statements/${year}`, { token });
  const linesOf = async (year: string) => textOf((await paper(year)).body.data).split('\n');

  beforeAll(async () => {
    recordId = await makePerson(api, facilityId, 'year@example.com');
    record = await signIn(api, 'year@example.com');
  });

  test('is in the list when something was paid in it, newest first, and says whether it is over', async () => {
    expect(await list()).toEqual([]);
    expect((await paper('2026')).status).toBe(404);
    await paidUnit(recordId);
    const thisYear = calendarDateIn('America/Chicago', api.ctx.clock.now()).slice(0, 4);
    expect(await list()).toEqual([{ year: '2026', isOver: thisYear > '2026' }]);
  });

  // spec 7.83
  test('says what was paid by whom, for what, and each payment with its receipt and unit', async () => {
    const { receipt_number } = await api.owner
      .selectFrom('payments')
      .innerJoin('ledgers', 'ledgers.id', 'payments.ledger_id')
      .select('receipt_number')
      .where('tenant_id', '=', recordId)
      .executeTakeFirstOrThrow();
    const { body } = await paper('2026');
    expect(body).toMatchObject({ fileName: 'payments-2026.pdf', contentType: 'application/pdf' });
    const lines = textOf(body.data).split('\n');
    for (const line of ['Payments in 2026', 'Rent', '$190.00', 'Fees', '$3.00', '$193.00'])
      expect(lines).toContain(line);
    expect(lines.join(' ')).toContain(`9/15/2026 Visa ending in 4242, receipt ${receipt_number}`);
  });

  // spec 10.12
  test('takes off what was returned in it, and not what was moved to another unit as a credit', async () => {
    const { ledgerId, entry_id, receipt_number } = await paidUnit(recordId);
    const payment = await getPostedPayment(api.owner, entry_id);
    await postNow(ledgerId, '2026-09-20', [
      {
        kind: 'reversal',
        id: randomUUID(),
        payment,
        cents: 19_300,
        reason: 'return',
        description: 'R01 Insufficient funds',
      },
    ]);
    const lines = await linesOf('2026');
    expect(lines.join(' ')).toContain(
      `9/20/2026 R01 Insufficient funds, receipt ${receipt_number}`,
    );
    expect(lines[lines.indexOf('Returned or refunded') + 1]).toBe('-$193.00');
    expect(lines[lines.indexOf('Paid in 2026 in all') + 1]).toBe('$193.00');
    expect(lines[lines.indexOf('Rent') + 1]).toBe('$190.00');

    const moved = await paidUnit(recordId);
    await waiveChargeOf(api.ctx, staffCall(), {
      chargeId: (
        await getRow(api.owner, 'charges', 'entry_id', {
          ledger_id: moved.ledgerId,
          category: 'fee',
        })
      ).entry_id,
    });
    const again = await getPostedPayment(api.owner, moved.entry_id);
    await postNow(moved.ledgerId, '2026-09-21', [
      {
        kind: 'reversal',
        id: randomUUID(),
        payment: again,
        cents: 300,
        reason: 'moved',
        description: 'Moved to unit B1',
      },
    ]);
    const after = await linesOf('2026');
    expect(after[after.indexOf('Paid in 2026 in all') + 1]).toBe('$386.00');
    expect(after.join('\n')).not.toContain('Moved to unit');
  });

  // spec 10.12
  test('counts by the day of payment: a return in the next year is in that year', async () => {
    const { ledgerId, entry_id } = await paidUnit(recordId);
    const before = await linesOf('2026');
    const payment = await getPostedPayment(api.owner, entry_id);
    await postNow(ledgerId, '2027-01-04', [
      {
        kind: 'reversal',
        id: randomUUID(),
        payment,
        cents: 19_300,
        reason: 'return',
        description: 'R01 Insufficient funds',
      },
    ]);
    expect(await linesOf('2026')).toEqual(before);
    expect((await list()).map(({ year }) => year)).toEqual(['2027', '2026']);
    const next = await linesOf('2027');
    expect(next[next.indexOf('Paid in 2027 in all') + 1]).toBe('-$193.00');
    expect(next[next.indexOf('Rent') + 1]).toBe('-$190.00');
  });

  test('is the record’s own only, and only of a year with a payment', async () => {
    const answers = await Promise.all([
      paper('2019'),
      paper('2026; DROP'),
      paper('20%2526'),
      paper('2026', dana),
    ]);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0].status).toBe(404);
    expect((await paper('2026', { ...record, token: '' })).status).toBe(401);
  });
});

describe('a monthly statement', () => {
  test('is made and mailed once a tenant and month, to those who had an entry or owed something', async () => {
    const facility = await makeFacility(api.owner, { location_code: 'OTHER' });
    const [active, owing, idle] = await Promise.all(
      ['active', 'owing', 'idle'].map((name) =>
        makeTenant(api.owner, { facility_id: facility, email: `${name}@example.com` }),
      ),
    );
    for (const [tenant, dueOn] of [
      [active, '2026-10-31'],
      [owing, '2026-09-30'],
      [idle, '2026-11-01'],
    ] as const) {
      const unit = { facility_id: facility, name: `S${(units += 1)}` };
      const { ledgerId } = await makeLedger(api.owner, api.ctx.vault, { tenant_id: tenant!, unit });
      await postCharges(api.owner, ledgerId, [
        { category: 'fee', description: 'Late fee', dueOn, priceCents: 1000 },
      ]);
    }
    expect(await makeStatements(api.ctx, facility, '2026-10')).toBe(2);
    expect(await makeStatements(api.ctx, facility, '2026-10')).toBe(0);
    const mails = await findRows(api.owner, 'mails', ['to_address', 'subject'], {
      paper_kind: 'statement',
    });
    expect(mails.map(({ to_address }) => to_address).toSorted()).toEqual([
      'active@example.com',
      'owing@example.com',
    ]);
    expect(mails[0]!.subject).toBe('Your statement for October 2026');
  });

  // spec 7.76, 7.77
  test('is listed newest first and downloaded by its tenant only', async () => {
    await makeStatements(api.ctx, facilityId, '2026-09');
    await makeStatements(api.ctx, facilityId, '2026-08');
    const path = `${dana.prefix}/tenants/${tenantId}/statements`;
    const { body } = await api.call('GET', path, dana);
    expect(body).toEqual([{ number: expect.stringMatching(/^S-5\d{5}$/), month: '2026-09' }]);
    const paper = await api.call('GET', `${path}/${body[0].number}`, dana);
    expect(paper.body.fileName).toBe('statement-2026-09.pdf');
    const text = textOf(paper.body.data);
    for (const part of ['Statement for September 2026', 'Unit P1', 'Payment, Visa ending in 4242'])
      expect(text).toContain(part);
    const lee = await signIn(api, 'lee@example.com');
    const foreign = `${dana.prefix}/tenants/${lee.tenantIds[0]}/statements/${body[0].number}`;
    expect((await api.call('GET', foreign, dana)).status).toBe(404);
    expect((await api.call('GET', foreign, lee)).status).toBe(404);
    expect((await api.call('GET', `${path}/S-1`, dana)).status).toBe(404);
  });

  test('stays as it was mailed when an entry is back-dated, which is in the next one', async () => {
    const tenant = await makeTenant(api.owner, {
      facility_id: facilityId,
      email: 'kim@example.com',
    });
    const ledgerId = await newLedger(tenant);
    await postNow(ledgerId, '2026-03-10', [aCharge('2026-03-10', 1000)]);
    // Posted before the statement of March is issued, and of April.
    await postNow(ledgerId, '2026-04-01', [aCharge('2026-04-01', 2000)]);
    await makeStatements(api.ctx, facilityId, '2026-03');
    const march = (await statementIdOf(tenant, '2026-03'))!;
    const issued = await getStatement(api.owner, march);
    expect(issued.units).toMatchObject([
      { openingCents: 0, closingCents: 1000, lines: [{ cents: 1000 }] },
    ]);

    await postNow(ledgerId, '2026-03-20', [aCredit(300)]);
    const unit = { facility_id: facilityId, name: `P${(units += 1)}` };
    const { ledgerId: later } = await makeLedger(api.owner, api.ctx.vault, {
      tenant_id: tenant,
      unit,
    });
    await postNow(later, '2026-03-05', [aCharge('2026-03-05', 500)]);
    expect(await getStatement(api.owner, march)).toEqual(issued);
    expect(await makeStatements(api.ctx, facilityId, '2026-03')).toBe(0);

    await makeStatements(api.ctx, facilityId, '2026-04');
    expect(
      (await getStatement(api.owner, (await statementIdOf(tenant, '2026-04'))!)).units,
    ).toMatchObject([
      {
        openingCents: 1000,
        closingCents: 2700,
        lines: [
          { postedOn: '2026-03-20', cents: -300 },
          { postedOn: '2026-04-01', cents: 2000 },
        ],
      },
      { openingCents: 500, closingCents: 500, lines: [] },
    ]);
    // Nothing else happens, and only what was back-dated makes the next one.
    await postNow(ledgerId, '2026-04-02', [aCredit(2700)]);
    await postNow(later, '2026-04-02', [aCredit(500)]);
    await makeStatements(api.ctx, facilityId, '2026-05');
    expect(
      (await getStatement(api.owner, (await statementIdOf(tenant, '2026-05'))!)).units,
    ).toMatchObject([
      { openingCents: 2700, closingCents: 0, lines: [{ postedOn: '2026-04-02', cents: -2700 }] },
      { openingCents: 500, closingCents: 0, lines: [{ postedOn: '2026-04-02', cents: -500 }] },
    ]);
    await makeStatements(api.ctx, facilityId, '2026-06');
    expect(await statementIdOf(tenant, '2026-06')).toBeUndefined();
  });

  test('reconciles to the cent: from month to month, for any entries, with the ledger’s balance at the end', async () => {
    const day = fc.integer({ min: 0, max: 90 }).map((days) => addDays('2026-01-15', days));
    const change = fc.record({
      day,
      cents: fc.integer({ min: 1, max: 100_000 }),
      isCharge: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        const tenant = await makeTenant(api.owner, { facility_id: facilityId });
        const ledgerId = await newLedger(tenant);
        for (const { day, cents, isCharge } of changes.toSorted((a, b) => (a.day < b.day ? -1 : 1)))
          await postNow(ledgerId, day, [isCharge ? aCharge(day, cents) : aCredit(cents)]);
        const statements = [];
        for (const month of ['2026-01', '2026-02', '2026-03', '2026-04']) {
          await makeStatements(api.ctx, facilityId, month);
          const id = await statementIdOf(tenant, month);
          if (id !== undefined) statements.push(await getStatement(api.owner, id));
        }
        let owed = 0;
        let entries = 0;
        for (const { units } of statements) {
          const [unit] = units;
          expect(unit?.openingCents ?? 0).toBe(owed);
          for (const line of unit?.lines ?? []) owed += line.cents;
          entries += unit?.lines.length ?? 0;
          expect(unit?.closingCents ?? 0).toBe(owed);
        }
        const ledger = await getRow(api.owner, 'ledgers', 'balance_cents', { id: ledgerId });
        expect([owed, entries]).toEqual([ledger.balance_cents, changes.length]);
      }),
      { numRuns: 8 },
    );
  });
});

async function statementIdOf(tenant: string, month: string): Promise<string | undefined> {
  const row = await api.owner
    .selectFrom('statements')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('month', '=', month)
    .executeTakeFirst();
  return row?.id;
}

function aCharge(dueOn: string, priceCents: number): Change {
  const none = { periodEnd: null, discountCents: 0, tax1Cents: 0, tax2Cents: 0, lateFor: null };
  return {
    kind: 'charge',
    id: randomUUID(),
    category: 'fee',
    description: 'Fee',
    dueOn,
    priceCents,
    ...none,
  };
}

function aCredit(cents: number): Change {
  return { kind: 'credit', id: randomUUID(), cents, description: 'Goodwill' };
}
