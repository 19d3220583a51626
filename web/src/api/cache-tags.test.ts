import * as autopay from '@gatehouse/contract/autopay';
import * as autopayChanges from '@gatehouse/contract/autopay-changes';
import * as charges from '@gatehouse/contract/charges';
import * as esign from '@gatehouse/contract/esign';
import * as facilities from '@gatehouse/contract/facilities';
import * as gateAccess from '@gatehouse/contract/gate-access';
import * as insurance from '@gatehouse/contract/insurance';
import * as insurancePlans from '@gatehouse/contract/insurance-plans';
import * as ledgers from '@gatehouse/contract/ledgers';
import * as moveOut from '@gatehouse/contract/move-out';
import * as papers from '@gatehouse/contract/papers';
import * as payments from '@gatehouse/contract/payments';
import * as tenants from '@gatehouse/contract/tenants';
import * as trackedRequests from '@gatehouse/contract/tracked-requests';
import * as unitContents from '@gatehouse/contract/unit-contents';
import * as vehicles from '@gatehouse/contract/vehicles';
import { configureStore, type ThunkAction, type UnknownAction } from '@reduxjs/toolkit';
import { beforeEach, expect, it, vi } from 'vitest';

// What a browser and the build give to the session and to `call`.
vi.hoisted(() => {
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
  vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
});

const { setUser } = await import('#session/session.ts');
const { api, tagTypes } = await import('./base.ts');
await Promise.all([
  import('./autopay.ts'),
  import('./autopay-changes.ts'),
  import('./charges.ts'),
  import('./esign.ts'),
  import('./facilities.ts'),
  import('./gate-access.ts'),
  import('./insurance.ts'),
  import('./insurance-plans.ts'),
  import('./ledgers.ts'),
  import('./move-out.ts'),
  import('./papers.ts'),
  import('./payments.ts'),
  import('./requests.ts'),
  import('./tenants.ts'),
  import('./unit-contents.ts'),
  import('./vehicles.ts'),
]);

const ID = '7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31';
const card: payments.PaymentParams['creditCard'] = {
  cardType: 'Visa',
  cardNumber: '4242424242424242',
  cardCvv: '987',
  expirationMonth: '04',
  expirationYear: '2028',
  name: 'Dana Reyes',
  postalCode: '76020',
};

type Group = (typeof tagTypes)[number];

/**
 * What is read, with the group of cached data that it belongs to (spec section 4); null is none.
 */
const queries: Record<string, { arg: unknown; group: Group | null }> = {
  getFacility: { arg: undefined, group: null },
  listDiscountPlans: { arg: undefined, group: null },
  listTimeZones: { arg: undefined, group: null },
  listInsuranceCoverages: { arg: undefined, group: null },
  listFiles: { arg: ID, group: null },
  getTenant: { arg: ID, group: 'TenantInformation' },
  listLedgerInsuranceStatuses: { arg: [ID], group: 'LedgerInsurance' },
  listAutopays: { arg: ID, group: 'Autopay' },
  getUnitGateAccess: { arg: ID, group: 'LedgerGateAccess' },
  listLedgers: { arg: [ID], group: 'TenantLedgers' },
  listCharges: { arg: { tenantId: ID, ledgerId: ID }, group: 'TenantCharges' },
  listPayments: { arg: ID, group: 'TenantCharges' },
  listPastPayments: { arg: ID, group: 'TenantCharges' },
  listStatements: { arg: ID, group: null },
  listRequests: { arg: ID, group: null },
  getUnitContents: { arg: ID, group: 'UnitContents' },
};

/** What each mutation is given, and the groups that it invalidates on success (spec section 4). */
const mutations: Record<string, { arg: unknown; invalidates: Group[] }> = {
  addInsurance: {
    arg: { tenantId: ID, body: { coverageId: ID, unitId: ID } },
    invalidates: ['LedgerInsurance', 'TenantLedgers'],
  },
  updateAutopay: {
    arg: { ledgerId: ID, body: { creditCard: card }, idempotencyKey: 'key-2' },
    invalidates: ['TenantLedgers', 'Autopay'],
  },
  stopAutopay: { arg: ID, invalidates: ['TenantLedgers', 'Autopay'] },
  submitInsuranceProof: {
    arg: {
      ledgerId: ID,
      body: {
        description: 'Lone Star',
        policyNumber: 'LSM-1',
        coverageEnd: '2027-01-01',
        coverageAmount: 25_000,
      },
    },
    invalidates: ['LedgerInsurance'],
  },
  scheduleMoveOut: {
    arg: { ledgerId: ID, body: {}, idempotencyKey: 'key-1' },
    invalidates: ['TenantLedgers'],
  },
  updateVehicle: {
    arg: { ledgerId: ID, body: { licensePlate: '123ABC', description: '2018 Winnebago' } },
    invalidates: ['TenantLedgers'],
  },
  makePayment: {
    arg: {
      tenantId: ID,
      body: { payments: [{ ledgerId: ID, unitId: ID, amount: 214.5 }], creditCard: card },
      idempotencyKey: 'key-1',
    },
    invalidates: ['TenantCharges', 'TenantLedgers'],
  },
  updateTenant: {
    arg: { tenantId: ID, body: { phone: { primary: '8175550142' } } },
    invalidates: ['TenantInformation'],
  },
  updateUnitContents: {
    arg: { ledgerId: ID, body: { contents: 'none:' } },
    invalidates: ['UnitContents'],
  },
  // Messages to staff change no record.
  updateInsurance: {
    arg: { tenantId: ID, body: { unitId: ID, coverageId: ID }, idempotencyKey: 'key-1' },
    invalidates: [],
  },
  requestGateAccess: {
    arg: { ledgerId: ID, body: { reason: 'Early trips' }, idempotencyKey: 'key-1' },
    invalidates: [],
  },
  requestTenantUpdate: {
    arg: { tenantId: ID, body: {}, idempotencyKey: 'key-1' },
    invalidates: [],
  },
  resendEsignDocuments: {
    arg: { ledgerId: ID, body: {}, idempotencyKey: 'key-1' },
    invalidates: [],
  },
};

// Not every group is read by a screen, so each gets a query of the test's own beside those.
api.injectEndpoints({
  endpoints: (build) =>
    Object.fromEntries(
      tagTypes.map((tag) => [
        tag,
        build.query({
          queryFn: () => {
            asked.push(tag);
            return { data: null };
          },
          providesTags: [tag],
        }),
      ]),
    ),
});

const contract = [
  autopay,
  autopayChanges,
  charges,
  esign,
  facilities,
  gateAccess,
  insurance,
  insurancePlans,
  ledgers,
  moveOut,
  papers,
  payments,
  tenants,
  trackedRequests,
  unitContents,
  vehicles,
]
  .flatMap((subject): unknown[] => Object.values(subject))
  .filter((value) => isEndpoint(value));

let asked: string[] = [];
let keys: (string | null)[] = [];
let refused: string | null = null;

function makeStore() {
  return configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (defaults) => defaults().concat(api.middleware),
  });
}

beforeEach(() => {
  asked = [];
  keys = [];
  refused = null;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const path = url.replace('/api', '').replace(/\?.*/, '');
    const endpoint = contract.find(
      ({ method, path: known }) =>
        method === init.method && new RegExp(`^${known.replace(/:\w+/g, '[^/]+')}$`).test(path),
    );
    if (!endpoint) throw new Error(`no endpoint ${init.method} ${path}`);
    asked.push(endpoint.name);
    keys.push(new Headers(init.headers).get('Idempotency-Key'));
    if (endpoint.name === refused)
      return Promise.resolve(Response.json({ message: 'No.' }, { status: 402 }));
    return Promise.resolve(Response.json(endpoint.example));
  });
  setUser({ token: 'token-1', tenants: [{ id: ID }], locationCode: 'TXDFW03' });
});

it('knows every mutation there is', () => {
  const all = Object.entries(api.endpoints).filter(
    ([, endpoint]) => 'useMutation' in (endpoint as object),
  );
  expect(all.map(([name]) => name).toSorted()).toEqual(Object.keys(mutations).toSorted());
});

it.each(Object.entries(mutations))(
  '%s refetches what it invalidates and nothing else',
  async (mutation, { arg, invalidates }) => {
    const store = await makeFilledStore();
    await store.dispatch(initiate(mutation, arg));
    const refetched = Object.keys(queries).filter((name) =>
      invalidates.some((tag) => tag === queries[name]?.group),
    );
    await new Promise((resolve) => setTimeout(resolve));
    expect(asked.toSorted()).toEqual([mutation, ...invalidates, ...refetched].toSorted());
  },
);

it.each(Object.entries(mutations))('a refused %s refetches nothing', async (mutation, { arg }) => {
  const store = await makeFilledStore();
  refused = mutation;
  await store.dispatch(initiate(mutation, arg));
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).toEqual([mutation]);
});

/** A store that has read everything there is. */
async function makeFilledStore() {
  const store = makeStore();
  for (const [name, { arg }] of Object.entries(queries)) await store.dispatch(initiate(name, arg));
  for (const tag of tagTypes) await store.dispatch(initiate(tag, undefined));
  expect(asked.toSorted()).toEqual([...Object.keys(queries), ...tagTypes].toSorted());
  asked = [];
  return store;
}

it('sends a payment with its key and keeps no card in the store, in flight or after', async () => {
  const store = makeStore();
  const states: string[] = [];
  store.subscribe(() => states.push(JSON.stringify(store.getState())));
  await store.dispatch(initiate('makePayment', mutations.makePayment?.arg));
  await store.dispatch(initiate('updateAutopay', mutations.updateAutopay?.arg));
  expect(asked).toEqual(['makePayment', 'updateAutopay']);
  expect(keys).toEqual(['key-1', 'key-2']);
  expect(states.length).toBeGreaterThan(0);
  expect(states.filter((state) => /4242424242424242|cardCvv/.test(state))).toEqual([]);
});

function initiate(name: string, arg: unknown) {
  const endpoints = api.endpoints as Record<string, { initiate: (arg: unknown) => Thunk }>;
  return endpoints[name]!.initiate(arg);
}

type Thunk = ThunkAction<
  Promise<unknown>,
  ReturnType<ReturnType<typeof makeStore>['getState']>,
  unknown,
  UnknownAction
>;
type NamedEndpoint = { name: string; method: string; path: string; example: unknown };

function isEndpoint(value: unknown): value is NamedEndpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}
