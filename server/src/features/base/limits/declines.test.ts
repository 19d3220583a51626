import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { GatewayUnknown, type PaymentGateway } from '#adapters/payments/gateway.ts';
import { sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import type { Context } from '#context/context.ts';
import { limits } from '#config/limits.ts';
import { insertPayLink, newPayLink } from '#features/money/pay-links/links.ts';
import { makeFacility, makeLedger, makePaymentMethod, postCharges } from '#seeds/builders.ts';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { card } from '#test/card.ts';
import { makePerson } from '#test/people.ts';
import { watchDeclines } from './declines.ts';
import { patience } from '#test/patience.ts';
import { fromNow } from '#test/test-day.ts';
import { findRows } from '#test/rows.ts';

const declined = { ...card, cardNumber: sandboxNumbers.declined };
const DECLINED = [sandboxNumbers.declined, sandboxNumbers.insufficientFunds];

const api = useTestApp('empty_template');
let facilityId: string;
let count = 0;

beforeAll(async () => {
  api.ctx.config = { ...api.ctx.config, limits };
  facilityId = await makeFacility(api.owner, {});
});
beforeEach(() => vi.restoreAllMocks());

type Payer = SignedIn & { tenantId: string; units: { ledgerId: string; unitId: string }[] };

/** A tenant who owes 100 dollars on each of this many units. */
async function makePayer(units = 1): Promise<Payer> {
  const email = `payer-${(count += 1)}@example.com`;
  const tenantId = await makePerson(api, facilityId, email);
  const made = [];
  for (let index = 0; index < units; index += 1) {
    const unit = await makeLedger(api.owner, api.ctx.vault, {
      tenant_id: tenantId,
      unit: { facility_id: facilityId, name: `${tenantId.slice(0, 8)}-${index}` },
      moved_in_on: '2026-11-14',
    });
    const charge = { dueOn: '2026-11-14', periodEnd: '2026-12-13', priceCents: 10_000 };
    await postCharges(api.owner, unit.ledgerId, [
      { category: 'rent', description: 'Rent', ...charge },
    ]);
    made.push(unit);
  }
  return { ...(await signIn(api, email)), tenantId, units: made };
}

function pay(payer: Payer, method: object, { unit = 0, amount = 1 } = {}) {
  return api.call('POST', `${payer.prefix}/tenants/${payer.tenantId}/payments`, {
    token: payer.token,
    body: { payments: [{ ...payer.units[unit], amount }], ...method },
    headers: { 'idempotency-key': String((count += 1)) },
  });
}

/** Lets charges wait until `release` is called, and no longer than this test. */
function holdCharges() {
  const { gateway, gatewayTimeoutMs } = api.ctx;
  const released = Promise.withResolvers<undefined>();
  const charge = vi.fn<PaymentGateway['charge']>((...given) =>
    released.promise.then(() => gateway.charge(...given)),
  );
  Object.assign(api.ctx, {
    gateway: { ...gateway, charge },
    gatewayTimeoutMs: patience.timeout,
  } satisfies Partial<Context>);
  onTestFinished(() => {
    released.resolve(undefined);
    Object.assign(api.ctx, { gateway, gatewayTimeoutMs });
  });
  return { charge, release: () => released.resolve(undefined) };
}

/**
 * Pays on all units at once and holds the charges: returns the sentences of the refused payments,
 * and what releases the charges and returns all statuses.
 */
async function payEachUnit(payer: Payer, method: object) {
  const { charge, release } = holdCharges();
  const refused: string[] = [];
  const statuses = payer.units.map(async (_, unit) => {
    const { status, body } = await pay(payer, method, { unit });
    if (status === 429) refused.push(body.message);
    return status;
  });
  await vi.waitFor(
    () => expect(charge.mock.calls.length + refused.length).toBe(payer.units.length),
    patience,
  );
  const answer = () => {
    release();
    return Promise.all(statuses);
  };
  return { refused, answer };
}

function setAutopay(payer: Payer, method: object) {
  const path = `${payer.prefix}/ledgers/${payer.units[0]!.ledgerId}/autopay-update`;
  return api.call('POST', path, { token: payer.token, body: method });
}

/** A link for what a unit of the payer owes, and how its holder pays by it. */
async function makeLink(payer: Payer, unit = 0) {
  const link = newPayLink(api.ctx, api.ctx.clock.now());
  const { ledgerId } = payer.units[unit]!;
  await api.ctx.db
    .transaction()
    .execute((trx) => insertPayLink(trx, { ...link, ledgerId, cents: 10_000, by: 'Ana Flores' }));
  const payByIt = (method: object) =>
    api.call('POST', `/pay-links/${link.token}/payments`, {
      body: { amount: 100, ...method },
      headers: { 'idempotency-key': String((count += 1)) },
    });
  return { id: link.id, pay: payByIt };
}

async function chargesAsked(): Promise<number> {
  const rows = await api.sql<{
    count: number;
  }>`SELECT count(*) AS count FROM sandbox_gateway.charges`;
  return rows[0]!.count;
}

function later(minutes: number) {
  vi.spyOn(api.ctx.clock, 'now').mockReturnValue(fromNow(minutes * 60_000));
}

describe('declined payments', () => {
  test('are five an hour of a tenant, and the next is refused before the gateway is called', async () => {
    const payer = await makePayer();
    for (let index = 0; index < 5; index += 1)
      expect((await pay(payer, { creditCard: declined })).status).toBe(402);
    const asked = await chargesAsked();
    const refused = await pay(payer, { creditCard: declined });
    expect([refused.status, refused.body.message]).toEqual([
      429,
      'There were too many declined payments. Please try again in an hour, or call the facility.',
    ]);
    expect(Number(refused.headers['retry-after'])).toSatisfy(
      (seconds) => seconds > 3500 && seconds <= 3600,
    );
    expect((await pay(payer, { creditCard: card })).status).toBe(429);
    expect((await setAutopay(payer, { creditCard: card })).status).toBe(429);
    expect(await chargesAsked()).toBe(asked);
    expect((await pay(await makePayer(), { creditCard: card })).status).toBe(200);
    later(29);
    expect((await pay(payer, { creditCard: card })).status).toBe(429);
  });

  test('are reset after an hour', async () => {
    const payer = await makePayer();
    for (let index = 0; index < 5; index += 1) await pay(payer, { creditCard: declined });
    await api.sql`UPDATE limit_counts SET ends_at = ${fromNow(-1000)}`;
    expect((await pay(payer, { creditCard: card })).status).toBe(200);
  });

  test('are no more than five where many are begun at once on many units', async () => {
    const payer = await makePayer(12);
    const asked = await chargesAsked();
    const { refused, answer } = await payEachUnit(payer, { creditCard: declined });
    expect(refused).toHaveLength(7);
    expect(new Set(refused)).toEqual(
      new Set(['Other payments of yours are under way. Please try again in a moment.']),
    );
    expect((await answer()).filter((status) => status === 402)).toHaveLength(5);
    expect((await chargesAsked()) - asked).toBe(5);
  });

  test('are five of a hundred cards that are tried many at once, by payments and autopay', async () => {
    const payer = await makePayer(4);
    const asked = await chargesAsked();
    const savings = vi.spyOn(api.ctx.gateway, 'saveMethod');
    const statuses: number[] = [];
    let saved = 0;
    const lane = async (nth: number) => {
      for (let index = nth; index < 100; index += 16) {
        const cardNumber = DECLINED[index % 2]!;
        const creditCard = { ...card, cardNumber };
        const isAutopay = index % 3 === 2;
        const { status } = await (isAutopay
          ? setAutopay(payer, { creditCard })
          : pay(payer, { creditCard }, { unit: index % 4 }));
        // A card without money can be saved, and that is no decline.
        if (isAutopay && cardNumber === sandboxNumbers.insufficientFunds && status === 200)
          saved += 1;
        else statuses.push(status);
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, nth) => lane(nth)));
    expect(statuses.filter((status) => ![402, 409, 429].includes(status))).toEqual([]);
    const declines = (await chargesAsked()) - asked + savings.mock.calls.length - saved;
    expect(declines).toBeLessThanOrEqual(5);
    expect((await pay(payer, { creditCard: card })).status).toBe(429);
    expect((await pay(await makePayer(), { creditCard: card })).status).toBe(200);
  });

  test('do not count payments, refusals, and calls that never reached the gateway', async () => {
    const payer = await makePayer();
    for (let index = 0; index < 7; index += 1)
      expect((await pay(payer, { creditCard: card })).status).toBe(200);
    for (let index = 0; index < 7; index += 1)
      expect((await pay(payer, { creditCard: declined }, { amount: 500 })).status).toBe(422);
    expect((await pay(payer, { creditCard: declined })).status).toBe(402);
    expect(await countOf('declines-an-hour', payer.tenantId)).toBe(1);
  });

  test('of a window that has ended are not deducted from the next one', async () => {
    const payer = await makePayer(2);
    const { gateway, gatewayTimeoutMs } = api.ctx;
    const { charge, release } = holdCharges();
    const slow = pay(payer, { creditCard: card });
    await vi.waitFor(() => expect(charge).toHaveBeenCalled(), patience);
    Object.assign(api.ctx, { gateway, gatewayTimeoutMs });
    await api.sql`UPDATE limit_counts SET ends_at = ${fromNow(0)}`;
    expect((await pay(payer, { creditCard: declined }, { unit: 1 })).status).toBe(402);
    release();
    expect((await slow).status).toBe(200);
    expect(await countOf('declines-an-hour', payer.tenantId)).toBe(1);
  });

  test('are each deducted where concurrent payments by one saved method end otherwise', async () => {
    const payer = await makePayer(12);
    const paymentMethodId = await makePaymentMethod(api.owner, api.ctx.vault, {
      tenant_id: payer.tenantId,
    });
    const { refused, answer } = await payEachUnit(payer, { creditCard: { paymentMethodId } });
    expect(refused).toHaveLength(7);
    expect((await answer()).filter((status) => status === 200)).toHaveLength(5);
    expect(await countOf('declines-an-hour', payer.tenantId)).toBe(0);
    expect(await countsOfMethod(paymentMethodId)).toEqual([0]);
  });

  test('count cards that were to be saved for autopay', async () => {
    const payer = await makePayer();
    for (let index = 0; index < 3; index += 1)
      expect((await pay(payer, { creditCard: declined })).status).toBe(402);
    for (let index = 0; index < 2; index += 1)
      expect((await setAutopay(payer, { creditCard: declined })).status).toBe(402);
    expect((await setAutopay(payer, { creditCard: card })).status).toBe(429);
  });

  test('do not count cards that were saved for autopay, or whose result is unknown', async () => {
    const payer = await makePayer();
    expect((await setAutopay(payer, { creditCard: card })).status).toBe(200);
    expect(await countOf('declines-an-hour', payer.tenantId)).toBe(0);
    const { gateway } = api.ctx;
    api.ctx.gateway = {
      ...gateway,
      saveMethod: () => Promise.reject(new GatewayUnknown('no answer')),
    };
    expect((await setAutopay(payer, { creditCard: card })).status).toBe(503);
    api.ctx.gateway = gateway;
    expect(await countOf('declines-an-hour', payer.tenantId)).toBe(0);
  });

  test('that cannot be deducted do not hide the gateway’s answer', async () => {
    const payer = await makePayer();
    // As if the table were locked for longer than the statement timeout.
    await api.sql`CREATE FUNCTION refuse_giving_back() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF new.count < old.count THEN RAISE 'locked'; END IF; RETURN new; END $$`;
    await api.sql`CREATE TRIGGER refuse BEFORE UPDATE ON limit_counts FOR EACH ROW
      EXECUTE FUNCTION refuse_giving_back()`;
    onTestFinished(async () => {
      await api.sql`DROP FUNCTION refuse_giving_back CASCADE`;
    });
    const { gateway } = api.ctx;
    api.ctx.gateway = {
      ...gateway,
      saveMethod: () => Promise.reject(new GatewayUnknown('no answer')),
    };
    const answer = await setAutopay(payer, { creditCard: card });
    api.ctx.gateway = gateway;
    expect(answer.status).toBe(503);
    expect(answer.body.message).toContain('The payment service does not answer');
  });

  test('of a saved method are ten a day', async () => {
    const payer = await makePayer();
    const paymentMethodId = await makePaymentMethod(api.owner, api.ctx.vault, {
      tenant_id: payer.tenantId,
    });
    await api.sql`UPDATE sandbox_gateway.methods SET behaviour = 'declined'`;
    for (let index = 0; index < 10; index += 1) {
      await api.sql`DELETE FROM limit_counts WHERE name = 'declines-an-hour'`;
      expect((await pay(payer, { creditCard: { paymentMethodId } })).status).toBe(402);
    }
    await api.sql`DELETE FROM limit_counts WHERE name = 'declines-an-hour'`;
    const refused = await pay(payer, { creditCard: { paymentMethodId } });
    expect([refused.status, refused.body.message]).toEqual([
      429,
      'There were too many declined payments with this card or account. Please use another one, or call the facility.',
    ]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    expect((await pay(payer, { creditCard: card })).status).toBe(200);
  });

  test('of a card that is entered again each time are ten a day as well', async () => {
    const payer = await makePayer();
    for (let index = 0; index < 10; index += 1) {
      await api.sql`DELETE FROM limit_counts WHERE name = 'declines-an-hour'`;
      expect((await pay(payer, { creditCard: declined })).status).toBe(402);
    }
    await api.sql`DELETE FROM limit_counts WHERE name = 'declines-an-hour'`;
    const refused = await pay(payer, { creditCard: declined });
    expect([refused.status, refused.body.message]).toEqual([
      429,
      'There were too many declined payments with this card or account. Please use another one, or call the facility.',
    ]);
    expect((await pay(payer, { creditCard: card })).status).toBe(200);
  });

  test('that are refused do not count for a saved method', async () => {
    const payer = await makePayer(12);
    const paymentMethodId = await makePaymentMethod(api.owner, api.ctx.vault, {
      tenant_id: payer.tenantId,
    });
    for (let index = 0; index < 5; index += 1)
      expect((await pay(payer, { creditCard: declined })).status).toBe(402);
    const saved = { creditCard: { paymentMethodId } };
    expect((await pay(payer, saved)).status).toBe(429);
    const atOnce = await Promise.all(payer.units.map((_, unit) => pay(payer, saved, { unit })));
    expect(new Set(atOnce.map(({ status }) => status))).toEqual(new Set([429]));
    await api.sql`UPDATE limit_counts SET ends_at = ${fromNow(0)} WHERE name = 'declines-an-hour'`;
    expect(await countsOfMethod(paymentMethodId)).toEqual([]);
    expect((await pay(payer, saved)).status).toBe(200);
  });

  test('that come at once with a saved method count only those that are charged', async () => {
    const payer = await makePayer(12);
    const paymentMethodId = await makePaymentMethod(api.owner, api.ctx.vault, {
      tenant_id: payer.tenantId,
    });
    await api.sql`UPDATE sandbox_gateway.methods SET behaviour = 'declined'`;
    const { gatewayTimeoutMs } = api.ctx;
    api.ctx.gatewayTimeoutMs = 10_000;
    const answers = await Promise.all(
      payer.units.map((_, unit) => pay(payer, { creditCard: { paymentMethodId } }, { unit })),
    );
    api.ctx.gatewayTimeoutMs = gatewayTimeoutMs;
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(5);
    expect(await countsOfMethod(paymentMethodId)).toEqual([5]);
  });

  test.each([
    ['payments', 2, pay],
    ['cards for autopay', 4, setAutopay],
  ])(
    'by %s raise an alarm once an hour where they are many and the majority',
    async (_, hours, offer) => {
      later(60 * hours);
      await watchDeclines(api.ctx);
      const alarms = () =>
        findRows(api.owner, 'alarms', ['kind', 'facts'], { kind: 'decline_rate' });
      const before = (await alarms()).length;
      const many = await Promise.all(Array.from({ length: 4 }, () => makePayer()));
      for (const payer of many) {
        await watchDeclines(api.ctx);
        expect(await alarms()).toHaveLength(before);
        for (let index = 0; index < 5; index += 1)
          expect((await offer(payer, { creditCard: declined })).status).toBe(402);
      }
      await watchDeclines(api.ctx);
      await watchDeclines(api.ctx);
      expect((await alarms()).slice(before)).toMatchObject([
        { facts: { declined: 20, total: 20 } },
      ]);
    },
  );

  async function countsOfMethod(methodId: string): Promise<number[]> {
    const rows = await api.sql<{ count: number }>`SELECT count FROM limit_counts
      WHERE name = 'declines-of-a-method-a-day' AND key = uuid_send(${methodId}::uuid)`;
    return rows.map(({ count: counted }) => counted);
  }

  async function countOf(name: string, tenantId: string): Promise<number> {
    const rows = await api.sql<{ count: number }>`
      SELECT count FROM limit_counts WHERE name = ${name} AND key = uuid_send(${tenantId}::uuid)`;
    return rows[0]!.count;
  }
});

describe('declined payments by a pay link', () => {
  const statusesOf = async (times: number, offer: () => Promise<{ status: number }>) => {
    const statuses: number[] = [];
    for (let index = 0; index < times; index += 1) statuses.push((await offer()).status);
    return statuses;
  };
  const FIVE = [402, 402, 402, 402, 402];

  test('are five an hour of the link, and refuse no card of the tenant', async () => {
    const payer = await makePayer();
    const link = await makeLink(payer);
    const byLink = () => link.pay({ creditCard: declined });
    expect(await statusesOf(6, byLink)).toEqual([...FIVE, 429]);
    expect((await setAutopay(payer, { creditCard: card })).status).toBe(200);
    expect((await pay(payer, { creditCard: card })).status).toBe(200);
    const own = () => pay(payer, { creditCard: declined });
    expect(await statusesOf(6, own)).toEqual([...FIVE, 429]);
  });

  test('are ten an hour of all links of a tenant, and the next is refused before the gateway is called', async () => {
    const payer = await makePayer(3);
    for (const unit of [0, 1]) {
      const link = await makeLink(payer, unit);
      expect(await statusesOf(5, () => link.pay({ creditCard: declined }))).toEqual(FIVE);
    }
    const asked = await chargesAsked();
    const third = await makeLink(payer, 2);
    expect((await third.pay({ creditCard: declined })).status).toBe(429);
    expect(await chargesAsked()).toBe(asked);
    const another = await makeLink(await makePayer());
    expect((await another.pay({ creditCard: declined })).status).toBe(402);
  });

  test('do not count one that is taken', async () => {
    const payer = await makePayer();
    const link = await makeLink(payer);
    expect((await link.pay({ creditCard: card })).status).toBe(200);
    const counted = await api.sql`SELECT name FROM limit_counts
      WHERE count > 0 AND key IN (uuid_send(${link.id}::uuid), uuid_send(${payer.tenantId}::uuid))`;
    expect(counted).toEqual([]);
  });

  test('raise the alarm together with cards for autopay', async () => {
    later(60 * 6);
    await watchDeclines(api.ctx);
    const alarms = () => findRows(api.owner, 'alarms', ['facts'], { kind: 'decline_rate' });
    const before = (await alarms()).length;
    for (let index = 0; index < 4; index += 1) {
      const payer = await makePayer();
      const link = await makeLink(payer);
      expect(await statusesOf(3, () => link.pay({ creditCard: declined }))).toEqual([
        402, 402, 402,
      ]);
      const forAutopay = () => setAutopay(payer, { creditCard: declined });
      expect(await statusesOf(2, forAutopay)).toEqual([402, 402]);
    }
    await watchDeclines(api.ctx);
    expect((await alarms()).slice(before)).toMatchObject([{ facts: { declined: 20, total: 20 } }]);
  });
});
