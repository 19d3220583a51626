import { randomUUID } from 'node:crypto';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { beforeAll, describe, expect, test } from 'vitest';
import { sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { useTestApp, signIn, type Answer, type SignedIn } from './app.ts';
import { card } from './card.ts';
import { readMails } from './mails.ts';

const api = useTestApp('demo_template');
let dana: SignedIn;
let [a101, b207]: Ledger[] = [];
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  [a101, b207] = (await get(`/tenants/${dana.tenantIds.join(',')}/ledgers`)).body;
});

const SPANISH = { 'gatehouse-language': 'es' };
const get = (path: string, headers: Record<string, string> = {}) =>
  api.call('GET', dana.prefix + path, { token: dana.token, headers });
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  api.call('POST', dana.prefix + path, { token: dana.token, body, headers });

const json = { 'content-type': 'application/json' };
const lookup = { locationCode: 'TXDFW03', corporationCode: 'ANCHOR' };
const messagesOf = (answers: Answer[]) => answers.map(({ body }) => String(body.message));

const login = (password: string) => (headers: Record<string, string>) =>
  api.call('POST', '/users/login', {
    body: { ...lookup, username: 'dana@example.com', password },
    headers,
  });

/** Each sends its call with these headers, and is refused in English and in Spanish. */
const refusedCalls: [
  what: string,
  send: (headers: Record<string, string>) => Promise<Answer>,
  english: [status: number, message: string],
  spanish: string,
][] = [
  [
    'a missing field',
    (headers) => api.call('POST', '/users/register', { headers, body: lookup }),
    [422, 'Email Address is required.'],
    'El campo Correo electrónico es obligatorio.',
  ],
  [
    'a wrong email address',
    (headers) =>
      api.call('POST', '/users/register', { headers, body: { ...lookup, email: 'dana' } }),
    [422, 'Email Address must look like name@example.com.'],
    'El campo Correo electrónico debe tener la forma nombre@ejemplo.com.',
  ],
  [
    'no token',
    (headers) => api.call('GET', `${dana.prefix}/gate-access`, { headers }),
    [401, 'Your session has ended. Please sign in again.'],
    'Su sesión terminó. Inicie sesión de nuevo.',
  ],
  [
    "another user's id",
    (headers) =>
      api.call('GET', `${dana.prefix}/tenants/7d1f0a86-3c55-4e0a-8f5c-6a2b9e7d4c31`, {
        headers,
        token: dana.token,
      }),
    [404, 'Not found.'],
    'No encontrado.',
  ],
  [
    'a call that does not exist',
    (headers) => api.call('GET', '/no-such-call', { headers }),
    [404, 'Not found.'],
    'No encontrado.',
  ],
  [
    'a path that cannot be decoded',
    (headers) => api.call('GET', '/%zz', { headers }),
    [404, 'Not found.'],
    'No encontrado.',
  ],
  [
    'a method that is not taken',
    (headers) => api.call('PATCH', '/users/login', { headers }),
    [405, 'This address does not take requests of that kind.'],
    'Esta dirección no acepta solicitudes de ese tipo.',
  ],
  [
    'invalid JSON',
    (headers) =>
      api.call('POST', '/users/register', { headers: { ...headers, ...json }, body: '{' }),
    [422, 'The request body is not valid JSON.'],
    'El cuerpo de la solicitud no es JSON válido.',
  ],
  [
    'a body of another type',
    (headers) =>
      api.call('POST', '/users/register', {
        headers: { ...headers, 'content-type': 'text/plain' },
        body: 'x',
      }),
    [415, 'The request body must be application/json.'],
    'El cuerpo de la solicitud debe ser application/json.',
  ],
  [
    'a body that is too large',
    (headers) =>
      api.call('POST', '/users/register', { headers, body: { email: 'x'.repeat(70_000) } }),
    [413, 'The request is too large.'],
    'La solicitud es demasiado grande.',
  ],
  [
    'a photo that is too large',
    (headers) =>
      api.call('POST', `${dana.prefix}/tenants/${dana.tenantIds[0]}/images`, {
        headers,
        token: dana.token,
        body: { imageData: 'x'.repeat(9_000_000) },
      }),
    [413, 'The photo is too large. It may have at most 6 MB.'],
    'La foto es demasiado grande. Puede tener 6 MB como máximo.',
  ],
  [
    'an upload with too much beside its photo',
    (headers) =>
      api.call('POST', `${dana.prefix}/tenants/${dana.tenantIds[0]}/images`, {
        headers,
        token: dana.token,
        body: { file: 'x'.repeat(70_000) },
      }),
    [413, 'The request is too large.'],
    'La solicitud es demasiado grande.',
  ],
  [
    'a character that cannot be stored',
    (headers) =>
      api.call('POST', '/users/register', {
        headers,
        body: { ...lookup, locationCode: 'a\0b', email: 'dana@example.com' },
      }),
    [422, 'The request holds a character that cannot be used.'],
    'La solicitud contiene un carácter que no se puede usar.',
  ],
  [
    'a field without a message of its own',
    (headers) =>
      api.call('POST', '/users/passkeys/confirm', { headers, token: dana.token, body: {} }),
    [422, 'The field credential must be an object.'],
    'El campo credential debe ser de tipo object.',
  ],
  [
    'a wrong password',
    login('anchor-axle-27'),
    [
      401,
      'The email address, password or location is not right. Please check all three and try again.',
    ],
    'El correo electrónico, la contraseña o el centro no es correcto. Revise los tres e inténtelo de nuevo.',
  ],
  [
    'a new password without a verified code',
    (headers) =>
      api.call('POST', '/users/password-update', {
        body: { corporationCode: 'ANCHOR', token: 'none', password: 'harbor gate 81' },
        headers,
      }),
    [422, 'Your verification is no longer valid. Please look up your account again.'],
    'Su verificación ya no es válida. Busque su cuenta de nuevo.',
  ],
  [
    'a declined card',
    pay,
    [402, 'Your bank declined this card. Please use another card.'],
    'Su banco rechazó esta tarjeta. Use otra tarjeta.',
  ],
  [
    'a payment of more than is owed',
    (headers) => post(`/ledgers/${a101!.id}/payment-preview`, { amount: 90_000 }, headers),
    [422, 'Amount must be at most what is owed on the unit.'],
    'El importe no puede ser mayor que lo que se debe de la unidad.',
  ],
  [
    'a second protection plan',
    async (headers) => {
      const [plan] = (await get('/insurance-coverages')).body;
      const body = { unitId: b207!.unitId, coverageId: plan.id };
      return post(`/tenants/${dana.tenantIds[0]}/insurance/add`, body, headers);
    },
    [
      409,
      'This unit has an active protection plan already. Please call your facility to change it.',
    ],
    'Esta unidad ya tiene un plan de protección activo. Llame a su centro para cambiarlo.',
  ],
  [
    'a move-out in the past',
    (headers) => post(`/ledgers/${a101!.id}/move-out`, { date: '2020-01-31' }, headers),
    [422, 'Move-out date must be today or later.'],
    'La fecha de salida debe ser hoy o posterior.',
  ],
];

describe('a refusal is in Spanish for a call of a Spanish page, for any other in English:', () => {
  test.each(refusedCalls)('%s', async (_what, send, english, spanish) => {
    const plain = await send({});
    expect([plain.status, plain.body]).toEqual([english[0], { message: english[1] }]);
    const { status, body } = await send(SPANISH);
    expect([status, body]).toEqual([english[0], { message: spanish }]);
    expect((await send({ 'gatehouse-language': 'fr' })).body.message).toBe(english[1]);
  });

  test('too many sign-ins, each in its own, also at once', async () => {
    const { limits } = api.ctx.config;
    api.ctx.config.limits = { ...limits, 'sign-ins-a-minute': { most: 0, seconds: 60 } };
    const answers = await Promise.all([{}, SPANISH, {}, SPANISH].map(login(DEMO_PASSWORD)));
    api.ctx.config.limits = limits;
    const english =
      'There were too many sign-ins from your network. Please wait a moment and try again.';
    const spanish =
      'Hubo demasiados inicios de sesión desde su red. Espere un momento e inténtelo de nuevo.';
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429, 429]);
    expect(messagesOf(answers)).toEqual([english, spanish, english, spanish]);
  });

  // spec 10.74
  test('a decline that is answered again, whatever the language of the first call', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const answers = [await pay({ ...SPANISH, ...key }), await pay(key)];
    expect(messagesOf(answers)).toEqual([
      'Su banco rechazó esta tarjeta. Use otra tarjeta.',
      'Your bank declined this card. Please use another card.',
    ]);
  });
});

/** Pays what the unit owes with a card that the sandbox declines. */
function pay(headers: Record<string, string>) {
  const { id: ledgerId, unitId, balance } = a101!;
  return post(
    `/tenants/${dana.tenantIds[0]}/payments`,
    {
      payments: [{ ledgerId, unitId, amount: balance }],
      creditCard: { ...card, cardNumber: sandboxNumbers.declined },
    },
    headers,
  );
}

// spec 10.74
test('a message to staff is in English, whatever the language of the tenant’s call', async () => {
  const body = { date: '2031-01-31', reason: 'Vendí el bote.' };
  expect((await post(`/ledgers/${a101!.id}/move-out`, body, SPANISH)).status).toBe(200);
  const [mail] = (await readMails(api)).filter(({ kind }) => kind === 'move_out');
  expect(mail!.text).toContain('1/31/2031');
});
