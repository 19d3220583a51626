import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import {
  openStripeStub,
  STUB_SECRET_KEY,
  type StripeFailure,
  type StripeStub,
} from '#test/stripe/stub.ts';
import { fromNow, testClock } from '#test/test-day.ts';
import { describeGateway } from './gateway.contract.ts';
import {
  GatewayUnknown,
  MethodDeclined,
  NotSent,
  type ChargeRequest,
  type Instrument,
  type PaymentGateway,
  type Transaction,
} from './gateway.ts';
import { createStripeGateway } from './stripe-gateway.ts';

const tokens = {
  approve: 'pm_card_visa',
  decline: 'pm_card_chargeDeclined',
  hardDecline: 'pm_card_chargeDeclinedStolenCard',
  insufficientFunds: 'pm_card_chargeDeclinedInsufficientFunds',
  declinedByAutopay: 'pm_card_declinedOffSession',
  noAnswer: 'pm_card_noAnswer',
  notSent: 'pm_card_notSent',
};

describeGateway('Stripe', async () => {
  const stub = await openStripeStub();
  const gateway = await open(stub);
  return {
    gateway,
    customer: await customerOf(gateway),
    card: (behaviour) => card(stub.confirmationToken(tokens[behaviour])),
    account: () => account(stub.confirmationToken('pm_usBankAccount_success')),
    capturedCents: (reference) => Promise.resolve(stub.capturedCents(reference)),
    keptMethods: () => Promise.resolve(stub.keptMethods().length),
    silenceOf: (reference) => stub.silenceOf(reference),
    dashboard: stub.dashboard,
    banks: {
      returnedAccount: () => account(stub.confirmationToken('pm_usBankAccount_accountClosed')),
      code: 'R02',
      pass: () => stub.settle(),
    },
    async payOut() {
      await stub.settle();
      stub.payOut();
    },
    close: () => stub.close(),
  };
});

function card(token: string): Instrument {
  return { type: 'creditCard', token };
}

function account(token: string): Instrument {
  return { type: 'ach', token };
}

async function open(stub: StripeStub): Promise<PaymentGateway> {
  return createStripeGateway({ secretKey: STUB_SECRET_KEY, apiUrl: stub.url });
}

async function customerOf(gateway: PaymentGateway): Promise<string> {
  return (await gateway.createCustomer({
    id: randomUUID(),
    name: 'Dana Reyes',
    email: 'dana@example.com',
  }))!;
}

describe('Stripe', () => {
  let stub: StripeStub;
  let gateway: PaymentGateway;
  let customer: string;
  beforeAll(async () => {
    stub = await openStripeStub();
  });
  beforeEach(async () => {
    gateway = await open(stub);
    customer = await customerOf(gateway);
  });
  afterAll(() => stub.close());

  const where = () => ({ customer, since: fromNow(-60_000) });
  const soon = () => AbortSignal.timeout(120_000);
  const request = (instrument: Instrument, more: Partial<ChargeRequest> = {}): ChargeRequest => ({
    reference: randomUUID(),
    amountCents: 21_450,
    instrument,
    initiator: 'tenant',
    customer,
    ...more,
  });
  const freshCard = (name = 'pm_card_visa') => card(stub.confirmationToken(name));
  const freshAccount = (name = 'pm_usBankAccount_success') => account(stub.confirmationToken(name));

  test('lists the refunds and disputes of a window page by page, without a call for each payment', async () => {
    const own = await openStripeStub();
    const listing = await open(own);
    const from = new Date(Math.floor(testClock.now().getTime() / 1000) * 1000);
    const asked = [1, 2].map(() =>
      request(card(own.confirmationToken('pm_card_visa')), { customer: null }),
    );
    for (const one of asked) await listing.charge(one, soon());
    for (let made = 0; made < 250; made++)
      await own.dashboard.refund(asked[made % 2]!.reference, 10);
    for (const { reference } of asked) await own.dashboard.dispute(reference, 100);
    const before = own.calls().length;
    const window = { from, to: fromNow(2000) };
    const ids = new Set<string>();
    for await (const { id } of listing.listRefunds(window)) ids.add(id);
    for await (const { id } of listing.listDisputes(window)) ids.add(id);
    expect(ids.size).toBe(252);
    expect(own.calls().slice(before)).toEqual([
      'GET /v1/refunds',
      'GET /v1/refunds',
      'GET /v1/refunds',
      'GET /v1/disputes',
    ]);
    await own.close();
  });

  describe('asked for payouts', () => {
    const window = () => ({
      from: fromNow(-60_000),
      to: fromNow(60_000),
    });
    async function listed() {
      const payouts = new Map<
        string,
        { arrivesOn: string; standing: string; references: string[] }
      >();
      for await (const { id, arrivesOn, standing, references } of gateway.listPayouts!(
        window().from,
        window().to,
      )) {
        const all: string[] = [];
        for await (const reference of references()) all.push(reference);
        payouts.set(id, { arrivesOn, standing, references: all });
      }
      return payouts;
    }

    test('reads the charges of one page by page, and of its refunds none', async () => {
      const { token } = await gateway.saveMethod(card('pm_card_visa'), customer);
      const asked = Array.from({ length: 120 }, () => request(card(token)));
      for (let start = 0; start < asked.length; start += 10)
        await Promise.all(asked.slice(start, start + 10).map((one) => gateway.charge(one, soon())));
      const refund = {
        reference: randomUUID(),
        chargeReference: asked[0]!.reference,
        amountCents: 5_000,
      };
      await gateway.refund({ ...refund, where: where() });
      const id = stub.payOut({
        arrival_date: Date.parse('2026-11-22T00:00:00Z') / 1000,
        status: 'in_transit',
      });
      const payout = (await listed()).get(id);
      expect(payout).toMatchObject({ arrivesOn: '2026-11-22', standing: 'underWay' });
      expect(payout?.references).toEqual(
        expect.arrayContaining(asked.map(({ reference }) => reference)),
      );
      expect(payout?.references).not.toContain(refund.reference);
      expect(new Set(payout?.references).size).toBe(payout?.references.length);
    });

    test('reports one that the bank rejected as failed', async () => {
      const id = stub.payOut({ status: 'failed' });
      expect((await listed()).get(id)).toMatchObject({ standing: 'failed' });
    });

    test('leaves out those whose charges Stripe cannot name, or not yet', async () => {
      const byHand = stub.payOut({ automatic: false, reconciliation_status: 'not_applicable' });
      const early = stub.payOut({ status: 'pending', reconciliation_status: 'in_progress' });
      const ids = [...(await listed()).keys()];
      expect(ids).not.toContain(byHand);
      expect(ids).not.toContain(early);
    });
  });

  describe('asked to charge', () => {
    test.each<[StripeFailure, boolean]>([
      ['no answer before', false],
      ['no answer after', true],
      ['500 before', false],
      ['500 after', true],
      ['reset after', true],
      ['garbage after', true],
    ])(
      'and answered with %s, leaves the outcome open until a look-up (%s)',
      async (failure, isCharged) => {
        const asked = request(freshCard());
        stub.failNext(failure);
        // The SDK retries a closed connection once, under the same key.
        const answer = await gateway
          .charge(asked, stub.silenceOf(asked.reference))
          .catch((error: unknown) => error);
        if (failure === 'reset after') expect(answer).toEqual({ outcome: 'succeeded' });
        else expect(answer).toBeInstanceOf(GatewayUnknown);
        expect(await gateway.lookup(asked.reference, where())).toEqual({
          outcome: isCharged ? 'succeeded' : 'notFound',
        });
        expect(await gateway.voidReference(asked.reference, where())).toEqual({
          outcome: isCharged ? 'succeeded' : 'voided',
        });
        expect(stub.capturedCents(asked.reference)).toBe(isCharged ? 21_450 : null);
      },
    );

    test('and answered with 429, reports that nothing was sent, and the same reference may be charged', async () => {
      const asked = request(freshCard());
      stub.failNext('429');
      await expect(gateway.charge(asked, soon())).rejects.toMatchObject({
        name: 'NotSent',
        fault: null,
      });
      expect(await gateway.lookup(asked.reference, where())).toEqual({ outcome: 'notFound' });
      expect(await gateway.charge(asked, soon())).toEqual({ outcome: 'succeeded' });
    });

    test('with a refused connection, reports that nothing was sent', async () => {
      const gone = await openStripeStub();
      const away = await open(gone);
      await gone.close();
      await expect(away.charge(request(freshCard()), soon())).rejects.toBeInstanceOf(NotSent);
    });

    test('with a name that does not resolve, reports that nothing was sent', async () => {
      const away = await createStripeGateway({
        secretKey: STUB_SECRET_KEY,
        apiUrl: 'http://stripe.invalid',
      });
      await expect(away.charge(request(freshCard()), soon())).rejects.toBeInstanceOf(NotSent);
    });

    test.each<[string, (going: StripeStub) => void]>([
      ['is refused', (going) => going.closeAfterNextReset()],
      ['meets a 429', (going) => going.failNext('429')],
    ])(
      'leaves the outcome open where the second try after a broken connection %s',
      async (_name, meet) => {
        const going = await openStripeStub();
        const other = await open(going);
        const asked = request(card(going.confirmationToken('pm_card_visa')), {
          customer: await customerOf(other),
        });
        going.failNext('reset before');
        meet(going);
        const error = await other.charge(asked, soon()).catch((fault: unknown) => fault);
        expect(error).toBeInstanceOf(GatewayUnknown);
        expect(error).not.toBeInstanceOf(NotSent);
      },
    );

    test('gives up connecting after three seconds, a TLS handshake included', async () => {
      const mute = createServer(() => {}).listen(0, '127.0.0.1');
      await once(mute, 'listening');
      const { port } = mute.address() as AddressInfo;
      const away = await createStripeGateway({
        secretKey: STUB_SECRET_KEY,
        apiUrl: `https://127.0.0.1:${port}`,
      });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      let outcome: unknown = 'open';
      const charged = away
        .charge(request(freshCard()), soon())
        .catch((error: unknown) => (outcome = error));
      await once(mute, 'connection');
      await vi.advanceTimersByTimeAsync(2_999);
      expect(outcome).toBe('open');
      await vi.advanceTimersByTimeAsync(1);
      await charged;
      expect(outcome).toBeInstanceOf(NotSent);
      mute.close();
    });

    test('reports at once that nothing was sent when Stripe failed too often', async () => {
      const silent: StripeFailure[] = Array.from({ length: 5 }, () => '500 after');
      stub.failNext(...silent);
      for (let round = 0; round < 5; round++)
        await gateway.charge(request(freshCard()), soon()).catch(() => undefined);
      const calls = stub.calls().length;
      for (const initiator of ['tenant', 'autopay'] as const)
        await expect(
          gateway.charge(request(freshCard(), { initiator }), soon()),
        ).rejects.toBeInstanceOf(NotSent);
      expect(stub.calls()).toHaveLength(calls);
    });

    test('counts an answer that does not come in time among those failures', async () => {
      const silent: StripeFailure[] = Array.from({ length: 5 }, () => 'no answer before');
      stub.failNext(...silent);
      for (let round = 0; round < 5; round++) {
        const asked = request(freshCard());
        await gateway.charge(asked, stub.silenceOf(asked.reference)).catch(() => undefined);
      }
      await expect(gateway.charge(request(freshCard()), soon())).rejects.toBeInstanceOf(NotSent);
    });

    // asvs 16.3.4
    test('under a wrong API key, sends nothing and names the fault, in every call with a tenant’s method', async () => {
      const wrong = await createStripeGateway({ secretKey: 'sk_test_wrong', apiUrl: stub.url });
      for (const answer of [
        wrong.charge(request(freshCard()), soon()),
        wrong.saveMethod(freshCard(), customer),
        wrong.describe(freshCard()),
        wrong.createCustomer({ id: randomUUID(), name: 'Dana Reyes', email: 'dana@example.com' }),
      ])
        await expect(answer).rejects.toMatchObject({
          name: 'NotSent',
          fault: { kind: 'gateway_key_refused' },
        });
    });

    test('for a bank debit that is not switched on, sends nothing and names the fault', async () => {
      stub.switchBankDebits(false);
      for (const answer of [
        gateway.charge(request(freshAccount()), soon()),
        gateway.saveMethod(freshAccount(), customer),
      ])
        await expect(answer).rejects.toMatchObject({
          name: 'NotSent',
          fault: { kind: 'bank_debits_off' },
        });
      stub.switchBankDebits(true);
    });

    test('for a customer that was deleted, charges nothing and does not blame the card', async () => {
      await expect(
        gateway.charge(request(freshCard(), { customer: 'cus_gone' }), soon()),
      ).rejects.toMatchObject({
        name: 'NotSent',
        message: expect.stringContaining('resource_missing'),
        fault: { kind: 'gateway_call_refused' },
      });
    });

    test.each([
      ['pm_card_chargeDeclinedExpiredCard', true],
      ['pm_card_chargeDeclinedLostCard', true],
      ['pm_card_chargeDeclinedStolenCard', true],
      ['pm_card_chargeDeclinedFraudulent', true],
      ['pm_card_chargeDeclinedIncorrectCvc', false],
      ['pm_card_chargeDeclinedProcessingError', false],
      ['pm_card_authenticationRequired', false],
    ])('declines %s, hard: %s, now and in a look-up', async (name, isHard) => {
      const asked = request(freshCard(name));
      const answer = await gateway.charge(asked, soon());
      expect(answer).toEqual({
        outcome: 'declined',
        message: expect.stringMatching(/\.$/) as string,
        isHard,
      });
      expect(await gateway.lookup(asked.reference, where())).toEqual(answer);
    });

    test('pays with a form’s fields once, and can save them after that where the tenant agreed', async () => {
      const fields = { ...freshCard(), isKept: true };
      expect(await gateway.charge(request(fields), soon())).toEqual({ outcome: 'succeeded' });
      const saved = await gateway.saveMethod(fields, customer);
      expect(saved).toMatchObject({ brand: 'Visa', lastFour: '4242' });
      expect(await gateway.saveMethod(fields, customer)).toEqual(saved);
      const again = await gateway.charge(
        request(card(saved.token), { initiator: 'autopay' }),
        soon(),
      );
      expect(again).toEqual({ outcome: 'succeeded' });
      expect(await gateway.charge(request(fields), soon())).toMatchObject({
        outcome: 'declined',
        isHard: false,
      });
    });

    test('does not save a form’s fields after they have paid without autopay', async () => {
      const fields = freshCard();
      await gateway.charge(request(fields), soon());
      await expect(gateway.saveMethod(fields, customer)).rejects.toBeInstanceOf(MethodDeclined);
    });

    test('does not save another customer’s fields', async () => {
      const fields = { ...freshCard(), isKept: true };
      await gateway.charge(request(fields), soon());
      const other = await customerOf(gateway);
      await expect(gateway.saveMethod(fields, other)).rejects.toBeInstanceOf(MethodDeclined);
    });

    test('takes no raw number', async () => {
      const raw = {
        accountType: 'Consumer Checking',
        accountNumber: '000123456789',
        routingNumber: '110000000',
      } as const;
      await expect(gateway.charge(request({ type: 'ach', account: raw }), soon())).rejects.toThrow(
        /tokens only/,
      );
      expect(JSON.stringify(stub.intents())).not.toContain(raw.accountNumber);
    });
  });

  describe('asked to void a reference', () => {
    test('burns its key: a charge that comes late is never made', async () => {
      const asked = request(freshCard());
      expect(await gateway.voidReference(asked.reference, where())).toEqual({ outcome: 'voided' });
      await expect(gateway.charge(asked, soon())).rejects.toBeInstanceOf(GatewayUnknown);
      expect(await gateway.voidReference(asked.reference, where())).toEqual({ outcome: 'voided' });
      expect(stub.capturedCents(asked.reference)).toBeNull();
      const left = stub.intents().filter(({ metadata }) => metadata.reference === asked.reference);
      expect(left.map(({ status }) => status as string)).toEqual(['canceled']);
    });

    test('does not report a charge as voided when the clocks disagree about its instant', async () => {
      const asked = request(freshCard());
      expect(await gateway.charge(asked, soon())).toEqual({ outcome: 'succeeded' });
      // Our clock is ahead of Stripe's: by ours, the charge was made before it was begun.
      const ahead = { customer, since: fromNow(600_000) };
      expect(await gateway.lookup(asked.reference, ahead)).toEqual({ outcome: 'notFound' });
      expect(await gateway.voidReference(asked.reference, ahead)).toEqual({ outcome: 'succeeded' });
    });

    test('cancels a payment that was never confirmed', async () => {
      const fields = freshCard('pm_card_authenticationRequired');
      const asked = request(fields);
      // As left by a call that was interrupted before it confirmed the payment.
      await fetch(`${stub.url}/v1/payment_intents`, {
        method: 'POST',
        headers: { authorization: `Bearer ${STUB_SECRET_KEY}`, 'idempotency-key': asked.reference },
        body: new URLSearchParams({
          amount: '21450',
          currency: 'usd',
          customer,
          confirm: 'true',
          confirmation_token: (fields as { token: string }).token,
          'allowed_payment_method_types[0]': 'card',
          'metadata[reference]': asked.reference,
        }),
      });
      expect(await gateway.lookup(asked.reference, where())).toEqual({ outcome: 'notFound' });
      expect(await gateway.voidReference(asked.reference, where())).toEqual({ outcome: 'voided' });
      const left = stub.intents().filter(({ metadata }) => metadata.reference === asked.reference);
      expect(left.map(({ status }) => status as string)).toEqual(['canceled']);
    });
  });

  describe('asked for a bank debit', () => {
    const standing = async (name: string) => {
      const asked = request(freshAccount(name));
      expect(await gateway.charge(asked, soon())).toEqual({ outcome: 'pending' });
      expect(await gateway.lookup(asked.reference, where())).toEqual({ outcome: 'pending' });
      await stub.settle();
      return gateway.lookup(asked.reference, where());
    };

    test('returns it as settled once the bank has paid', async () => {
      expect(await standing('pm_usBankAccount_success')).toEqual({ outcome: 'settled' });
    });

    test.each([
      ['pm_usBankAccount_insufficientFunds', 'R01'],
      ['pm_usBankAccount_accountClosed', 'R02'],
      ['pm_usBankAccount_noAccount', 'R03'],
      ['pm_usBankAccount_debitNotAuthorized', 'R10'],
      ['pm_usBankAccount_dispute', 'R10'],
    ])('returns %s as returned with %s', async (name, code) => {
      expect(await standing(name)).toEqual({ outcome: 'returned', code });
    });

    test('returns one as returned that the bank returned long after it was paid', async () => {
      const asked = request(freshAccount());
      await gateway.charge(asked, soon());
      await stub.settle();
      await stub.dispute(asked.reference, 'R07', 'debit_not_authorized');
      expect(await gateway.lookup(asked.reference, where())).toEqual({
        outcome: 'returned',
        code: 'R07',
      });
    });

    test('does not keep an account that would have to be verified with small deposits', async () => {
      await expect(
        gateway.saveMethod(freshAccount('pm_usBankAccount_typedIn'), customer),
      ).rejects.toThrow(/is not verified/);
    });
  });

  describe('asked about a method', () => {
    test.each([
      [
        'pm_card_visa',
        { brand: 'Visa', lastFour: '4242', funding: 'credit', expiresOn: '2034-04' },
      ],
      ['pm_card_visa_debit', { brand: 'Visa', lastFour: '5556', funding: 'debit' }],
      [
        'pm_card_mastercard_prepaid',
        { brand: 'Master Card', lastFour: '5100', funding: 'prepaid' },
      ],
      ['pm_card_amex', { brand: 'American Express', lastFour: '8431' }],
      ['pm_card_diners', { brand: 'Diners Club', lastFour: '0004' }],
    ])('returns the brand, ending and funding of %s', async (name, details) => {
      expect(await gateway.describe(freshCard(name))).toMatchObject(details);
    });

    test('returns the kind of a bank account', async () => {
      expect(await gateway.describe(freshAccount())).toMatchObject({
        brand: 'Consumer Checking',
        lastFour: '6789',
        routingLastFour: '0000',
        funding: 'unknown',
      });
    });

    test('refuses an unknown token, and a card where an account is asked for', async () => {
      await expect(gateway.describe(card('ctoken_nobody'))).rejects.toBeInstanceOf(MethodDeclined);
      await expect(gateway.describe(card('pm_nobody'))).rejects.toBeInstanceOf(MethodDeclined);
      await expect(
        gateway.describe(account(stub.confirmationToken('pm_card_visa'))),
      ).rejects.toThrow('This is not a bank account.');
    });

    test('does not keep a card whose bank declines it or asks for more', async () => {
      for (const name of ['pm_card_chargeDeclined', 'pm_card_authenticationRequired'])
        await expect(gateway.saveMethod(freshCard(name), customer)).rejects.toBeInstanceOf(
          MethodDeclined,
        );
    });
  });

  test('creates one customer for a tenant, however often it is asked', async () => {
    const tenant = { id: randomUUID(), name: 'Lee Park', email: 'lee@example.com' };
    const first = await gateway.createCustomer(tenant);
    expect(await gateway.createCustomer(tenant)).toBe(first);
    // Renamed in between: another customer, but no error.
    expect(await gateway.createCustomer({ ...tenant, name: 'Lee Parks' })).not.toBe(first);
  });

  test('gives back a refund once for its reference, also a day later, and no more than was paid', async () => {
    const asked = request(freshCard());
    await gateway.charge(asked, soon());
    const refund = {
      reference: randomUUID(),
      chargeReference: asked.reference,
      amountCents: 5_000,
      where: where(),
    };
    expect(await gateway.refund(refund)).toEqual({ outcome: 'succeeded' });
    expect(await gateway.refund(refund)).toEqual({ outcome: 'succeeded' });
    stub.advance(25 * 60 * 60 * 1000);
    expect(await gateway.refund(refund)).toEqual({ outcome: 'succeeded' });
    const made = stub.refunds().filter(({ metadata }) => metadata.reference === refund.reference);
    expect(made.map(({ amount }) => amount as number)).toEqual([5_000]);
    const rest = { ...refund, reference: randomUUID(), amountCents: 20_000 };
    expect(await gateway.refund(rest)).toMatchObject({ outcome: 'failed' });
    const unknown = { ...refund, reference: randomUUID(), chargeReference: randomUUID() };
    expect(await gateway.refund(unknown)).toMatchObject({ outcome: 'failed' });
  });

  test('finds a reference among many, page after page, and lists what was taken, oldest first', async () => {
    const fresh = await openStripeStub();
    try {
      const many = await open(fresh);
      const who = await customerOf(many);
      const method = (await many.saveMethod(card('pm_card_visa'), who)).token;
      const references: string[] = [];
      for (let batch = 0; batch < 12; batch++) {
        const asked = Array.from({ length: 10 }, () => request(card(method), { customer: who }));
        references.push(...asked.map(({ reference }) => reference));
        await Promise.all(asked.map((one) => many.charge(one, soon())));
      }
      await many.voidReference(randomUUID(), where());
      await many.charge(request(card('pm_card_chargeDeclined'), { customer: who }), soon());
      const since = fromNow(-60_000);
      expect(await many.lookup(references[0]!, { customer: who, since })).toEqual({
        outcome: 'succeeded',
      });
      const listed: Transaction[] = [];
      for await (const line of many.listTransactions(since, fromNow(60_000))) listed.push(line);
      expect(listed.map(({ reference }) => reference).toSorted()).toEqual(references.toSorted());
      expect(
        new Set(listed.map(({ amountCents, standing }) => `${amountCents} ${standing}`)),
      ).toEqual(new Set(['21450 succeeded']));
      const instants = listed.map(({ at }) => at.getTime());
      expect(instants).toEqual(instants.toSorted((a, b) => a - b));
    } finally {
      await fresh.close();
    }
  });
});
