import { randomUUID } from 'node:crypto';
import { addDays, calendarDateIn } from '@gatehouse/contract/dates';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { placesOf } from '@gatehouse/contract/signing';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  newAuthenticator,
  type Creation,
  type Question,
} from '#features/people/passkeys/authenticator.fixture.ts';
import { makeRepliedRequest } from './replied-request.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { testClock } from '#test/test-day.ts';
import { useTestApp, signIn, type SignedIn } from './app.ts';
import { sumOfTables } from './sum-of-tables.ts';
import { card } from './card.ts';
import { doVerb, signInStaff } from './office.ts';
import { addRows, getRow } from './rows.ts';

/**
 * A call that is accepted with `body`, and the values of its fields that are refused, each with its
 * sentence.
 */
type Taken = {
  call: string;
  path: () => string;
  method?: 'POST' | 'PATCH';
  idempotencyKey?: string;
  body: () => object;
  refused: [field: string, value: unknown, sentence: string][];
};

/** The id of a further vehicle of A101. */
const VEHICLE = randomUUID();

const api = useTestApp('demo_template');
let dana: SignedIn;
/** A101 has neither plan nor contents; B207 has an active plan; A101 and C014 owe. */
let [a101, b207, c014]: Ledger[] = [];
/** The paths of pay links for $100 of the two. */
let answersPath: string;
/** Of the document that Dana may sign. */
let signingPath: string;
let places: number[];
let linkPaths: string[];
/** What an authenticator answered: a passkey to add, and a sign-in by one that was added. */
let passkeyAnswers: { added: object; proven: object };
let passkeyPath: string;
/** What Dana agrees to by asking for text messages. */
let textConsent: string;
let plans: { id: string }[];
let today: string;
/** The digest of the tables before the first call with a body. */
let untouched: unknown;
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  const get = async <T>(path: string) =>
    (await api.call('GET', dana.prefix + path, dana)).body as T;
  [a101, b207, c014] = await get<Ledger[]>(`/tenants/${dana.tenantIds[0]}/ledgers`);
  plans = await get('/insurance-coverages');
  today = calendarDateIn('America/Chicago', testClock.now());
  const vehicle = { contents: 'boat:1', license_plate: '9', description: 'A boat' };
  await addRows(api.owner, 'further_vehicles', { id: VEHICLE, ledger_id: a101!.id, ...vehicle });
  linkPaths = [await makeLink(a101!), await makeLink(c014!)];
  const { id: facility_id } = await getRow(api.owner, 'facilities', 'id', {
    location_code: 'TXDFW03',
  });
  const tenant_id = dana.tenantIds[0]!;
  const requestId = await makeRepliedRequest(api.owner, {
    facility_id,
    tenant_id,
    created_at: testClock.now(),
  });
  answersPath = ofTenant(`/requests/${requestId}/answers`)();
  passkeyAnswers = await askAuthenticator();
  const { body } = await api.call('GET', ofTenant('/reminders')(), dana);
  textConsent = body.texts.consent;
  const { body: files } = await api.call('GET', ofTenant('/files')(), dana);
  const { formId } = files.find((one: { envelopeStatus: string }) => one.envelopeStatus === 'Sent');
  const { body: link } = await api.call('GET', ofTenant(`/documents/${formId}/link`)(), dana);
  signingPath = `/signings/${link.token}`;
  const { body: document } = await getRow(api.owner, 'esign_documents', 'body', { id: formId });
  places = placesOf(JSON.parse(document!), 1);
  untouched = await sumOfTables(api.owner);
});

async function makeLink({ id: ledgerId }: Ledger): Promise<string> {
  const { body } = await doVerb(api, await signInStaff(api, 'clerk'), 'pay-links/create', {
    ledgerId,
    amount: 100,
    why: 'Asked for',
  });
  return `/pay-links/${String(body.url).split('/').at(-1)}/payments`;
}

async function askAuthenticator(): Promise<typeof passkeyAnswers> {
  const post = async <T>(path: string, body?: object) =>
    (await api.call('POST', path, { token: dana.token, ...(body && { body }) })).body as T;
  const [first, second] = [1, 2].map(() => newAuthenticator(api.ctx.config.publicUrl));
  const credential = first!.create(await post<Creation>('/users/passkeys/options'));
  const { id } = await post<{ id: string }>('/users/passkeys', { name: 'A phone', credential });
  passkeyPath = `/users/passkeys/${id}`;
  return {
    added: second!.create(await post<Creation>('/users/passkeys/options')),
    proven: first!.get(await post<Question>('/users/passkeys/sign-in-options')),
  };
}

const long = (length: number) => 'x'.repeat(length);
/** Copies of data that the server has itself: any text up to the limit is accepted. */
const copies = (fields: string): Taken['refused'] =>
  fields.split(' ').map((field) => [field, long(501), 'A text is too long.']);
const requester = 'formType facilityName unitName tenantId firstName lastName emailAddress';
const ofTenantLedger = (part: string) => () =>
  `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers/${a101!.id}/${part}`;
const ofLedger = (part: string) => () => `${dana.prefix}/ledgers/${a101!.id}/${part}`;
const ofTenant = (part: string) => () => `${dana.prefix}/tenants/${dana.tenantIds[0]}${part}`;
const ofUsers = (part: string) => () => `/users/${part}`;

const unfinished = (fields: string): Taken['refused'] =>
  fields
    .split(' ')
    .map((field) => [`credential.${field}`, 'a b', 'The passkey’s answer is not complete.']);

const corporationCode = 'ANCHOR';
const corporation: Taken['refused'] = [['corporationCode', '', 'Corporation code is required.']];
const policyOf = () => ({
  description: 'Lone Star',
  policyNumber: 'LS-1',
  coverageEnd: addDays(today, 1),
  coverageAmount: 5000,
});
const policy: Taken['refused'] = [
  ['description', ' ', 'Policy company is required.'],
  ['policyNumber', '', 'Policy number is required.'],
  ['coverageEnd', '', 'Expiration date is required.'],
  ['coverageEnd', '2020-01-31', 'Expiration date must be tomorrow or later.'],
  ['coverageAmount', '5000', 'Coverage amount must be a number.'],
  ['coverageAmount', 0, 'Coverage amount must be above $0.00.'],
  ...copies('coverageStart'),
];

const account = {
  accountType: 'Consumer Savings',
  accountNumber: '000123456',
  routingNumber: '111000025',
};
const cards: Taken['refused'] = [
  ['creditCard.cardType', 'Diners', 'Card type is required.'],
  ['creditCard.cardNumber', '', 'Card number is required.'],
  ['creditCard.cardNumber', '4'.repeat(13), 'Card number must be 14 to 16 digits.'],
  ['creditCard.cardNumber', '4'.repeat(17), 'Card number must be 14 to 16 digits.'],
  ['creditCard.cardCvv', '', 'Security code is required.'],
  ['creditCard.cardCvv', '12', 'Security code must be 3 or 4 digits.'],
  ['creditCard.cardCvv', '12345', 'Security code must be 3 or 4 digits.'],
  ['creditCard.expirationMonth', '13', 'Expiration month is required.'],
  ['creditCard.expirationYear', '', 'Expiration year is required.'],
  ['creditCard.name', '', 'Name on card is required.'],
  ['creditCard.streetAddress', long(201), 'Street address is too long.'],
  ['creditCard.postalCode', ' ', 'Billing zip is required.'],
  ['creditCard', { paymentMethodId: '1' }, 'The field paymentMethodId must be an id.'],
  ['creditCard', { paymentToken: 'a b' }, 'Payment token is required.'],
  [
    'creditCard',
    { paymentToken: 'ctoken_1', keepForAutopay: 'yes' },
    'Keep for autopay must be true or false.',
  ],
  ['creditCard', undefined, 'Give either creditCard or ach.'],
];
const accounts: Taken['refused'] = [
  ['ach.accountType', 'Savings', 'Account type is required.'],
  ['ach.accountNumber', '', 'Account number is required.'],
  ['ach.routingNumber', '', 'Routing number is required.'],
  ['ach.routingNumber', '1'.repeat(8), 'Routing number must be exactly 9 digits.'],
  ['ach.routingNumber', '1'.repeat(10), 'Routing number must be exactly 9 digits.'],
  ['ach.routingNumber', '11100002a', 'Routing number must be exactly 9 digits.'],
  ['ach', { paymentMethodId: '1' }, 'The field paymentMethodId must be an id.'],
  ['ach', { paymentToken: '' }, 'Payment token is required.'],
  [
    'ach',
    { paymentToken: 'ctoken_1', keepForAutopay: 1 },
    'Keep for autopay must be true or false.',
  ],
];
const notices = copies(
  `switchingFromCcToAch webhookData.${requester.replaceAll(' ', ' webhookData.')}`,
);

/** A pay link takes new methods only, and keeps none. */
const isOfLinks = ([, value]: Taken['refused'][number]) =>
  !Object.keys(value ?? {}).some((name) => /^(paymentMethodId|keepForAutopay)$/.test(name));

const PDF = Buffer.from('%PDF-1.7\n').toString('base64');
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAAAAAAALAAAAAABAAEAAAIBRAA7';

const autopay = { call: 'updateAutopay', path: ofLedger('autopay-update') };
const payment = { call: 'makePayment', path: ofTenant('/payments') };
const linkPayment = { call: 'payByLink', idempotencyKey: randomUUID() };
const lines = () => ({
  payments: [{ ledgerId: a101!.id, unitId: a101!.unitId, amount: 1 }],
  webhookData: {},
});
const planChange = { call: 'updateInsurance', path: ofTenant('/insurance/update') };
const tenantUpdate = { call: 'updateTenant', path: ofTenant(''), method: 'PATCH' as const };

const calls: Taken[] = [
  {
    call: 'register',
    path: ofUsers('register'),
    body: () => ({ email: 'newcomer@example.com', locationCode: 'TXDFW03', corporationCode }),
    refused: [
      ['email', '', 'Email Address is required.'],
      ['email', 'newcomer', 'Email Address must look like name@example.com.'],
      ['locationCode', '', 'Location is required.'],
      ['token', null, 'The token must be text.'],
      ['device', long(101), 'The device token is too long.'],
      ...corporation,
    ],
  },
  {
    call: 'verify',
    path: ofUsers('verify'),
    body: () => ({ token: 'rgt_x', code: '12345678', corporationCode }),
    refused: [
      ['token', 1, 'Token is required.'],
      ['code', '', 'Verification Code is required.'],
      ...corporation,
    ],
  },
  {
    call: 'updatePassword',
    path: ofUsers('password-update'),
    body: () => ({ token: 'rgt_x', password: 'harbor gate 81', corporationCode }),
    refused: [
      ['token', null, 'Token is required.'],
      ['password', '', 'Password is required.'],
      ['password', long(7), 'Password must have at least 8 characters.'],
      ['password', long(21), 'Password must have at most 20 characters.'],
      ['device', 7, 'The device token must be text.'],
      ...corporation,
    ],
  },
  {
    call: 'login',
    path: ofUsers('login'),
    body: () => ({
      username: 'dana@example.com',
      password: DEMO_PASSWORD,
      locationCode: 'TXDFW03',
      corporationCode,
    }),
    refused: [
      ['username', '', 'Email Address is required.'],
      ['password', '', 'Password is required.'],
      ['locationCode', '', 'Location is required.'],
      ['proofKey', 'x', 'The proof key is not valid.'],
      ['device', long(101), 'The device token is too long.'],
      ...corporation,
    ],
  },
  {
    call: 'addPasskey',
    path: ofUsers('passkeys'),
    body: () => ({ name: 'A laptop', credential: passkeyAnswers.added }),
    refused: [
      ['name', ' ', 'Name is required.'],
      ['name', long(51), 'Name is too long.'],
      ['credential.id', long(1401), 'The passkey’s answer is too long.'],
      ...unfinished('id response.clientDataJSON response.attestationObject'),
    ],
  },
  {
    call: 'renamePasskey',
    method: 'PATCH',
    path: () => passkeyPath,
    body: () => ({ name: 'An old phone' }),
    refused: [['name', '', 'Name is required.']],
  },
  {
    call: 'chooseLanguage',
    path: ofUsers('language'),
    body: () => ({ language: 'en' }),
    refused: [
      ['language', '', 'Language must be English or Spanish.'],
      ['language', 'fr', 'Language must be English or Spanish.'],
    ],
  },
  {
    call: 'signInByPasskey',
    path: ofUsers('passkeys/sign-in'),
    body: () => ({ credential: passkeyAnswers.proven }),
    refused: [
      ['proofKey', 'x', 'The proof key is not valid.'],
      ['device', long(101), 'The device token is too long.'],
      ['keep', 'yes', 'The field keep must be a boolean.'],
      [
        'keep',
        true,
        'This browser cannot keep a key, and so cannot keep you signed in. Please sign in without that.',
      ],
      ...unfinished(
        'id response.clientDataJSON response.authenticatorData response.signature response.userHandle',
      ),
    ],
  },
  {
    call: 'confirmSession',
    path: ofUsers('passkeys/confirm'),
    body: () => ({ credential: passkeyAnswers.proven }),
    refused: unfinished(
      'id response.clientDataJSON response.authenticatorData response.signature response.userHandle',
    ),
  },
  {
    call: 'createMaintenanceRequest',
    path: () => `${dana.prefix}/maintenance-requests`,
    body: () => ({ ledgerId: a101!.id, issueType: 'gate', issueDescription: 'The gate sticks.' }),
    refused: [
      ['ledgerId', '', 'Unit is required.'],
      ['issueType', '', 'Issue type is required.'],
      ['issueType', 'roof', 'Issue type is required.'],
      ['issueDescription', ' ', 'Description is required.'],
      ['issueDescription', long(2001), 'Description is too long.'],
      ['file', long(256), 'File is too long.'],
      ['imageData', 'photo.jpg', 'The image must be a data URL.'],
      ['tenantId', 'x', 'The field tenantId must be an id.'],
      ...copies('facilityName formType unitName firstName lastName emailAddress'),
    ],
  },
  {
    call: 'addInsurance',
    path: ofTenant('/insurance/add'),
    body: () => ({ coverageId: plans[0]!.id, unitId: a101!.unitId, coverageStartDate: today }),
    refused: [
      ['coverageId', '', 'Protection plan is required.'],
      ['unitId', 'A101', 'The field unitId must be an id.'],
      ...copies('coverageStartDate'),
    ],
  },
  {
    ...planChange,
    body: () => ({ coverageId: plans[1]!.id, unitId: b207!.unitId }),
    refused: [
      ['coverageId', 'x', 'Protection plan is required.'],
      ['unitId', 'B207', 'The field unitId must be an id.'],
      ...copies(`${requester} phone coverageAmount coveragePremium coverageStartDate`),
    ],
  },
  { ...planChange, body: () => ({ ...policyOf(), unitId: b207!.unitId }), refused: policy },
  {
    ...autopay,
    body: () => ({ creditCard: card, webhookData: {} }),
    refused: [...cards, ...notices],
  },
  { ...autopay, body: () => ({ ach: account }), refused: accounts },
  {
    call: 'previewPayment',
    path: ofLedger('payment-preview'),
    body: () => ({ amount: 10 }),
    refused: [
      ['amount', '10', 'Amount must be a number.'],
      ['amount', 0, 'Amount must be above $0.00.'],
      ['amount', 1.001, 'Amount must have at most two decimals.'],
      ['prepayMonths', 1.5, 'Months ahead must be a whole number.'],
      ['prepayMonths', 0, 'Months ahead must be 1 or more.'],
      ['prepayMonths', 13, 'Months ahead must be 12 at most.'],
      ['prepayMonths', 2, 'Send an amount or months ahead.'],
    ],
  },
  {
    call: 'submitInsuranceProof',
    path: ofLedger('insurance-proof'),
    body: policyOf,
    refused: policy,
  },
  {
    call: 'requestGateAccess',
    path: ofLedger('request-gate-access'),
    body: () => ({ reason: 'I leave at four.' }),
    refused: [
      ['reason', ' ', 'Reason is required.'],
      ['reason', long(1001), 'Reason is too long.'],
      ...copies(requester),
    ],
  },
  {
    call: 'answerRequest',
    path: () => answersPath,
    body: () => ({ text: 'Since Monday.' }),
    refused: [
      ['text', ' ', 'Answer is required.'],
      ['text', long(2001), 'Answer is too long.'],
    ],
  },
  {
    call: 'resendEsignDocuments',
    path: ofLedger('resend-esign-documents'),
    body: () => ({ unitName: 'A101' }),
    refused: copies(requester),
  },
  {
    call: 'scheduleMoveOut',
    path: ofLedger('move-out'),
    body: () => ({ date: today, reason: 'I sold the boat.' }),
    refused: [
      ['date', '1/31/2031', 'Date must be a day of the calendar, such as 2026-12-31.'],
      ['date', '2020-01-31', 'Move-out date must be today or later.'],
      ['reason', long(1001), 'Reason is too long.'],
    ],
  },
  {
    call: 'updateVehicle',
    path: ofLedger('vehicles'),
    body: () => ({
      licensePlate: '123ABC',
      description: '2018 Winnebago',
      type: 'vehicle',
      contents: 'vehicle:1',
    }),
    refused: [
      ['licensePlate', '', 'License plate is required.'],
      ['description', ' ', 'Description is required.'],
      ...copies('type contents'),
    ],
  },
  {
    call: 'updateUnitContents',
    path: ofLedger('unit-contents'),
    body: () => ({ contents: 'vehicle:5B4MP67G123353230' }),
    refused: [
      ['contents', '', 'Contents is required.'],
      ['contents', 'plane:1', 'Contents must be vehicle, boat or none, a colon and a value.'],
      ['contents', 'vehicle:', 'A vehicle needs its VIN and a boat its HIN.'],
    ],
  },
  {
    call: 'fileVehiclePaper',
    path: ofTenantLedger('vehicle-papers'),
    body: () => ({
      kind: 'registration',
      number: 'TX-88120042',
      expiresOn: addDays(today, 90),
      fileData: `data:application/pdf;base64,${PDF}`,
      file: 'scan.pdf',
    }),
    refused: [
      ['kind', 'title', 'Paper must be registration or insurance.'],
      ['vehicleId', '1', 'The field vehicleId must be an id.'],
      ['number', ' ', 'Number is required.'],
      ['number', long(51), 'Number is too long.'],
      ['expiresOn', '1/31/2031', 'Expiration date is required.'],
      ['expiresOn', '2020-01-31', 'This paper has expired. Please file one that is still valid.'],
      ['expiresOn', '2206-01-31', 'Expiration date is too far ahead. Please check it.'],
      ['fileData', undefined, 'The file must be a data URL.'],
      ['file', 1, 'File must be text.'],
    ],
  },
  {
    call: 'removeVehiclePaper',
    path: ofTenantLedger('vehicle-paper-removal'),
    body: () => ({ kind: 'insurance' }),
    refused: [
      ['kind', 'title', 'Paper must be registration or insurance.'],
      ['vehicleId', '1', 'The field vehicleId must be an id.'],
    ],
  },
  {
    call: 'saveVehicle',
    path: ofTenantLedger('vehicles'),
    body: () => ({ contents: 'vehicle:1', licensePlate: '123ABC', description: '2018 Winnebago' }),
    refused: [
      ['vehicleId', '1', 'The field vehicleId must be an id.'],
      ['contents', '', 'Contents is required.'],
      ['contents', 'none:', 'A vehicle needs its VIN and a boat its HIN.'],
      ['licensePlate', '', 'License plate is required.'],
      ['description', long(201), 'Description is too long.'],
    ],
  },
  {
    call: 'removeVehicle',
    path: ofTenantLedger('vehicle-removal'),
    body: () => ({ vehicleId: VEHICLE }),
    refused: [['vehicleId', '1', 'The field vehicleId must be an id.']],
  },
  {
    call: 'changeReminders',
    path: ofTenant('/reminders'),
    body: () => ({ kind: 'rent_soon', isOn: false }),
    refused: [
      ['kind', 'gate', 'There is no reminder of this kind.'],
      ['isOn', 'yes', 'IsOn must be true or false.'],
    ],
  },
  {
    call: 'requestTexts',
    path: ofTenant('/text-messages'),
    body: () => ({ consent: textConsent }),
    refused: [
      ['consent', undefined, 'Consent must be the text that you agree to.'],
      ['consent', long(1001), 'Consent is too long.'],
    ],
  },
  {
    call: 'confirmTexts',
    path: ofTenant('/text-messages-code'),
    body: () => ({ code: '12345678' }),
    refused: [
      ['code', undefined, 'Code is required.'],
      ['code', ' ', 'Code is required.'],
      ['code', long(51), 'Code is too long.'],
    ],
  },
  {
    call: 'uploadImage',
    path: ofTenant('/images'),
    body: () => ({ imageData: `data:image/gif;base64,${GIF}`, file: 'gate.gif' }),
    refused: [
      ['imageData', undefined, 'The image must be a data URL.'],
      [
        'imageData',
        'data:image/png;base64,PHN2Zz4=',
        'The photo must be a JPEG, PNG, GIF or WebP image.',
      ],
      ['file', 1, 'File must be text.'],
    ],
  },
  {
    ...linkPayment,
    path: () => linkPaths[0]!,
    body: () => ({ amount: 100, creditCard: card }),
    refused: [
      ['amount', 0, 'Amount must be above $0.00.'],
      ['amount', 1.005, 'Amount must have at most two decimals.'],
      ...cards.filter(isOfLinks),
    ],
  },
  {
    ...linkPayment,
    path: () => linkPaths[1]!,
    body: () => ({ amount: 100, ach: account }),
    refused: accounts.filter(isOfLinks),
  },
  {
    ...payment,
    body: () => ({ ...lines(), creditCard: card }),
    refused: [
      ['prepayMonths', 13, 'Months ahead must be 12 at most.'],
      ['payments', 'all', 'Payments must be a list.'],
      ['payments', [], 'Payments must name at least one unit.'],
      ['payments.0.ledgerId', 'A101', 'The field ledgerId must be an id.'],
      ['payments.0.unitId', 'A101', 'The field unitId must be an id.'],
      ['payments.0.amount', 0, 'Amount must be above $0.00.'],
      ['payments.0.amount', 1.005, 'Amount must have at most two decimals.'],
      ...cards,
      ...notices,
      ...copies('testMode webhookData.ledgerId webhookData.date webhookData.amount'),
    ],
  },
  { ...payment, body: () => ({ ...lines(), ach: account }), refused: accounts },
  {
    ...tenantUpdate,
    body: () => ({ driversLicenseNumber: '08123456', driversLicenseState: 'TX' }),
    refused: [
      ['driversLicenseNumber', '', "Driver's license number is required."],
      ['driversLicenseState', '', "Driver's license state is required."],
      ['driversLicenseState', undefined, "Driver's license number and state belong together."],
    ],
  },
  {
    call: 'consentToSign',
    path: () => `${signingPath}/consent`,
    body: () => ({ agreed: true }),
    refused: [['agreed', false, 'Please agree to read and sign electronically first.']],
  },
  {
    call: 'signDocument',
    path: () => `${signingPath}/signature`,
    body: () => ({ name: 'Dana Reyes', drawing: [[1, 2, 3, 4]], places }),
    refused: [
      ['name', '', 'Your name is required.'],
      ['name', long(101), 'Your name is too long.'],
      ['drawing', [], 'The field drawing cannot be used.'],
      ['drawing.0.0', -1, 'The field drawing cannot be used.'],
      ['places.0', 0.5, 'Please sign at every place of the document.'],
    ],
  },
  {
    call: 'declineDocument',
    path: () => `${signingPath}/refusal`,
    body: () => ({ reason: 'On paper, please.' }),
    refused: [
      ['reason', '', 'Reason is required.'],
      ['reason', long(501), 'Reason is too long.'],
    ],
  },
  {
    ...tenantUpdate,
    body: () => ({
      alternateContact: {
        firstName: 'Ana',
        lastName: 'Ortiz',
        email: 'ana@example.com',
        phone: '8175550160',
      },
    }),
    refused: [
      ['alternateContact.firstName', '', 'First name is required.'],
      ['alternateContact.lastName', '', 'Last name is required.'],
      ['alternateContact.email', 'ana', 'Email must look like name@example.com.'],
      ['alternateContact.phone', '555', 'Phone must have 10 digits.'],
      ['phone', { primary: '' }, 'Phone is required.'],
      ['phone', { primary: '555-0142' }, 'Phone must have 10 digits.'],
    ],
  },
  {
    call: 'requestTenantUpdate',
    path: ofTenant('/update/request'),
    body: () => ({
      firstName: 'Dana',
      lastName: 'Reyes',
      phone: '(817) 555-0142',
      emailAddress: 'dana@example.com',
      address1: '7 Mesa Road',
      address2: '',
      city: 'Santa Fe',
      state: 'NM',
      postal: '87501',
    }),
    refused: [
      ['firstName', '', 'First name is required.'],
      ['lastName', '', 'Last name is required.'],
      ['phone', '', 'Phone is required.'],
      ['phone', '817 555', 'Phone must have 10 digits.'],
      ['emailAddress', '', 'Email is required.'],
      ['emailAddress', 'dana at example', 'Email must look like name@example.com.'],
      ['address1', '', 'Street 1 is required.'],
      ['address2', long(201), 'Street 2 is too long.'],
      ['city', '', 'City is required.'],
      ['state', '', 'State is required.'],
      ['state', 'Texas', 'State is required.'],
      ['postal', '', 'Postal code is required.'],
      ...copies('formType facilityName unitName tenantId'),
    ],
  },
];

const send = ({ method = 'POST', path, idempotencyKey }: Taken, body: object) =>
  api.call(method, path(), {
    token: dana.token,
    body,
    ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
  });

/**
 * The body with another value in a field, or without the field; a dot separates the names of nested
 * fields.
 */
function changed(body: object, field: string, value: unknown): object {
  const copy = structuredClone(body);
  const names = field.split('.');
  const last = names.pop()!;
  const holder = names.reduce(
    (inner, name) => (inner as Record<string, object>)[name]!,
    copy,
  ) as Record<string, unknown>;
  holder[last] = value;
  return copy;
}

describe('a refused value is named in a sentence that the tenant reads, and nothing is written', () => {
  // spec 5.2, 5.3, 5.4, 5.15, 5.17, 5.18, 5.19, 5.20, 5.23, 5.24, 5.43, 5.44, 5.45, 5.46, 5.47
  // spec 5.48, 5.49, 5.50, 5.53, 5.54, 5.55, 5.59, 7.15, 7.24, 7.26, 7.28, 7.29, 7.31, 7.34, 7.36
  // spec 7.38, 7.39, 7.41, 7.46, 7.54, 7.56, 7.57, 7.61, 7.62, 7.63, 7.65
  // asvs 2.2.2
  test.each(calls.map((taken) => [taken.call, taken] as const))('%s', async (_, taken) => {
    for (const [field, value, sentence] of taken.refused) {
      const { status, body } = await send(taken, changed(taken.body(), field, value));
      const isRefused = [413, 415, 422].includes(status);
      expect([field, body, isRefused]).toEqual([field, { message: sentence }, true]);
    }
    expect(await sumOfTables(api.owner)).toEqual(untouched);
  });

  // asvs 2.2.1
  test('every field of every body has such a value', async () => {
    type Shape = { properties?: Record<string, Shape>; anyOf?: Shape[]; items?: Shape };
    type Operation = {
      operationId: string;
      requestBody?: { content: { 'application/json': { schema: Shape } } };
    };
    const leavesOf = ({ properties, anyOf, items }: Shape, path: string): string[] => {
      if (anyOf) return anyOf.flatMap((shape) => leavesOf(shape, path));
      if (items) return leavesOf(items, `${path}.0`);
      if (!properties) return [path];
      return Object.entries(properties).flatMap(([name, shape]) =>
        leavesOf(shape, path === '' ? name : `${path}.${name}`),
      );
    };
    const document = (await api.app.inject({ url: '/openapi.json' })).json<{
      paths: Record<string, Record<string, Operation>>;
    }>();
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const fields = operations.flatMap(({ operationId, requestBody }) =>
      leavesOf(requestBody?.content['application/json'].schema ?? { anyOf: [] }, '').map(
        (path) => `${operationId}: ${path}`,
      ),
    );
    const refused = calls.flatMap((taken) =>
      taken.refused.flatMap(([field, value]) => [
        `${taken.call}: ${field}`,
        ...Object.keys(value ?? {}).map((name) => `${taken.call}: ${field}.${name}`),
      ]),
    );
    expect(new Set(calls.map(({ call }) => call)).size).toBe(36);
    expect(fields.filter((field) => !refused.includes(field))).toEqual([]);
  });

  test('the bodies are accepted without these values', async () => {
    for (const taken of calls) {
      const { status, body, headers } = await send(taken, taken.body());
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      if (taken.call === 'updatePassword')
        expect(body.message).toMatch(/^Your verification is no longer valid/);
      else if (taken.call === 'confirmSession')
        expect(body.message).toBe('This session needs no confirmation.');
      else expect([taken.call, status]).toEqual([taken.call, 200]);
    }
    expect(await sumOfTables(api.owner)).not.toEqual(untouched);
  });
});
