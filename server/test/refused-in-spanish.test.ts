import { beforeAll, describe, expect, test } from 'vitest';
import { useTestApp, signIn, type SignedIn, type TestApp } from './app.ts';

const api = useTestApp('demo_template');
let dana: SignedIn;
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
});

const json = { 'content-type': 'application/json' };
const lookup = { locationCode: 'TXDFW03', corporationCode: 'ANCHOR' };

/** Each sends its call with these headers, and is refused in English and in Spanish. */
const refusedCalls: [
  what: string,
  send: (headers: Record<string, string>) => ReturnType<TestApp['call']>,
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
];

describe('a call of a Spanish page is refused in Spanish, any other in English', () => {
  test.each(refusedCalls)('%s', async (_what, send, english, spanish) => {
    const plain = await send({});
    expect([plain.status, plain.body]).toEqual([english[0], { message: english[1] }]);
    const { status, body } = await send({ 'gatehouse-language': 'es' });
    expect([status, body]).toEqual([english[0], { message: spanish }]);
    expect((await send({ 'gatehouse-language': 'fr' })).body.message).toBe(english[1]);
  });
});
