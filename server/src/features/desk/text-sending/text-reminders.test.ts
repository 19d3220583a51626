import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  TextNotSent,
  TextRefused,
  TextUnknown,
  type TextMessage,
} from '#adapters/text-messages/text-messages.ts';
import { sendMails } from '#features/desk/mail-sending/send.ts';
import {
  chicagoTime,
  makePaidRental,
  payByLinkIn,
  setUpAutopay,
} from '#features/rentals/reminders/reminders.fixture.ts';
import { sendReminders } from '#features/rentals/reminders/send.ts';
import { receiveReply } from '#features/service/texts/replies.ts';
import { queueText } from '#features/service/texts/texts.ts';
import { runFacilityDay } from '#jobs/facility-day.ts';
import { makeFacility, makeLedger, makeTenant, makeUser } from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { useTestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { mailsTo } from '#test/mails.ts';
import { makeTextConsent, textsTo, type OpenedText } from '#test/texts.ts';
import { receiveReport } from './reports.ts';
import { sendTexts } from './send.ts';
import { changeRows, findRows } from '#test/rows.ts';

const api = useTestApp('empty_template', {
  clock: { now: () => now },
  texts: {
    async send(message) {
      handed.push(message);
      await provider(message);
      return { providerId: `SM-${handed.length}` };
    },
  },
  mail: {
    send({ subject }) {
      mailed.push(subject);
      return Promise.resolve();
    },
  },
});
let now = new Date('2026-11-14T18:00:00Z');
/** What the provider was called with, and how it answers. */
let handed: TextMessage[];
let provider: (message: TextMessage) => Promise<void>;
let mailed: string[];
let facilityId: string;
let tenantId: string;
let email: string;
let number: string;
afterAll(() => expectSoundBooks(api.owner));
beforeEach(async () => {
  [handed, mailed] = [[], []];
  provider = () => Promise.resolve();
  await changeRows(api.owner, 'facilities', { sends_reminders: false });
  facilityId = await makeFacility(api.owner, {
    location_code: randomUUID().slice(0, 8),
    gate_grace_days: 5,
    sends_reminders: true,
    sends_texts: true,
  });
  email = `${randomUUID()}@example.com`;
  const phone = `817${String(randomInt(10_000_000)).padStart(7, '0')}`;
  number = `+1${phone}`;
  tenantId = await makeTenant(api.owner, { facility_id: facilityId, email, phone });
  await makeTextConsent(api.owner, tenantId);
});

/** A rental that has been billed through 11/30/2026 and paid. */
const rent = (name = 'A101') => makePaidRental(api, { tenantId, facilityId }, name);

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

const texts = () => textsTo(api, number);
const states = async () => (await texts()).map(({ state }) => state);
const mails = async () =>
  (await mailsTo(api, email)).filter(({ kind }) => kind === 'reminder').map(({ id }) => id);
const deliver = async () => {
  await sendTexts(api.ctx, [randomUUID(), ...(await texts()).map(({ id }) => id)]);
  await sendMails(api.ctx, [randomUUID(), ...(await mails())]);
};
/** What was sent on the days from one through another. */
async function live(from: string, through: string): Promise<void> {
  const days = Temporal.PlainDate.from(from).until(through).days;
  for (let nth = 0; nth <= days; nth += 1) {
    await queueOn(Temporal.PlainDate.from(from).add({ days: nth }).toString());
    goTo(Temporal.PlainDate.from(from).add({ days: nth }).toString(), '12:30');
    await deliver();
  }
}
const payByLink = ({ body }: OpenedText) => payByLinkIn(api, body);
const reply = (body: string, id: string = randomUUID()) =>
  receiveReply(api.ctx, { id, from: number, body, word: null });
const report = (textId: string, state: 'delivered' | 'undelivered', more = {}) =>
  receiveReport(api.ctx, {
    kind: 'status',
    textId,
    providerId: 'SM-1',
    state,
    isStopped: false,
    code: state === 'delivered' ? null : '30006',
    ...more,
  });

describe('a tenant who has agreed', () => {
  // spec 10.60
  test('is texted each fact, and mailed none of them', async () => {
    await rent();
    await live('2026-11-24', '2026-12-08');
    const said = handed.map(({ body }) => body.replace(/http\S+/, '…'));
    expect(said).toEqual([
      'Anchor & Axle Eagle Mountain: $150.00 is due on 12/1/2026. … Reply STOP to end',
      expect.stringMatching(/: \$150\.00 is due today, 12\/1\/2026\. … Reply STOP to end$/),
      expect.stringMatching(
        /: pay \$150\.00 by 12\/5\/2026 to keep your gate code\. … Reply STOP to end$/,
      ),
    ]);
    expect(handed.map(({ to }) => to)).toEqual([number, number, number]);
    expect(mailed).toEqual([]);
    expect(await states()).toEqual(['sent', 'sent', 'sent']);
    const rows = await sql`
      SELECT kind FROM reminders WHERE mail_id IS NULL AND text_id = ANY(${handed.map(({ id }) => id)}::uuid[])`.execute(
      api.owner,
    );
    expect(rows.rows).toHaveLength(3);
  });

  // spec 10.71
  test('is texted in the language of the account', async () => {
    const of = { email: email.toUpperCase(), password: DEMO_PASSWORD };
    await makeUser(api.owner, { ...of, tenantIds: [tenantId], language: 'es' });
    await rent();
    await live('2026-12-01', '2026-12-01');
    expect(handed.map(({ body }) => body)).toEqual([expect.stringContaining(', 1 dic 2026')]);
  });

  // spec 10.68
  test('pays by the link in the text, which names neither the tenant nor the unit', async () => {
    await rent();
    await live('2026-12-01', '2026-12-01');
    const [text] = await texts();
    expect(text!.body).not.toMatch(/Dana|Reyes|A101/);
    expect((await payByLink(text!)).status).toBe(200);
    await live('2026-12-02', '2026-12-08');
    expect(handed).toHaveLength(1);
  });

  // spec 10.64
  test('is texted on a Sunday from noon on', async () => {
    await rent();
    expect(await queueOn('2026-11-29', '09:00')).toBe(1);
    await deliver();
    goTo('2026-11-29', '11:59');
    await deliver();
    expect([handed, await states()]).toEqual([[], ['waiting']]);
    goTo('2026-11-29', '12:00');
    await deliver();
    expect(handed).toHaveLength(1);
  });

  // spec 10.66
  test('is texted by one of several workers', async () => {
    await rent();
    await queueOn('2026-11-30');
    const [text] = await texts();
    await Promise.all(Array.from({ length: 5 }, () => sendTexts(api.ctx, [text!.id])));
    expect(handed).toHaveLength(1);
  });

  test('of two records is texted where this one has agreed, and the other is mailed', async () => {
    const other = await makeTenant(api.owner, { facility_id: facilityId, email });
    await rent();
    await makeLedger(api.owner, api.ctx.vault, {
      tenant_id: other,
      unit: { facility_id: facilityId, name: 'B207' },
      moved_in_on: '2026-10-01',
      billed_through: '2026-11-30',
      paid_through: '2026-11-30',
    });
    await live('2026-11-30', '2026-11-30');
    expect([handed.length, mailed.length]).toEqual([1, 1]);
    expect(mailed[0]).toContain('B207');
  });
});

describe('nothing is texted', () => {
  // spec 10.65
  test('once it is paid, however late the text is sent', async () => {
    await rent();
    await queueOn('2026-12-01');
    await payByLink((await texts())[0]!);
    await deliver();
    expect([handed, mailed, await states()]).toEqual([[], [], ['dropped']]);
  });

  test.each<[string, (ledgerId: string) => unknown]>([
    ['autopay was set up', (ledgerId) => autopayOn(ledgerId)],
    [
      'the rental was put on hold',
      (ledgerId) => changeRows(api.owner, 'ledgers', { is_on_hold: true }, { id: ledgerId }),
    ],
    ['it has become night', () => goTo('2026-11-26', '20:00')],
    ['its day is over', () => goTo('2026-11-27', '09:00')],
  ])('nor mailed where %s before it is sent', async (_, change) => {
    const ledgerId = await rent();
    expect(await queueOn('2026-11-26')).toBe(1);
    await change(ledgerId);
    await deliver();
    expect([handed, mailed, await states()]).toEqual([[], [], ['dropped']]);
  });

  test.each<[string, () => unknown]>([
    ['STOP has come', () => reply('STOP')],
    [
      'the facility sends no texts any more',
      () => changeRows(api.owner, 'facilities', { sends_texts: false }, { id: facilityId }),
    ],
    [
      'the phone was changed',
      () => changeRows(api.owner, 'tenants', { phone: '8175550100' }, { id: tenantId }),
    ],
  ])('but mailed, once, where %s before it is sent', async (_, change) => {
    await rent();
    await queueOn('2026-11-26');
    await change();
    await deliver();
    await deliver();
    expect([handed, mailed, await states()]).toEqual([
      [],
      ['Unit A101: $150.00 is due on 12/1/2026'],
      ['dropped'],
    ]);
  });

  // spec 10.60
  test('without a provider: reminders are mailed', async () => {
    await rent();
    const { texts: own } = api.ctx;
    api.ctx.texts = null;
    await live('2026-11-26', '2026-11-26');
    api.ctx.texts = own;
    expect([handed.length, mailed.length, await states()]).toEqual([0, 1, []]);
  });
});

describe('a text', () => {
  // spec 10.67
  test('whose number the provider refuses is mailed in its place, once', async () => {
    await rent();
    provider = () => Promise.reject(new TextRefused('21211', false));
    await live('2026-11-26', '2026-11-26');
    await deliver();
    expect([handed.length, mailed, await states()]).toEqual([
      1,
      ['Unit A101: $150.00 is due on 12/1/2026'],
      ['refused'],
    ]);
    expect((await texts())[0]!.code).toBe('21211');
  });

  test('that the provider refuses because of STOP ends the consent', async () => {
    await rent();
    provider = () => Promise.reject(new TextRefused('21610', true));
    await live('2026-11-26', '2026-11-26');
    expect(mailed).toHaveLength(1);
    await live('2026-12-01', '2026-12-01');
    expect([handed.length, mailed.length]).toEqual([1, 2]);
  });

  test('that was not handed over is handed over later, once', async () => {
    await rent();
    await queueOn('2026-11-26');
    provider = () => Promise.reject(new TextNotSent('away'));
    await expect(deliver()).rejects.toThrow('text messages could not be sent');
    expect(await states()).toEqual(['waiting']);
    provider = () => Promise.resolve();
    await deliver();
    await deliver();
    expect([handed.length, await states()]).toEqual([2, ['sent']]);
  });

  // spec 10.81
  test('is tried again with an alarm where the provider refuses us, or takes nothing', async () => {
    const alarms = async () => {
      const rows = await findRows(api.owner, 'alarms', 'kind');
      await api.owner.deleteFrom('alarms').execute();
      return rows.map(({ kind }) => kind);
    };
    await rent();
    await queueOn('2026-11-26');
    // The quarter of an hour counts from the first failed try, not from when the text was queued.
    now = new Date(now.getTime() + 20 * 60_000);
    provider = () => Promise.reject(new TextNotSent('401', { isOurAccount: true }));
    await expect(deliver()).rejects.toThrow('text messages could not be sent');
    expect([await states(), await alarms()]).toEqual([['waiting'], ['text_provider_fails']]);
    provider = () => Promise.reject(new TextNotSent('away'));
    await expect(deliver()).rejects.toThrow();
    expect(await alarms()).toEqual([]);
    now = new Date(now.getTime() + 15 * 60_000);
    await expect(deliver()).rejects.toThrow();
    expect(await alarms()).toEqual(['text_provider_fails']);
  });

  test.each([
    ['did not answer', new TextUnknown('no answer')],
    ['failed in a way that we do not know', new Error('odd')],
  ])('whose provider %s is neither sent again nor mailed', async (_, error) => {
    await rent();
    await queueOn('2026-11-26');
    provider = () => Promise.reject(error);
    await deliver();
    provider = () => Promise.resolve();
    await deliver();
    expect([handed.length, mailed, await states()]).toEqual([1, [], ['unknown']]);
  });

  // spec 10.66
  test('whose server stopped before the answer came is neither sent again nor mailed', async () => {
    await rent();
    await queueOn('2026-11-26');
    const [text] = await texts();
    await changeRows(api.owner, 'texts', { state: 'sending', tried_at: now }, { id: text!.id });
    await deliver();
    expect([handed, mailed, await states()]).toEqual([[], [], ['unknown']]);
  });

  // spec 10.67
  test('that could not be delivered is mailed in its place, once, while it is due', async () => {
    await rent();
    await live('2026-11-26', '2026-11-26');
    const [text] = await texts();
    await Promise.all([report(text!.id, 'undelivered'), report(text!.id, 'undelivered')]);
    await report(text!.id, 'delivered');
    await deliver();
    expect([mailed, await states()]).toEqual([
      ['Unit A101: $150.00 is due on 12/1/2026'],
      ['refused'],
    ]);
  });

  test.each<[string, () => unknown]>([
    ['it was paid', async () => payByLink((await texts())[0]!)],
    ['its day is over', () => goTo('2026-12-02', '10:00')],
  ])('that could not be delivered is not mailed after %s', async (_, change) => {
    await rent();
    await live('2026-12-01', '2026-12-01');
    await change();
    const [text] = await texts();
    await report(text!.id, 'undelivered');
    await deliver();
    expect(mailed).toEqual([]);
  });

  test('is delivered where the provider reports so, also one whose answer was lost', async () => {
    await rent();
    await queueOn('2026-11-26');
    provider = () => Promise.reject(new TextUnknown('no answer'));
    await deliver();
    const [text] = await texts();
    await report(text!.id, 'delivered');
    await report(text!.id, 'undelivered');
    expect([mailed, await states()]).toEqual([[], ['delivered']]);
    await report(randomUUID(), 'delivered');
  });

  test('is stored sealed', async () => {
    await rent();
    await queueOn('2026-11-26');
    const rows = await api.sql<{ body: string }>`
      SELECT body FROM texts WHERE to_phone = ${number}`;
    expect(rows[0]!.body).toMatch(/^sealed:1:/);
  });
});

describe('a code', () => {
  const queueCode = () =>
    api.ctx.db
      .transaction()
      .execute((trx) =>
        queueText(api.ctx, trx, { tenantId, to: number, kind: 'code', body: () => 'Code 123456' }),
      );

  test('is texted at once, at night too', async () => {
    goTo('2026-11-26', '23:30');
    await queueCode();
    await deliver();
    expect(handed.map(({ body }) => body)).toEqual(['Code 123456']);
  });

  test('is not texted after STOP, and not when it does not work any more', async () => {
    await queueCode();
    await receiveReply(api.ctx, { id: randomUUID(), from: number, body: 'STOP', word: null });
    await deliver();
    await receiveReply(api.ctx, { id: randomUUID(), from: number, body: 'START', word: null });
    await queueCode();
    now = new Date(now.getTime() + 11 * 60_000);
    await deliver();
    expect(handed).toEqual([]);
    expect(await states()).toEqual(['dropped', 'dropped']);
  });
});

describe('STOP from a number', () => {
  // spec 10.63
  test('ends the consents of all records with it, and is kept', async () => {
    const other = await makeTenant(api.owner, {
      facility_id: facilityId,
      phone: number.slice(2),
      email: `${randomUUID()}@example.com`,
    });
    await makeTextConsent(api.owner, other);
    await reply('Stop texting me', 'SM-stop');
    const rows = await api.sql`
      SELECT e.reason FROM text_consents c JOIN text_consent_ends e ON e.consent_id = c.id
      WHERE c.phone = ${number}`;
    expect(rows).toEqual([{ reason: 'stopped' }, { reason: 'stopped' }]);
    const kept = await sql`
      SELECT id, word, body FROM text_replies WHERE from_phone = ${number}`.execute(api.owner);
    expect(kept.rows).toEqual([{ id: 'SM-stop', word: 'stop', body: 'Stop texting me' }]);
    await rent();
    await live('2026-11-26', '2026-11-26');
    expect([handed.length, mailed.length]).toEqual([0, 1]);
  });

  // spec 10.63
  test('is undone by START from it, and a repeat of either changes nothing', async () => {
    await reply('STOP', `${number} 1`);
    await reply('START', `${number} 2`);
    await reply('STOP', `${number} 1`);
    await reply('START', `${number} 2`);
    const rows = await api.sql`
      SELECT e.reason, c.renews IS NOT NULL AS renewed, c.text FROM text_consents c
      LEFT JOIN text_consent_ends e ON e.consent_id = c.id WHERE c.phone = ${number} ORDER BY c.confirmed_at`;
    const text = 'I agree to text messages.';
    expect(rows).toEqual([
      { reason: 'stopped', renewed: false, text },
      { reason: null, renewed: true, text },
    ]);
    await rent();
    await live('2026-11-26', '2026-11-26');
    expect([handed.length, mailed.length]).toEqual([1, 0]);
  });

  test('is not undone by START for a number that is on file no more', async () => {
    await reply('STOP');
    await api.sql`UPDATE tenants SET phone = '8175550100' WHERE id = ${tenantId}`;
    await reply('START');
    const rows = await api.sql`
      SELECT FROM text_consents c WHERE c.phone = ${number}`;
    expect(rows).toHaveLength(1);
  });

  test('is answered once where the provider does not, and HELP by who sends and how to end it', async () => {
    expect(await reply('STOP')).toBeNull();
    expect(await reply('START')).toBeNull();
    expect(await reply('thanks')).toBeNull();
    expect(await reply('please stop')).toMatch(/you get no more reminders by text/);
    expect(await reply('HELP')).toMatch(/reminders of rent by text.*Reply STOP to end$/);
    const rows = await api.sql`
      SELECT word, body FROM text_replies WHERE from_phone = ${number} AND word IN ('help', 'other')`;
    expect(rows).toEqual([
      { word: 'other', body: null },
      { word: 'help', body: null },
    ]);
  });
});

function autopayOn(ledgerId: string): Promise<void> {
  return setUpAutopay(api, tenantId, ledgerId);
}
