import * as accountLanguage from '@gatehouse/contract/account-language';
import * as autopay from '@gatehouse/contract/autopay';
import * as autopayChanges from '@gatehouse/contract/autopay-changes';
import * as calendarFeed from '@gatehouse/contract/calendar-feed';
import * as charges from '@gatehouse/contract/charges';
import * as esign from '@gatehouse/contract/esign';
import * as facilities from '@gatehouse/contract/facilities';
import * as gateAccess from '@gatehouse/contract/gate-access';
import * as insurance from '@gatehouse/contract/insurance';
import * as insurancePlans from '@gatehouse/contract/insurance-plans';
import * as ledgers from '@gatehouse/contract/ledgers';
import * as moveOut from '@gatehouse/contract/move-out';
import * as papers from '@gatehouse/contract/papers';
import * as paymentPreview from '@gatehouse/contract/payment-preview';
import * as passkeys from '@gatehouse/contract/passkeys';
import * as payments from '@gatehouse/contract/payments';
import * as reminders from '@gatehouse/contract/reminders';
import * as textMessages from '@gatehouse/contract/text-messages';
import * as sessions from '@gatehouse/contract/sessions';
import * as tenants from '@gatehouse/contract/tenants';
import * as trackedRequests from '@gatehouse/contract/tracked-requests';
import * as unitContents from '@gatehouse/contract/unit-contents';
import * as vehiclePapers from '@gatehouse/contract/vehicle-papers';
import * as vehicles from '@gatehouse/contract/vehicles';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';

// What a browser and the build give to the session and to `call`.
vi.hoisted(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
  vi.stubGlobal('__CORPORATION_CODE__', 'ANCHOR');
});

// A phone whose user opens its screen lock.
vi.mock('@simplewebauthn/browser', () => ({
  startAuthentication: () => Promise.resolve({ id: 'AAAA', response: {} }),
  WebAuthnError: class extends Error {},
}));

const { setUser } = await import('#session/session.ts');
const { cacheGroups, change, createCache, optionsOf, query } = await import('./base.ts');
type CacheGroup = (typeof cacheGroups)[number];
type Query = Parameters<typeof optionsOf<unknown, unknown>>[0];
type Mutation = Parameters<typeof change<unknown, unknown>>[1];

/** The calls that the subject files declare, by their names. */
const calls: Record<string, Query | Mutation> = Object.assign(
  {},
  ...[
    await import('./autopay.ts'),
    await import('./autopay-changes.ts'),
    await import('./calendar-feed.ts'),
    await import('./reminders.ts'),
    await import('./charges.ts'),
    await import('./esign.ts'),
    await import('./facilities.ts'),
    await import('./gate-access.ts'),
    await import('./insurance.ts'),
    await import('./insurance-plans.ts'),
    await import('./ledgers.ts'),
    await import('./move-out.ts'),
    await import('./papers.ts'),
    await import('./passkeys.ts'),
    await import('./payments.ts'),
    await import('./requests.ts'),
    await import('./tenants.ts'),
    await import('./tenant-changes.ts'),
    await import('./unit-contents.ts'),
    await import('./vehicle-papers.ts'),
    await import('./vehicles.ts'),
  ].flatMap((subject) =>
    Object.values<unknown>(subject).filter((value) => typeof value === 'object'),
  ),
);

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

/** What is read, with the group of cached data that it belongs to; null is none. */
const queries: Record<string, { arg: unknown; group: CacheGroup | null }> = {
  getFacility: { arg: undefined, group: null },
  listDiscountPlans: { arg: undefined, group: null },
  listInsuranceCoverages: { arg: undefined, group: null },
  listFiles: { arg: ID, group: null },
  getTenant: { arg: ID, group: 'TenantInformation' },
  listLedgerInsuranceStatuses: { arg: [ID], group: 'LedgerInsurance' },
  listAutopays: { arg: ID, group: 'Autopay' },
  getUnitGateAccess: { arg: ID, group: 'LedgerGateAccess' },
  listLedgers: { arg: [ID], group: 'TenantLedgers' },
  listCharges: { arg: { tenantId: ID, ledgerId: ID }, group: 'TenantCharges' },
  listPayments: { arg: ID, group: 'TenantCharges' },
  previewPayment: { arg: { ledgerId: ID, prepayMonths: 1 }, group: 'TenantLedgers' },
  listPastPayments: { arg: ID, group: 'TenantCharges' },
  listStatements: { arg: ID, group: null },
  listYearStatements: { arg: ID, group: null },
  getCalendarFeed: { arg: ID, group: null },
  getReminders: { arg: ID, group: null },
  listPasskeys: { arg: 'all', group: null },
  listSessions: { arg: 'all', group: null },
  listVehiclePapers: { arg: ID, group: null },
  listRequests: { arg: ID, group: null },
  getUnitContents: { arg: ID, group: 'UnitContents' },
};

/** Reads of several records by calls of one, which are asked for by those. */
const severalRecords = ['listTenants', 'listRequestsOfRecords'];

/** What each mutation is given, and the groups that it invalidates on success. */
const mutations: Record<string, { arg: unknown; invalidates: CacheGroup[] }> = {
  addInsurance: {
    arg: { tenantId: ID, body: { coverageId: ID, unitId: ID } },
    invalidates: ['LedgerInsurance', 'TenantLedgers'],
  },
  updateAutopay: {
    arg: { ledgerId: ID, body: { creditCard: card }, idempotencyKey: 'key-2' },
    invalidates: ['TenantLedgers', 'Autopay'],
  },
  stopAutopay: { arg: ID, invalidates: ['TenantLedgers', 'Autopay'] },
  createCalendarFeed: { arg: ID, invalidates: [] },
  changeReminders: { arg: { tenantId: ID, kind: 'rent_soon', isOn: false }, invalidates: [] },
  requestTexts: { arg: { tenantId: ID, consent: 'I agree.' }, invalidates: [] },
  confirmTexts: { arg: { tenantId: ID, code: '12345678' }, invalidates: [] },
  stopTexts: { arg: ID, invalidates: [] },
  removeCalendarFeed: { arg: ID, invalidates: [] },
  passkeyOptions: { arg: 'new', invalidates: [] },
  addPasskey: {
    arg: {
      name: 'A phone',
      credential: { id: 'AAAA', response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } },
    },
    invalidates: [],
  },
  renamePasskey: { arg: { passkeyId: ID, name: 'An old phone' }, invalidates: [] },
  removePasskey: { arg: ID, invalidates: [] },
  endSession: { arg: 'AAAA', invalidates: [] },
  chooseLanguage: { arg: 'es', invalidates: [] },
  removeVehiclePaper: {
    arg: { tenantId: ID, ledgerId: ID, kind: 'insurance' },
    invalidates: [],
  },
  saveVehicle: {
    arg: {
      tenantId: ID,
      ledgerId: ID,
      body: { contents: 'boat:1', licensePlate: '123ABC', description: 'A boat' },
    },
    invalidates: ['TenantLedgers', 'UnitContents'],
  },
  removeVehicle: {
    arg: { tenantId: ID, ledgerId: ID, vehicleId: ID },
    invalidates: ['TenantLedgers', 'UnitContents'],
  },
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
  answerRequest: {
    arg: { tenantId: ID, requestId: ID, body: { text: 'Yes.' }, idempotencyKey: 'key-1' },
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

const contract = [
  accountLanguage,
  autopay,
  autopayChanges,
  calendarFeed,
  charges,
  esign,
  facilities,
  gateAccess,
  insurance,
  insurancePlans,
  ledgers,
  moveOut,
  papers,
  paymentPreview,
  passkeys,
  payments,
  reminders,
  textMessages,
  sessions,
  tenants,
  trackedRequests,
  unitContents,
  vehiclePapers,
  vehicles,
]
  .flatMap((subject): unknown[] => Object.values(subject))
  .filter((value) => isEndpoint(value));

let asked: string[] = [];
let keys: (string | null)[] = [];
let refused: string | null = null;
let status = 402;
/** Whether the server asks for the passkey before it does what is refused. */
let isStepUp = false;

beforeEach(() => {
  asked = [];
  keys = [];
  refused = null;
  status = 402;
  isStepUp = false;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const path = url.replace('/api', '').replace(/\?.*/, '');
    const endpoint = contract.find(
      ({ method, path: known }) =>
        method === init.method && new RegExp(`^${known.replace(/:\w+/g, '[^/]+')}$`).test(path),
    );
    if (!endpoint) throw new Error(`no endpoint ${init.method} ${path}`);
    asked.push(endpoint.name);
    keys.push(new Headers(init.headers).get('Idempotency-Key'));
    if (endpoint.name === 'confirmSession' && isStepUp) refused = null;
    if (endpoint.name === refused) {
      const headers = { ...(isStepUp && { 'Gatehouse-Step-Up': 'confirm' }) };
      return Promise.resolve(Response.json({ message: 'No.' }, { status, headers }));
    }
    return Promise.resolve(Response.json(endpoint.example));
  });
  setUser({ token: 'token-1', tenants: [{ id: ID }], locationCode: 'TXDFW03' });
});

it('knows every call there is, by one name each', () => {
  const namesOf = (part: string) =>
    Object.entries(calls)
      .filter(([, call]) => part in call)
      .map(([name]) => name)
      .toSorted();
  expect(namesOf('invalidates')).toEqual(Object.keys(mutations).toSorted());
  const read = namesOf('group').filter((name) => !severalRecords.includes(name));
  expect(read).toEqual(Object.keys(queries).toSorted());
  expect(namesOf('group').map((name) => (calls[name] as Query).name)).toEqual(namesOf('group'));
});

// spec 4.55, 4.56, 4.57, 4.58, 4.59, 4.60, 4.61, 4.62, 7.39, 7.69
it.each(Object.entries(mutations))(
  '%s refetches what it invalidates and nothing else',
  async (mutation, { arg, invalidates }) => {
    const cache = await makeFilledCache();
    await change(cache, calls[mutation] as Mutation, arg);
    const refetched = Object.keys(queries).filter((name) =>
      invalidates.some((group) => group === queries[name]?.group),
    );
    await settled(cache);
    expect(asked.toSorted()).toEqual([mutation, ...invalidates, ...refetched].toSorted());
  },
);

// spec 7.69
it.each(Object.entries(mutations))('a refused %s refetches nothing', async (mutation, { arg }) => {
  const cache = await makeFilledCache();
  refused = mutation;
  await expect(change(cache, calls[mutation] as Mutation, arg)).rejects.toThrow('No.');
  await settled(cache);
  expect(asked).toEqual([mutation]);
});

const confirmed = contract.filter(({ confirm }) => confirm).map(({ name }) => name);

// spec 10.41
it.each(confirmed)(
  '%s, refused until a passkey confirms, asks for it and is sent once more with its key',
  async (name) => {
    [refused, status, isStepUp] = [name, 403, true];
    const { arg } = mutations[name]!;
    await change(createCache(), calls[name] as Mutation, arg);
    expect(asked).toEqual([name, 'confirmOptions', 'confirmSession', name]);
    expect(keys[3]).toBe(keys[0]);
  },
);

it.each(confirmed)('%s is refused where the passkey does not confirm', async (name) => {
  [refused, status] = ['confirmSession', 422];
  const send = fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    url.includes('confirm') ? send(url, init) : Promise.resolve(asksForPasskey()),
  );
  const { arg } = mutations[name]!;
  await expect(change(createCache(), calls[name] as Mutation, arg)).rejects.toMatchObject({
    status: 403,
    message: 'No.',
  });
  expect(asked).toEqual(['confirmOptions', 'confirmSession']);
});

it('asks for the passkey once for a call, whatever the server answers then', async () => {
  const send = fetch;
  let sent = 0;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (url.includes('confirm')) return send(url, init);
    sent += 1;
    return Promise.resolve(asksForPasskey());
  });
  const { arg } = mutations['makePayment']!;
  const paying = change(createCache(), calls['makePayment'] as Mutation, arg);
  await expect(paying).rejects.toMatchObject({ status: 403 });
  expect([sent, asked]).toEqual([2, ['confirmOptions', 'confirmSession']]);
});

it.each(confirmed)('%s is not sent for an account that signs in while it waits', async (name) => {
  const send = fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const answer = url.includes('confirm') ? send(url, init) : Promise.resolve(asksForPasskey());
    setUser({ token: 'rvt_2', tenants: [{ id: ID }], locationCode: 'TXDFW03' });
    return answer;
  });
  const { arg } = mutations[name]!;
  await expect(change(createCache(), calls[name] as Mutation, arg)).rejects.toMatchObject({
    message: 'Please sign in again.',
  });
  expect(asked).toEqual([]);
});

function asksForPasskey(): Response {
  const headers = { 'Gatehouse-Step-Up': 'confirm' };
  return Response.json({ message: 'Please confirm.' }, { status: 403, headers });
}

it('reads a record again whose update met another one', async () => {
  const cache = await makeFilledCache();
  refused = 'updateTenant';
  status = 409;
  const { arg } = mutations['updateTenant']!;
  await expect(change(cache, calls['updateTenant'] as Mutation, arg)).rejects.toThrow('No.');
  await settled(cache);
  expect(asked.toSorted()).toEqual(['TenantInformation', 'getTenant', 'updateTenant']);
});

it('drops what is invalidated while nothing shows it', async () => {
  const cache = createCache();
  const { queryKey, queryFn } = optionsOf(calls['listLedgers'] as Query, [ID]);
  await cache.query({ queryKey, queryFn });
  await change(cache, calls['makePayment'] as Mutation, mutations['makePayment']!.arg);
  expect(cache.getQueryData(queryKey)).toBeUndefined();
  expect(asked).toEqual(['listLedgers', 'makePayment']);
});

/** A cache that has read everything there is, and shows it. */
async function makeFilledCache() {
  const cache = createCache();
  // Not every group is read by a screen, so each gets a query of the test's own besides those.
  const ofGroups = cacheGroups.map((group) =>
    query({ name: group, group, send: () => Promise.resolve(asked.push(group)) }),
  );
  for (const [name, { arg, group }] of Object.entries(queries)) {
    expect((calls[name] as Query).group).toBe(group);
    new QueryObserver(cache, optionsOf(calls[name] as Query, arg)).subscribe(() => {});
  }
  for (const one of ofGroups)
    new QueryObserver(cache, optionsOf(one, undefined)).subscribe(() => {});
  await settled(cache);
  expect(asked.toSorted()).toEqual([...Object.keys(queries), ...cacheGroups].toSorted());
  asked = [];
  return cache;
}

/** Waits until nothing is being read. */
async function settled(cache: QueryClient) {
  await vi.waitUntil(() => cache.isFetching() === 0);
}

it('sends a payment with its key and keeps no card in the cache, in flight or after', async () => {
  const cache = createCache();
  const holds = () =>
    [
      ...cache.getMutationCache().getAll(),
      ...cache
        .getQueryCache()
        .getAll()
        .map(({ queryKey, state }) => ({ queryKey, state })),
    ].map((one) => JSON.stringify(one));
  const paying = change(cache, calls['makePayment'] as Mutation, mutations['makePayment']!.arg);
  const saving = change(cache, calls['updateAutopay'] as Mutation, mutations['updateAutopay']!.arg);
  expect(holds()).toEqual([]);
  await Promise.all([paying, saving]);
  expect(asked).toEqual(['makePayment', 'updateAutopay']);
  expect(keys).toEqual(['key-1', 'key-2']);
  expect(holds()).toEqual([]);
});

type NamedEndpoint = {
  name: string;
  method: string;
  path: string;
  example: unknown;
  confirm?: true;
};

function isEndpoint(value: unknown): value is NamedEndpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}
