import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { Endpoint } from '@gatehouse/contract/endpoint';
import { pathOf } from '@gatehouse/contract/endpoint';
import { endpoints as listed } from '@gatehouse/contract/endpoints';
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { safeParse } from 'zod/v4/core';
import { makeRepliedRequest } from './replied-request.ts';
import { testClock } from '#test/test-day.ts';
import { useTestApp, signIn, type SignedIn } from './app.ts';
import { card } from './card.ts';
import { sealDocument } from '#features/service/esign/signed-copy.ts';
import { callOffice, doVerb, signInStaff } from './office.ts';
import { asDataUrl, pdfForm } from '#test/pdf-forms.ts';
import { getRow } from './rows.ts';

const folder = new URL('../../contract/src/', import.meta.url);

/** Every endpoint value that the contract exports. */
async function allEndpoints(): Promise<Endpoint[]> {
  const modules = await Promise.all(
    (await readdir(folder))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => import(new URL(file, folder).href) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((module) => Object.values(module)).filter(isEndpoint);
}

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' &&
    value !== null &&
    'method' in value &&
    'path' in value &&
    'reply' in value
  );
}

/**
 * The fields of each payload bundle of section 7 of the spec, by call; move-out and images as in
 * section 6 of the design.
 */
const bodies: Record<string, string> = {
  register: 'email locationCode corporationCode',
  verify: 'token code corporationCode',
  updatePassword: 'token password corporationCode',
  login: 'username password locationCode corporationCode',
  createMaintenanceRequest:
    'ledgerId issueType issueDescription file imageData facilityName formType unitName tenantId firstName lastName emailAddress',
  addInsurance: 'coverageId unitId coverageStartDate',
  updateInsurance:
    'formType unitName unitId firstName lastName emailAddress phone coverageAmount coveragePremium coverageId coverageStartDate description policyNumber coverageEnd coverageStart',
  updateAutopay:
    'creditCard.expirationMonth creditCard.expirationYear creditCard.cardCvv ach switchingFromCcToAch webhookData',
  submitInsuranceProof: 'description policyNumber coverageEnd coverageAmount coverageStart',
  requestGateAccess:
    'emailAddress facilityName firstName lastName formType reason tenantId unitName',
  resendEsignDocuments: 'emailAddress facilityName firstName lastName tenantId unitName formType',
  scheduleMoveOut: 'date reason',
  fileVehiclePaper: 'kind vehicleId number expiresOn fileData file',
  removeVehiclePaper: 'kind vehicleId',
  saveVehicle: 'vehicleId contents licensePlate description',
  removeVehicle: 'vehicleId',
  updateVehicle: 'licensePlate description type contents',
  updateUnitContents: 'contents',
  uploadImage: 'imageData file',
  makePayment:
    'payments.ledgerId payments.unitId payments.amount prepayMonths creditCard.cardCvv ach switchingFromCcToAch testMode webhookData',
  previewPayment: 'amount prepayMonths',
  payByLink: 'amount creditCard.cardCvv ach',
  updateTenant:
    'driversLicenseNumber driversLicenseState phone.primary alternateContact.firstName alternateContact.lastName alternateContact.phone alternateContact.email',
  answerRequest: 'text',
  consentToSign: 'agreed',
  signDocument: 'name drawing places',
  declineDocument: 'reason',
  changeReminders: 'kind isOn',
  chooseLanguage: 'language',
  requestTexts: 'consent',
  confirmTexts: 'code',
  addPasskey: 'name credential.id credential.response.clientDataJSON',
  renamePasskey: 'name',
  signInByPasskey:
    'credential.id credential.response.signature credential.response.userHandle proofKey device keep',
  confirmSession: 'credential.id credential.response.signature credential.response.userHandle',
  requestTenantUpdate:
    'firstName lastName phone emailAddress address1 address2 city state postal formType',
};

/** The fields of each entity of the specification by a call that answers it. */
const entities: Record<string, string> = {
  getFacility:
    'name locationCode phone email address.street1 address.street2 address.city address.region address.postalCode',
  listLedgers:
    'id tenantId unitId unitName unit.width unit.length unit.typeName rentalRate balance charges.id paidThrough scheduledRateChange scheduledRateChangeEffectiveDate discountPlanId daysPastDue timeZoneId vehicle.licensePlate vehicle.description',
  listCharges: 'id description balance discount tax1 tax2',
  listDiscountPlans: 'id name',
  getTenant:
    'firstName lastName email phone.primary address.street1 address.street2 address.city address.region address.postalCode driversLicenseNumber driversLicenseState alternateContact.firstName alternateContact.lastName alternateContact.email alternateContact.phone',
  listAutopays:
    'ledgerId active type ach.accountType ach.accountNumber ach.routingNumber creditCard.cardType creditCard.cardNumber creditCard.expirationDate creditCard.name creditCard.streetAddress creditCard.postalCode',
  listLedgerInsuranceStatuses:
    'ledgerId activeInsurance privateInsurance coverage premium policyNumber coverageId',
  listInsuranceCoverages: 'id description coverage premium',
  listFiles: 'formId formName envelopeStatus envelopeStatusId ledgerId',
  getUnitContents: 'contents',
  getUnitGateAccess: 'accessCode timeZone',
  listPayments: 'date paymentTypeDescription amount receiptNumber',
};

const endpoints = await allEndpoints();
const reads = endpoints.filter(({ method }) => method === 'GET');

const api = useTestApp('demo_template');
let dana: SignedIn;
let params: Record<string, string>;

beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  const tenantId = dana.tenantIds[0]!;
  const { body } = await api.call('GET', `${dana.prefix}/tenants/${tenantId}/ledgers`, dana);
  const ledgers = body as { id: string; unitId: string }[];
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'navy' } })
    .png()
    .toBuffer();
  const image = await api.call('POST', `${dana.prefix}/tenants/${tenantId}/images`, {
    token: dana.token,
    body: { imageData: `data:image/png;base64,${png.toString('base64')}`, file: 'gate.png' },
  });
  const paid = await findPaid(ledgers.map(({ id }) => id));
  params = {
    imageId: image.body.id,
    requestId: await repliedRequest(tenantId),
    passkeyId: randomUUID(),
    sessionId: 'A'.repeat(22),
    ...(await findStatementOf(tenantId)),
    receiptNumber: paid.receiptNumber,
    year: paid.paidOn.slice(0, 4),
    paperKind: 'registration',
    corp: 'ANCHOR',
    locationCode: 'TXDFW03',
    tenantId,
    tenantIds: dana.tenantIds.join(','),
    ledgerId: paid.id,
    ledgerIds: ledgers.map(({ id }) => id).join(','),
    unitId: ledgers.find(({ id }) => id === paid.id)!.unitId,
    token: await payLinkToken(tenantId),
    ...(await signedDocument(tenantId)),
  };
  const filed = await api.call(
    'POST',
    `${dana.prefix}/tenants/${tenantId}/ledgers/${paid.id}/vehicle-papers`,
    {
      token: dana.token,
      body: {
        kind: 'registration',
        number: 'TX-88120042',
        expiresOn: `${testClock.now().getUTCFullYear() + 1}-01-31`,
        fileData: `data:application/pdf;base64,${Buffer.from('%PDF-1.7\n').toString('base64')}`,
      },
    },
  );
  expect(filed.status).toBe(200);
  params['pdfToken'] = await readPdfDocument(tenantId);
});

/** One of the rentals that has a payment, and the payment's receipt. */
function findPaid(ledgerIds: string[]) {
  return api.owner
    .selectFrom('payments')
    .innerJoin('entries', 'entries.id', 'payments.entry_id')
    .select(['payments.ledger_id as id', 'receipt_number as receiptNumber', 'posted_on as paidOn'])
    .where('payments.ledger_id', 'in', ledgerIds)
    .orderBy('payments.ledger_id')
    .executeTakeFirstOrThrow();
}

async function repliedRequest(tenantId: string): Promise<string> {
  const { facility_id } = await getRow(api.owner, 'tenants', 'facility_id', { id: tenantId });
  return makeRepliedRequest(api.owner, {
    facility_id,
    tenant_id: tenantId,
    created_at: testClock.now(),
  });
}

/** The token of a new pay link for what one of the rentals owes. */
async function payLinkToken(tenantId: string): Promise<string> {
  const { id: ledgerId } = await api.owner
    .selectFrom('ledgers')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('balance_cents', '>', 0)
    .executeTakeFirstOrThrow();
  const answer = await doVerb(api, await signInStaff(api, 'clerk'), 'pay-links/create', {
    ledgerId,
    why: 'Asked for',
  });
  return (answer.body.url as string).split('/pay/')[1]!;
}

/** The document of the demo that waits for a signature, signed, and the token of its link. */
async function signedDocument(tenantId: string) {
  const { id: documentId } = await api.owner
    .selectFrom('esign_documents')
    .select('id')
    .where('form_id', 'is not', null)
    .executeTakeFirstOrThrow();
  const path = `${dana.prefix}/tenants/${tenantId}/documents/${documentId}/link`;
  const link = await api.call('GET', path, dana);
  const signingToken: string = link.body.token;
  const send = (step: string, body: object) =>
    api.call('POST', `/signings/${signingToken}/${step}`, { body });
  await send('consent', { agreed: true });
  await send('signature', { name: 'Dana Reyes', drawing: null, places: [2, 5] });
  await sealDocument(api.ctx, documentId);
  return { documentId, signingToken };
}

/** The token of a document that is a PDF, which is being read. */
async function readPdfDocument(tenantId: string): Promise<string> {
  const as = await signInStaff(api, 'manager');
  const verb = (name: string, body: object) =>
    callOffice(api, 'POST', `/office/verbs/${name}`, {
      as,
      body: { ...body, key: randomUUID(), why: '', isPreview: false },
    });
  const pdf = asDataUrl(await pdfForm([{ name: 'signature', y: 100 }]));
  const form = await verb('forms/add', { name: 'Rules', pdf, locationCode: 'TXDFW03' });
  const { formId } = form.body;
  const { documentId } = (await verb('documents/send', { ledgerId: params['ledgerId'], formId }))
    .body;
  const path = `${dana.prefix}/tenants/${tenantId}/documents/${documentId}/link`;
  const { token } = (await api.call('GET', path, dana)).body;
  await api.call('POST', `/signings/${token}/consent`, { body: { agreed: true } });
  return token as string;
}

function findStatementOf(tenantId: string) {
  return api.owner
    .selectFrom('statements')
    .select('number')
    .where('tenant_id', '=', tenantId)
    .orderBy('month', 'desc')
    .executeTakeFirstOrThrow();
}

function urlOf(endpoint: Endpoint, given = params): string {
  return pathOf(
    endpoint.path,
    endpoint.path.startsWith('/signings/')
      ? { token: (endpoint.path.endsWith('/pdf') ? given.pdfToken : given.signingToken)! }
      : given,
    endpoint.query === undefined ? {} : { ledgerId: given.ledgerId! },
  );
}

type JsonSchema = {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
};
type Content = { content: { 'application/json': { schema: JsonSchema } } };
type Operation = { operationId: string; requestBody?: Content; responses: { 200: Content } };

async function openApiOperations(): Promise<Operation[]> {
  const { paths } = (await api.app.inject({ url: '/openapi.json' })).json<{
    paths: Record<string, Record<string, Operation>>;
  }>();
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** The fields of a value, those of nested objects and lists as `unit.width`. */
function fieldsOf({ properties = {}, items = {}, anyOf = [] }: JsonSchema): string[] {
  if (anyOf.length > 0) return anyOf.flatMap(fieldsOf);
  return Object.entries({ ...properties, ...items.properties }).flatMap(([name, value]) => [
    name,
    ...fieldsOf(value).map((inner) => `${name}.${inner}`),
  ]);
}

describe('every endpoint of the contract', () => {
  test('has a name of its own and an example of its reply', () => {
    expect(new Set(endpoints.map(({ name }) => name)).size).toBe(endpoints.length);
    for (const { name, reply, example } of endpoints)
      expect(safeParse(reply, example).success, name).toBe(true);
  });

  test('is in the list of them all', () => {
    expect(
      Object.values(listed)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(endpoints.map(({ name }) => name).toSorted());
  });

  test('is shed under load as a usual call, or is one of these', () => {
    const named = Object.groupBy(endpoints, ({ urgency = 'usual' }) => urgency);
    const namesOf = (urgency: keyof typeof named) =>
      (named[urgency] ?? []).map(({ name }) => name).toSorted();
    expect(namesOf('photo')).toEqual([
      'createMaintenanceRequest',
      'fileVehiclePaper',
      'getImage',
      'getVehiclePaper',
      'uploadImage',
    ]);
    expect(namesOf('sign-in')).toEqual([
      'addPasskey',
      'confirmOptions',
      'confirmSession',
      'endSession',
      'listLocations',
      'login',
      'logout',
      'passkeyOptions',
      'passkeySignInOptions',
      'register',
      'signInByPasskey',
      'updatePassword',
      'verify',
    ]);
    expect(namesOf('payment')).toEqual([
      'makePayment',
      'payByLink',
      'stopAutopay',
      'updateAutopay',
    ]);
  });

  // spec 10.41
  test('needs a passkey in a kept session where it pays or agrees to a cost, ends a rental, signs a document, asks for the gate at night, removes a vehicle or paper, or changes who is reached or signs in, and nowhere else (decision 65)', async () => {
    const marked = endpoints.filter(({ confirm }) => confirm).map(({ name }) => name);
    expect(marked.toSorted()).toEqual([
      'addInsurance',
      'addPasskey',
      'confirmTexts',
      'createCalendarFeed',
      'getSigningLink',
      'makePayment',
      'passkeyOptions',
      'removePasskey',
      'removeVehicle',
      'removeVehiclePaper',
      'renamePasskey',
      'requestGateAccess',
      'requestTenantUpdate',
      'requestTexts',
      'scheduleMoveOut',
      'submitInsuranceProof',
      'updateAutopay',
      'updateInsurance',
      'updateTenant',
    ]);
    // What takes one of these fields is among them, or takes no session, or is the confirmation.
    const decisive =
      /^(payments|creditCard|ach|alternateContact|address1|driversLicense|credential)/;
    const open = ['payByLink', 'signInByPasskey', 'confirmSession'];
    const deciding = (await openApiOperations()).filter(({ requestBody }) =>
      fieldsOf(requestBody?.content['application/json'].schema ?? {}).some((field) =>
        decisive.test(field),
      ),
    );
    expect(deciding.length).toBeGreaterThan(6);
    for (const { operationId } of deciding)
      expect([...marked, ...open], operationId).toContain(operationId);
  });

  test('shows its example in the OpenAPI document', async () => {
    const document = (await api.app.inject({ url: '/openapi.json' })).body;
    for (const { name, example } of endpoints)
      expect(document, name).toContain(JSON.stringify(example));
  });

  test('is in the OpenAPI document under its name', async () => {
    const served = (await openApiOperations()).map(({ operationId }) => operationId);
    expect(served.toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted());
  });

  // spec 3.48
  test('that takes a body has its fields of the specification in the OpenAPI document', async () => {
    const served = (await openApiOperations()).filter(
      ({ requestBody }) => requestBody !== undefined,
    );
    expect(served.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys(bodies).toSorted(),
    );
    for (const { operationId, requestBody } of served)
      expect(fieldsOf(requestBody!.content['application/json'].schema), operationId).toEqual(
        expect.arrayContaining(bodies[operationId]!.split(' ')),
      );
  });

  // spec 3.8, 3.9, 3.10, 3.11, 3.12, 3.13, 3.14, 3.15, 3.16, 3.17, 3.19, 3.20, 3.23, 3.24, 3.25
  // spec 3.31, 3.32, 3.33, 3.35, 3.37, 3.43, 3.44
  test('that answers an entity has its fields of the specification in the OpenAPI document', async () => {
    const served = new Map(
      (await openApiOperations()).map((operation) => [operation.operationId, operation]),
    );
    for (const [name, fields] of Object.entries(entities))
      expect(
        fieldsOf(served.get(name)!.responses[200].content['application/json'].schema),
        name,
      ).toEqual(expect.arrayContaining(fields.split(' ')));
  });

  // spec 1.23, 3.8, 3.9, 3.10, 3.11, 3.12, 3.13, 3.14, 3.15, 3.16, 3.17, 3.19, 3.20, 3.23, 3.24
  // spec 3.25, 3.31, 3.32, 3.33, 3.35, 3.37, 3.43, 3.44, 7.3, 7.4, 7.17, 7.18, 7.19, 7.20, 7.21
  // spec 7.22, 7.42, 7.43, 7.44, 7.47, 7.48, 7.49, 7.50, 7.52, 7.53
  // asvs 1.2.3, 15.3.1
  test.each(reads.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s answers in its shape, with nothing more',
    async (_, endpoint) => {
      const { status, body, headers } = await api.call('GET', urlOf(endpoint), {
        token: dana.token,
        headers: { accept: 'text/csv, application/vnd.ms-excel' },
      });
      expect(status).toBe(200);
      // Nothing that a spreadsheet opens, and nothing that a browser keeps or runs.
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(
        `${String(headers['content-type'])} ${String(headers['content-disposition'])}`,
      ).not.toMatch(/csv|tab-separated|spreadsheet|excel|\.(tsv|xlsx?|ods)/i);
      const parsed = safeParse(endpoint.reply, body);
      expect(parsed.success ? parsed.data : parsed.error).toEqual(body);
    },
  );

  // asvs 3.4.4, 14.2.2, 14.3.2
  test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s is never stored and never sniffed',
    async (_, endpoint) => {
      const { headers } = await api.call(
        endpoint.method,
        urlOf(endpoint),
        endpoint.method === 'GET' ? {} : { body: {} },
      );
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    },
  );
});

describe('who may call', () => {
  const guarded = endpoints.filter(({ access }) => access !== 'public');
  const forTenants = guarded.filter(({ access }) => access === 'tenant');
  const rows = (list: Endpoint[]) => list.map((endpoint) => [endpoint.name, endpoint] as const);

  // spec 6.7, 7.5, 7.9, 7.12, 7.14
  // asvs 6.3.4, 6.4.2
  test('facility list, register, set-password, verify, both sign-ins, pay links and links to sign take no token, and nothing else goes without', () => {
    const open = endpoints.filter(({ access }) => access === 'public').map(({ name }) => name);
    expect(open.toSorted()).toEqual([
      'consentToSign',
      'declineDocument',
      'getPayLink',
      'getSigning',
      'getSigningPdf',
      'listLocations',
      'login',
      'passkeySignInOptions',
      'payByLink',
      'register',
      'signDocument',
      'signInByPasskey',
      'updatePassword',
      'verify',
    ]);
  });

  // spec 6.1, 6.6, 6.8
  // asvs 3.5.1, 7.2.1, 14.2.1, 15.3.7
  test.each(rows(guarded))(
    '%s refuses no token, a made-up one and one in the query with 401',
    async (_, endpoint) => {
      const body = endpoint.method === 'GET' ? {} : { body: {} };
      for (const options of [
        {},
        { token: 'rvt_nothing' },
        { headers: { authorization: 'Basic eA==' } },
      ]) {
        const answer = await api.call(endpoint.method, urlOf(endpoint), { ...options, ...body });
        expect(answer.status).toBe(401);
        expect(answer.body).toEqual({ message: 'Your session has ended. Please sign in again.' });
        expect(answer.headers['www-authenticate']).toContain('Bearer');
      }
      const separator = urlOf(endpoint).includes('?') ? '&' : '?';
      expect(
        (await api.call(endpoint.method, `${urlOf(endpoint)}${separator}token=${dana.token}`, body))
          .status,
      ).toBe(401);
    },
  );

  // spec 1.23, 6.8, 7.42
  // asvs 1.2.4, 8.2.2
  test.each(rows(forTenants))(
    '%s answers 404, byte for byte alike, for a missing, malformed or another user’s id',
    async (_, endpoint) => {
      const maria = await signIn(api, 'maria@example.com', 'AZPHX01');
      const lee = await signIn(api, 'lee@example.com');
      const [leesLedgers, mariasLedgers] = await Promise.all(
        [lee, maria].map(async ({ prefix, tenantIds, token }) => {
          const { body } = await api.call('GET', `${prefix}/tenants/${tenantIds[0]}/ledgers`, {
            token,
          });
          return (body as { id: string; unitId: string }[])[0]!;
        }),
      );
      const missing = '00000000-0000-4000-8000-000000000000';
      const others: Record<string, string>[] = [
        { corp: 'OTHER' },
        { locationCode: 'TXDFW03A' },
        { locationCode: 'NOWHERE' },
        ...(endpoint.path === '/corporations/:corp/locations/:locationCode' ||
        !/:(tenant|ledger|unit)Id/.test(endpoint.path)
          ? []
          : [
              idsAll(missing, missing, missing),
              idsAll('1', "' OR 1=1 --", '../..'),
              idsAll(lee.tenantIds[0]!, leesLedgers!.id, leesLedgers!.unitId),
              idsAll(maria.tenantIds[0]!, mariasLedgers!.id, mariasLedgers!.unitId),
              idsAll(
                `${params.tenantIds},${lee.tenantIds[0]}`,
                `${params.ledgerIds},${leesLedgers!.id}`,
                leesLedgers!.unitId,
              ),
              idsAll(`${params.tenantId},`, `${params.ledgerId},`, ''),
              ...(/:(tenant|ledger|unit)Id[/]?/.test(
                endpoint.path.replace(/:(tenant|ledger)Ids/g, ''),
              )
                ? [
                    idsAll(
                      `${params.tenantId},${params.tenantId}`,
                      `${params.ledgerId},${params.ledgerId}`,
                      `${params.unitId},${params.unitId}`,
                    ),
                  ]
                : []),
            ]),
      ];
      const texts = new Set<string>();
      for (const other of others) {
        const given = { ...params, ...other };
        const url = pathOf(
          endpoint.path,
          given,
          endpoint.query === undefined ? {} : { ledgerId: params.ledgerId! },
        );
        const answer = await api.call(endpoint.method, url, {
          token: dana.token,
          ...(endpoint.method === 'GET' ? {} : { body: {} }),
        });
        expect(answer.status, url).toBe(404);
        texts.add(answer.text);
      }
      expect([...texts]).toEqual(['{"message":"Not found."}']);
    },
  );

  function idsAll(tenant: string, ledger: string, unit: string) {
    return {
      tenantId: tenant,
      tenantIds: tenant,
      ledgerId: ledger,
      ledgerIds: ledger,
      unitId: unit,
    };
  }

  // spec 7.49
  test('a query id of another user is not found; a malformed one is named', async () => {
    const lee = await signIn(api, 'lee@example.com');
    const path = `${lee.prefix}/tenants/${lee.tenantIds[0]}/ledgers`;
    const { body } = await api.call('GET', path, lee);
    const charges = `${dana.prefix}/tenants/${params.tenantId}/charges`;
    const foreign = await api.call('GET', `${charges}?ledgerId=${body[0].id}`, dana);
    const malformed = await api.call('GET', `${charges}?ledgerId=1`, dana);
    const absent = await api.call('GET', charges, dana);
    expect([foreign.status, malformed.status, absent.status]).toEqual([404, 422, 422]);
    expect(malformed.body.message).toBe('The field ledgerId must be an id.');
  });

  // asvs 8.4.1
  test('a token of one location reads no data of another facility or tenant', async () => {
    const maria = await signIn(api, 'maria@example.com', 'AZPHX01');
    expect((await api.call('GET', dana.prefix, maria)).status).toBe(404);
  });
});

describe('bad requests', () => {
  const login = { method: 'POST' as const, url: '/api/users/login' };
  const payments = () => ({
    method: 'POST' as const,
    url: `/api${dana.prefix}/tenants/${params.tenantId}/payments`,
  });

  test('a body over 64 KiB: 413', async () => {
    const answer = await api.app.inject({ ...login, payload: { username: 'x'.repeat(65_536) } });
    expect([answer.statusCode, answer.json()]).toEqual([
      413,
      { message: 'The request is too large.' },
    ]);
  });

  // asvs 3.5.2
  test('another media type: 415', async () => {
    const answer = await api.app.inject({
      ...login,
      payload: 'username=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([answer.statusCode, answer.json()]).toEqual([
      415,
      { message: 'The request body must be application/json.' },
    ]);
    const text = await api.app.inject({
      ...login,
      payload: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    expect(text.statusCode).toBe(415);
  });

  // asvs 1.5.2, 15.3.6
  test.each([
    ['broken JSON', '{"username":'],
    ['an empty body', ''],
    ['a prototype', '{"__proto__": {"x": 1}}'],
    ['a list', '[]'],
    ['a word', '"x"'],
    ['null', 'null'],
  ])('%s: 422 with a sentence', async (_, payload) => {
    const answer = await api.app.inject({
      ...login,
      payload,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ message: string }>().message).toMatch(/\.$/);
  });

  test.each(
    endpoints
      .filter(({ body }) => body !== undefined)
      .map((endpoint) => [endpoint.name, endpoint] as const),
  )('%s answers a body of thousands of levels with 422', async (_, endpoint) => {
    const deep = `${'['.repeat(4000)}${']'.repeat(4000)}`;
    const names = [
      'username',
      'payments',
      'creditCard',
      'formType',
      'reason',
      'contents',
      'unknown',
    ];
    const payload = `{${names.map((name) => `"${name}":${deep}`).join(',')}}`;
    const headers = { authorization: `Bearer ${dana.token}`, 'content-type': 'application/json' };
    const { method } = endpoint;
    const answer = await api.app.inject({
      method,
      url: `/api${urlOf(endpoint)}`,
      payload,
      headers,
    });
    expect(answer.statusCode).toBe(422);
  });

  test('an empty body of a call that needs none is accepted', async () => {
    const { token } = await signIn(api, 'pat@example.com');
    const headers = { authorization: `bearer ${token}`, 'content-type': 'application/json' };
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/users/logout',
      payload: '',
      headers,
    });
    expect([answer.statusCode, answer.headers['clear-site-data']]).toEqual([200, '"cache"']);
  });

  // spec 1.23
  // asvs 2.2.1
  test('for any input, no answer is a 5xx and every refusal is a sentence', async () => {
    const junk = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(
        null,
        true,
        0,
        -1,
        1e308,
        '',
        '0',
        '\u0000',
        '__proto__',
        "' OR 1=1 --",
        'x'.repeat(5000),
        [],
        {},
      ),
    );
    const body = fc.oneof(
      junk,
      fc.record(
        {
          payments: fc.oneof(
            junk,
            fc.array(
              fc.record({
                ledgerId: fc.oneof(junk, fc.uuid()),
                unitId: fc.oneof(junk, fc.uuid()),
                amount: junk,
              }),
            ),
          ),
          creditCard: fc.oneof(junk, fc.constant(card)),
          ach: junk,
        },
        { requiredKeys: [] },
      ),
      fc.record(
        { username: junk, password: junk, locationCode: junk, corporationCode: junk },
        { requiredKeys: [] },
      ),
    );
    const segment = fc.oneof(
      fc.constantFrom(...Object.values(params)),
      fc.uuid(),
      fc.string(),
      fc.constantFrom('%00', '..', 'a,b', '%2e%2e'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          ...endpoints.filter(({ name }) => name !== 'logout' && name !== 'endSession'),
        ),
        body,
        fc.dictionary(fc.constantFrom(...Object.keys(params)), segment),
        fc.boolean(),
        async (endpoint, payload, others, isSignedIn) => {
          const given = Object.fromEntries(
            Object.entries({ ...params, ...others }).map(([name, value]) => [name, value || 'x']),
          );
          const answer = await api.app.inject({
            method: endpoint.method,
            url: `/api${urlOf(endpoint, given)}`,
            headers: {
              ...(isSignedIn && { authorization: `Bearer ${dana.token}` }),
              ...(endpoint.method !== 'GET' && { 'content-type': 'application/json' }),
            },
            ...(endpoint.method !== 'GET' && { payload: JSON.stringify(payload) }),
          });
          expect(answer.statusCode, answer.body).toBeLessThan(500);
          if (answer.statusCode >= 400) {
            const { message, ...rest } = answer.json<{ message: string }>();
            expect(message).toMatch(/^.{1,199}\.$/s);
            expect(rest).toEqual({});
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test('no body at all where one is needed: 422', async () => {
    const answer = await api.app.inject({
      ...payments(),
      headers: { authorization: `Bearer ${dana.token}` },
    });
    expect(answer.statusCode).toBe(422);
  });

  test('401 comes before 404 and 404 before a bad body', async () => {
    const anonymous = await api.app.inject({
      ...payments(),
      payload: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(anonymous.statusCode).toBe(401);
    const url = payments().url.replace(params.tenantId!, '00000000-0000-4000-8000-000000000000');
    const headers = { authorization: `Bearer ${dana.token}`, 'content-type': 'text/plain' };
    expect((await api.app.inject({ method: 'POST', url, payload: 'x', headers })).statusCode).toBe(
      404,
    );
    expect((await api.app.inject({ ...payments(), payload: 'x', headers })).statusCode).toBe(415);
  });

  // asvs 1.3.3
  test('a character that cannot be stored: 422, and nothing is saved at the gateway either', async () => {
    const [, ledgerId] = params.ledgerIds!.split(',');
    const creditCard = { ...card, name: 'Da\0na' };
    const saved = () => api.owner.selectFrom('sandbox_gateway.methods').selectAll().execute();
    const before = await saved();
    const url = `${dana.prefix}/ledgers/${ledgerId}/autopay-update`;
    const answer = await api.call('POST', url, { token: dana.token, body: { creditCard } });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toMatch(/character/);
    expect(await saved()).toEqual(before);
    const body = {
      username: 'da\0na',
      password: 'x',
      locationCode: 'TXDFW03',
      corporationCode: 'ANCHOR',
    };
    expect((await api.call('POST', '/users/login', { body })).status).toBe(422);
  });

  test.each([
    '/corporations/%00/locations',
    '/corporations/%zz/locations',
    `/corporations/${'x'.repeat(3000)}/locations`,
  ])('an unknown path below a known one: 404 with the same sentence', async (path) => {
    const answer = await api.call('GET', path);
    expect([answer.status, answer.text]).toEqual([404, '{"message":"Not found."}']);
  });

  test.each(['', 'x'.repeat(256), 'schlüssel'])(
    'an invalid Idempotency-Key: 422, nothing charged',
    async (key) => {
      const { url } = payments();
      const { body: ledgers } = await api.call(
        'GET',
        `${dana.prefix}/tenants/${params.tenantId}/ledgers`,
        {
          token: dana.token,
        },
      );
      const [{ id: ledgerId, unitId, balance }] = ledgers;
      const answer = await api.app.inject({
        method: 'POST',
        url,
        payload: { payments: [{ ledgerId, unitId, amount: balance }], creditCard: card },
        headers: { authorization: `Bearer ${dana.token}`, 'idempotency-key': key },
      });
      expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
        422,
        'Idempotency-Key must be 1 to 255 plain characters.',
      ]);
    },
  );

  test('an unknown path of the API: 404 with the same sentence', async () => {
    const answer = await api.call('GET', '/nothing/here');
    expect([answer.status, answer.text]).toEqual([404, '{"message":"Not found."}']);
  });
});
