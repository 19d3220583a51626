import { randomUUID } from 'node:crypto';
import type { Reply } from '@gatehouse/contract/endpoint';
import type { getDepositDay } from '@gatehouse/contract/office/reports';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { raiseAlarm } from '#features/base/alarms/alarms.ts';
import { recordPaymentFor } from '#features/money/counter/record-payment.ts';
import { refundPaymentOf } from '#features/money/payments/refund-payment.ts';
import { makeFacility } from '#seeds/builders.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { mailsTo, readMails } from '#test/mails.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { testClock } from '#test/test-day.ts';
import { sendMorningMails } from './morning-mails.ts';
import { getRow } from '#test/rows.ts';

let now = new Date('2026-11-20T18:00:00Z');
const clock = { now: () => now };

describe('the morning of a facility', () => {
  let api: TestApp;
  beforeAll(async () => {
    api = await openTestApp('empty_template', { clock });
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    for (const table of ['mails', 'morning_recipients', 'morning_runs'] as const)
      await api.owner.deleteFrom(table).execute();
  });

  async function facilityIn(time_zone: string): Promise<string> {
    const facility = { time_zone, location_code: randomUUID() };
    const facility_id = await makeFacility(api.owner, facility);
    await api.owner
      .insertInto('morning_recipients')
      .values({ facility_id, kind: 'morning_deposit', address: 'desk@example.com' })
      .execute();
    return facility_id;
  }
  const sent = async (instant: string) => {
    now = new Date(instant);
    await sendMorningMails(api.ctx);
    return (await readMails(api)).map(({ subject }) => /on (\S+):/.exec(subject)?.[1]);
  };

  test.each([
    ['America/New_York', '2026-11-21T11:59:59Z', []],
    ['America/New_York', '2026-11-21T12:00:00Z', ['11/20/2026']],
    ['America/Chicago', '2026-11-21T12:59:59Z', []],
    ['America/Chicago', '2026-11-21T13:00:00Z', ['11/20/2026']],
    ['America/Phoenix', '2026-11-21T14:00:00Z', ['11/20/2026']],
    ['Pacific/Honolulu', '2026-11-21T16:59:59Z', []],
    ['Pacific/Honolulu', '2026-11-21T17:00:00Z', ['11/20/2026']],
    // It is still the same day there, and late after an outage.
    ['Pacific/Honolulu', '2026-11-22T09:59:59Z', ['11/20/2026']],
    // The clocks go back and forward at two: seven is there once on both days.
    ['America/Chicago', '2026-11-01T12:59:59Z', []],
    ['America/Chicago', '2026-11-01T13:00:00Z', ['10/31/2026']],
    ['America/Chicago', '2027-03-14T11:59:59Z', []],
    ['America/Chicago', '2027-03-14T12:00:00Z', ['3/13/2027']],
    // The days before the first of a month, a leap day among them.
    ['America/Chicago', '2026-09-01T12:00:00Z', ['8/31/2026']],
    ['America/Chicago', '2028-03-01T13:00:00Z', ['2/29/2028']],
    ['America/Chicago', '2027-01-01T13:00:00Z', ['12/31/2026']],
  ])('comes at seven: in %s at %s the mails are of %j', async (zone, instant, days) => {
    await facilityIn(zone);
    expect(await sent(instant)).toEqual(days);
  });

  test('is once a day, by several processes at once and after restarts', async () => {
    await facilityIn('America/Chicago');
    now = new Date('2026-11-21T13:00:00Z');
    const counts = await Promise.all([1, 2, 3].map(() => sendMorningMails(api.ctx)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
    expect(await sent('2026-11-21T13:05:00Z')).toHaveLength(1);
    expect(await sent('2026-11-22T05:59:59Z')).toHaveLength(1);
    expect(await sent('2026-11-22T12:59:59Z')).toHaveLength(1);
    expect(await sent('2026-11-22T13:00:00Z')).toEqual(['11/20/2026', '11/21/2026']);
  });

  test('is done where no recipient is named: one who is named later is mailed from the next day on', async () => {
    const facility_id = await facilityIn('America/Chicago');
    await api.owner.deleteFrom('morning_recipients').execute();
    expect(await sent('2026-11-21T13:00:00Z')).toEqual([]);
    await api.owner
      .insertInto('morning_recipients')
      .values({ facility_id, kind: 'morning_late', address: 'desk@example.com' })
      .execute();
    expect(await sent('2026-11-21T15:00:00Z')).toEqual([]);
    now = new Date('2026-11-22T13:00:00Z');
    expect(await sendMorningMails(api.ctx)).toBe(1);
    expect((await readMails(api))[0]!.subject).toMatch(/^Nothing is late at /);
  });

  test('that fails at one facility comes to the others, and later to that one', async () => {
    const broken = await facilityIn('America/Chicago');
    await facilityIn('America/Chicago');
    now = new Date('2026-11-21T13:00:00Z');
    await api.sql`ALTER TABLE morning_runs ADD CONSTRAINT broken CHECK (facility_id <> ${sql.lit(broken)})`;
    await expect(sendMorningMails(api.ctx)).rejects.toThrow('1 facilities failed');
    expect(await readMails(api)).toHaveLength(1);
    await api.sql`ALTER TABLE morning_runs DROP CONSTRAINT broken`;
    expect(await sendMorningMails(api.ctx)).toBe(1);
    expect(await sendMorningMails(api.ctx)).toBe(0);
  });
});

describe('the mails of a morning', () => {
  let api: TestApp;
  let facilityId: string;
  const desk = 'desk@anchor-axle.example';
  // A session ends when the clock moves by a day.
  const get = async (path: string, query: Record<string, string>) =>
    callOffice(api, 'GET', path, { as: await signInStaff(api, 'manager'), query });
  const change = async (body: object) =>
    callOffice(api, 'POST', `/office/facilities/${facilityId}/recipients`, {
      as: await signInStaff(api, 'manager'),
      body,
    });
  beforeAll(async () => {
    now = testClock.now();
    api = await openTestApp('demo_template', { clock });
    facilityId = (await getRow(api.owner, 'facilities', 'id', { location_code: 'TXDFW03' })).id;
  });
  afterAll(() => api.close());

  test('have the figures of the screens', async () => {
    const rows = await api.sql<{ id: string }>`
      SELECT l.id FROM ledgers l JOIN tenants t ON t.id = l.tenant_id JOIN units u ON u.id = l.unit_id
      WHERE t.email = 'dana@example.com' AND u.name = 'A101'`;
    await recordPaymentFor(
      api.ctx,
      { key: randomUUID(), by: 'Ana', why: 'counter', facilityIds: [facilityId], isPreview: false },
      { ledgerIds: [rows[0]!.id], type: 'check', number: '77', amount: 100.25 },
    );
    const counter = (key = randomUUID()) => ({
      key,
      by: 'Ana',
      why: 'counter',
      facilityIds: [facilityId],
      isPreview: false,
    });
    const { receiptNumber } = await recordPaymentFor(api.ctx, counter(), {
      ledgerIds: [rows[0]!.id],
      type: 'cash',
      amount: 40,
    });
    await refundPaymentOf(api.ctx, counter(), { receiptNumber, amount: 15.5, way: 'cash' });
    const { today } = await one<{ today: string }>(
      sql`SELECT (${now}::timestamptz AT TIME ZONE 'America/Chicago')::date AS today`,
    );
    const sentence = 'A gate does not answer.';
    const alarm = { kind: 'gate_behind', key: 'k', facilityId, sentence, facts: {} } as const;
    await raiseAlarm(api.ctx, api.ctx.db, alarm);
    for (const kind of ['morning_late', 'morning_deposit', 'morning_alarms'])
      expect((await change({ kind, address: desk, isRemoved: false })).status).toBe(200);
    // The next morning of the facility.
    now = new Date(Date.parse(`${today}T13:00:00Z`) + 86_400_000);
    const late = (await get('/office/late', { locationCode: 'TXDFW03', limit: '200' })).body
      .rows as {
      balance: number;
      unitName: string;
    }[];
    const { body: deposits } = await get('/office/deposits', {
      on: today,
      locationCode: 'TXDFW03',
    });
    const alarms = (await get('/office/alarms', { locationCode: 'TXDFW03' })).body.rows as {
      sentence: string;
      advice: string;
    }[];
    await sendMorningMails(api.ctx);
    const mails = await mailsTo(api, desk);
    const [open, taken, list] = mails;
    expect(mails).toHaveLength(3);
    const owed = late.reduce((cents, { balance }) => cents + Math.round(balance * 100), 0) / 100;
    expect(list!.subject).toContain(`: ${late.length} rentals, ${dollars(owed)}`);
    for (const { unitName, balance } of late)
      expect(list!.text).toMatch(
        new RegExp(`${unitName}, .*: ${dollars(balance).replaceAll(/[$.]/g, '\\$&')}, \\d+ days`),
      );
    expect(taken!.subject).toContain(`: ${dollars(deposits.taken as number)}`);
    expect(taken!.text).toContain('Check, counter: $100.25 (1)');
    const { body: day } = await get('/office/deposits/day', { on: today, locationCode: 'TXDFW03' });
    const [drawer] = (day as Reply<typeof getDepositDay>).drawers;
    const [cash, check] = drawer!.lines;
    expect([cash, check]).toMatchObject([
      { type: 'cash', taken: 40, back: 15.5, expected: 24.5 },
      { type: 'check', taken: 100.25, expected: 100.25 },
    ]);
    expect(taken!.text).toContain(
      'Cash (1): $24.50 expected: $40.00 taken, $15.50 given back\n' +
        'Checks (1): $100.25 expected: $100.25 taken',
    );
    expect(taken!.text).toContain('The day is not closed yet.');
    expect(open!.subject).toBe(
      `${alarms.length === 1 ? '1 open alarm' : `${alarms.length} open alarms`} at Anchor & Axle Eagle Mountain`,
    );
    for (const each of alarms) expect(open!.text).toContain(`${each.sentence}\n\n${each.advice}`);
    expect(open!.text).toContain('/office/alarms');
  });

  test('go to whom the settings name, each address once, with a line in the audit trail', async () => {
    const given = { kind: 'morning_late', address: 'Boss@example.com' };
    await change({ ...given, isRemoved: false });
    const again = await change({ ...given, address: 'boss@example.com', isRemoved: false });
    const named = (again.body.recipients as { address: string }[]).filter(({ address }) =>
      /^boss@/i.test(address),
    );
    expect(named).toEqual([{ id: expect.any(String) as string, ...given }]);
    const { body } = await change({ ...given, isRemoved: true });
    expect(JSON.stringify(body.recipients)).not.toContain('Boss');
    await change({ ...given, isRemoved: true });
    const requests = { kind: null, address: 'all@example.com' };
    expect((await change({ ...requests, isRemoved: false })).body.recipients).toContainEqual(
      expect.objectContaining(requests),
    );
    await change({ ...requests, isRemoved: true });
    expect((await change({ ...given, kind: 'other', isRemoved: false })).status).toBe(422);
    const rows = await api.sql<{ verb: string }>`
      SELECT details->>'verb' AS verb FROM audit_events
      WHERE details->>'address' ILIKE 'boss@%' OR details->>'address' = 'all@example.com' ORDER BY id`;
    expect(rows.map(({ verb }) => verb)).toEqual([
      'facilities.addRecipient',
      'facilities.removeRecipient',
      'facilities.addRecipient',
      'facilities.removeRecipient',
    ]);
  });

  const one = async <Row>(text: ReturnType<typeof sql<Row>>) =>
    (await text.execute(api.owner)).rows[0]!;
  const dollars = (value: number) =>
    value.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
});
