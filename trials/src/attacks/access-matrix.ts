import { addDays } from '@gatehouse/contract/dates';
import type { Endpoint } from '@gatehouse/contract/endpoint';
import { endpoints, type EndpointName } from '@gatehouse/contract/endpoints';
import { noisePng } from '@gatehouse/server/test/photos.ts';
import { TEST_DAY } from '@gatehouse/server/test/test-day.ts';
import { queryOf, type Ids } from '../harness/site.ts';

/**
 * A place in a call where an id is: a parameter of the path, the query, or a path into the body
 * such as `payments.0.unitId`.
 */
export type Slot = { where: 'path' | 'query' | 'body'; at: string; names: IdName };
export type IdName = Exclude<keyof Ids, 'corp' | 'locationCode' | 'token' | 'year' | 'paperKind'>;

/**
 * What the matrix must know of an endpoint. `rental`: which of a record's rentals the call is
 * about, the owing one where nothing is said. `body` makes a body that the owner of the ids would
 * get 200 for. `bodyIds`: every id in it. `wrongUnit`: a unit that is not the named rental's is 422
 * (design section 6). `listWith`: a body whose list names the own id and a second one.
 * `ofPastRentals`: it also answers for the record's rentals that have ended. `own`: what its owner
 * gets in place of 200: 422 where its body needs an authenticator's signature, which is not made
 * here, and 503 for a copy that is not made yet.
 */
export type Row = {
  rental?: 'paid' | 'owing';
  body?: (ids: Ids) => object;
  bodyIds?: Record<string, IdName>;
  wrongUnit?: true;
  listWith?: (own: Ids, other: Ids) => object;
  ofPastRentals?: true;
  own?: 422 | 503;
};

const image = `data:image/png;base64,${(await noisePng(8)).toString('base64')}`;
const pdf = `data:application/pdf;base64,${Buffer.from('%PDF-1.7\n').toString('base64')}`;
const line = ({ ledgerId, unitId }: Ids) => ({ ledgerId, unitId, amount: 1.25 });
const soon = addDays(TEST_DAY, 400);

/**
 * Every endpoint of the contract that is not public. One that is missing here fails the type check.
 */
export const rows: Record<Exclude<EndpointName, Open>, Row> = {
  listAutopays: {},
  updateAutopay: {
    body: ({ cardId }) => ({ creditCard: { paymentMethodId: cardId } }),
    bodyIds: { 'creditCard.paymentMethodId': 'cardId', 'ach.paymentMethodId': 'accountId' },
  },
  stopAutopay: {},
  listCharges: {},
  listFiles: {},
  resendEsignDocuments: { body: () => ({}) },
  getSigningLink: { ofPastRentals: true },
  getSignedDocument: { own: 503, ofPastRentals: true },
  getFacility: {},
  listDiscountPlans: {},
  listGateAccess: {},
  getUnitGateAccess: {},
  listTimeZones: {},
  requestGateAccess: { body: () => ({ reason: 'I work nights.' }) },
  uploadImage: { body: () => ({ imageData: image, file: 'gate.png' }) },
  getImage: {},
  listLedgerInsuranceStatuses: {},
  listInsuranceStatuses: {},
  listInsuranceCoverages: {},
  addInsurance: {
    rental: 'paid',
    body: ({ planId, unitId }) => ({ coverageId: planId, unitId }),
    bodyIds: { coverageId: 'planId', unitId: 'unitId' },
  },
  updateInsurance: {
    body: ({ planId, unitId }) => ({ coverageId: planId, unitId }),
    bodyIds: { coverageId: 'planId', unitId: 'unitId' },
  },
  submitInsuranceProof: {
    body: () => ({
      description: 'Acme',
      policyNumber: 'P-1',
      coverageEnd: soon,
      coverageAmount: 5000,
    }),
  },
  listLedgers: {},
  createMaintenanceRequest: {
    body: ({ ledgerId, tenantId }) => ({
      ledgerId,
      tenantId,
      issueType: 'maintenance',
      issueDescription: 'It leaks.',
    }),
    bodyIds: { ledgerId: 'ledgerId', tenantId: 'tenantId' },
  },
  scheduleMoveOut: { body: () => ({ reason: 'I am leaving.' }) },
  getOverview: {},
  getReceiptPaper: {},
  getTenantReceiptPaper: { ofPastRentals: true },
  listStatements: {},
  getStatementPaper: {},
  listYearStatements: {},
  getYearStatementPaper: {},
  makePayment: {
    body: (ids) => ({ payments: [line(ids)], creditCard: { paymentMethodId: ids.cardId } }),
    bodyIds: {
      'payments.0.ledgerId': 'ledgerId',
      'payments.0.unitId': 'unitId',
      'creditCard.paymentMethodId': 'cardId',
      'ach.paymentMethodId': 'accountId',
    },
    wrongUnit: true,
    listWith: (own, other) => ({
      payments: [line(own), line(other)],
      creditCard: { paymentMethodId: own.cardId },
    }),
  },
  previewPayment: { rental: 'owing', body: () => ({ amount: 1.25 }) },
  listPayments: {},
  listPastPayments: {},
  logout: {},
  listSessions: {},
  endSession: {},
  chooseLanguage: { body: () => ({ language: 'en' }) },
  listPasskeys: {},
  passkeyOptions: {},
  addPasskey: {
    body: () => ({
      name: 'A phone',
      credential: { id: 'AAAA', response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } },
    }),
    own: 422,
  },
  renamePasskey: { body: () => ({ name: 'An old phone' }) },
  removePasskey: {},
  confirmOptions: {},
  confirmSession: {
    body: () => ({
      credential: {
        id: 'AAAA',
        response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
      },
    }),
    own: 422,
  },
  getTenant: {},
  updateTenant: {
    body: () => ({
      alternateContact: {
        firstName: 'Lee',
        lastName: 'Ng',
        email: 'lee@example.com',
        phone: '8175550100',
      },
    }),
  },
  requestTenantUpdate: {
    body: () => ({
      firstName: 'Ann',
      lastName: 'Ng',
      phone: '8175550100',
      emailAddress: 'ann@example.com',
      address1: '1 Main Street',
      city: 'Azle',
      state: 'TX',
      postal: '76020',
    }),
  },
  getCalendarFeed: {},
  createCalendarFeed: {},
  removeCalendarFeed: {},
  getReminders: {},
  changeReminders: { body: () => ({ kind: 'rent_soon', isOn: false }) },
  requestTexts: { body: ({ textConsent }) => ({ consent: textConsent }) },
  confirmTexts: { body: () => ({ code: '12345678' }) },
  stopTexts: {},
  listRequests: {},
  answerRequest: { body: () => ({ text: 'Tuesday is fine.' }) },
  getUnitContents: {},
  updateUnitContents: { body: () => ({ contents: 'boat:ABC12345D404' }) },
  updateVehicle: { body: () => ({ licensePlate: '123ABC', description: 'A boat' }) },
  saveVehicle: {
    body: ({ vehicleId }) => ({
      vehicleId,
      contents: 'boat:ABC12345D405',
      licensePlate: '124ABC',
      description: 'Another boat',
    }),
    bodyIds: { vehicleId: 'vehicleId' },
  },
  listVehiclePapers: {},
  fileVehiclePaper: {
    body: ({ vehicleId }) => ({
      kind: 'insurance',
      vehicleId,
      number: 'P-1',
      expiresOn: soon,
      fileData: pdf,
    }),
    bodyIds: { vehicleId: 'vehicleId' },
  },
  removeVehiclePaper: {
    body: ({ vehicleId }) => ({ kind: 'insurance', vehicleId }),
    bodyIds: { vehicleId: 'vehicleId' },
  },
  getVehiclePaper: {},
  removeVehicle: {
    body: ({ vehicleId }) => ({ vehicleId }),
    bodyIds: { vehicleId: 'vehicleId' },
  },
};

/** The endpoints that need no token. */
type Open =
  | 'listLocations'
  | 'register'
  | 'verify'
  | 'updatePassword'
  | 'login'
  | 'passkeySignInOptions'
  | 'signInByPasskey'
  | 'getPayLink'
  | 'payByLink'
  | 'getSigning'
  | 'getSigningPdf'
  | 'consentToSign'
  | 'signDocument'
  | 'declineDocument';

/**
 * Ids in bodies that are copies and decide nothing (safety finding 1): whose they are is not asked.
 */
export const copiedIds = ['tenantId', 'webhookData.tenantId', 'webhookData.ledgerId'];

export type GuardedName = keyof typeof rows;
export const guardedNames = (Object.keys(endpoints) as EndpointName[]).filter(
  (name): name is GuardedName => endpoints[name].access !== 'public',
);

/** What the owner of all ids of the call is answered. */
export function statusForOwner(name: GuardedName): number {
  return rows[name].own ?? 200;
}

/** Every place of an endpoint where an id is. */
export function slotsOf(name: GuardedName): Slot[] {
  const endpoint: Endpoint = endpoints[name];
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, at]) => at!).filter(isIdName);
  return [
    ...inPath.map((at): Slot => ({ where: 'path', at, names: at })),
    ...queryOf(name).map((at): Slot => ({ where: 'query', at, names: at })),
    ...Object.entries(rows[name].bodyIds ?? {}).map(([at, names]): Slot => ({
      where: 'body',
      at,
      names,
    })),
  ];
}

function isIdName(name: string): name is IdName {
  return !['corp', 'locationCode', 'year', 'paperKind'].includes(name);
}

/** The owner's own body; with the account in place of the card where the slot is about it. */
export function bodyOf(name: GuardedName, ids: Ids, slot?: Slot): object | undefined {
  const body = rows[name].body?.(ids);
  if (body === undefined || slot?.names !== 'accountId') return body;
  return { ...body, creditCard: undefined, ach: { paymentMethodId: ids.accountId } };
}

/** The body with another value at the slot. */
export function replaced(body: object, { at }: Slot, value: string): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  const steps = at.split('.');
  const last = steps.pop()!;
  let inner = copy;
  for (const step of steps) inner = inner[step] as Record<string, unknown>;
  inner[last] = value;
  return copy;
}
