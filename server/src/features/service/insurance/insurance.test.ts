import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import { type InsuranceStatus } from '@gatehouse/contract/insurance';
import { expirationTooEarly, type InsuranceCoverage } from '@gatehouse/contract/insurance-plans';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { testClock } from '#test/test-day.ts';
import { addRows, changeRows, findRows } from '#test/rows.ts';

const api = useTestApp('demo_template');
let dana: SignedIn;
/**
 * A101 has neither plan nor policy; B207 has a plan; D310 of the second record has private
 * insurance.
 */
let [a101, b207, c014, d310]: Ledger[] = [];
let plans: InsuranceCoverage[];

beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  [a101, b207, c014, d310] = await get<Ledger[]>(
    dana,
    `/tenants/${dana.tenantIds.join(',')}/ledgers`,
  );
  plans = await get(dana, '/insurance-coverages');
});
beforeEach(async () => {
  // Sessions of another day may end the oldest one.
  dana = await signIn(api, 'dana@example.com');
  for (const ledger of [a101!, c014!]) {
    await api.owner
      .deleteFrom('ledger_protection_plans')
      .where('ledger_id', '=', ledger.id)
      .execute();
    await api.owner.deleteFrom('private_policies').where('ledger_id', '=', ledger.id).execute();
  }
});
afterEach(() => {
  vi.restoreAllMocks();
});

const get = async <T>({ token, prefix }: SignedIn, path: string) =>
  (await api.call('GET', prefix + path, { token })).body as T;
const statusOf = async (ledger: Ledger, caller = dana) =>
  (await get<InsuranceStatus[]>(caller, `/ledgers/${ledger.id}/insurance-statuses`))[0]!;

const add = (body: object, { tenantId = dana.tenantIds[0]!, caller = dana } = {}) =>
  api.call('POST', `${caller.prefix}/tenants/${tenantId}/insurance/add`, {
    token: caller.token,
    body,
  });
const choice = (ledger: Ledger, more: object = {}) => ({
  unitId: ledger.unitId,
  coverageId: plans[0]!.id,
  ...more,
});
const plansOf = (ledger: Ledger) =>
  api.owner
    .selectFrom('ledger_protection_plans')
    .selectAll()
    .where('ledger_id', '=', ledger.id)
    .execute();

const policy = {
  description: 'Lone Star',
  policyNumber: 'LS-1',
  coverageEnd: '2031-01-31',
  coverageAmount: 12_500.5,
};
const prove = (ledger: Ledger, body: object, caller = dana) =>
  api.call('POST', `${caller.prefix}/ledgers/${ledger.id}/insurance-proof`, {
    token: caller.token,
    body,
  });
const policiesOf = (ledger: Ledger) =>
  api.owner
    .selectFrom('private_policies')
    .selectAll()
    .where('ledger_id', '=', ledger.id)
    .orderBy('created_at')
    .execute();

/** Sets the server's clock and signs in again, because sessions of another day have ended. */
async function at(
  instant: string,
  email = 'dana@example.com',
  locationCode = 'TXDFW03',
): Promise<SignedIn> {
  vi.spyOn(api.ctx.clock, 'now').mockReturnValue(new Date(instant));
  return signIn(api, email, locationCode);
}

describe('the protection plans of the facility', () => {
  // spec 3.34, 7.20
  test('are its own, the smallest coverage first, in dollars', () => {
    expect(plans).toEqual([
      {
        id: expect.any(String),
        description: '$5,000 protection plan',
        coverage: 5000,
        premium: 14,
      },
      {
        id: expect.any(String),
        description: '$10,000 protection plan',
        coverage: 10_000,
        premium: 22,
      },
    ]);
  });
});

describe('a protection plan that ends', () => {
  const endOn = (ended_on: string | null) =>
    changeRows(api.owner, 'protection_plans', { ended_on }, { id: plans[0]!.id });
  afterEach(() => endOn(null));

  // Billing skips such a rental until the facility changes its plan, so no tenant may choose it.
  test.each(['2026-01-31', '2031-01-31'])(
    'on %s can no longer be offered, added or asked for',
    async (day) => {
      await endOn(day);
      const offered = await get<InsuranceCoverage[]>(dana, '/insurance-coverages');
      expect(offered.map(({ id }) => id)).toEqual([plans[1]!.id]);
      expect((await add(choice(a101!))).status).toBe(404);
      expect(await plansOf(a101!)).toEqual([]);
      const update = `${dana.prefix}/tenants/${dana.tenantIds[0]}/insurance/update`;
      const asked = await api.call('POST', update, { token: dana.token, body: choice(b207!) });
      expect(asked.status).toBe(404);
    },
  );

  test('still counts for its tenants, who may ask for another', async () => {
    const { coverageId } = await statusOf(b207!);
    await changeRows(
      api.owner,
      'protection_plans',
      { ended_on: '2026-01-31' },
      { id: coverageId! },
    );
    expect((await statusOf(b207!)).activeInsurance).toBe(true);
    const other = plans.find(({ id }) => id !== coverageId)!;
    const update = `${dana.prefix}/tenants/${dana.tenantIds[0]}/insurance/update`;
    const body = choice(b207!, { coverageId: other.id });
    expect((await api.call('POST', update, { token: dana.token, body })).status).toBe(200);
    await changeRows(api.owner, 'protection_plans', { ended_on: null }, { id: coverageId! });
  });
});

describe('insurance statuses', () => {
  // spec 7.21
  test('without ids are of every current rental of all own records, and of no other', async () => {
    const statuses = await get<InsuranceStatus[]>(dana, '/insurance-statuses');
    expect(statuses.map(({ ledgerId }) => ledgerId)).toEqual([
      a101!.id,
      b207!.id,
      c014!.id,
      d310!.id,
    ]);
    expect(statuses.map((status) => [status.activeInsurance, status.privateInsurance])).toEqual([
      [false, false],
      [true, false],
      [false, false],
      [false, true],
    ]);
    expect(await get(await signIn(api, 'sam@example.com'), '/insurance-statuses')).toEqual([]);
  });

  test('of a user without a record here are none', async () => {
    const pat = await signIn(api, 'pat@example.com');
    const links = await api.owner
      .deleteFrom('user_tenants')
      .where('tenant_id', '=', pat.tenantIds[0]!)
      .returningAll()
      .execute();
    expect(await get(pat, '/insurance-statuses')).toEqual([]);
    await addRows(api.owner, 'user_tenants', links);
  });

  // spec 3.31, 3.32, 3.33
  test('show the plan’s coverage and premium, or the policy’s coverage and number', async () => {
    expect(await statusOf(b207!)).toEqual({
      ledgerId: b207!.id,
      activeInsurance: true,
      privateInsurance: false,
      coverage: 5000,
      premium: 14,
      policyNumber: null,
      coverageId: plans[0]!.id,
    });
    expect(await statusOf(d310!)).toEqual({
      ledgerId: d310!.id,
      activeInsurance: false,
      privateInsurance: true,
      coverage: 25_000,
      premium: null,
      policyNumber: 'LSM-204417',
      coverageId: null,
      policy: {
        company: 'Lone Star Marine Insurance',
        coverage: 25_000,
        endsOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as unknown,
      },
    });
  });
});

describe('adding a protection plan', () => {
  // spec 4.19, 5.30, 7.25
  test('makes it active from today on, whatever date the browser names, and charges nothing', async () => {
    const answer = await add(
      choice(a101!, { coverageId: plans[1]!.id, coverageStartDate: '2020-01-01', premium: 0 }),
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ledgerId: a101!.id,
      activeInsurance: true,
      privateInsurance: false,
      coverage: 10_000,
      premium: 22,
      policyNumber: null,
      coverageId: plans[1]!.id,
    });
    expect(await statusOf(a101!)).toEqual(answer.body);
    const [row] = await plansOf(a101!);
    const today = calendarDateIn('America/Chicago', testClock.now());
    expect(row).toMatchObject({ starts_on: today, ends_on: null, user_id: expect.any(String) });
    const [after] = await get<Ledger[]>(dana, `/tenants/${dana.tenantIds[0]}/ledgers`);
    expect(after!.balance).toBe(a101!.balance);
  });

  // spec 5.30
  test.each([
    ['2027-03-09T05:59:59Z', '2027-03-08'],
    ['2027-03-09T06:00:00Z', '2027-03-09'],
  ])('at %s starts on the facility’s %s', async (instant, today) => {
    await add(choice(a101!), { caller: await at(instant) });
    expect((await plansOf(a101!)).map(({ starts_on }) => starts_on)).toEqual([today]);
  });

  test('where one is active is refused with 409, and the facility can change it', async () => {
    const before = await plansOf(b207!);
    const answer = await add(choice(b207!, { coverageId: plans[1]!.id }));
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'This unit has an active protection plan already. Please call your facility to change it.',
    ]);
    expect(await plansOf(b207!)).toEqual(before);
  });

  test('is possible again once the earlier plan has ended, on the facility’s calendar', async () => {
    const today = calendarDateIn('America/Chicago', testClock.now());
    const endOn = (ends_on: string) =>
      changeRows(api.owner, 'ledger_protection_plans', { ends_on }, { ledger_id: a101!.id });
    await add(choice(a101!));
    await changeRows(
      api.owner,
      'ledger_protection_plans',
      { starts_on: addDays(today, -60) },
      { ledger_id: a101!.id },
    );
    await endOn(today);
    expect((await add(choice(a101!))).status).toBe(409);
    await endOn(addDays(today, -1));
    expect((await statusOf(a101!)).activeInsurance).toBe(false);
    expect((await add(choice(a101!))).status).toBe(200);
    expect(await plansOf(a101!)).toHaveLength(2);
  });

  test('a hundred times at once adds one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        add(choice(a101!, { coverageId: plans[index % 2]!.id })),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array<number>(99).fill(409),
    ]);
    expect(await plansOf(a101!)).toHaveLength(1);
  });

  test('keeps private insurance next to it: both show, the coverage is the plan’s', async () => {
    await prove(a101!, policy);
    const answer = await add(choice(a101!));
    expect(answer.body).toMatchObject({
      activeInsurance: true,
      privateInsurance: true,
      coverage: 5000,
      premium: 14,
      policyNumber: 'LS-1',
    });
  });

  test('to a unit that this record does not rent, or of another facility’s plans, is not found', async () => {
    const lee = await signIn(api, 'lee@example.com');
    const [leesLedger] = await get<Ledger[]>(lee, `/tenants/${lee.tenantIds[0]}/ledgers`);
    const maria = await signIn(api, 'maria@example.com', 'AZPHX01');
    const [theirPlan] = await get<InsuranceCoverage[]>(maria, '/insurance-coverages');
    const missing = '00000000-0000-4000-8000-000000000000';
    const movedOut = await api.owner
      .selectFrom('ledgers')
      .select(['id', 'unit_id'])
      .where('moved_out_on', 'is not', null)
      .executeTakeFirstOrThrow();
    const sam = await signIn(api, 'sam@example.com');
    const count = () => findRows(api.owner, 'ledger_protection_plans', 'id');
    const before = await count();
    const answers = [
      await add(choice(leesLedger!)),
      await add(choice(d310!)),
      await add(choice(a101!), { tenantId: dana.tenantIds[1]! }),
      await add(choice(a101!, { unitId: missing })),
      await add(choice(a101!, { coverageId: missing })),
      await add(choice(a101!, { coverageId: theirPlan!.id })),
      await add(
        { unitId: movedOut.unit_id, coverageId: plans[0]!.id },
        { tenantId: sam.tenantIds[0]!, caller: sam },
      ),
    ];
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      answers.map(() => [404, '{"message":"Not found."}']),
    );
    expect(await count()).toEqual(before);
  });

  test.each([
    [{ coverageId: undefined }, 'Protection plan is required.'],
    [{ coverageId: 'all' }, 'Protection plan is required.'],
    [{ coverageId: null }, 'Protection plan is required.'],
    [{ unitId: undefined }, 'The field unitId must be a string.'],
    [{ unitId: '1' }, 'The field unitId must be an id.'],
    [{ coverageStartDate: { $gt: '' } }, 'The field coverageStartDate must be a string.'],
  ])('with %j is refused with 422', async (change, sentence) => {
    const answer = await add(choice(a101!, change));
    expect([answer.status, answer.body.message]).toEqual([422, sentence]);
    expect(await plansOf(a101!)).toEqual([]);
  });
});

describe('proof of private insurance', () => {
  // spec 4.22, 5.30, 7.33
  test('counts from today on, and names and dates from the browser are ignored', async () => {
    const answer = await prove(a101!, { ...policy, coverageStart: '2020-01-01' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ledgerId: a101!.id,
      activeInsurance: false,
      privateInsurance: true,
      coverage: 12_500.5,
      premium: null,
      policyNumber: 'LS-1',
      coverageId: null,
      policy: { company: 'Lone Star', coverage: 12_500.5, endsOn: '2031-01-31' },
    });
    expect(await statusOf(a101!)).toEqual(answer.body);
    expect(await policiesOf(a101!)).toMatchObject([
      {
        company: 'Lone Star',
        coverage_cents: 1_250_050,
        starts_on: calendarDateIn('America/Chicago', testClock.now()),
        ends_on: '2031-01-31',
        user_id: expect.any(String),
        replaced_at: null,
      },
    ]);
  });

  // spec 4.23
  test('given again replaces the earlier one, which stays stored', async () => {
    await prove(a101!, policy);
    const answer = await prove(a101!, { ...policy, policyNumber: 'LS-2', coverageAmount: 7000 });
    expect(answer.body).toMatchObject({ policyNumber: 'LS-2', coverage: 7000 });
    const kept = await policiesOf(a101!);
    expect(
      kept.map(({ policy_number, replaced_at }) => [policy_number, replaced_at !== null]),
    ).toEqual([
      ['LS-1', true],
      ['LS-2', false],
    ]);
  });

  // spec 5.61
  test('can be given while a plan is active', async () => {
    await add(choice(a101!));
    expect((await prove(a101!, policy)).body).toMatchObject({
      activeInsurance: true,
      privateInsurance: true,
      policyNumber: 'LS-1',
      coverageId: plans[0]!.id,
    });
  });

  test('a hundred times at once leaves one that counts', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        prove(a101!, { ...policy, policyNumber: `P-${index}` }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const kept = await policiesOf(a101!);
    expect([kept.length, kept.filter(({ replaced_at }) => replaced_at === null).length]).toEqual([
      100, 1,
    ]);
  });

  // spec 5.28, 9.8
  test('must not expire before the facility’s tomorrow: 23:59:59 and 00:00:00 there', async () => {
    const evening = await at('2027-03-09T05:59:59Z');
    const early = await prove(a101!, { ...policy, coverageEnd: '2027-03-08' }, evening);
    expect([early.status, early.body.message]).toEqual([422, expirationTooEarly()]);
    expect((await prove(a101!, { ...policy, coverageEnd: '2027-03-09' }, evening)).status).toBe(
      200,
    );
    const midnight = await at('2027-03-09T06:00:00Z');
    const late = await prove(c014!, { ...policy, coverageEnd: '2027-03-09' }, midnight);
    expect([late.status, late.body.message]).toEqual([422, expirationTooEarly()]);
    expect(await policiesOf(c014!)).toEqual([]);

    // An hour later it is still yesterday in Phoenix.
    const maria = await at('2027-03-09T06:59:59Z', 'maria@example.com', 'AZPHX01');
    const [ledger] = await get<Ledger[]>(maria, `/tenants/${maria.tenantIds[0]}/ledgers`);
    expect((await prove(ledger!, { ...policy, coverageEnd: '2027-03-09' }, maria)).status).toBe(
      200,
    );
    expect((await policiesOf(ledger!))[0]!.starts_on).toBe('2027-03-08');
  });

  test.each([
    ['America/Chicago', '2026-11-15T06:00:00Z'],
    ['America/Phoenix', '2026-11-15T07:00:00Z'],
    ['Pacific/Honolulu', '2026-11-15T10:00:00Z'],
    ['America/New_York', '2026-11-15T05:00:00Z'],
    ['America/Los_Angeles', '2026-11-15T08:00:00Z'],
    ['America/Anchorage', '2026-11-15T09:00:00Z'],
  ])('must end tomorrow or later in %s, before and after its midnight (R17)', async (zone, day) => {
    const zoneOf = (time_zone: string) =>
      changeRows(api.owner, 'facilities', { time_zone }, { location_code: 'TXDFW03' });
    await zoneOf(zone);
    const midnight = Date.parse(day);
    const statuses: number[] = [];
    for (const [ms, coverageEnd] of [
      [midnight - 1000, '2026-11-14'],
      [midnight - 1000, '2026-11-15'],
      [midnight, '2026-11-15'],
      [midnight, '2026-11-16'],
    ] as const) {
      const then = await at(new Date(ms).toISOString());
      statuses.push((await prove(a101!, { ...policy, coverageEnd }, then)).status);
    }
    await zoneOf('America/Chicago');
    expect(statuses).toEqual([422, 200, 422, 200]);
  });

  test('counts through its last day there, and not after', async () => {
    await prove(a101!, { ...policy, coverageEnd: '2027-03-09' }, await at('2027-03-08T18:00:00Z'));
    expect((await statusOf(a101!, await at('2027-03-10T05:59:59Z'))).privateInsurance).toBe(true);
    expect(await statusOf(a101!, await at('2027-03-10T06:00:00Z'))).toMatchObject({
      privateInsurance: false,
      policyNumber: null,
      coverage: null,
    });
  });

  // spec 5.25, 5.26, 5.27, 5.29
  test.each([
    [{ description: undefined }, 'Policy company is required.'],
    [{ description: ' ' }, 'Policy company is required.'],
    [{ description: 7 }, 'Policy company is required.'],
    [{ description: 'x'.repeat(101) }, 'Policy company is too long.'],
    [{ policyNumber: undefined }, 'Policy number is required.'],
    [{ policyNumber: '' }, 'Policy number is required.'],
    [{ policyNumber: 'x'.repeat(51) }, 'Policy number is too long.'],
    [{ policyNumber: 'a\0b' }, 'The request holds a character that cannot be used.'],
    [{ coverageEnd: undefined }, 'Expiration date is required.'],
    [{ coverageEnd: '' }, 'Expiration date is required.'],
    [{ coverageEnd: '2031-02-30' }, 'Expiration date is required.'],
    [{ coverageEnd: '1/31/2031' }, 'Expiration date is required.'],
    [{ coverageEnd: '2031-01-31T00:00:00Z' }, 'Expiration date is required.'],
    [{ coverageEnd: '2020-01-31' }, expirationTooEarly()],
    [{ coverageEnd: '0000-01-31' }, expirationTooEarly()],
    [{ coverageAmount: undefined }, 'Coverage amount must be a number.'],
    [{ coverageAmount: '5000' }, 'Coverage amount must be a number.'],
    [{ coverageAmount: true }, 'Coverage amount must be a number.'],
    [{ coverageAmount: 0 }, 'Coverage amount must be above $0.00.'],
    [{ coverageAmount: -1 }, 'Coverage amount must be above $0.00.'],
    [{ coverageAmount: 0.001 }, 'Coverage amount must have at most two decimals.'],
    [{ coverageAmount: 1e300 }, 'Coverage amount is too large.'],
  ])('with %j is refused with 422, and nothing is written', async (change, sentence) => {
    const answer = await prove(a101!, { ...policy, ...change });
    expect([answer.status, answer.body.message]).toEqual([422, sentence]);
    expect(await policiesOf(a101!)).toEqual([]);
  });

  test('accepts the latest date and the largest amount that the form allows', async () => {
    const answer = await prove(a101!, {
      ...policy,
      coverageEnd: '9999-12-31',
      coverageAmount: 100_000_000,
    });
    expect([answer.status, answer.body.coverage]).toEqual([200, 100_000_000]);
  });

  test('for a rental that has ended is not found', async () => {
    const sam = await signIn(api, 'sam@example.com');
    const ended = await api.owner
      .selectFrom('ledgers')
      .select('id')
      .where('moved_out_on', 'is not', null)
      .executeTakeFirstOrThrow();
    expect((await prove(ended as Ledger, policy, sam)).status).toBe(404);
    expect(await policiesOf(ended as Ledger)).toEqual([]);
  });
});
