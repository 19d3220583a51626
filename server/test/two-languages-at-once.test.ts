import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, signIn, type SignedIn, type TestApp } from './app.ts';
import { callOffice, signInStaff } from './office.ts';

let api: TestApp;
let dana: SignedIn;
let port: number;
/** Few connections, so that each carries calls in both languages after each other. */
const agent = new Agent({ keepAlive: true, maxSockets: 10 });
beforeAll(async () => {
  api = await openTestApp('demo_template');
  dana = await signIn(api, 'dana@example.com');
  port = Number(new URL(await api.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => {
  agent.destroy();
  return api.close();
});

/** What a call is answered with, or a part of it. */
type Call = { path: string; body?: object; says: { en: string; es: string } };
const lookup = { locationCode: 'TXDFW03', corporationCode: 'ANCHOR' };

/** Refused by the router, the guard, the validation and a handler; served by the last. */
const calls: (() => Call)[] = [
  () => ({ path: '/no-such-call', says: { en: 'Not found.', es: 'No encontrado.' } }),
  () => ({
    path: `${dana.prefix}/tenants/${randomUUID()}`,
    says: { en: 'Not found.', es: 'No encontrado.' },
  }),
  () => ({
    path: '/users/register',
    body: lookup,
    says: { en: 'Email Address is required.', es: 'El campo Correo electrónico es obligatorio.' },
  }),
  () => ({
    path: '/users/password-update',
    body: { corporationCode: 'ANCHOR', token: 'none', password: 'harbor gate 81' },
    says: {
      en: 'Your verification is no longer valid. Please look up your account again.',
      es: 'Su verificación ya no es válida. Busque su cuenta de nuevo.',
    },
  }),
  () => ({
    path: `${dana.prefix}/tenants/${dana.tenantIds[0]}/reminders`,
    says: { en: 'of renting or of paying', es: 'para alquilar ni para pagar' },
  }),
];

test('50 calls at once, in two languages on the same connections, are each answered in their own', async () => {
  const answers = Array.from({ length: 50 }, async (_, index) => {
    const language = index % 2 === 0 ? 'en' : 'es';
    const { path, body, says } = calls[Math.floor(index / 2) % calls.length]!();
    return { path, isOwn: (await ask(path, language, body)).includes(says[language]) };
  });
  const wrong = (await Promise.all(answers)).filter(({ isOwn }) => !isOwn);
  expect(wrong).toEqual([]);
});

/** Sends a body byte by byte, so that it arrives between the calls of others. */
async function ask(path: string, language: string, body?: object): Promise<string> {
  const headers = {
    authorization: `Bearer ${dana.token}`,
    'gatehouse-language': language,
    ...(body && { 'content-type': 'application/json' }),
  };
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request({ port, agent, method, path: `/api${path}`, headers });
  const answered = new Promise<Readable>((resolve, reject) =>
    sent.once('response', resolve).once('error', reject),
  );
  if (body === undefined) sent.end();
  else Readable.from(JSON.stringify(body).match(/.{1,20}/g)!).pipe(sent);
  return text(await answered);
}

test('what staff do is in English, whatever language their call names', async () => {
  const as = await signInStaff(api, 'manager');
  const headers = { 'gatehouse-language': 'es' };
  const path = '/office/tenants/00000000-0000-4000-8000-000000000000/notes';
  const body = { key: randomUUID() };
  expect((await callOffice(api, 'POST', path, { as, body, headers })).body).toEqual({
    message: 'Note is required.',
  });
});
