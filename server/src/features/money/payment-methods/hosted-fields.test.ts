import { PassThrough } from 'node:stream';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStripeApp, type StripeApp } from '#test/stripe/app.ts';
import { openTestApp, signIn, type SignedIn } from '#test/app.ts';
import { findRows, getRow } from '#test/rows.ts';

const REFUSED = 'Card numbers are not accepted here. Please use the card form of this page.';
const CANARY = '4111111111111111';
const ACCOUNT_CANARY = '987654321098';
const ledgerless = '00000000-0000-4000-8000-000000000000';
const rawCard = {
  cardType: 'Visa',
  cardNumber: CANARY,
  cardCvv: '987',
  expirationMonth: '04',
  expirationYear: '2029',
  name: 'Dana Reyes',
  postalCode: '76020',
};
const rawAccount = {
  accountType: 'Consumer Checking',
  accountNumber: ACCOUNT_CANARY,
  routingNumber: '110000000',
};

let log = '';
let api: StripeApp;
let dana: SignedIn;
let ledger: { id: string; unitId: string; balance: number };
beforeAll(async () => {
  const stream = new PassThrough();
  stream.on('data', (part: Buffer) => (log += part.toString()));
  api = await openStripeApp({ log: pino({ level: 'trace' }, stream) });
  dana = await signIn(api, 'dana@example.com');
  ledger = await owing();
});
afterAll(() => api.close());

async function owing() {
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers`;
  const { body } = await api.call('GET', path, { token: dana.token });
  return (body as (typeof ledger)[]).find(({ balance }) => balance > 20)!;
}

const pay = (method: object, amount = 1) =>
  api.call('POST', `${dana.prefix}/tenants/${dana.tenantIds[0]}/payments`, {
    token: dana.token,
    body: { payments: [{ ledgerId: ledger.id, unitId: ledger.unitId, amount }], ...method },
  });
const setAutopay = (method: object) =>
  api.call('POST', `${dana.prefix}/ledgers/${ledger.id}/autopay-update`, {
    token: dana.token,
    body: method,
  });

describe('with Stripe’s hosted fields', () => {
  test('the facility names them, and the publishable key only', async () => {
    const answer = await api.call('GET', dana.prefix, { token: dana.token });
    expect(answer.body.hostedFields).toEqual({
      provider: 'stripe',
      publishableKey: 'pk_test_stub',
    });
    expect(answer.text).not.toMatch(/sk_test|whsec/);
  });

  test.each<[string, object]>([
    ['a card', { creditCard: rawCard }],
    ['an account', { ach: rawAccount }],
    ['a card beside a token', { creditCard: { paymentToken: 'ctoken_x', cardNumber: CANARY } }],
    [
      'a card with blanks in it',
      { creditCard: { paymentToken: 'ctoken_x', cardNumber: '4111 1111-1111.1111' } },
    ],
    [
      'a card beside a saved one',
      { creditCard: { paymentMethodId: ledgerless, cardNumber: CANARY } },
    ],
    ['a card that is not whole', { creditCard: { cardNumber: CANARY } }],
    [
      'a number that is none',
      { creditCard: { paymentToken: 'ctoken_x', cardNumber: Number(CANARY) } },
    ],
    ['a card in the place of a token', { creditCard: { paymentToken: CANARY } }],
    [
      'a card in the place of a token, with dashes',
      { creditCard: { paymentToken: '4111-1111-1111-1111' } },
    ],
    ['an account in the place of a token', { ach: { paymentToken: ACCOUNT_CANARY } }],
    [
      'an account beside a token',
      { ach: { paymentToken: 'ctoken_x', accountNumber: ACCOUNT_CANARY } },
    ],
  ])('a raw number of %s is refused with 422, wherever it is sent', async (_name, method) => {
    for (const answer of [await pay(method), await setAutopay(method)]) {
      expect([answer.status, answer.body]).toEqual([422, { message: REFUSED }]);
    }
  });

  test('nothing of it is logged, stored, forwarded or returned, also where the rest of the body is invalid', async () => {
    await pay({ creditCard: { ...rawCard, cardCvv: '' } });
    await pay({ creditCard: { ...rawCard, expirationYear: 4 } });
    const { rows } = await sql<{ found: string }>`
      SELECT table_name AS found FROM information_schema.tables t
      WHERE table_schema IN ('public', 'pgboss') AND table_type = 'BASE TABLE'
        AND query_to_xml(format('SELECT * FROM %I.%I', table_schema, table_name), true, true, '')::text
          ~ ${`${CANARY}|${ACCOUNT_CANARY}`}`.execute(api.owner);
    expect(rows).toEqual([]);
    expect(log.length).toBeGreaterThan(0);
    for (const canary of [CANARY, ACCOUNT_CANARY]) {
      expect(log).not.toContain(canary);
      expect(JSON.stringify([api.stub.intents(), api.stub.calls()])).not.toContain(canary);
    }
  });

  test('a token pays, and the history has Stripe’s details of it, not the body’s', async () => {
    const paymentToken = api.stub.confirmationToken('pm_card_mastercard');
    const answer = await pay({
      creditCard: {
        paymentToken,
        cardType: 'Visa',
        cardNumber: '************9999',
        name: 'Somebody',
      },
    });
    expect(answer.status).toBe(200);
    const history = await api.call('GET', `${dana.prefix}/ledgers/${ledger.id}/payments`, {
      token: dana.token,
    });
    expect(history.body[0].paymentTypeDescription).toBe('Master Card ending in 4444');
  });

  test('the same token sets autopay up after it has paid, and the method is saved with its funding', async () => {
    const paymentToken = api.stub.confirmationToken('pm_card_visa_debit');
    const creditCard = { paymentToken, keepForAutopay: true };
    expect((await pay({ creditCard }, 2)).status).toBe(200);
    const answer = await setAutopay({ creditCard });
    expect(answer.status).toBe(200);
    const { paymentMethodId, ...shown } = answer.body.creditCard;
    expect(shown).toMatchObject({
      cardType: 'Visa',
      cardNumber: '************5556',
      expirationDate: '2034-04',
      // A debit card.
      bringsFee: false,
    });
    const row = await getRow(
      api.owner,
      'payment_methods',
      ['funding', 'last_four', 'gateway_token'],
      { id: paymentMethodId as string },
    );
    expect(row).toMatchObject({ funding: 'debit', last_four: '5556' });
    expect(row.gateway_token).not.toContain('pm_');
    const again = await pay({ creditCard: { paymentMethodId: paymentMethodId as string } }, 3);
    expect(again.status).toBe(200);
  });

  test.each([
    ['a card', 'creditCard', 'pm_card_mastercard', 4],
    ['a bank account', 'ach', 'pm_usBankAccount_success', 5],
  ])(
    '%s that pays once is kept neither at the gateway nor here, and does not set autopay up',
    async (_name, type, name, amount) => {
      const rows = () => findRows(api.owner, 'payment_methods', 'id');
      const before = [api.stub.keptMethods().length, (await rows()).length];
      const method = { [type]: { paymentToken: api.stub.confirmationToken(name) } };
      expect((await pay(method, amount)).status).toBe(200);
      expect([api.stub.keptMethods().length, (await rows()).length]).toEqual(before);
      const answer = await setAutopay(method);
      expect(answer.status).toBe(402);
      expect(answer.body.message).toMatch(/fill them in again/);
    },
  );

  test('a bank account’s token sets autopay up', async () => {
    const paymentToken = api.stub.confirmationToken('pm_usBankAccount_success');
    const answer = await setAutopay({
      ach: { paymentToken, accountNumber: '************6789', routingNumber: '110000000' },
    });
    expect(answer.body.ach).toMatchObject({
      accountType: 'Consumer Checking',
      accountNumber: '****6789',
    });
  });

  test('a tenant is one customer at Stripe, however many payments are made at once', async () => {
    const customers = await api.owner.selectFrom('gateway_customers').selectAll().execute();
    expect(customers).toHaveLength(1);
    const ids = new Set(api.stub.intents().map(({ customer }) => customer as string));
    expect([...ids]).toEqual([customers[0]!.customer]);
  });

  test.each<[object, RegExp]>([
    [{ creditCard: { paymentToken: 'ctoken_nobody' } }, /fill them in again/],
    [{ ach: { paymentToken: 'ctoken_nobody' } }, /fill them in again/],
  ])('an unknown token is refused with 422: %j', async (method, sentence) => {
    for (const answer of [await pay(method), await setAutopay(method)]) {
      expect(answer.status).toBe(422);
      expect(answer.body.message).toMatch(sentence);
    }
  });

  // spec 5.62
  test('a new account whose routing number has not the ABA’s check digit is refused with 422, and charged nothing', async () => {
    const before = api.stub.intents().length;
    const token = () => ({
      ach: { paymentToken: api.stub.confirmationToken('pm_usBankAccount_badCheckDigit') },
    });
    for (const answer of [await pay(token()), await setAutopay(token())])
      expect([answer.status, answer.body.message]).toEqual([
        422,
        'The routing number of this bank account is not valid. Please check it, or use another account.',
      ]);
    expect(api.stub.intents()).toHaveLength(before);
  });

  test('a card’s token is not accepted as an account’s', async () => {
    const answer = await pay({ ach: { paymentToken: api.stub.confirmationToken('pm_card_visa') } });
    expect([answer.status, answer.body.message]).toEqual([422, 'This is not a bank account.']);
  });

  test('a card that its bank refuses to save is refused with 402', async () => {
    const answer = await setAutopay({
      creditCard: { paymentToken: api.stub.confirmationToken('pm_card_chargeDeclined') },
    });
    expect([answer.status, answer.body.message]).toEqual([
      402,
      'Your bank declined this card. Please use another card.',
    ]);
  });

  test('another tenant’s saved method is not found', async () => {
    const row = await getRow(api.owner, 'payment_methods', 'id');
    const lee = await signIn(api, 'lee@example.com');
    const { body } = await api.call('GET', `${lee.prefix}/tenants/${lee.tenantIds[0]}/ledgers`, {
      token: lee.token,
    });
    const answer = await api.call('POST', `${lee.prefix}/ledgers/${body[0].id}/autopay-update`, {
      token: lee.token,
      body: { creditCard: { paymentMethodId: row.id } },
    });
    expect(answer.status).toBe(404);
  });
});

test('in the sandbox a token is refused with 422, and no field is hosted', async () => {
  const sandbox = await openTestApp('demo_template');
  try {
    const tenant = await signIn(sandbox, 'dana@example.com');
    const { body } = await sandbox.call('GET', tenant.prefix, { token: tenant.token });
    expect(body.hostedFields).toBeNull();
    const ledgers = await sandbox.call(
      'GET',
      `${tenant.prefix}/tenants/${tenant.tenantIds[0]}/ledgers`,
      {
        token: tenant.token,
      },
    );
    const answer = await sandbox.call(
      'POST',
      `${tenant.prefix}/ledgers/${ledgers.body[0].id}/autopay-update`,
      {
        token: tenant.token,
        body: { creditCard: { paymentToken: 'ctoken_1' } },
      },
    );
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'Payment tokens are not accepted here. Please give the card or account itself.',
    ]);
    const webhook = await sandbox.app.inject({
      method: 'POST',
      url: '/api/webhooks/stripe',
      payload: {},
    });
    expect(webhook.statusCode).toBe(404);
  } finally {
    await sandbox.close();
  }
});
