import { addDays } from '@gatehouse/contract/dates';
import { pathOf } from '@gatehouse/contract/endpoint';
import { endpoints, type EndpointName } from '@gatehouse/contract/endpoints';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { MOST_PAID } from '@gatehouse/contract/payments';
import type { InsuranceCoverage } from '@gatehouse/contract/insurance-plans';
import { beforeAll, expect, test } from 'vitest';
import { makeProtectionPlan } from '#seeds/builders.ts';
import { useTestApp, signIn, type SignedIn } from './app.ts';
import { card } from './card.ts';
import { sumOfTables } from './sum-of-tables.ts';
import { TEST_DAY } from './test-day.ts';

/** Text that is no JSON, in the place of a value. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
const raws = (...texts: string[]) => texts.map((text) => new Raw(text));

/** What is no amount of money: as JSON would have it, and as JavaScript would. */
const amounts: unknown[] = [
  ...[0, -0, -1, -0.01, 0.001, 1.005, 12.345, 1e-7, 1e15, 1e308, 99_999_999, 2 ** 53],
  ...['12', '1e2', '', ' 1', 'NaN', true, false, null, [], [12], {}, { valueOf: 1 }, [[1]]],
  ...raws('NaN', 'Infinity', '-Infinity', '1e999', '0x10', '1_000', '01', '.5'),
];
const noText: unknown[] = [0, 12, true, null, [], ['x'], {}, ''];
const noId: unknown[] = [
  ...noText,
  ...['x', '*', '%', "' OR '1'='1", '00000000-0000-0000-0000-000000000000'],
];
const noDate: unknown[] = [
  ...noText,
  ...[TEST_DAY, addDays(TEST_DAY, -1), '2026-02-30', '2026-13-01', '1/1/2030'],
  ...['2030-01-01T00:00:00Z', '99999-01-01', 'soon'],
];
/** A coverage of a hundred million or less is an amount of insurance, not money that we move. */
const coverages = amounts.filter((value) => value !== 99_999_999);
const noMonths: unknown[] = [0, -1, 1.5, 13, 1e9, '2', true, null, [1], {}];
const account = {
  accountType: 'Consumer Checking',
  accountNumber: '000123456789',
  routingNumber: '110000000',
};
const cardWith = (field: string, values: unknown[]) =>
  values.map((value) => ({ creditCard: { ...card, [field]: value } }));
const methods: object[] = [
  ...[{}, { creditCard: card, ach: account }, { creditCard: null }, { creditCard: [] }],
  ...[{ creditCard: 'saved' }, { creditCard: {} }, { ach: {} }, { ach: null }],
  { creditCard: { paymentToken: 'ctoken_1' } },
  ...noId.flatMap((paymentMethodId) => [
    { creditCard: { paymentMethodId } },
    { ach: { paymentMethodId } },
  ]),
  ...cardWith('cardNumber', [4242424242424242, '4242', '4'.repeat(17), null]),
  ...cardWith('cardCvv', [123, '12', '12345', null]),
  ...cardWith('expirationMonth', ['13', '4', 4, null]),
  ...cardWith('expirationYear', ['2001', '26', 2030, '9999', null]),
  ...['123', '1234567890', 110000000, null].map((routingNumber) => ({
    ach: { ...account, routingNumber },
  })),
  { ach: { ...account, accountNumber: 123456789 } },
  { ach: { ...account, accountType: 'Crypto' } },
];
const noBodies: unknown[] = [null, [], [[]], 'x', 7, true, {}];
const policy = {
  description: 'Acme',
  policyNumber: 'P-1',
  coverageEnd: addDays(TEST_DAY, 300),
  coverageAmount: 5000,
};

const api = useTestApp('demo_template');
let dana: SignedIn;
/** Both owe; the first has no protection plan, the second one. */
let [a101, b207]: [Ledger, Ledger] = [] as unknown as [Ledger, Ledger];
let plan: InsuranceCoverage;
/** Of another facility, and one that its own facility no longer offers. */
let otherPlans: string[];
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  const get = async <T>(path: string) =>
    (await api.call('GET', dana.prefix + path, dana)).body as T;
  [a101, b207] = await get<[Ledger, Ledger]>(`/tenants/${dana.tenantIds[0]}/ledgers`);
  [plan] = await get<[InsuranceCoverage]>('/insurance-coverages');
  // What a facility may offer is offered, so that nothing is refused only for that.
  const rows = await api.owner
    .updateTable('facilities')
    .set({ part_payments: true, pay_ahead: true })
    .returning(['id', 'location_code'])
    .execute();
  const idOf = (code: string) => rows.find((row) => row.location_code === code)!.id;
  otherPlans = [
    await makeProtectionPlan(api.owner, { facility_id: idOf('AZPHX01') }),
    await makeProtectionPlan(api.owner, {
      facility_id: idOf('TXDFW03'),
      premium_cents: 0,
      ended_on: '2026-01-31',
    }),
  ];
});

type Hostile = { of: EndpointName; ledger: Ledger; body: unknown };
const withEach = (
  of: EndpointName,
  values: unknown[],
  make: (value: unknown) => unknown,
  ledger = a101,
): Hostile[] => values.map((value) => ({ of, ledger, body: make(value) }));
const line = (change: object = {}) => ({
  ledgerId: a101.id,
  unitId: a101.unitId,
  amount: 1,
  ...change,
});
const pay = (change: object, method: object = { creditCard: card }) => ({
  payments: [line(change)],
  ...method,
});

/** The tries of each call that moves money or sets a price. */
const tries: Record<string, () => Hostile[]> = {
  'amounts and months': () => [
    ...withEach('makePayment', [...amounts, a101.balance + 0.01, a101.balance * 2], (amount) =>
      pay({ amount }),
    ),
    ...withEach('makePayment', [...noMonths, 1, 12], (prepayMonths) => ({
      prepayMonths,
      ...pay({ amount: a101.balance * 2 }),
    })),
    ...withEach('previewPayment', noMonths, (prepayMonths) => ({ prepayMonths })),
    ...withEach('previewPayment', [...amounts, a101.balance + 0.01], (amount) => ({ amount })),
  ],
  'what is paid': () => [
    ...withEach('makePayment', noId, (ledgerId) => pay({ ledgerId })),
    ...withEach('makePayment', noId, (unitId) => pay({ unitId })),
    ...withEach(
      'makePayment',
      [
        ...[[], line(), [line(), line()], undefined],
        [line(), { ledgerId: b207.id, unitId: b207.unitId, amount: 0.01 }],
        Array.from({ length: MOST_PAID + 1 }, () => line()),
      ],
      (payments) => ({ payments, creditCard: card }),
    ),
  ],
  'ways to pay': () => [
    ...withEach('makePayment', methods, (method) => pay({}, method as object)),
    ...withEach('updateAutopay', methods, (method) => method),
  ],
  'protection plans': () => [
    ...withEach('addInsurance', [...noId, ...otherPlans], (coverageId) => ({
      coverageId,
      unitId: a101.unitId,
    })),
    ...withEach('addInsurance', noId, (unitId) => ({ coverageId: plan.id, unitId })),
    ...withEach(
      'updateInsurance',
      [...noId, ...otherPlans],
      (coverageId) => ({ coverageId, unitId: b207.unitId }),
      b207,
    ),
    ...withEach('updateInsurance', noId, (unitId) => ({ coverageId: plan.id, unitId }), b207),
  ],
  'private policies': () => {
    const ofUnit = { ...policy, unitId: b207.unitId };
    return [
      ...withEach('updateInsurance', noDate, (coverageEnd) => ({ ...ofUnit, coverageEnd })),
      ...withEach('updateInsurance', coverages, (coverageAmount) => ({
        ...ofUnit,
        coverageAmount,
      })),
      ...withEach('submitInsuranceProof', noDate, (coverageEnd) => ({ ...policy, coverageEnd })),
      ...withEach('submitInsuranceProof', coverages, (coverageAmount) => ({
        ...policy,
        coverageAmount,
      })),
      ...withEach('submitInsuranceProof', noText, (policyNumber) => ({ ...policy, policyNumber })),
    ];
  },
  'bodies that are none': () => [
    ...(
      [
        ...['makePayment', 'updateAutopay', 'addInsurance'],
        ...['updateInsurance', 'submitInsuranceProof'],
      ] as EndpointName[]
    ).flatMap((of) => withEach(of, noBodies, (body) => body)),
    ...withEach('stopAutopay', raws('{', '"', 'null null', '[1', '\u0000'), (body) => body),
  ],
};

/** The body as it goes out, with what is no JSON in its place. */
function textOf(body: unknown): string {
  const odd: Raw[] = [];
  const text = JSON.stringify(body, (_key, value: unknown) => {
    if (!(value instanceof Raw)) return value;
    odd.push(value);
    return `raw ${odd.length - 1}`;
  });
  return text.replace(/"raw (\d+)"/g, (_, index: string) => odd[Number(index)]!.text);
}

test.each(Object.keys(tries))(
  '%s: each hostile value is refused, nothing is written and the gateway is not asked',
  async (which) => {
    const before = await sumOfTables(api.owner, 'audit_events');
    for (const { of, ledger, body } of tries[which]!()) {
      const ids = { corp: 'ANCHOR', locationCode: 'TXDFW03', tenantId: dana.tenantIds[0]! };
      const payload = textOf(body);
      const { statusCode } = await api.app.inject({
        method: 'POST',
        url: `/api${pathOf(endpoints[of].path, { ...ids, ledgerId: ledger.id })}`,
        headers: { authorization: `Bearer ${dana.token}`, 'content-type': 'application/json' },
        payload,
      });
      expect([of, payload.slice(0, 300), Math.floor(statusCode / 100)]).toEqual([
        of,
        payload.slice(0, 300),
        4,
      ]);
    }
    expect(await sumOfTables(api.owner, 'audit_events')).toEqual(before);
  },
);

test('are 360 or more', () => {
  expect(Object.values(tries).flatMap((make) => make()).length).toBeGreaterThan(360);
});
