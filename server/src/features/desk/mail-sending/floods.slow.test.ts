import type { Ledger } from '@gatehouse/contract/ledgers';
import PostalMime, { type Email as Parsed } from 'postal-mime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSmtpTransport } from '#adapters/mail/smtp.ts';
import { limits, readLimits, type Limits } from '#config/limits.ts';
import { notifyOfPayments } from '#features/money/payments/notify.ts';
import { openTestApp, signIn, type SignedIn, type TestApp } from '#test/app.ts';
import { card } from '#test/card.ts';
import { openSmtpSink, type SmtpSink } from '#test/smtp.ts';
import { WIDE_LIMITS } from '#test/wide-limits.ts';
import { releaseHeldMails } from './release.ts';
import { sendMails } from './send.ts';
import { getRow } from '#test/rows.ts';

const EAGLE_MOUNTAIN = 'eagle-mountain@anchor-axle.example';
const START = new Date('2026-11-21T12:00:00Z');

let now: Date;
let sink: SmtpSink;
let api: TestApp;
let dana: SignedIn;
let ledgers: Ledger[];
beforeEach(async () => {
  now = START;
  sink = await openSmtpSink();
  api = await openTestApp('demo_template', {
    clock: { now: () => now },
    mail: createSmtpTransport(sink.url, { name: 'Gatehouse', address: 'no-reply@localhost' }),
  });
  api.ctx.config = { ...api.ctx.config, limits: mailLimits };
  dana = await signIn(api, 'dana@example.com');
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers`;
  ledgers = (await api.call('GET', path, dana)).body as Ledger[];
  await api.owner.deleteFrom('mails').execute();
});
afterEach(async () => {
  await api.close();
  await sink.close();
});

/** The limits of mails as they are, and of nothing else. */
const mailLimits: Limits = {
  ...readLimits(WIDE_LIMITS)!,
  ...Object.fromEntries(Object.entries(limits).filter(([name]) => /mails|receipts/.test(name))),
};

const after = (minutes: number, seconds = 0) => {
  now = new Date(START.getTime() + (minutes * 60 + seconds) * 1000);
};

/** What the jobs do: sends what is queued, and decides what is held until now. */
async function work(): Promise<void> {
  await releaseHeldMails(api.ctx);
  const rows = await api.owner
    .selectFrom('mails')
    .select('id')
    .where('sent_at', 'is', null)
    .orderBy('position')
    .execute();
  if (rows.length > 0)
    await sendMails(
      api.ctx,
      rows.map(({ id }) => id),
    );
}

/** The mails that came to an address since the last call, parsed. */
async function received(address: string): Promise<Parsed[]> {
  const mine = sink.received.filter(({ to }) => to.includes(address));
  for (const one of mine) sink.received.splice(sink.received.indexOf(one), 1);
  return Promise.all(mine.map(({ raw }) => PostalMime.parse(raw, { attachmentEncoding: 'utf8' })));
}
const subjects = async (address: string) => (await received(address)).map(({ subject }) => subject);

const post = (path: string, body?: unknown) =>
  api.call('POST', `${dana.prefix}${path}`, { token: dana.token, body });

describe('a tenant who makes mail', () => {
  test('by 16 switches of autopay gets one mail at once and one of all others ten minutes later', async () => {
    const { id, unitName } = ledgers[0]!;
    for (let nth = 0; nth < 8; nth++) {
      expect((await post(`/ledgers/${id}/autopay-update`, { creditCard: card })).status).toBe(200);
      await work();
      expect((await post(`/ledgers/${id}/autopay-stop`)).status).toBe(200);
      await work();
      after(0, (nth + 1) * 5);
    }
    expect(await subjects('dana@example.com')).toEqual([`Autopay is on for unit ${unitName}`]);
    after(9, 59);
    await work();
    expect(await subjects('dana@example.com')).toEqual([]);
    after(10);
    await work();
    const [mail, ...more] = await received('dana@example.com');
    expect([mail?.subject, more]).toEqual(['15 changes to your autopay', []]);
    for (const part of [mail!.text!, mail!.html!]) {
      expect(part.match(/Hello Dana,/g)).toHaveLength(1);
      expect(part.match(/Autopay is off for unit/g)).toHaveLength(8);
      expect(part.match(/This is the authorization that you gave/g)).toHaveLength(7);
    }
    after(30);
    await work();
    expect(sink.received).toEqual([]);
  });

  test('by 12 bank payments makes two mails to staff and two to the tenant, with every receipt', async () => {
    const { id, unitId } = ledgers[2]!;
    const ach = {
      accountType: 'Consumer Checking',
      accountNumber: '000123456789',
      routingNumber: '110000000',
    };
    const numbers: string[] = [];
    for (let nth = 0; nth < 12; nth++) {
      const payments = [{ ledgerId: id, unitId, amount: 1 + nth / 100 }];
      const { body } = await post(`/tenants/${dana.tenantIds[0]}/payments`, { payments, ach });
      numbers.push(body.payments[0].receiptNumber);
      await notifyOfPayments(api.ctx);
      await work();
    }
    expect(await received('dana@example.com')).toMatchObject([
      { subject: `Receipt ${numbers[0]} for unit ${ledgers[2]!.unitName}` },
    ]);
    expect(await received(EAGLE_MOUNTAIN)).toHaveLength(1);
    after(10);
    await work();
    const [receipts, ...more] = await received('dana@example.com');
    expect([receipts?.subject, more]).toEqual(['11 receipts for your payments', []]);
    for (const [nth, number] of numbers.slice(1).entries()) {
      expect(receipts!.text).toContain(`Receipt number: ${number}`);
      expect(receipts!.text).toContain(`Amount: $${(1 + (nth + 1) / 100).toFixed(2)}`);
    }
    expect(receipts!.attachments.map(({ filename }) => filename)).toEqual(
      numbers.slice(1).map((number) => `receipt-${number}.pdf`),
    );
    expect(await subjects(EAGLE_MOUNTAIN)).toEqual(['11 ACH payments']);
  });

  test('of many kinds and at many addresses has a budget, and what is over it goes out later', async () => {
    api.ctx.config.limits = {
      ...mailLimits,
      'mails-of-a-tenant-an-hour': { most: 2, seconds: 3600 },
    };
    const { id } = ledgers[0]!;
    await post(`/ledgers/${id}/autopay-update`, { creditCard: card });
    await post(`/ledgers/${id}/request-gate-access`, { reason: 'Early' });
    await post(`/ledgers/${id}/move-out`, { reason: 'Sold' });
    await work();
    const first = sink.received.splice(0).length;
    after(59);
    await work();
    expect([first, sink.received.length]).toEqual([2, 0]);
    after(60);
    await work();
    expect(sink.received).toHaveLength(1);
  });
});

test('staff get the message of each tenant in a mail of its own, which no other tenant’s words can spoil', async () => {
  const lee = await signIn(api, 'lee@example.com');
  const listed = await api.call('GET', `${lee.prefix}/tenants/${lee.tenantIds[0]}/ledgers`, lee);
  const [{ id: leesId }] = listed.body as [Ledger];
  const reason = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';
  for (let nth = 0; nth < 3; nth++) {
    const { status } = await post(`/ledgers/${ledgers[0]!.id}/move-out`, { reason });
    expect(status).toBe(200);
  }
  await work();
  const path = `${lee.prefix}/ledgers/${leesId}/move-out`;
  const answer = await api.call('POST', path, {
    token: lee.token,
    body: { reason: 'Sold my boat' },
  });
  expect(answer.status).toBe(200);
  await work();
  after(10);
  await work();
  const mails = await received(EAGLE_MOUNTAIN);
  const lees = mails.filter(({ text }) => text!.includes('Sold my boat'));
  expect(lees).toHaveLength(1);
  expect(lees[0]!.text).not.toContain('GTUBE');
});

test('a mailbox with many names, as by a plus or dots, has the budget of one stranger', async () => {
  const { location_code: locationCode } = await getRow(api.owner, 'facilities', 'location_code', {
    email: EAGLE_MOUNTAIN,
  });
  for (const name of [
    'stranger',
    'stranger+1',
    'Stranger+2',
    'str.anger',
    's.tranger+3',
    '+',
    '.',
  ]) {
    const body = { email: `${name}@example.com`, locationCode, corporationCode: 'ANCHOR' };
    expect((await api.call('POST', '/users/register', { body })).status).toBe(200);
    await work();
  }
  const to = sink.received.flatMap((mail) =>
    mail.to.filter((one) => /tranger/i.test(one.replace('.', ''))),
  );
  expect(to).toHaveLength(3);
});

test('a stranger’s address gets three “not on file” mails a day, of all facilities together', async () => {
  const facilities = await api.owner
    .selectFrom('facilities')
    .select('location_code')
    .where('corporation_id', '=', (eb) =>
      eb.selectFrom('corporations').select('id').where('code', '=', 'ANCHOR'),
    )
    .limit(5)
    .execute();
  const lookUp = async (nth: number) => {
    const locationCode = facilities[nth % facilities.length]!.location_code;
    const email = nth % 2 === 0 ? 'Stranger@example.com' : 'stranger@example.com';
    const body = { email, locationCode, corporationCode: 'ANCHOR' };
    expect((await api.call('POST', '/users/register', { body })).status).toBe(200);
    await work();
  };
  for (let nth = 0; nth < 15; nth++) await lookUp(nth);
  expect(sink.received).toHaveLength(3);
  after(24 * 60);
  await work();
  expect(sink.received).toHaveLength(3);
  await lookUp(15);
  expect(sink.received).toHaveLength(4);
  const { values } = await api.ctx.metrics.mails.get();
  expect(values.find(({ labels }) => labels.outcome === 'dropped')?.value).toBe(12);
});
