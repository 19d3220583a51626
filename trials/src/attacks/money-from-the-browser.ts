import { addDays } from '@gatehouse/contract/dates';
import { newAccount, newCard } from '../harness/orders.ts';
import { capturesOf } from '../harness/checker.ts';
import { inLanes } from '../harness/lanes.ts';
import { mustBe, mustBeAtLeast, reported, type Figure, type Proof } from '../harness/proof.ts';
import { simulatorNumbers } from '../harness/simulator/instruments.ts';
import type { EndpointName } from '@gatehouse/contract/endpoints';
import { MOST_PAID } from '@gatehouse/contract/payments';
import { makeProtectionPlan } from '@gatehouse/server/src/seeds/builders.ts';
import { TEST_DAY } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import { OWED_CENTS } from '../harness/actors.ts';
import { mustNotBeWritten, takeFootprint } from '../harness/footprint.ts';
import { callOf, idsOf, openSite, type Ids, type Site } from '../harness/site.ts';

/** Stands for text that is no JSON at all, in the place of a value. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What is no amount of money: as JSON would have it, and as JavaScript would. */
const amounts: unknown[] = [
  ...[0, -0, -1, -0.01, 0.001, 1.005, 12.345, 1e-7, 1e15, 1e308, 99_999_999, 2 ** 53],
  ...['12', '1e2', '', ' 1', 'NaN', true, false, null, [], [12], {}, { valueOf: 1 }, [[1]]],
  ...[
    new Raw('NaN'),
    new Raw('Infinity'),
    new Raw('-Infinity'),
    new Raw('1e999'),
    new Raw('0x10'),
    new Raw('1_000'),
  ],
  new Raw('01'),
  new Raw('.5'),
];
const noText: unknown[] = [0, 12, true, null, [], ['x'], {}, ''];
const noId: unknown[] = [
  ...noText,
  'x',
  '*',
  '%',
  "' OR '1'='1",
  '00000000-0000-0000-0000-000000000000',
];
const noDate = (today: string): unknown[] => [
  ...noText,
  ...[
    today,
    addDays(today, -1),
    '2026-02-30',
    '2026-13-01',
    '1/1/2030',
    '2030-01-01T00:00:00Z',
    '99999-01-01',
    'soon',
  ],
];

type Hostile = { of: EndpointName; body: unknown };

/** T8: money by the client's word. */
export const moneyFromTheBrowser: Proof<{ lanes: number }> = {
  name: 'T8',
  title:
    'Amounts, prices, dates and modes that the client must not decide, in every call that moves money or sets a price',
  sizes: { small: { lanes: 8 }, full: { lanes: 64 } },
  async run({ lanes }, _seed, stage) {
    await using site = await openSite(stage);
    const { a } = site.actors;
    const { facilityId: facility_id } = site.actors.here;
    const ended = await makeProtectionPlan(site.db.owner, {
      facility_id,
      premium_cents: 0,
      ended_on: '2026-01-31',
    });
    // What a facility may offer is offered, so that nothing is refused for that alone.
    await sql`UPDATE facilities SET part_payments = true, pay_ahead = true`.execute(site.db.owner);
    const hostile = hostileBodies(site, ended);
    const before = {
      rows: await takeFootprint(site.db.owner),
      calls: await site.simulator.calls(),
    };
    const statuses = new Map<number, number>();
    await inLanes(hostile.length, lanes, async (index) => {
      const { of, body } = hostile[index]!;
      const ids = idsOf(a.records[0], of === 'addInsurance' ? 'paid' : 'owing');
      const { status } = await site.send(callOf(of, ids, { token: a.token, body: textOf(body) }));
      const kind = Math.floor(status / 100);
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
      if (kind !== 4) stage.say(`  ${of} answered ${status} to ${textOf(body).slice(0, 200)}`);
    });
    const written = await mustNotBeWritten(
      'tables that were written',
      site.db.owner,
      before.rows,
      stage.say,
    );
    const calls = (await site.simulator.calls()) - before.calls;
    return [
      reported('operations', new Set(hostile.map(({ of }) => of)).size),
      mustBeAtLeast('bodies', hostile.length, 360),
      mustBe('accepted', statuses.get(2) ?? 0, 0),
      mustBe('answers of 500 and above', statuses.get(5) ?? 0, 0),
      mustBe('refused', statuses.get(4) ?? 0, hostile.length),
      written,
      mustBe('calls of the gateway', calls, 0),
      ...(await tryCopies(site)),
      ...(await tryTestMode(site)),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
  },
};

function hostileBodies({ actors }: Site, endedPlanId: string): Hostile[] {
  const record = actors.a.records[0];
  const ids = idsOf(record);
  const paid = idsOf(record, 'paid');
  const today = TEST_DAY;
  const withEach = (
    of: EndpointName,
    values: unknown[],
    make: (value: unknown) => unknown,
  ): Hostile[] => values.map((value) => ({ of, body: make(value) }));
  const line = (ledger: Ids) => ({ ledgerId: ledger.ledgerId, unitId: ledger.unitId, amount: 1 });
  const pay = (change: object, method: object = newCard()) => ({
    payments: [{ ...line(ids), ...change }],
    ...method,
  });
  const more = OWED_CENTS / 100;
  const { creditCard } = newCard();
  const card = (change: object) => ({ creditCard: { ...creditCard, ...change } });
  const { ach } = newAccount();
  const methods = [
    ...[
      {},
      { ...newCard(), ...newAccount() },
      { creditCard: null },
      { creditCard: [] },
      { creditCard: 'saved' },
    ],
    ...[
      { creditCard: {} },
      { ach: {} },
      { ach: null },
      { creditCard: { paymentToken: 'ctoken_1' } },
    ],
    ...noId.flatMap((id) => [
      { creditCard: { paymentMethodId: id } },
      { ach: { paymentMethodId: id } },
    ]),
    ...[4242424242424242, '4242', '4'.repeat(17), null].map((cardNumber) => card({ cardNumber })),
    ...[123, '12', '12345', null].map((cardCvv) => card({ cardCvv })),
    ...['13', '4', 4, null].map((expirationMonth) => card({ expirationMonth })),
    ...['2001', '26', 2030, '9999', null].map((expirationYear) => card({ expirationYear })),
    ...['123', '1234567890', 110000000, null].map((routingNumber) => ({
      ach: { ...ach, routingNumber },
    })),
    { ach: { ...ach, accountNumber: 123456789 } },
    { ach: { ...ach, accountType: 'Crypto' } },
  ];
  const policy = {
    description: 'Acme',
    policyNumber: 'P-1',
    coverageEnd: addDays(today, 300),
    coverageAmount: 5000,
  };
  // Of another facility, of another corporation, and one that its own facility no longer offers.
  const otherPlans = [actors.there.planId, actors.abroad.planId, endedPlanId];
  return [
    ...withEach('makePayment', [...amounts, more + 0.01, more * 2], (amount) => pay({ amount })),
    ...withEach('makePayment', [...noMonths, 1, 12], (prepayMonths) => ({
      prepayMonths,
      ...pay({ amount: more * 2 }),
    })),
    ...withEach('previewPayment', noMonths, (prepayMonths) => ({ prepayMonths })),
    ...withEach('previewPayment', [...amounts, more + 0.01], (amount) => ({ amount })),
    ...withEach('makePayment', noId, (ledgerId) => pay({ ledgerId })),
    ...withEach('makePayment', noId, (unitId) => pay({ unitId })),
    ...withEach('makePayment', methods, (method) => pay({}, method as object)),
    { of: 'makePayment', body: { payments: [], ...newCard() } },
    { of: 'makePayment', body: { payments: line(ids), ...newCard() } },
    { of: 'makePayment', body: { payments: [line(ids), line(ids)], ...newCard() } },
    {
      of: 'makePayment',
      body: { payments: Array.from({ length: MOST_PAID + 1 }, () => line(ids)), ...newCard() },
    },
    {
      of: 'makePayment',
      body: { payments: [line(ids), { ...line(paid), amount: 0.01 }], ...newCard() },
    },
    { of: 'makePayment', body: { ...newCard() } },
    ...withEach('updateAutopay', methods, (method) => method),
    ...withEach('addInsurance', [...noId, ...otherPlans], (coverageId) => ({
      coverageId,
      unitId: paid.unitId,
    })),
    ...withEach('addInsurance', noId, (unitId) => ({ coverageId: paid.planId, unitId })),
    ...withEach('updateInsurance', [...noId, ...otherPlans], (coverageId) => ({
      coverageId,
      unitId: ids.unitId,
    })),
    ...withEach('updateInsurance', noId, (unitId) => ({ coverageId: ids.planId, unitId })),
    ...withEach('updateInsurance', noDate(today), (coverageEnd) => ({
      ...policy,
      unitId: ids.unitId,
      coverageEnd,
    })),
    ...withEach('updateInsurance', coverages, (coverageAmount) => ({
      ...policy,
      unitId: ids.unitId,
      coverageAmount,
    })),
    ...withEach('submitInsuranceProof', coverages, (coverageAmount) => ({
      ...policy,
      coverageAmount,
    })),
    ...withEach('submitInsuranceProof', noDate(today), (coverageEnd) => ({
      ...policy,
      coverageEnd,
    })),
    ...withEach('submitInsuranceProof', noText, (policyNumber) => ({ ...policy, policyNumber })),
    ...(
      [
        'makePayment',
        'updateAutopay',
        'addInsurance',
        'updateInsurance',
        'submitInsuranceProof',
      ] as const
    ).flatMap((of) => withEach(of, [null, [], [[]], 'x', 7, true, {}], (body) => body)),
    ...withEach(
      'stopAutopay',
      ['{', '"', 'null null', '[1', '\u0000'],
      (text) => new Raw(String(text)),
    ),
  ];
}

/** How many bills ahead are none. */
const noMonths = [0, -1, 1.5, 13, 1e9, '2', true, null, [1], {}];

/** A coverage of a hundred million or less is an amount of insurance, not money that we move. */
const coverages = amounts.filter((value) => value !== 99_999_999);

/** The body as it goes out, with what is no JSON in its place. */
function textOf(body: unknown): string {
  if (body instanceof Raw) return body.text;
  const raws: Raw[] = [];
  const text = JSON.stringify(body, (_key, value: unknown) => {
    if (!(value instanceof Raw)) return value;
    raws.push(value);
    return `raw ${raws.length - 1}`;
  });
  return text.replace(/"raw (\d+)"/g, (_, index: string) => raws[Number(index)]!.text);
}

/** What may be sent and decides nothing: a premium, a start in the past, a plan's amount. */
async function tryCopies(site: Site): Promise<Figure[]> {
  const { db, actors } = site;
  const { token, records } = actors.b;
  const ids = idsOf(records[0], 'paid');
  const copies = {
    coveragePremium: 0,
    coverageStartDate: '2001-01-01',
    coverageAmount: 1_000_000,
    premium: 0,
    price: 0,
  };
  const body = { coverageId: ids.planId, unitId: ids.unitId, ...copies };
  const added = await site.send(callOf('addInsurance', ids, { token, body }));
  const plan = await db.owner
    .selectFrom('ledger_protection_plans as l')
    .innerJoin('protection_plans as p', 'p.id', 'l.protection_plan_id')
    .select(['l.starts_on', 'p.premium_cents', 'p.coverage_cents'])
    .where('l.ledger_id', '=', ids.ledgerId)
    .executeTakeFirstOrThrow();
  const isOurs =
    plan.starts_on === TEST_DAY && plan.premium_cents === 1400 && plan.coverage_cents === 500_000;
  return [
    mustBe('a plan added with copies of premium and start', added.status, 200),
    mustBe('copies that decided its price, coverage or start', isOurs ? 0 : 1, 0),
  ];
}

/** `testMode` asks the gateway all the same, and a decline posts nothing. */
async function tryTestMode(site: Site): Promise<Figure[]> {
  const { db, actors, simulator } = site;
  const { token, records } = actors.b;
  const ids = idsOf(records[0]);
  const pay = (method: object) => {
    const payments = [{ ledgerId: ids.ledgerId, unitId: ids.unitId, amount: 10 }];
    const copies = {
      testMode: true,
      switchingFromCcToAch: true,
      webhookData: { amount: 0, ledgerId: 'x' },
    };
    return site.send(
      callOf('makePayment', ids, { token, body: { payments, ...method, ...copies } }),
    );
  };
  const before = await simulator.calls();
  const declined = await pay(newCard(simulatorNumbers.decline));
  const entries = await entriesOf(site, ids.ledgerId);
  const paid = await pay(newCard());
  const posted = await entriesOf(site, ids.ledgerId);
  const captures = capturesOf(await simulator.journal());
  const { balance_cents: owed } = await db.owner
    .selectFrom('ledgers')
    .select('balance_cents')
    .where('id', '=', ids.ledgerId)
    .executeTakeFirstOrThrow();
  return [
    mustBe('answer to a declined card under testMode', declined.status, 402),
    mustBe('answer to a good one', paid.status, 200),
    mustBe('calls of the gateway for the two', (await simulator.calls()) - before, 2),
    mustBe('captures', captures.length, 1),
    mustBe('ledger entries without a capture', posted - entries - 1, 0),
    mustBe('cents owed after it', owed, OWED_CENTS - 1000),
  ];
}

async function entriesOf({ db }: Site, ledgerId: string): Promise<number> {
  const rows = await db.owner
    .selectFrom('entries')
    .select('id')
    .where('ledger_id', '=', ledgerId)
    .execute();
  return rows.length;
}
