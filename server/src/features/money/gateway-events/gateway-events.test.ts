import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStripeApp, type StripeApp } from '#test/stripe/app.ts';
import { sign, STUB_SECRET_KEY } from '#test/stripe/stub.ts';
import { signIn, type SignedIn } from '#test/app.ts';
import { fromNow, testClock } from '#test/test-day.ts';
import { refundPayment } from '#features/money/payments/refunds.fixture.ts';

import { handleGatewayEvent, handleLeftEvents } from './gateway-events.ts';
import { addRows, changeRows, findRows, getRow } from '#test/rows.ts';

type Sent = { payload: string; signature?: string };

let api: StripeApp;
let dana: SignedIn;
beforeAll(async () => {
  api = await openStripeApp();
  dana = await signIn(api, 'dana@example.com');
});
afterAll(() => api.close());

const seconds = () => Math.floor(testClock.now().getTime() / 1000);
const receive = ({ payload, signature = sign(payload, seconds()) }: Sent) =>
  api.app.inject({
    method: 'POST',
    url: '/api/webhooks/stripe',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    payload,
  });
const rows = () =>
  api.owner.selectFrom('gateway_events').selectAll().orderBy('received_at').execute();
const alarms = () => api.owner.selectFrom('alarms').selectAll().execute();

/** Handles every waiting event, as the job does. */
async function handleAll(): Promise<void> {
  const waiting = await findRows(api.owner, 'gateway_events', 'id', { state: 'new' });
  for (const { id } of waiting) await handleGatewayEvent(api.ctx, id);
}

/** The stub's events of a payment, in the order in which they occurred. */
function eventsOf(reference: string) {
  const intent = api.stub.intents().find(({ metadata }) => metadata.reference === reference)!;
  return api.stub
    .events()
    .filter(({ payload }) => payload.includes(reference) || payload.includes(intent.id as string));
}

async function ledgersOf({ prefix, tenantIds, token }: SignedIn) {
  const { body } = await api.call('GET', `${prefix}/tenants/${tenantIds[0]}/ledgers`, { token });
  return body as { id: string; unitId: string; balance: number }[];
}

/** Pays with a test token, and returns the status and the intent. */
async function pay(name: string, amount: number) {
  const ledger = (await ledgersOf(dana)).find(({ balance }) => balance > amount)!;
  const method = name.startsWith('pm_us') ? 'ach' : 'creditCard';
  const answer = await api.call('POST', `${dana.prefix}/tenants/${dana.tenantIds[0]}/payments`, {
    token: dana.token,
    body: {
      payments: [{ ledgerId: ledger.id, unitId: ledger.unitId, amount }],
      [method]: { paymentToken: api.stub.confirmationToken(name) },
    },
  });
  const intent = await api.owner
    .selectFrom('payment_intents')
    .select(['id', 'state'])
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  return { status: answer.status, reference: intent.id, ledgerId: ledger.id };
}

async function stateOf(reference: string) {
  const [intent, payments] = await Promise.all([
    getRow(api.owner, 'payment_intents', 'state', { id: reference }),
    findRows(api.owner, 'payments', 'entry_id', { intent_id: reference }),
  ]);
  const reversals = await findRows(api.owner, 'reversals', 'entry_id', {
    payment_entry_id: [...payments.map(({ entry_id }) => entry_id), randomUUID()],
  });
  return { state: intent.state, payments: payments.length, reversals: reversals.length };
}

const eventAbout = (
  object: object,
  type = 'payment_intent.succeeded',
  id = `evt_${randomUUID().slice(0, 8)}`,
) =>
  JSON.stringify({
    id,
    object: 'event',
    type,
    created: seconds(),
    livemode: false,
    data: { object },
  });
const intentObject = (reference: string, amount: number) => ({
  id: `pi_${reference.slice(0, 8)}`,
  object: 'payment_intent',
  amount,
  status: 'succeeded',
  metadata: { reference },
});

describe('the webhook of Stripe', () => {
  const payload = eventAbout(intentObject(randomUUID(), 100), 'customer.updated', 'evt_signature');

  test.each<[string, () => Sent]>([
    ['a wrong signature', () => ({ payload, signature: sign(payload, seconds(), 'whsec_other') })],
    [
      'a signature of other bytes',
      () => ({ payload: `${payload} `, signature: sign(payload, seconds()) }),
    ],
    ['no signature that could be one', () => ({ payload, signature: 'hello' })],
    ['an empty signature', () => ({ payload, signature: '' })],
    ['a signature without its digits', () => ({ payload, signature: `t=${seconds()},v1=` })],
    [
      'a good signature beside one that is only named',
      () => ({ payload, signature: `${sign(payload, seconds())},v1` }),
    ],
    [
      'a signature older than five minutes',
      () => ({ payload, signature: sign(payload, seconds() - 302) }),
    ],
    ['a signed text that is no event', () => ({ payload: '"hello"' })],
    ['a signed text that is no JSON', () => ({ payload: 'hello' })],
    [
      'a signed event with an id that is none',
      () => ({ payload: eventAbout({}, 'x', "evt_1'; --") }),
    ],
  ])('refuses %s with 400 and keeps nothing', async (_name, sent) => {
    const answer = await receive(sent());
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { message: 'The signature of the event is missing, wrong or too old.' },
    ]);
    expect(await rows()).toEqual([]);
  });

  test('keeps of an event only what is read of it', async () => {
    const event = eventAbout({
      ...intentObject(randomUUID(), 100),
      customer: 'cus_1',
      last_payment_error: { code: 'card_declined' },
      receipt_email: 'dana@example.com',
    });
    expect((await receive({ payload: event, signature: sign(event, seconds()) })).statusCode).toBe(
      200,
    );
    const [row] = await rows();
    const kept = Object.keys(row!.body as object).toSorted();
    expect(kept).toEqual(['customer', 'object', 'payment', 'voids']);
    await api.owner.deleteFrom('gateway_events').execute();
  });

  // asvs 16.3.3
  test('refuses a request without a signature, and counts it', async () => {
    const answer = await api.app.inject({ method: 'POST', url: '/api/webhooks/stripe', payload });
    expect(answer.statusCode).toBe(400);
    const { body } = await api.operatorApp.inject('/metrics');
    expect(body).toMatch(
      /gatehouse_request_seconds_count\{method="POST",route="\/api\/webhooks\/stripe",status="400"\} \d+/,
    );
  });

  test('refuses more than 64 KiB with 413', async () => {
    const answer = await receive({ payload: JSON.stringify({ fill: 'x'.repeat(65 * 1024) }) });
    expect(answer.statusCode).toBe(413);
    expect(await rows()).toEqual([]);
  });

  test('stores an event once, however often it arrives, also at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => receive({ payload })));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(
      new Set(['200 {"received":true}']),
    );
    expect(await rows()).toHaveLength(1);
    await handleAll();
    await receive({ payload });
    expect((await rows()).map(({ state }) => state)).toEqual(['done']);
    expect(await alarms()).toEqual([]);
  });

  test('stores nothing of a person, a card or an account', async () => {
    const { reference } = await pay('pm_card_chargeDeclined', 1);
    for (const event of eventsOf(reference)) await receive(event);
    const charge = {
      id: 'ch_1',
      object: 'charge',
      amount: 100,
      metadata: { reference },
      billing_details: {
        name: 'Canary Jones',
        email: 'canary@example.com',
        address: { line1: '1 Canary Lane' },
      },
      payment_method_details: { card: { last4: '4242', number: '4111111111111111' } },
      failure_code: 'Canary with blanks',
    };
    await receive({ payload: eventAbout(charge, 'charge.failed') });
    const kept = JSON.stringify(await rows());
    expect(kept).not.toMatch(/canary|dana|4242|0002|4111|Lane|@|secret/i);
    await handleAll();
  });
});

describe('an event', () => {
  beforeEach(async () => {
    await handleAll();
    await api.owner.deleteFrom('alarms').execute();
  });

  test('before the answer to the charge posts the payment, and the answer adds nothing', async () => {
    const { status, reference } = await pay('pm_card_noAnswer', 1);
    expect(status).toBe(409);
    expect(await stateOf(reference)).toMatchObject({ state: 'unknown', payments: 0 });
    for (const event of eventsOf(reference)) await receive(event);
    await handleAll();
    expect(await stateOf(reference)).toEqual({ state: 'succeeded', payments: 1, reversals: 0 });
    for (const event of eventsOf(reference)) {
      await receive(event);
      await handleGatewayEvent(api.ctx, event.id);
    }
    expect(await stateOf(reference)).toEqual({ state: 'succeeded', payments: 1, reversals: 0 });
    expect(await alarms()).toEqual([]);
  });

  test('of a returned bank debit leads to one return, in whatever order events arrive', async () => {
    const { reference } = await pay('pm_usBankAccount_success', 2);
    await api.stub.settle();
    await api.stub.dispute(reference, 'R10', 'debit_not_authorized');
    const events = eventsOf(reference);
    expect(events.map(({ type }) => type)).toEqual([
      'payment_intent.processing',
      'payment_intent.succeeded',
      'charge.dispute.created',
    ]);
    let seed = 7;
    for (let round = 0; round < 20; round++) {
      const shuffled = events
        .map((event) => ({ event, at: (seed = (seed * 16_807) % 2_147_483_647) }))
        .toSorted((a, b) => a.at - b.at);
      for (const { event } of shuffled) {
        // Sent under another id, because a replay of the same event is skipped.
        const payload = event.payload.replace(
          event.id,
          `evt_${randomUUID().slice(0, 12)}`.replaceAll('-', ''),
        );
        await receive({ payload });
        await handleAll();
        expect(await stateOf(reference)).toEqual({ state: 'returned', payments: 1, reversals: 1 });
      }
    }
    expect(await alarms()).toEqual([]);
  });

  test('of a bank debit that the bank has paid settles it', async () => {
    const { reference } = await pay('pm_usBankAccount_success', 3);
    await api.stub.settle();
    for (const event of eventsOf(reference)) await receive(event);
    await handleAll();
    expect(await stateOf(reference)).toEqual({ state: 'settled', payments: 1, reversals: 0 });
  });

  test('with another amount than was asked for is parked with an alarm and moves nothing', async () => {
    const { reference } = await pay('pm_card_noAnswer', 4);
    await receive({ payload: eventAbout(intentObject(reference, 100_000)) });
    await handleAll();
    expect(await stateOf(reference)).toMatchObject({ state: 'unknown', payments: 0 });
    expect((await rows()).at(-1)).toMatchObject({ state: 'parked', reference });
    expect((await alarms()).map(({ kind }) => kind)).toEqual(['wrong_amount']);
    for (const event of eventsOf(reference)) await receive(event);
    await handleAll();
    expect(await stateOf(reference)).toMatchObject({ state: 'succeeded', payments: 1 });
  });

  test.each<[string, object, string, string]>([
    [
      'a reference that is not ours',
      intentObject(randomUUID(), 100),
      'payment_intent.succeeded',
      'unknown_payment',
    ],
    [
      'a payment without a reference',
      { id: 'pi_1', object: 'payment_intent', amount: 100 },
      'payment_intent.succeeded',
      'unknown_payment',
    ],
    [
      'a return for an unknown payment',
      { id: 'du_1', object: 'dispute', amount: 100, payment_intent: 'pi_nobody' },
      'charge.dispute.created',
      'unknown_payment',
    ],
    [
      'a refund that was made elsewhere',
      { id: 're_1', object: 'refund', amount: 100, payment_intent: 'pi_nobody', metadata: {} },
      'refund.created',
      'unknown_refund',
    ],
  ])('about %s is parked, and alarms once', async (_name, object, type, kind) => {
    for (let round = 0; round < 3; round++) await receive({ payload: eventAbout(object, type) });
    await handleAll();
    expect((await rows()).slice(-3).map(({ state }) => state)).toEqual([
      'parked',
      'parked',
      'parked',
    ]);
    expect((await alarms()).map((alarm) => alarm.kind)).toEqual([kind]);
    const mails = await api.owner
      .selectFrom('mails')
      .select('to_address')
      .orderBy('position', 'desc')
      .execute();
    expect(mails[0]?.to_address).toBe('owner@example.com');
  });

  /** Delivers the events under new ids, shuffled again each round, and handles each at once. */
  async function receiveShuffled(
    events: ReturnType<typeof eventsOf>,
    rounds: number,
  ): Promise<void> {
    let seed = 11;
    for (let round = 0; round < rounds; round++) {
      const shuffled = events
        .map((event) => ({ event, at: (seed = (seed * 16_807) % 2_147_483_647) }))
        .toSorted((a, b) => a.at - b.at);
      for (const { event } of shuffled) {
        const payload = event.payload.replace(
          event.id,
          `evt_${randomUUID().slice(0, 12)}`.replaceAll('-', ''),
        );
        await receive({ payload });
        await handleAll();
      }
    }
  }

  test('of refunds in Stripe’s dashboard posts each once, in whatever order events arrive and are repeated', async () => {
    const { reference } = await pay('pm_card_visa', 5);
    await api.stub.dashboard.refund(reference, 100);
    await api.stub.dashboard.refund(reference, 150);
    const events = eventsOf(reference);
    expect(events.map(({ type }) => type).filter((type) => type.includes('refund'))).toEqual([
      'refund.created',
      'charge.refunded',
      'refund.created',
      'charge.refunded',
    ]);
    await receiveShuffled(events, 5);
    expect(await stateOf(reference)).toEqual({ state: 'succeeded', payments: 1, reversals: 2 });
    expect((await alarms()).map(({ kind }) => kind)).toEqual(['outside_refund', 'outside_refund']);
  });

  test.each(['refund.created', 'charge.refunded'])(
    'of such a refund is enough alone: %s',
    async (type) => {
      const { reference } = await pay('pm_card_visa', 5.5);
      await api.stub.dashboard.refund(reference, 100);
      await receive(eventsOf(reference).find((event) => event.type === type)!);
      await handleAll();
      expect(await stateOf(reference)).toMatchObject({ reversals: 1 });
    },
  );

  test('of a refund of ours whose answer was lost closes it, and is not a second refund', async () => {
    const { reference } = await pay('pm_card_visa', 5.25);
    const { entry_id } = await getRow(api.owner, 'payments', 'entry_id', { intent_id: reference });
    const { gateway } = api.ctx;
    const refund: typeof gateway.refund = async (request) => {
      await gateway.refund(request);
      throw new Error('connection reset');
    };
    const deaf = { ...api.ctx, gateway: { ...gateway, refund } };
    await refundPayment(deaf, { paymentEntryId: entry_id, cents: 125, reason: 'goodwill' });
    await receiveShuffled(eventsOf(reference), 2);
    expect(await stateOf(reference)).toMatchObject({ reversals: 1 });
    const refunds = await findRows(api.owner, 'refunds', ['way', 'state'], {
      intent_id: reference,
    });
    expect(refunds).toEqual([{ way: 'gateway', state: 'succeeded' }]);
    expect(await alarms()).toEqual([]);
  });

  test('of a disputed card payment takes it back once; a dispute that is won restores it', async () => {
    const { reference, ledgerId } = await pay('pm_card_visa', 6.5);
    const balance = async () => (await ledgersOf(dana)).find(({ id }) => id === ledgerId)!.balance;
    const paid = await balance();
    const id = await api.stub.dashboard.dispute(reference, 650);
    await receiveShuffled(eventsOf(reference), 2);
    expect(await stateOf(reference)).toEqual({ state: 'succeeded', payments: 1, reversals: 1 });
    expect(await balance()).toBe(paid + 6.5);
    const [alarm] = await alarms();
    expect(alarm).toMatchObject({ kind: 'card_dispute' });
    expect(alarm!.sentence).toMatch(/ \$6\.50 was taken back\. .* by \d+\/\d+\/\d{4}\.$/);
    await api.stub.dashboard.decide(id, 'won');
    const events = eventsOf(reference);
    expect(events.map(({ type }) => type).filter((type) => type.includes('dispute'))).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
    ]);
    await receiveShuffled(events, 3);
    expect(await balance()).toBe(paid);
    expect((await alarms()).map(({ kind }) => kind)).toEqual(['card_dispute', 'dispute_won']);
  });

  test('of a card payment that is disputed in part takes that part back', async () => {
    const { reference } = await pay('pm_card_visa', 7);
    await api.stub.dashboard.dispute(reference, 300);
    await receive(eventsOf(reference).find(({ type }) => type === 'charge.dispute.created')!);
    await handleAll();
    const row = await api.owner
      .selectFrom('disputes')
      .select(['amount_cents', 'posted_cents', 'state'])
      .where('intent_id', '=', reference)
      .executeTakeFirst();
    expect(row).toEqual({ amount_cents: 300, posted_cents: 300, state: 'opened' });
  });

  test('of a payment by another program, with a reference of its own, is parked', async () => {
    const made = await fetch(`${api.stub.url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${STUB_SECRET_KEY}`, 'idempotency-key': randomUUID() },
      body: new URLSearchParams({
        amount: '100',
        currency: 'usd',
        'allowed_payment_method_types[0]': 'card',
        'metadata[reference]': 'order-123',
      }),
    });
    expect(made.status).toBe(200);
    const { id } = (await made.json()) as { id: string };
    await receive({
      payload: eventAbout({ id: 'ch_2', object: 'charge', payment_intent: id }, 'charge.succeeded'),
    });
    await handleAll();
    expect((await rows()).at(-1)).toMatchObject({ state: 'parked' });
    expect((await alarms()).map(({ kind }) => kind)).toEqual(['unknown_payment']);
  });

  test('of a renewed card keeps its new ending and expiry, and drops the refusal and the warnings of the old', async () => {
    const [rental] = await ledgersOf(dana);
    const answer = await api.call('POST', `${dana.prefix}/ledgers/${rental!.id}/autopay-update`, {
      token: dana.token,
      body: { creditCard: { paymentToken: api.stub.confirmationToken('pm_card_mastercard') } },
    });
    const { paymentMethodId } = answer.body.creditCard;
    await changeRows(
      api.owner,
      'payment_methods',
      { expires_on: '2026-11', refused_at: testClock.now() },
      { id: paymentMethodId },
    );
    await addRows(api.owner, 'card_warnings', {
      payment_method_id: paymentMethodId,
      days: 30,
      warned_at: testClock.now(),
    });
    await api.stub.renewCards('4444', {
      last4: '4445',
      exp_month: 9,
      exp_year: 2038,
      fingerprint: 'card4445',
    });
    for (const event of api.stub
      .events()
      .filter(({ type }) => type === 'payment_method.automatically_updated'))
      await receive(event);
    await handleAll();
    const method = await getRow(
      api.owner,
      'payment_methods',
      ['last_four', 'expires_on', 'fingerprint', 'refused_at'],
      { id: paymentMethodId },
    );
    expect(method).toEqual({
      last_four: '4445',
      expires_on: '2038-09',
      fingerprint: 'card4445',
      refused_at: null,
    });
    expect(await api.owner.selectFrom('card_warnings').selectAll().execute()).toEqual([]);
    const { body } = await api.call('GET', `${dana.prefix}/tenants/${dana.tenantIds[0]}/autopays`, {
      token: dana.token,
    });
    const shown = (body as { ledgerId: string }[]).find(({ ledgerId }) => ledgerId === rental!.id);
    expect(shown).toMatchObject({
      active: true,
      problem: null,
      creditCard: { expirationDate: '2038-09' },
    });
    expect(await alarms()).toEqual([]);
  });

  test.each([
    ['a customer that is not ours', { customer: 'cus_nobody' }],
    ['no customer at all', { customer: null }],
  ])('of a renewed card of %s is ignored', async (_name, { customer }) => {
    const object = { id: 'pm_nobody', object: 'payment_method', customer };
    await receive({ payload: eventAbout(object, 'payment_method.automatically_updated') });
    await handleAll();
    expect((await rows()).at(-1)).toMatchObject({ state: 'done' });
  });

  test('of the payment that burnt a reference’s key is ignored', async () => {
    const reference = randomUUID();
    await api.ctx.gateway.voidReference(reference, { customer: null, since: testClock.now() });
    const events = eventsOf(reference);
    expect(events.map(({ type }) => type)).toEqual(['payment_intent.canceled']);
    for (const event of events) await receive(event);
    await handleAll();
    expect(await alarms()).toEqual([]);
  });

  test('is retried while Stripe does not answer, and then handled', async () => {
    const { reference } = await pay('pm_card_noAnswer', 6);
    for (const event of eventsOf(reference)) await receive(event);
    const away = {
      ...api.ctx,
      gateway: { ...api.ctx.gateway, lookup: () => Promise.reject(new Error('away')) },
    };
    const waiting = await findRows(api.owner, 'gateway_events', 'id', { state: 'new' });
    await expect(handleGatewayEvent(away, waiting[0]!.id)).rejects.toThrow('away');
    expect(await stateOf(reference)).toMatchObject({ payments: 0 });
    await handleAll();
    expect(await stateOf(reference)).toMatchObject({ state: 'succeeded', payments: 1 });
  });

  test('whose job was given up is retried, and after a day one alarm is raised', async () => {
    const { reference } = await pay('pm_card_noAnswer', 8);
    for (const event of eventsOf(reference)) await receive(event);
    const at = (hours: number, gateway = api.ctx.gateway) => ({
      ...api.ctx,
      gateway,
      clock: { now: () => fromNow(hours * 3_600_000) },
    });
    const away = { ...api.ctx.gateway, lookup: () => Promise.reject(new Error('away')) };
    await handleLeftEvents(at(0));
    await handleLeftEvents(at(23, away));
    expect(await alarms()).toEqual([]);
    for (let run = 0; run < 2; run++) await handleLeftEvents(at(25 + run, away));
    expect((await alarms()).map(({ kind }) => kind)).toEqual(['gateway_events_unhandled']);
    expect(await stateOf(reference)).toMatchObject({ payments: 0 });
    await handleLeftEvents(at(27));
    expect(await stateOf(reference)).toMatchObject({ state: 'succeeded', payments: 1 });
    expect((await rows()).filter(({ state }) => state === 'new')).toEqual([]);
  });
});
