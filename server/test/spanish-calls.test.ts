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

const messagesOf = (answers: Answer[]) => answers.map(({ body }) => String(body.message));

const login = (password: string) => (headers: Record<string, string>) =>
  api.call('POST', '/users/login', {
    body: {
      username: 'dana@example.com',
      password,
      locationCode: 'TXDFW03',
      corporationCode: 'ANCHOR',
    },
    headers,
  });

type Case = [
  what: string,
  ask: (headers: Record<string, string>) => Promise<Answer>,
  status: number,
  english: string,
  spanish: string,
];

describe('a refusal is in the language of the call:', () => {
  test.each<Case>([
    [
      'a wrong password',
      login('anchor-axle-27'),
      401,
      'The email address, password or location is not right. Please check all three and try again.',
      'El correo electrónico, la contraseña o el centro no es correcto. Revise los tres e inténtelo de nuevo.',
    ],
    [
      'a new password without a verified code',
      (headers) =>
        api.call('POST', '/users/password-update', {
          body: { corporationCode: 'ANCHOR', token: 'none', password: 'harbor gate 81' },
          headers,
        }),
      422,
      'Your verification is no longer valid. Please look up your account again.',
      'Su verificación ya no es válida. Busque su cuenta de nuevo.',
    ],
    [
      'a declined card',
      pay,
      402,
      'Your bank declined this card. Please use another card.',
      'Su banco rechazó esta tarjeta. Use otra tarjeta.',
    ],
    [
      'a payment of more than is owed',
      (headers) => post(`/ledgers/${a101!.id}/payment-preview`, { amount: 90_000 }, headers),
      422,
      'Amount must be at most what is owed on the unit.',
      'El importe no puede ser mayor que lo que se debe de la unidad.',
    ],
    [
      'a second protection plan',
      async (headers) => {
        const [plan] = (await get('/insurance-coverages')).body;
        const body = { unitId: b207!.unitId, coverageId: plan.id };
        return post(`/tenants/${dana.tenantIds[0]}/insurance/add`, body, headers);
      },
      409,
      'This unit has an active protection plan already. Please call your facility to change it.',
      'Esta unidad ya tiene un plan de protección activo. Llame a su centro para cambiarlo.',
    ],
    [
      'a move-out in the past',
      (headers) => post(`/ledgers/${a101!.id}/move-out`, { date: '2020-01-31' }, headers),
      422,
      'Move-out date must be today or later.',
      'La fecha de salida debe ser hoy o posterior.',
    ],
  ])('%s', async (_, ask, status, english, spanish) => {
    const answers = [await ask({}), await ask(SPANISH)];
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    expect(messagesOf(answers)).toEqual([english, spanish]);
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
