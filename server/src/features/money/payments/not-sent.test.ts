import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createStripeGateway } from '#adapters/payments/stripe-gateway.ts';
import { signIn, type SignedIn } from '#test/app.ts';
import { openStripeApp, type StripeApp } from '#test/stripe/app.ts';
import { openStripeStub } from '#test/stripe/stub.ts';
import { testClock } from '#test/test-day.ts';
import { changeRows } from '#test/rows.ts';

const NOT_AVAILABLE =
  'Payments are not available at the moment. You were not charged. Please try again in a few minutes.';

let api: StripeApp;
let dana: SignedIn;
let working: StripeApp['ctx']['gateway'];
beforeAll(async () => {
  api = await openStripeApp();
  dana = await signIn(api, 'dana@example.com');
  working = api.ctx.gateway;
});
beforeEach(() => {
  api.ctx.gateway = working;
  api.stub.switchBankDebits(true);
});
afterAll(() => api.close());

const url = () => `${dana.prefix}/tenants/${dana.tenantIds[0]}`;
const fresh = (name: string) => ({
  [name.startsWith('pm_us') ? 'ach' : 'creditCard']: {
    paymentToken: api.stub.confirmationToken(name),
  },
});

async function rentalThatOwes() {
  const { body } = await api.call('GET', `${url()}/ledgers`, { token: dana.token });
  return (body as { id: string; unitId: string; balance: number }[]).find(
    ({ balance }) => balance > 5,
  )!;
}

async function pay(method: object, idempotencyKey = randomUUID(), amount = 1) {
  const rental = await rentalThatOwes();
  const { status, body } = await api.call('POST', `${url()}/payments`, {
    token: dana.token,
    headers: { 'idempotency-key': idempotencyKey },
    body: { payments: [{ ledgerId: rental.id, unitId: rental.unitId, amount }], ...method },
  });
  return { status, message: (body as { message?: string }).message, rental };
}

async function newest() {
  return api.owner
    .selectFrom('payment_intents')
    .select(['id', 'state', 'decline_message'])
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
}

async function alarms(kind: string) {
  return api.owner.selectFrom('alarms').selectAll().where('kind', '=', kind).execute();
}

/** A working gateway whose charges are made with a wrong key of ours. */
async function withWrongKey(): Promise<void> {
  const wrong = await createStripeGateway({ secretKey: 'sk_test_wrong', apiUrl: api.stub.url });
  api.ctx.gateway = {
    ...working,
    charge: (...given) => wrong.charge(...given),
    saveMethod: (...given) => wrong.saveMethod(...given),
  };
}

/** The same with an address where nothing listens. */
async function withNothingListening(): Promise<void> {
  const gone = await openStripeStub();
  await gone.close();
  const away = await createStripeGateway({ secretKey: 'sk_test_stub', apiUrl: gone.url });
  api.ctx.gateway = { ...working, charge: (...given) => away.charge(...given) };
}

describe('a payment that was not sent', () => {
  test.each<[string, () => Promise<void> | void]>([
    ['a wrong key of ours', withWrongKey],
    ['a refused connection', withNothingListening],
    ['too many calls (429)', () => api.stub.failNext('429')],
  ])(
    'because of %s is 503 in a sentence, posts nothing and is not a decline',
    async (_name, breakIt) => {
      const key = randomUUID();
      const { balance } = await rentalThatOwes();
      await breakIt();
      expect(await pay(fresh('pm_card_visa'), key)).toMatchObject({
        status: 503,
        message: NOT_AVAILABLE,
      });
      expect(await newest()).toMatchObject({ state: 'never_sent', decline_message: null });
      expect((await rentalThatOwes()).balance).toBe(balance);

      api.ctx.gateway = working;
      expect(await pay(fresh('pm_card_visa'), key)).toMatchObject({ status: 200 });
      expect((await rentalThatOwes()).balance).toBeCloseTo(balance - 1);
    },
  );

  test('does not count towards the limit of declines', async () => {
    for (let nth = 0; nth < 6; nth += 1) {
      api.stub.failNext('429');
      expect(await pay(fresh('pm_card_visa'))).toMatchObject({ status: 503 });
      // An answer in between, so that the breaker stays closed.
      await working.lookup(randomUUID(), { customer: null, since: testClock.now() });
    }
    expect(await pay(fresh('pm_card_visa'))).toMatchObject({ status: 200 });
  });

  test('under a wrong key raises one alarm a day for the operator', async () => {
    await withWrongKey();
    await pay(fresh('pm_card_visa'));
    await pay(fresh('pm_card_visa'));
    expect(await alarms('gateway_key_refused')).toMatchObject([
      { sentence: expect.stringMatching(/secret key/) as string },
    ]);
  });

  test('because bank debits are not switched on asks for a card and raises an alarm', async () => {
    api.stub.switchBankDebits(false);
    expect(await pay(fresh('pm_usBankAccount_success'))).toMatchObject({
      status: 503,
      message:
        'Payments by bank account are not available at the moment. You were not charged. Please use a card.',
    });
    expect(await newest()).toMatchObject({ state: 'never_sent' });
    expect(await alarms('bank_debits_off')).toHaveLength(1);
  });
});

describe('an amount below the gateway’s least charge', () => {
  test('is refused in a sentence that says what to do, and nothing is begun', async () => {
    await changeRows(api.owner, 'facilities', { least_payment_cents: 1 });
    const before = (await newest()).id;
    expect(await pay(fresh('pm_card_visa'), randomUUID(), 0.49)).toMatchObject({
      status: 422,
      message:
        'The least that can be paid online is $0.50. Please pay it together with your next bill, or call your facility.',
    });
    expect((await newest()).id).toBe(before);
    expect(await pay(fresh('pm_card_visa'), randomUUID(), 0.5)).toMatchObject({ status: 200 });
  });
});

describe('an email address that the gateway finds invalid', () => {
  test('does not keep the tenant from paying', async () => {
    await api.owner.deleteFrom('gateway_customers').execute();
    const setEmail = async (from: string, to: string) => {
      for (const table of ['tenants', 'users'] as const)
        await api.owner.updateTable(table).set({ email: to }).where('email', '=', from).execute();
    };
    await setEmail('dana@example.com', 'dana@localhost');
    expect(await pay(fresh('pm_card_visa'))).toMatchObject({ status: 200 });
    await setEmail('dana@localhost', 'dana@example.com');
  });
});

describe('a method that could not be kept', () => {
  test('because of a fault of ours is 503 however often, and counts as no decline', async () => {
    await withWrongKey();
    const rental = await rentalThatOwes();
    for (let nth = 0; nth < 6; nth += 1) {
      const answer = await api.call('POST', `${dana.prefix}/ledgers/${rental.id}/autopay-update`, {
        token: dana.token,
        body: fresh('pm_card_visa'),
      });
      expect([answer.status, answer.body]).toMatchObject([503, { message: NOT_AVAILABLE }]);
    }
  });
});

describe('a payment whose connection broke after it was sent', () => {
  test('is unknown also where nothing listens any more at the second try', async () => {
    const going = await openStripeStub();
    const gateway = await createStripeGateway({ secretKey: 'sk_test_stub', apiUrl: going.url });
    going.failNext('reset after');
    going.closeAfterNextReset();
    const customer = await gateway.createCustomer({
      id: randomUUID(),
      name: 'Dana Reyes',
      email: 'dana@example.com',
    });
    const instrument = {
      type: 'creditCard' as const,
      token: going.confirmationToken('pm_card_visa'),
    };
    api.ctx.gateway = {
      ...working,
      charge: (request, signal) => gateway.charge({ ...request, instrument, customer }, signal),
    };
    expect(await pay(fresh('pm_card_visa'))).toMatchObject({ status: 409 });
    expect(await newest()).toMatchObject({ state: 'unknown' });
  });
});
