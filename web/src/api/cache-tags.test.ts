import * as autopay from '@gatehouse/contract/autopay';
import * as charges from '@gatehouse/contract/charges';
import * as esign from '@gatehouse/contract/esign';
import * as facilities from '@gatehouse/contract/facilities';
import * as gateAccess from '@gatehouse/contract/gate-access';
import * as insurance from '@gatehouse/contract/insurance';
import * as ledgers from '@gatehouse/contract/ledgers';
import * as payments from '@gatehouse/contract/payments';
import * as tenants from '@gatehouse/contract/tenants';
import * as unitContents from '@gatehouse/contract/unit-contents';
import { configureStore, type ThunkAction, type UnknownAction } from '@reduxjs/toolkit';
import { beforeEach, expect, it, vi } from 'vitest';

// What a browser and the build give to the session and to `call`.
vi.hoisted(() => {
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
  vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
});

const { setUser } = await import('#session/session.ts');
const { api } = await import('./base.ts');
await Promise.all([
  import('./autopay.ts'),
  import('./charges.ts'),
  import('./esign.ts'),
  import('./facilities.ts'),
  import('./gate-access.ts'),
  import('./insurance.ts'),
  import('./ledgers.ts'),
  import('./payments.ts'),
  import('./tenants.ts'),
  import('./unit-contents.ts'),
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

const queries = {
  getFacility: undefined,
  listDiscountPlans: undefined,
  listTimeZones: undefined,
  getTenant: ID,
  listLedgers: [ID],
  listCharges: { tenantId: ID, ledgerId: ID },
  listPayments: ID,
  listAutopays: ID,
  listLedgerInsuranceStatuses: [ID],
  getUnitContents: ID,
  listFiles: ID,
  getUnitGateAccess: ID,
};
const mutations = {
  makePayment: {
    tenantId: ID,
    body: { payments: [{ ledgerId: ID, unitId: ID, amount: 214.5 }], creditCard: card },
    idempotencyKey: 'key-1',
  },
  updateAutopay: { ledgerId: ID, body: { creditCard: card } },
};

const contract = [autopay, charges, esign, facilities, gateAccess, insurance, ledgers, payments, tenants, unitContents]
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
    if (endpoint.name === refused) return Promise.resolve(Response.json({ message: 'No.' }, { status: 402 }));
    return Promise.resolve(Response.json(endpoint.example));
  });
  setUser({ token: 'token-1', tenants: [{ id: ID }], locationCode: 'TXDFW03' });
});

it.each([
  ['makePayment', ['listCharges', 'listLedgers', 'listPayments']],
  ['updateAutopay', ['listAutopays', 'listLedgers']],
] as const)('%s refetches %j and nothing else', async (mutation, refetched) => {
  const store = makeStore();
  for (const [name, arg] of Object.entries(queries)) await store.dispatch(initiate(name, arg));
  expect(asked.toSorted()).toEqual(Object.keys(queries).toSorted());

  asked = [];
  await store.dispatch(initiate(mutation, mutations[mutation]));
  await vi.waitFor(() => expect(asked.toSorted()).toEqual([mutation, ...refetched].toSorted()));
});

it.each(['makePayment', 'updateAutopay'] as const)('a refused %s refetches nothing', async (mutation) => {
  const store = makeStore();
  for (const [name, arg] of Object.entries(queries)) await store.dispatch(initiate(name, arg));
  asked = [];
  refused = mutation;
  await store.dispatch(initiate(mutation, mutations[mutation]));
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).toEqual([mutation]);
});

it('sends a payment with its key and keeps no card in the store, in flight or after', async () => {
  const store = makeStore();
  const states: string[] = [];
  store.subscribe(() => states.push(JSON.stringify(store.getState())));
  await store.dispatch(initiate('makePayment', mutations.makePayment));
  await store.dispatch(initiate('updateAutopay', mutations.updateAutopay));
  expect(asked).toEqual(['makePayment', 'updateAutopay']);
  expect(keys).toEqual(['key-1', null]);
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
