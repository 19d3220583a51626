import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MailMessage } from '#adapters/mail/transport.ts';
import { sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import { sendMails } from '#features/desk/mail-sending/send.ts';
import { resolveOverduePayments } from '#features/money/payments/resolve.ts';
import { runFacilityDay } from '#jobs/facility-day.ts';
import { makeFacility, makeTenant } from '#seeds/builders.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { mailsTo, type OpenedMail } from '#test/mails.ts';
import { stopReminders } from './choices.ts';
import { chicagoTime, makePaidRental, payByLinkIn, setUpAutopay } from './reminders.fixture.ts';
import { sendReminders } from './send.ts';

let api: TestApp;
let now: Date;
let sent: MailMessage[];
let facilityId: string;
let tenantId: string;
let email: string;
beforeAll(async () => {
  now = new Date('2026-11-14T18:00:00Z');
  api = await openTestApp('empty_template', {
    clock: { now: () => now },
    mail: {
      send(message) {
        sent.push(message);
        return Promise.resolve();
      },
    },
  });
});
afterAll(async () => {
  await expectSoundBooks(api.owner);
  await api.close();
});
beforeEach(async () => {
  sent = [];
  await api.owner.updateTable('facilities').set({ sends_reminders: false }).execute();
  facilityId = await makeFacility(api.owner, {
    location_code: randomUUID().slice(0, 8),
    gate_grace_days: 5,
    sends_reminders: true,
  });
  email = `${randomUUID()}@example.com`;
  tenantId = await makeTenant(api.owner, { facility_id: facilityId, email });
});

/** A rental that has been billed through 11/30/2026 and paid. */
const rent = (name = 'A101', row: object = {}) =>
  makePaidRental(api, { tenantId, facilityId }, name, row);

/** Sets the clock to a time of the facility, which is in Chicago. */
function goTo(date: string, time: string): void {
  now = chicagoTime(date, time);
}

/** The day up to its reminders, which are queued and not sent. */
async function queueOn(date: string, time = '09:00'): Promise<number> {
  goTo(date, '04:00');
  await runFacilityDay(api.ctx, { facilityId, date });
  goTo(date, time);
  return sendReminders(api.ctx);
}

const reminders = async (): Promise<OpenedMail[]> =>
  (await mailsTo(api, email)).filter(({ kind }) => kind === 'reminder');
const deliver = async () => {
  const ids = (await reminders()).map(({ id }) => id);
  await sendMails(api.ctx, ids.length > 0 ? ids : [randomUUID()]);
};
/** The subjects of what was sent from one day through another. */
async function live(from: string, through: string): Promise<string[]> {
  const days = Temporal.PlainDate.from(from).until(through).days;
  for (let nth = 0; nth <= days; nth += 1) {
    await queueOn(Temporal.PlainDate.from(from).add({ days: nth }).toString());
    await deliver();
  }
  return sent.map(({ subject, at }) => `${at.toISOString().slice(5, 10)} ${subject}`);
}

const payByLink = ({ text }: OpenedMail, cardNumber?: string) => payByLinkIn(api, text, cardNumber);

const setLedger = (ledgerId: string, row: object) =>
  api.owner.updateTable('ledgers').set(row).where('id', '=', ledgerId).execute();
const setFacility = (row: object) =>
  api.owner.updateTable('facilities').set(row).where('id', '=', facilityId).execute();

describe('a rental without autopay', () => {
  // spec 10.26
  test('is reminded of 5 days before, on the day, and 2 days before the gate is suspended', async () => {
    await rent();
    expect(await live('2026-11-24', '2026-12-08')).toEqual([
      '11-26 Unit A101: $150.00 is due on 12/1/2026',
      '12-01 Unit A101: $150.00 is due today, 12/1/2026',
      '12-04 Unit A101: pay $150.00 by 12/5/2026 to keep your gate code',
    ]);
  });

  test('gets one mail on its due date where the gate is suspended at once or within two days', async () => {
    await setFacility({ gate_grace_days: 2 });
    await rent();
    expect(await live('2026-12-01', '2026-12-04')).toHaveLength(1);
    expect(sent[0]!.text).toContain('Your gate code works through 12/2/2026');
    await setFacility({ gate_grace_days: 0 });
    await rent('B207');
    sent = [];
    await live('2027-01-01', '2027-01-03');
    expect(sent.map(({ text }) => text.includes('does not work until'))).toEqual([true, true]);
  });

  // spec 10.29
  test('is paid by the link in the mail, once; then no other reminder follows', async () => {
    await rent();
    await live('2026-11-26', '2026-12-01');
    const [soon, today] = await reminders();
    expect(soon!.text).toContain('autopay does not pay it');
    expect(soon!.text).not.toContain('/pay/');
    expect(today!.text).toMatch(/To pay: \$150\.00/);
    expect(await payByLink(today!)).toEqual({ status: 200, amount: 150 });
    expect((await live('2026-12-02', '2026-12-10')).length).toBe(2);
  });

  test('leads only to the sign-in where the facility takes payments by autopay only', async () => {
    await setFacility({ pay_once: false });
    const ledgerId = await rent();
    await live('2026-12-01', '2026-12-01');
    expect(sent[0]!.text).toContain(`/billing-info?ledger=${ledgerId}`);
    expect(sent[0]!.text).not.toContain('/pay/');
  });

  // spec 10.26
  test('has the sum that is to be paid: the bill with what is owed, or less a credit', async () => {
    const [owing, ahead] = [await rent(), await rent('B207')];
    await queueOn('2026-11-20');
    await sql`UPDATE ledgers SET balance_cents = -15000 WHERE id = ${ahead}`.execute(api.owner);
    await sql`UPDATE ledgers SET balance_cents = -4000 WHERE id = ${owing}`.execute(api.owner);
    await queueOn('2026-11-26');
    const mails = await reminders();
    await sql`UPDATE ledgers SET balance_cents = 0 WHERE id IN (${ahead}, ${owing})`.execute(
      api.owner,
    );
    expect(mails.map(({ subject }) => subject)).toEqual(['Unit A101: $110.00 is due on 12/1/2026']);
    expect(mails[0]!.text).toMatch(
      /Next bill: \$150\.00\nYour credit: -\$40\.00\nTo pay: \$110\.00/,
    );
  });
});

describe('a reminder', () => {
  // spec 10.27
  test('is queued once by several servers at once, and by a run that is repeated', async () => {
    await rent();
    goTo('2026-11-26', '04:00');
    await runFacilityDay(api.ctx, { facilityId, date: '2026-11-26' });
    goTo('2026-11-26', '09:00');
    await Promise.all(Array.from({ length: 5 }, () => sendReminders(api.ctx)));
    await api.owner.updateTable('billing_runs').set({ reminded_at: null }).execute();
    await sendReminders(api.ctx);
    expect(await reminders()).toHaveLength(1);
  });

  test('goes out on a later day where its own had no run, and never after the due date', async () => {
    await rent();
    expect(await queueOn('2026-11-29')).toBe(1);
    expect(await queueOn('2026-11-30')).toBe(0);
    await rent('B207');
    expect(await queueOn('2026-12-02')).toBe(0);
  });

  // spec 10.27
  test.each(['08:59', '20:00', '23:30'])('is not queued at night: at %s', async (time) => {
    await rent();
    expect(await queueOn('2026-11-26', time)).toBe(0);
  });

  test('waits for the day’s bills and autopay', async () => {
    await rent();
    goTo('2026-12-01', '09:00');
    expect(await sendReminders(api.ctx)).toBe(0);
    expect(await queueOn('2026-12-01', '11:00')).toBe(1);
  });

  test('is for each rental by itself, with a pay link of its own', async () => {
    await rent();
    await rent('B207');
    await live('2026-12-01', '2026-12-01');
    expect(sent).toHaveLength(2);
    const [first, second] = await reminders();
    expect((await payByLink(first!)).status).toBe(200);
    expect((await payByLink(second!)).status).toBe(200);
  });

  test('names in its headers where it is stopped with one click', async () => {
    await rent();
    await live('2026-11-26', '2026-11-26');
    expect(sent[0]!.unsubscribeUrl).toMatch(/\/reminders\/rmd_[\w-]{71}$/);
    expect(sent[0]!.text).toContain(sent[0]!.unsubscribeUrl!);
  });
});

describe('nothing is mailed', () => {
  // spec 10.28
  test('once it is paid, however late the mail is sent', async () => {
    await rent();
    await queueOn('2026-12-01');
    const [mail] = await reminders();
    await payByLink(mail!);
    await deliver();
    expect(sent).toEqual([]);
    const [row] = await reminders();
    expect(row).toMatchObject({ is_dropped: true, sent_at: null });
  });

  // spec 10.28
  test.each<[string, (ledgerId: string) => unknown]>([
    ['autopay was set up', (ledgerId) => autopayOn(ledgerId)],
    ['the rental has ended', (ledgerId) => setLedger(ledgerId, { moved_out_on: '2026-11-26' })],
    ['the rental was put on hold', (ledgerId) => setLedger(ledgerId, { is_on_hold: true })],
    ['the rent was changed', (ledgerId) => setLedger(ledgerId, { rental_rate_cents: 16_000 })],
    ['the facility sends none any more', () => setFacility({ sends_reminders: false })],
    [
      'the tenant has stopped them',
      () =>
        stopReminders(
          api.ctx,
          { tenantId, userId: null, kind: 'rent_soon' },
          { ip: '127.0.0.1', requestId: randomUUID() },
        ),
    ],
    ['it has become night', () => goTo('2026-11-26', '21:00')],
    ['its day is over', () => goTo('2026-11-27', '09:00')],
  ])('where %s before it is sent', async (_, change) => {
    const ledgerId = await rent();
    expect(await queueOn('2026-11-26')).toBe(1);
    await change(ledgerId);
    await deliver();
    expect(sent).toEqual([]);
  });

  test.each<[string, (ledgerId: string) => Promise<unknown>]>([
    ['is paid by autopay', (ledgerId) => autopayOn(ledgerId)],
    ['has ended', (ledgerId) => setLedger(ledgerId, { moved_out_on: '2026-11-26' })],
    ['ends before the bill', (ledgerId) => setLedger(ledgerId, { moved_out_on: '2026-12-01' })],
    ['is on hold', (ledgerId) => setLedger(ledgerId, { is_on_hold: true })],
    [
      'is of a tenant without an address for mail',
      () =>
        api.owner
          .updateTable('tenants')
          .set({ email: 'none' })
          .where('id', '=', tenantId)
          .execute(),
    ],
    ['is at a facility that sends none', () => setFacility({ sends_reminders: false })],
  ])('about a rental that %s', async (_, change) => {
    await change(await rent());
    expect(await queueOn('2026-11-26')).toBe(0);
    expect(await reminders()).toEqual([]);
  });

  test('about a gate that is locked by hand', async () => {
    const ledgerId = await rent();
    await queueOn('2026-12-01', '08:00');
    await setLedger(ledgerId, { overlocked_at: now });
    expect(await queueOn('2026-12-04')).toBe(0);
    await setLedger(ledgerId, { overlocked_at: null });
    expect(await queueOn('2026-12-05')).toBe(1);
  });

  test('while a payment is being confirmed, neither what waits nor what comes next', async () => {
    await rent();
    await queueOn('2026-12-01');
    const [mail] = await reminders();
    await payByLink(mail!, sandboxNumbers.noAnswer);
    await deliver();
    expect(sent).toEqual([]);
    expect(await queueOn('2026-12-04')).toBe(0);
    await resolveOverduePayments(api.ctx);
    expect(await queueOn('2026-12-05')).toBe(0);
  });

  test('to a tenant who is put on hold while it is being queued: it waits for the ledger and reads again', async () => {
    const ledgerId = await rent();
    goTo('2026-11-26', '04:00');
    await runFacilityDay(api.ctx, { facilityId, date: '2026-11-26' });
    goTo('2026-11-26', '09:00');
    const { queued } = await api.ctx.db.transaction().execute(async (trx) => {
      await sql`UPDATE ledgers SET is_on_hold = true WHERE id = ${ledgerId}`.execute(trx);
      const run = sendReminders(api.ctx);
      await untilLockWait(api.owner);
      return { queued: run };
    });
    expect([await queued, await reminders()]).toEqual([0, []]);
  });
});

function autopayOn(ledgerId: string): Promise<void> {
  return setUpAutopay(api, tenantId, ledgerId);
}
