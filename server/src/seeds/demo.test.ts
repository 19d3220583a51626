import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { Autopay } from '@gatehouse/contract/autopay';
import type { EsignDocument } from '@gatehouse/contract/esign';
import type { InsuranceStatus } from '@gatehouse/contract/insurance';
import { nextChargeDate, type Ledger } from '@gatehouse/contract/ledgers';
import type { Payment } from '@gatehouse/contract/payments';
import type { Tenant } from '@gatehouse/contract/tenants';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, signIn, type SignedIn, type TestApp } from '#test/app.ts';
import { expectSoundBooks } from '#test/books.ts';
import { pagesOf } from '#test/pdf.ts';
import { seedDemo } from './demo.ts';

let api: TestApp;

const get = async <T>({ token, prefix }: SignedIn, path: string) =>
  (await api.call('GET', prefix + path, { token })).body as T;
const ledgersOf = (caller: SignedIn, record = 0) =>
  get<Ledger[]>(caller, `/tenants/${caller.tenantIds[record]}/ledgers`);

// The test day, ends of months, of a year and of summer time, a leap day, and a year that no other
// test knows.
describe.each([
  '2026-11-25T18:00:00Z',
  '2027-01-31T18:00:00Z',
  '2028-02-29T04:00:00Z',
  '2027-03-14T09:30:00Z',
  '2027-11-07T06:30:00Z',
  '2026-12-31T23:59:30Z',
  '2029-12-30T12:00:00Z',
])('the demo world of %s', (instant) => {
  const now = new Date(instant);
  const today = calendarDateIn('America/Chicago', now);
  beforeAll(async () => {
    const clock = { now: () => now };
    api = await openTestApp('empty_template', { clock });
    await seedDemo(api.owner, clock, api.ctx.vault, 'ANCHOR');
  });
  afterAll(() => api.close());

  test('has sound books, and nothing of it is dated after its day', async () => {
    await expectSoundBooks(api.owner);
    const { posted, made } = await api.owner
      .selectFrom('entries')
      .select(({ fn }) => [fn.max('posted_on').as('posted'), fn.max('created_at').as('made')])
      .executeTakeFirstOrThrow();
    expect([posted <= today, made <= now]).toEqual([true, true]);
  });

  test('has at least 12 facilities in at least 6 states, the two special codes among them', async () => {
    const { body } = await api.call('GET', '/corporations/ANCHOR/locations');
    const locations = body as { locationCode: string; address: { region: string } }[];
    expect(locations.length).toBeGreaterThanOrEqual(12);
    expect(new Set(locations.map(({ address }) => address.region)).size).toBeGreaterThanOrEqual(6);
    const codes = locations.map(({ locationCode }) => locationCode);
    expect(codes).toEqual(expect.arrayContaining(['TXDFW03', 'TXDFW03A', 'AZPHX01']));
  });

  test('has statements of the last three months, the newest first, that can be downloaded', async () => {
    const lee = await signIn(api, 'lee@example.com');
    const path = `/tenants/${lee.tenantIds[0]}/statements`;
    const statements = await get<{ number: string; month: string }[]>(lee, path);
    const thisMonth = Temporal.PlainYearMonth.from(today.slice(0, 7));
    expect(statements.map(({ month }) => month)).toEqual(
      [1, 2, 3].map((months) => thisMonth.subtract({ months }).toString()),
    );
    const paper = await get<{ data: string }>(lee, `${path}/${statements[0]!.number}`);
    const [page] = pagesOf(Buffer.from(paper.data, 'base64'));
    // 24 months at $255.70 with the discount and taxes, each paid on its day.
    expect(page).toContain('Owed at the beginning\n$0.00');
    expect(page).toMatch(/Rent \d/);
    expect(page).toMatch(/Payment, /);
  });

  test('every facility has an email, a phone, two or more protection plans and a move-out address', async () => {
    const rows = await api.owner
      .selectFrom('facilities')
      .leftJoin('protection_plans', 'protection_plans.facility_id', 'facilities.id')
      .select(({ fn }) => [fn.count<number>('protection_plans.id').as('plans')])
      .select(['facilities.email', 'facilities.phone', 'move_out_url as moveOut'])
      .groupBy('facilities.id')
      .execute();
    expect(rows).toHaveLength(12);
    for (const row of rows)
      expect(row).toEqual({
        email: expect.any(String),
        phone: expect.any(String),
        plans: 2,
        moveOut: expect.stringMatching(/^https:\/\//),
      });
  });

  // spec 3.10, 3.11, 3.13, 3.15, 3.16, 3.18, 3.19, 7.51
  test('Dana’s first record: A101 owed and 6 days past due, B207 paid, C014 20 days past due', async () => {
    const dana = await signIn(api, 'dana@example.com');
    const [a101, b207, c014] = await ledgersOf(dana);
    expect(a101).toMatchObject({
      unitName: 'A101',
      balance: 214.5,
      daysPastDue: 6,
      paidThrough: addDays(today, -7),
      unit: { width: 12, length: 40, typeName: 'RV' },
    });
    expect(b207).toMatchObject({ unitName: 'B207', balance: 0, daysPastDue: 0, timeZoneId: 1 });
    // The last day of the period that began nine days ago: the next charge is on the day after.
    const nextDue = Temporal.PlainDate.from(addDays(today, -9)).add({ months: 1 }).toString();
    expect(nextChargeDate(b207!.paidThrough)).toBe(nextDue);
    expect(b207!.scheduledRateChangeEffectiveDate! >= addDays(today, 30)).toBe(true);
    expect(c014).toMatchObject({
      unitName: 'C014',
      daysPastDue: 20,
      paidThrough: addDays(today, -21),
    });
    expect(c014!.balance).toBeGreaterThanOrEqual(400);
    expect(c014!.balance).toBeLessThanOrEqual(900);
  });

  // spec 3.27, 3.31, 3.36, 3.37, 3.39, 7.44, 7.48, 7.50
  test('B207 has everything done but the license; A101 has nothing set up and one document to sign', async () => {
    const dana = await signIn(api, 'dana@example.com');
    const [a101, b207] = await ledgersOf(dana);
    const record = `/tenants/${dana.tenantIds[0]}`;
    const autopays = await get<Autopay[]>(dana, `${record}/autopays`);
    expect(autopays.map(({ active, type }) => [active, type])).toEqual([
      [false, undefined],
      [true, 'creditCard'],
      [false, undefined],
    ]);
    // $168.00 of rent, $14.00 of the plan and $5.00 of the card fee.
    expect(autopays[1]!.nextCharge).toEqual({
      date: nextChargeDate(b207!.paidThrough),
      amount: 187,
    });
    const [none, plan] = await get<InsuranceStatus[]>(
      dana,
      `/ledgers/${a101!.id},${b207!.id}/insurance-statuses`,
    );
    expect([none!.activeInsurance, none!.privateInsurance, plan!.activeInsurance]).toEqual([
      false,
      false,
      true,
    ]);
    const files = await get<EsignDocument[]>(dana, `${record}/files`);
    const pending = files.filter(({ envelopeStatusId }) => envelopeStatusId === 1);
    expect(pending.map(({ ledgerId }) => ledgerId)).toEqual([a101!.id]);
    expect(
      (await get<{ contents: string }>(dana, `/ledgers/${b207!.id}/unit-contents`)).contents,
    ).toMatch(/^boat:/);
    expect(
      (await get<{ contents: string }>(dana, `/ledgers/${a101!.id}/unit-contents`)).contents,
    ).toBe('');
    expect((await get<Tenant>(dana, record)).driversLicenseNumber).toBeNull();
  });

  // spec 3.19, 3.25, 7.53
  test('Reyes Marine LLC: one unit, gate schedule 0, ACH autopay, private insurance, license on file and masked', async () => {
    const dana = await signIn(api, 'dana@example.com');
    const ledgers = await ledgersOf(dana, 1);
    const record = `/tenants/${dana.tenantIds[1]}`;
    expect(ledgers).toHaveLength(1);
    expect(ledgers[0]!.timeZoneId).toBe(0);
    expect((await get<Autopay[]>(dana, `${record}/autopays`))[0]).toMatchObject({
      type: 'ach',
      ach: { accountNumber: '****6789' },
    });
    const [insurance] = await get<InsuranceStatus[]>(
      dana,
      `/ledgers/${ledgers[0]!.id}/insurance-statuses`,
    );
    expect(insurance!.privateInsurance).toBe(true);
    expect((await get<Tenant>(dana, record)).driversLicenseNumber).toBe('****0917');
  });

  test('Lee has two years of payments and nothing left to do', async () => {
    const lee = await signIn(api, 'lee@example.com');
    const [ledger] = await ledgersOf(lee);
    const payments = await get<Payment[]>(lee, `/ledgers/${ledger!.id}/payments`);
    expect(payments).toHaveLength(24);
    expect(payments.map(({ date }) => date)).toEqual(
      payments
        .map(({ date }) => date)
        .toSorted()
        .toReversed(),
    );
    expect(new Set(payments.map(({ receiptNumber }) => receiptNumber)).size).toBe(24);
    expect(ledger!.balance).toBe(0);
  });

  // spec 3.43, 4.39, 7.47
  test('a code is withheld from A101 and C014, shown for B207', async () => {
    const dana = await signIn(api, 'dana@example.com');
    const codes = await Promise.all(
      (await ledgersOf(dana)).map(({ unitId }) =>
        get<{ accessCode?: string }>(dana, `/units/${unitId}/gate-access`),
      ),
    );
    expect(codes.map(({ accessCode }) => accessCode !== undefined)).toEqual([false, true, false]);
  });

  test('Pat has no phone; Sam’s rentals have ended; the newcomer has no sign-in', async () => {
    const pat = await signIn(api, 'pat@example.com');
    expect((await get<Tenant>(pat, `/tenants/${pat.tenantIds[0]}`)).phone.primary).toBeNull();
    expect(await ledgersOf(await signIn(api, 'sam@example.com'))).toEqual([]);
    await expect(signIn(api, 'newcomer@example.com')).rejects.toThrow();
  });
});
