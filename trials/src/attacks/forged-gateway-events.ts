import { randomUUID } from 'node:crypto';
import { shuffled } from '../harness/sample.ts';
import { inLanes } from '../harness/lanes.ts';
import { mustBe, mustBeAtLeast, reported, type Figure, type Proof } from '../harness/proof.ts';
import { randomOf, type Random } from '../harness/random.ts';
import {
  openStripeStub,
  sign,
  STUB_PUBLISHABLE_KEY,
  STUB_SECRET_KEY,
  STUB_WEBHOOK_SECRET,
  type StripeStub,
} from '@gatehouse/server/test/stripe/stub.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { sql } from 'kysely';
import { callOf, idsOf, openSite, type Site } from '../harness/site.ts';
import { untilNoneLeft, untilSome } from '../harness/until.ts';
import { findRows } from '@gatehouse/server/test/rows.ts';

const LANES = 16;
type Event = { id: string; payload: string };
type Fixture = { site: Site; stub: StripeStub };
type Size = { replays: number; payments: number; orders: number };

/**
 * T11 and R11: events of the gateway that are forged, old, repeated, in any order, early or about
 * another amount.
 */
export const forgedGatewayEvents: Proof<Size> = {
  name: 'T11',
  title:
    'Forged, old, repeated and shuffled events of the gateway, and those that are early or of another amount',
  sizes: {
    small: { replays: 1000, payments: 4, orders: 3 },
    full: { replays: 100_000, payments: 34, orders: 100 },
  },
  async run({ replays, payments, orders }, seed, stage) {
    const random = randomOf(seed);
    const stub = await openStripeStub();
    const site = await openSite(stage, {
      env: {
        PAYMENTS: 'stripe',
        STRIPE_SECRET_KEY: STUB_SECRET_KEY,
        STRIPE_PUBLISHABLE_KEY: STUB_PUBLISHABLE_KEY,
        STRIPE_WEBHOOK_SECRET: STUB_WEBHOOK_SECRET,
        STRIPE_API_URL: stub.url,
        OPERATOR_EMAIL: 'operator@example.com',
      },
    });
    const fixture = { site, stub };
    const figures = [
      ...(await forge(fixture)),
      ...(await repeat(fixture, random, { replays, payments, orders })),
      ...(await deliverEarly(fixture)),
      mustBe('servers that ended by themselves', site.deaths(), 0),
    ];
    await site.close();
    await stub.close();
    return figures;
  },
};

const seconds = () => Math.floor(testClock.now().getTime() / 1000);

async function deliver(
  { site }: Fixture,
  payload: string,
  signature = sign(payload, seconds()),
): Promise<number> {
  const { status } = await site.send({
    method: 'POST',
    path: '/api/webhooks/stripe',
    headers: { 'stripe-signature': signature },
    body: payload,
  });
  return status;
}

function eventAbout(object: object, type = 'payment_intent.succeeded'): string {
  const id = `evt_${randomUUID().replaceAll('-', '')}`;
  return JSON.stringify({
    id,
    object: 'event',
    type,
    created: seconds(),
    livemode: false,
    data: { object },
  });
}

async function countEvents({ site }: Fixture): Promise<number> {
  return (await findRows(site.db.owner, 'gateway_events', 'id')).length;
}

/** What is not signed, not by us, not over these bytes, or too long ago. */
async function forge(fixture: Fixture): Promise<Figure[]> {
  const payload = eventAbout({
    id: 'pi_1',
    object: 'payment_intent',
    amount: 100,
    status: 'succeeded',
  });
  const [good, now] = [sign(payload, seconds()), seconds()];
  const forged = [
    sign(payload, now, 'whsec_other'),
    sign(`${payload} `, now),
    sign(payload, now - 302),
    sign(payload, now - 86_400),
    sign(payload, 0),
    good.replace(/v1=./, 'v1=g'),
    good.replace('v1=', 'v0='),
    good.replace(/t=\d+/, `t=${now + 1}`),
    good.slice(0, -1),
    'v1=',
    't=1,v1=',
    `t=${now},v1=${'0'.repeat(64)}`,
    'hello',
    '',
  ];
  const statuses = await Promise.all(
    forged.map((signature) => deliver(fixture, payload, signature)),
  );
  const others = await Promise.all(
    ['"hello"', 'hello', '{}', '[]'].map((text) => deliver(fixture, text)),
  );
  return [
    reported('forged, old and meaningless events', statuses.length + others.length),
    mustBe(
      'of those, answered other than 400',
      [...statuses, ...others].filter((status) => status !== 400).length,
      0,
    ),
    mustBe('of those, kept', await countEvents(fixture), 0),
  ];
}

/** Pays a dollar of A's rental; a bank debit where nothing else is said. */
async function pay({ site, stub }: Fixture, test = 'pm_usBankAccount_success'): Promise<number> {
  const { a } = site.actors;
  const ids = idsOf(a.records[0]);
  const method = test.startsWith('pm_us') ? 'ach' : 'creditCard';
  const body = {
    payments: [{ ledgerId: ids.ledgerId, unitId: ids.unitId, amount: 1 }],
    [method]: { paymentToken: stub.confirmationToken(test) },
  };
  const key = { 'idempotency-key': randomUUID() };
  return (await site.send(callOf('makePayment', ids, { token: a.token, body, headers: key })))
    .status;
}

/** Everything that events could move, to compare. */
async function endState({ site }: Fixture): Promise<string> {
  const { rows } = await sql<{ state: string }>`SELECT md5(concat(
    (SELECT string_agg(id::text || state, ',' ORDER BY id) FROM payment_intents), ' ',
    (SELECT string_agg(id::text || balance_cents || paid_through, ',' ORDER BY id) FROM ledgers), ' ',
    (SELECT count(*) FROM payments), ' ', (SELECT count(*) FROM reversals))) AS state`.execute(
    site.db.owner,
  );
  return rows[0]!.state;
}

/** Waits until no event waits; throws where none is handled any more. */
async function allHandled({ site }: Fixture): Promise<void> {
  const left = await untilNoneLeft(
    async () => {
      const { rows } = await sql`SELECT FROM gateway_events WHERE state = 'new'`.execute(
        site.db.owner,
      );
      return rows.length;
    },
    { everyMs: 50 },
  );
  if (left > 0) throw new Error(`${left} events were not handled`);
}

async function count(site: Site, table: 'payments' | 'reversals' | 'alarms'): Promise<number> {
  return (await sql`SELECT FROM ${sql.table(table)}`.execute(site.db.owner)).rows.length;
}

/**
 * Bank debits that the bank paid and then gave back: three events each, over and over, in every
 * order.
 */
async function repeat(fixture: Fixture, random: Random, size: Size): Promise<Figure[]> {
  const { site, stub } = fixture;
  const before = {
    payments: await count(site, 'payments'),
    reversals: await count(site, 'reversals'),
  };
  const statuses: number[] = [];
  for (let index = 0; index < size.payments; index += 1) statuses.push(await pay(fixture));
  await stub.settle();
  for (const { metadata } of stub.intents())
    await stub.dispute(
      (metadata as { reference: string }).reference,
      'R10',
      'debit_not_authorized',
    );
  const events: Event[] = stub.events().map(({ id, payload }) => ({ id, payload }));
  let refused = 0;
  await inLanes(size.replays, LANES, async (index) => {
    if ((await deliver(fixture, events[index % events.length]!.payload)) !== 200) refused += 1;
  });
  const kept = await countEvents(fixture);
  await allHandled(fixture);
  const first = await endState(fixture);
  let otherwise = 0;
  for (let order = 0; order < size.orders; order += 1) {
    const inAnyOrder = shuffled(random, events);
    // As further events of the same content: a replay of the same one is ignored anyway.
    await inLanes(inAnyOrder.length, 4, async (index) => {
      const { id, payload } = inAnyOrder[index]!;
      const another = payload.replaceAll(id, `evt_${randomUUID().replaceAll('-', '')}`);
      if ((await deliver(fixture, another)) !== 200) refused += 1;
    });
    await allHandled(fixture);
    if ((await endState(fixture)) !== first) otherwise += 1;
  }
  return [
    mustBe(
      'payments that were taken',
      statuses.filter((status) => status === 200).length,
      size.payments,
    ),
    reported('events of them', events.length),
    reported('times that they came, at once', size.replays),
    mustBe('events that were kept', kept, events.length),
    mustBe('signed events that were refused', refused, 0),
    mustBe('payments posted', (await count(site, 'payments')) - before.payments, size.payments),
    mustBe(
      'payments taken back',
      (await count(site, 'reversals')) - before.reversals,
      size.payments,
    ),
    reported('other orders of the same events', size.orders),
    mustBe('orders that ended otherwise', otherwise, 0),
    mustBe('alarms of all that', await count(site, 'alarms'), 0),
  ];
}

/**
 * Events of a charge whose answer does not come: first one of a hundred times the amount, then the
 * true ones.
 */
async function deliverEarly(fixture: Fixture): Promise<Figure[]> {
  const { site, stub } = fixture;
  const [payments, sent] = [await count(site, 'payments'), stub.events().length];
  const answer = pay(fixture, 'pm_card_noAnswer');
  await untilSome(() => stub.events().length - sent);
  const { metadata, id } = stub.intents().at(-1) as { id: string; metadata: { reference: string } };
  const { reference } = metadata;
  await deliver(
    fixture,
    eventAbout({
      id,
      object: 'payment_intent',
      amount: 10_000,
      status: 'succeeded',
      metadata: { reference },
    }),
  );
  await allHandled(fixture);
  const parked = await findRows(site.db.owner, 'gateway_events', 'id', {
    state: 'parked',
    reference,
  });
  const [moved, alarms] = [(await count(site, 'payments')) - payments, await count(site, 'alarms')];
  for (const { payload } of stub.events().slice(sent)) await deliver(fixture, payload);
  await allHandled(fixture);
  const early = (await count(site, 'payments')) - payments;
  const status = await answer;
  for (const { payload } of stub.events().slice(sent)) await deliver(fixture, payload);
  await allHandled(fixture);
  return [
    mustBe('another amount: events that were parked', parked.length, 1),
    mustBe('another amount: alarms', alarms, 1),
    mustBe('another amount: payments posted', moved, 0),
    mustBeAtLeast('events before the answer: payments posted by them', early, 0),
    mustBe(
      'events before the answer: payments posted in the end',
      (await count(site, 'payments')) - payments,
      1,
    ),
    mustBe(
      'events before the answer: captures at the gateway, in cents',
      stub.capturedCents(reference) ?? 0,
      100,
    ),
    mustBe(
      'events before the answer: the tenant reads neither failed nor a fault',
      [200, 409].includes(status) ? 1 : 0,
      1,
    ),
  ];
}
