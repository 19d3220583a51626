import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PaymentGateway } from '#adapters/payments/gateway.ts';
import { sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import { TIME_LIMITS } from '#db/database.ts';
import {
  makeFacility,
  makeLedger,
  makePaymentMethod,
  makeTenant,
  makeUser,
  postCharges,
} from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { tripsOf } from '#test/round-trips.ts';
import { openTestApp, signIn, type Answer, type SignedIn, type TestApp } from '#test/app.ts';
import { sumOfTables } from '#test/sum-of-tables.ts';
import { card } from '#test/card.ts';
import { expectSoundBooks } from '#test/books.ts';
import { fromNow, testClock } from '#test/test-day.ts';
import { resolveOpenPayments, resolveOverduePayments, resolvePayment } from './resolve.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';

const bankAccount = {
  accountType: 'Consumer Checking',
  accountNumber: '000123456789',
  routingNumber: '110000000',
};

let api: TestApp;
let dana: SignedIn;
let tenantId: string;
/** Of the same sign-in. */
let otherRecord: string;
let facilityId: string;
let unitCount = 0;

type Unit = { ledgerId: string; unitId: string };

beforeAll(async () => {
  const { lockMs } = TIME_LIMITS;
  api = await openTestApp('empty_template', {}, { lockMs });
  facilityId = await makeFacility(api.owner, {});
  tenantId = await makeTenant(api.owner, { facility_id: facilityId });
  otherRecord = await makeTenant(api.owner, { facility_id: facilityId });
  await makeUser(api.owner, {
    email: 'dana@example.com',
    password: DEMO_PASSWORD,
    tenantIds: [tenantId, otherRecord],
  });
  const other = await makeTenant(api.owner, { facility_id: facilityId, email: 'lee@example.com' });
  await makeUser(api.owner, {
    email: 'lee@example.com',
    password: DEMO_PASSWORD,
    tenantIds: [other],
  });
  dana = await signIn(api, 'dana@example.com');
});
afterAll(async () => {
  await expectSoundBooks(api.owner);
  await api.close();
});

/** A new unit that owes the rent of a period, and a late fee where one is named. */
async function unitThatOwes(rentCents: number, feeCents = 0, owner = tenantId): Promise<Unit> {
  unitCount += 1;
  const unit = await makeLedger(api.owner, api.ctx.vault, {
    tenant_id: owner,
    unit: { facility_id: facilityId, name: `U${unitCount}` },
    moved_in_on: '2026-11-14',
  });
  const rent = { dueOn: '2026-11-14', periodEnd: '2026-12-13', priceCents: rentCents };
  await postCharges(api.owner, unit.ledgerId, [{ category: 'rent', description: 'Rent', ...rent }]);
  if (feeCents > 0)
    await postCharges(api.owner, unit.ledgerId, [
      { category: 'fee', description: 'Late fee', dueOn: '2026-11-19', priceCents: feeCents },
    ]);
  return unit;
}

type PayOptions = { key?: string; method?: object; extra?: object; as?: SignedIn; in?: string };

function pay(
  lines: [Unit, unknown][],
  {
    key,
    method = { creditCard: card },
    extra = {},
    as = dana,
    in: tenant = tenantId,
  }: PayOptions = {},
) {
  const payments = lines.map(([unit, amount]) => ({ ...unit, amount }));
  return api.call('POST', `${as.prefix}/tenants/${tenant}/payments`, {
    token: as.token,
    body: { payments, ...method, ...extra },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
}

async function standing({ ledgerId }: Unit) {
  const row = await getRow(api.owner, 'ledgers', ['balance_cents', 'paid_through'], {
    id: ledgerId,
  });
  const { rows } = await sql<{ captured: number }>`
    SELECT count(*) AS captured FROM sandbox_gateway.charges g JOIN payment_intent_ledgers p ON p.intent_id = g.reference
    WHERE g.outcome IN ('captured', 'accepted') AND p.ledger_id = ${ledgerId}`.execute(api.owner);
  return { balance: row.balance_cents, paidThrough: row.paid_through, captured: rows[0]!.captured };
}

/** Does something with the clock set forward. */
async function later<Answer>(seconds: number, work: () => Promise<Answer>): Promise<Answer> {
  const clock = vi.spyOn(api.ctx.clock, 'now').mockReturnValue(fromNow(seconds * 1000));
  try {
    return await work();
  } finally {
    clock.mockRestore();
  }
}

describe('paying', () => {
  // spec 7.55
  test('settles the charges, moves paid-through on and answers a receipt', async () => {
    const unit = await unitThatOwes(19_950, 1_500);
    const answer = await pay([[unit, 214.5]]);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'succeeded',
      payments: [{ ledgerId: unit.ledgerId, amount: 214.5 }],
    });
    expect(answer.body.payments[0].receiptNumber).toBe(answer.body.receiptNumber);
    expect(await standing(unit)).toEqual({ balance: 0, paidThrough: '2026-12-13', captured: 1 });
  });

  test('in part leaves the rest owed and paid-through where it was', async () => {
    const unit = await unitThatOwes(19_950);
    expect((await pay([[unit, 1]])).status).toBe(200);
    expect(await standing(unit)).toEqual({
      balance: 19_850,
      paidThrough: '2026-11-13',
      captured: 1,
    });
  });

  // spec 7.55, 7.56
  // asvs 2.3.3
  test('several units is one capture with a receipt number for each', async () => {
    const [a, b] = [await unitThatOwes(10_000), await unitThatOwes(20_000)];
    const answer = await pay([
      [a, 100],
      [b, 150.25],
    ]);
    expect(answer.status).toBe(200);
    const numbers = answer.body.payments.map(
      (line: { receiptNumber: string }) => line.receiptNumber,
    );
    expect(new Set([...numbers, answer.body.receiptNumber]).size).toBe(3);
    expect((await standing(a)).balance).toBe(0);
    expect((await standing(b)).balance).toBe(4975);
    const captures = await findRows(api.owner, 'sandbox_gateway.charges', 'reference', {
      amount_cents: 25_025,
    });
    expect(captures).toHaveLength(1);
  });

  // spec 3.44, 7.43
  test('shows in the history, newest first, with the method’s words', async () => {
    const unit = await unitThatOwes(20_000);
    await pay([[unit, 50]]);
    await pay([[unit, 60]], { method: { ach: bankAccount } });
    const { body } = await api.call('GET', `${dana.prefix}/ledgers/${unit.ledgerId}/payments`, {
      token: dana.token,
    });
    expect(body.map((row: { amount: number }) => row.amount)).toEqual([60, 50]);
    expect(body[0].paymentTypeDescription).toBe('ACH ending in 6789');
    expect(body[1].paymentTypeDescription).toBe('Visa ending in 4242');
    expect(body[0].date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  // spec 7.57
  test('by bank account is pending and counts at once', async () => {
    const unit = await unitThatOwes(20_000);
    const answer = await pay([[unit, 200]], { method: { ach: bankAccount } });
    expect(answer.body.status).toBe('pending');
    expect((await standing(unit)).balance).toBe(0);
  });

  test('with a saved method of the same record charges that method', async () => {
    const unit = await unitThatOwes(20_000);
    const paymentMethodId = await makePaymentMethod(api.owner, api.ctx.vault, {
      tenant_id: tenantId,
      last_four: '1881',
    });
    expect((await pay([[unit, 200]], { method: { creditCard: { paymentMethodId } } })).status).toBe(
      200,
    );
    const { rows } = await sql<{ last_four: string }>`
      SELECT g.last_four FROM sandbox_gateway.charges g JOIN payment_intent_ledgers p ON p.intent_id = g.reference
      WHERE p.ledger_id = ${unit.ledgerId}`.execute(api.owner);
    expect(rows).toEqual([{ last_four: '1881' }]);
  });

  test('keeps no card number, security code or bank account anywhere, nor does saving them', async () => {
    const unit = await unitThatOwes(12_345);
    const secrets = {
      card: '4111111111111111',
      code: 'Zq7!',
      account: '000987650012',
      routing: '123454321',
    };
    const creditCard = { ...card, cardNumber: secrets.card, cardCvv: secrets.code };
    const ach = { ...bankAccount, accountNumber: secrets.account, routingNumber: secrets.routing };
    const answers = [
      await pay([[unit, 100]], { method: { creditCard } }),
      await pay([[unit, 23.45]], { method: { ach } }),
    ];
    for (const body of [{ creditCard }, { ach }])
      answers.push(
        await api.call('POST', `${dana.prefix}/ledgers/${unit.ledgerId}/autopay-update`, {
          token: dana.token,
          body,
        }),
      );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { rows: tables } = await sql<{ name: string }>`
      SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`.execute(
      api.owner,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const { rows } = await sql<{
        row: string;
      }>`SELECT t::text AS row FROM ${sql.raw(name)} t`.execute(api.owner);
      for (const secret of Object.values(secrets))
        expect(
          rows.some(({ row }) => row.includes(secret)),
          `${secret} in ${name}`,
        ).toBe(false);
    }
    for (const secret of Object.values(secrets))
      expect(answers.some(({ text }) => text.includes(secret))).toBe(false);
  });
});

describe('the round trips to the database', () => {
  test.each([
    ['a new card', 13, () => Promise.resolve({ creditCard: card })],
    [
      'a saved card',
      14,
      async () => ({
        creditCard: {
          paymentMethodId: await makePaymentMethod(api.owner, api.ctx.vault, {
            tenant_id: tenantId,
          }),
        },
      }),
    ],
    ['a bank account', 13, () => Promise.resolve({ ach: bankAccount })],
  ])('of a payment with %s are %i, the gateway’s own among them', async (_, count, make) => {
    const unit = await unitThatOwes(20_000);
    const method = await make();
    const trips = await tripsOf(async () => {
      expect((await pay([[unit, 200]], { method })).status).toBe(200);
    });
    expect(trips).toBe(count);
  });

  test('of two units are no more', async () => {
    const [a, b] = [await unitThatOwes(20_000), await unitThatOwes(20_000)];
    const trips = await tripsOf(() =>
      pay([
        [a, 200],
        [b, 200],
      ]),
    );
    expect(trips).toBe(13);
  });
});

describe('a refused payment charges nothing and writes nothing', () => {
  const amounts: [string, unknown][] = [
    ['0', 0],
    ['a negative amount', -5],
    ['three decimals', 1.005],
    ['a string', '12'],
    ['true', true],
    ['null, as NaN travels', null],
    ['a list', [12]],
    ['an amount beyond all reason', 1e308],
    ['a cent above the balance', 200.01],
  ];
  test.each(amounts)('%s', async (_, amount) => {
    const unit = await unitThatOwes(20_000);
    const answer = await pay([[unit, amount]]);
    expect(answer.status).toBe(422);
    expect(answer.body.message).toMatch(/^Amount .+\.$/);
    expect(await standing(unit)).toMatchObject({ balance: 20_000, captured: 0 });
    expect(
      await api.owner
        .selectFrom('payment_intent_ledgers')
        .selectAll()
        .where('ledger_id', '=', unit.ledgerId)
        .execute(),
    ).toEqual([]);
  });

  const methods: [string, object, RegExp][] = [
    ['no method', {}, /creditCard or ach/],
    ['both methods', { creditCard: card, ach: bankAccount }, /creditCard or ach/],
    [
      'a card number of 13 digits',
      { creditCard: { ...card, cardNumber: '4242424242424' } },
      /^Card number must be 14 to 16/,
    ],
    [
      'a card number of 17 digits',
      { creditCard: { ...card, cardNumber: '42424242424242424' } },
      /^Card number must be 14 to 16/,
    ],
    [
      'a card number that is a number',
      { creditCard: { ...card, cardNumber: 4242424242424242 } },
      /^Card number/,
    ],
    ['a security code of 2', { creditCard: { ...card, cardCvv: '12' } }, /^Security code/],
    ['month 13', { creditCard: { ...card, expirationMonth: '13' } }, /^Expiration month/],
    [
      'last year',
      { creditCard: { ...card, expirationYear: String(testClock.now().getUTCFullYear() - 1) } },
      /^Expiration year/,
    ],
    [
      'a year 22 years on',
      { creditCard: { ...card, expirationYear: String(testClock.now().getUTCFullYear() + 22) } },
      /^Expiration year/,
    ],
    ['no name on the card', { creditCard: { ...card, name: '' } }, /^Name on card/],
    ['no billing zip', { creditCard: { ...card, postalCode: undefined } }, /^Billing zip/],
    ['another card type', { creditCard: { ...card, cardType: 'Diners' } }, /^Card type/],
    [
      'a routing number of 8',
      { ach: { ...bankAccount, routingNumber: '11000000' } },
      /^Routing number must be exactly 9/,
    ],
    [
      'a routing number of 10',
      { ach: { ...bankAccount, routingNumber: '1100000000' } },
      /^Routing number must be exactly 9/,
    ],
    ['another account type', { ach: { ...bankAccount, accountType: 'Savings' } }, /^Account type/],
    ['no account number', { ach: { ...bankAccount, accountNumber: '' } }, /^Account number/],
    ['a saved method that is no id', { creditCard: { paymentMethodId: '1' } }, /paymentMethodId/],
  ];
  test.each(methods)('%s', async (_, method, sentence) => {
    const unit = await unitThatOwes(20_000);
    const answer = await pay([[unit, 200]], { method });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toMatch(sentence);
    expect(await standing(unit)).toMatchObject({ balance: 20_000, captured: 0 });
  });

  // asvs 2.3.2
  test('a part of a unit’s balance below the facility’s least payment, with its sum', async () => {
    const [a, b] = [await unitThatOwes(20_000), await unitThatOwes(20_000)];
    const answer = await pay([
      [a, 200],
      [b, 0.99],
    ]);
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'Enter $1.00 or more, up to $200.00.',
    ]);
    expect(await standing(a)).toMatchObject({ balance: 20_000, captured: 0 });
    expect((await pay([[b, 1]])).status).toBe(200);
    expect((await pay([[b, 198.5]])).status).toBe(200);
    // What is left is the whole balance.
    expect((await pay([[b, 0.5]])).status).toBe(200);
    expect(await standing(b)).toMatchObject({ balance: 0, captured: 3 });
  });

  // asvs 2.2.3
  test('the same unit twice, no unit at all, and a unit that is not the rental’s', async () => {
    const [a, b] = [await unitThatOwes(20_000), await unitThatOwes(20_000)];
    const answers = [
      await pay([
        [a, 100],
        [a, 100],
      ]),
      await pay([]),
      await pay([[{ ledgerId: a.ledgerId, unitId: b.unitId }, 100]]),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(answers[2]!.body.message).toMatch(/unitId/);
    expect((await standing(a)).captured).toBe(0);
  });

  test('another tenant’s ledger next to an own one, and a missing one: 404, byte for byte alike', async () => {
    const lee = await signIn(api, 'lee@example.com');
    const own = await unitThatOwes(20_000);
    const foreign = await unitThatOwes(20_000, 0, lee.tenantIds[0]);
    const answers = [
      await pay([
        [own, 100],
        [foreign, 100],
      ]),
      await pay([[{ ledgerId: randomUUID(), unitId: own.unitId }, 100]]),
      await pay([[foreign, 100]], { in: lee.tenantIds[0] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await standing(own)).captured).toBe(0);
    expect((await standing(foreign)).captured).toBe(0);
  });

  test('another tenant’s saved method: 404', async () => {
    const lee = await signIn(api, 'lee@example.com');
    const unit = await unitThatOwes(20_000);
    const paymentMethodId = await makePaymentMethod(api.owner, api.ctx.vault, {
      tenant_id: lee.tenantIds[0]!,
    });
    const answer = await pay([[unit, 200]], { method: { creditCard: { paymentMethodId } } });
    expect(answer.status).toBe(404);
    expect((await standing(unit)).captured).toBe(0);
  });

  test('a rental or a saved method of another record of the same sign-in: 404', async () => {
    const [own, others] = [await unitThatOwes(20_000), await unitThatOwes(20_000, 0, otherRecord)];
    const paymentMethodId = await makePaymentMethod(api.owner, api.ctx.vault, {
      tenant_id: otherRecord,
    });
    const answers = [
      await pay([[others, 200]]),
      await pay([[own, 200]], { method: { creditCard: { paymentMethodId } } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    for (const unit of [own, others]) expect((await standing(unit)).captured).toBe(0);
  });

  test.each([
    ['another tenant’s', () => signIn(api, 'lee@example.com').then((lee) => lee.tenantIds[0]!)],
    [
      'the same person’s other record’s',
      () => makeTenant(api.owner, { facility_id: facilityId, email: 'dana@example.com' }),
    ],
  ])('%s ledger, unit and saved methods, in every place of both calls (T12)', async (_, other) => {
    const victim = await other();
    const [own, theirs] = [await unitThatOwes(20_000), await unitThatOwes(20_000, 0, victim)];
    const method = (tenant_id: string, type: 'creditCard' | 'ach') =>
      makePaymentMethod(api.owner, api.ctx.vault, { tenant_id, type });
    const [cardId, accountId] = [await method(victim, 'creditCard'), await method(victim, 'ach')];
    const ownCard = { creditCard: { paymentMethodId: await method(tenantId, 'creditCard') } };
    const foreign = [
      { creditCard: { paymentMethodId: cardId } },
      { creditCard: { paymentMethodId: cardId.toUpperCase() } },
      { creditCard: { ...card, paymentMethodId: cardId } },
      { ach: { paymentMethodId: accountId } },
      { ach: { paymentMethodId: cardId } },
      { creditCard: { paymentMethodId: accountId } },
    ];
    const autopay = ({ ledgerId }: Unit, what: 'update' | 'stop', body: object) =>
      api.call('POST', `${dana.prefix}/ledgers/${ledgerId}/autopay-${what}`, {
        token: dana.token,
        body,
      });
    const gone = await unitThatOwes(20_000);
    await changeRows(api.owner, 'ledgers', { moved_out_on: '2026-11-18' }, { id: gone.ledgerId });
    // Each refusal of a foreign id is an event of the audit trail.
    const written = () => sumOfTables(api.owner, 'audit_events');
    const before = await written();
    const tries: [status: number, answer: Promise<Answer>][] = [
      [404, pay([[theirs, 1.5]])],
      [404, pay([[theirs, 1.5]], { method: foreign[0]! })],
      [404, pay([[theirs, 1.5]], { in: victim })],
      [
        404,
        pay([
          [own, 1.5],
          [theirs, 1.5],
        ]),
      ],
      [
        404,
        pay([
          [theirs, 1.5],
          [own, 1.5],
        ]),
      ],
      [404, pay([[{ ...theirs, unitId: own.unitId }, 1.5]])],
      [422, pay([[{ ...own, unitId: theirs.unitId }, 1.5]])],
      [404, pay([[gone, 1.5]])],
      ...foreign.map(
        (one) => [404, pay([[own, 1.5]], { method: one })] as [number, Promise<Answer>],
      ),
      ...foreign.map((one) => [404, autopay(own, 'update', one)] as [number, Promise<Answer>]),
      [404, autopay(gone, 'update', ownCard)],
      [404, autopay(theirs, 'update', ownCard)],
      [404, autopay(theirs, 'stop', {})],
    ];
    for (const [nth, [status, answer]] of tries.entries())
      expect([nth, (await answer).status]).toEqual([nth, status]);
    expect(await written()).toEqual(before);
    expect((await pay([[own, 1.5]], { method: ownCard })).status).toBe(200);
    expect(await standing(own)).toMatchObject({ balance: 19_850, captured: 1 });
  });

  test('a moved-out rental: 404', async () => {
    const unit = await unitThatOwes(20_000);
    await changeRows(api.owner, 'ledgers', { moved_out_on: '2026-11-18' }, { id: unit.ledgerId });
    expect((await pay([[unit, 200]])).status).toBe(404);
    expect((await standing(unit)).captured).toBe(0);
  });

  test.each([
    ['declined', sandboxNumbers.declined],
    ['without funds', sandboxNumbers.insufficientFunds],
  ])(
    'a card that is %s: 402 with a sentence, and another card may pay at once',
    async (_, cardNumber) => {
      const unit = await unitThatOwes(20_000);
      const answer = await pay([[unit, 200]], { method: { creditCard: { ...card, cardNumber } } });
      expect(answer.status).toBe(402);
      expect(answer.body.message).toMatch(/^Your (bank|card) .+\.$/);
      expect(await standing(unit)).toMatchObject({ balance: 20_000, captured: 0 });
      expect((await pay([[unit, 200]])).status).toBe(200);
    },
  );
});

test('at a facility whose time zone does not exist nothing is charged, since it could not be posted', async () => {
  const unit = await unitThatOwes(20_000);
  await changeRows(api.owner, 'facilities', { time_zone: 'Mars/Olympus' }, { id: facilityId });
  const answer = await pay([[unit, 200]], { method: { ach: bankAccount } });
  await changeRows(api.owner, 'facilities', { time_zone: 'America/Chicago' }, { id: facilityId });
  expect(answer.status).toBe(503);
  expect(await standing(unit)).toMatchObject({ balance: 20_000, captured: 0 });
});

describe('what the browser says besides the amounts decides nothing', () => {
  // spec 7.58, 7.59
  test('testMode, webhookData and unknown fields are dropped', async () => {
    const unit = await unitThatOwes(20_000);
    const extra = {
      testMode: true,
      switchingFromCcToAch: true,
      webhookData: { amount: 1, firstName: 'Eve' },
      balance: 0,
      tenantId: 'x',
    };
    const declined = { creditCard: { ...card, cardNumber: sandboxNumbers.declined } };
    expect((await pay([[unit, 200]], { extra, method: declined })).status).toBe(402);
    expect(await standing(unit)).toMatchObject({ balance: 20_000, captured: 0 });
    expect((await pay([[unit, 200]], { extra })).status).toBe(200);
    expect(await standing(unit)).toMatchObject({ balance: 0, captured: 1 });
  });
});

describe('the same payment again', () => {
  test('with the same key gets the first receipt, also after more was charged', async () => {
    const unit = await unitThatOwes(20_000);
    const key = randomUUID();
    const first = await pay([[unit, 200]], { key });
    await postCharges(api.owner, unit.ledgerId, [
      { category: 'fee', description: 'Late fee', dueOn: '2026-11-25', priceCents: 20_000 },
    ]);
    const again = await pay([[unit, 200]], { key });
    expect(again.body).toEqual(first.body);
    expect((await standing(unit)).captured).toBe(1);
  });

  test('with the same key and another body is refused', async () => {
    const unit = await unitThatOwes(20_000);
    const key = randomUUID();
    await pay([[unit, 50]], { key });
    const other = await pay([[unit, 60]], { key });
    expect(other.status).toBe(422);
    expect(other.body.message).toMatch(/Idempotency-Key/);
    expect((await standing(unit)).captured).toBe(1);
  });

  test('that is declined is said so at once while another transaction holds the rental', async () => {
    const unit = await unitThatOwes(20_000);
    const method = { creditCard: { ...card, cardNumber: sandboxNumbers.declined } };
    const { gateway } = api.ctx;
    const held = Promise.withResolvers<undefined>();
    const lock = () =>
      new Promise<void>((taken) => {
        void api.owner.transaction().execute(async (trx) => {
          await sql`SELECT FROM ledgers WHERE id = ${unit.ledgerId} FOR NO KEY UPDATE`.execute(trx);
          taken();
          await held.promise;
        });
      });
    api.ctx.gateway = {
      ...gateway,
      charge: async (...asked) => {
        await lock();
        return gateway.charge(...asked);
      },
    };
    try {
      expect((await pay([[unit, 200]], { method })).status).toBe(402);
    } finally {
      held.resolve(undefined);
      api.ctx.gateway = gateway;
    }
  });

  test('with the same key after a decline is declined again', async () => {
    const unit = await unitThatOwes(20_000);
    const key = randomUUID();
    const method = { creditCard: { ...card, cardNumber: sandboxNumbers.declined } };
    const first = await pay([[unit, 200]], { key, method });
    expect((await pay([[unit, 200]], { key, method })).text).toBe(first.text);
  });

  test('with a new key is a new payment, even of an equal amount', async () => {
    const unit = await unitThatOwes(20_000);
    await pay([[unit, 50]], { key: randomUUID() });
    expect((await pay([[unit, 50]], { key: randomUUID() })).status).toBe(200);
    expect(await standing(unit)).toMatchObject({ balance: 10_000, captured: 2 });
  });

  test('one tenant’s key means nothing to another', async () => {
    const lee = await signIn(api, 'lee@example.com');
    const [own, other] = [
      await unitThatOwes(20_000),
      await unitThatOwes(20_000, 0, lee.tenantIds[0]),
    ];
    const key = randomUUID();
    await pay([[own, 200]], { key });
    expect((await pay([[other, 200]], { key, as: lee, in: lee.tenantIds[0]! })).status).toBe(200);
  });

  test('without a key gets the first receipt while the debt is unchanged, whatever the card', async () => {
    const unit = await unitThatOwes(20_000);
    const first = await pay([[unit, 200]]);
    const again = await pay([[unit, 200]], { method: { ach: bankAccount } });
    expect(again.body).toEqual(first.body);
    expect((await standing(unit)).captured).toBe(1);
  });

  test('without a key counts as new once more was charged', async () => {
    const unit = await unitThatOwes(20_000);
    await pay([[unit, 200]]);
    await postCharges(api.owner, unit.ledgerId, [
      { category: 'fee', description: 'Late fee', dueOn: '2026-11-25', priceCents: 20_000 },
    ]);
    expect((await pay([[unit, 200]])).status).toBe(200);
    expect(await standing(unit)).toMatchObject({ balance: 0, captured: 2 });
  });

  test('without a key an equal part payment counts as new after ten minutes', async () => {
    const unit = await unitThatOwes(20_000);
    await pay([[unit, 50]]);
    await pay([[unit, 50]]);
    expect((await standing(unit)).captured).toBe(1);
    await later(11 * 60, () => pay([[unit, 50]]));
    expect(await standing(unit)).toMatchObject({ balance: 10_000, captured: 2 });
  });

  test.each(
    ['with a key', 'without a key'].flatMap((how) =>
      [200, 50].flatMap((dollars) =>
        ['card', 'account', 'saved card'].map((by) => [how, dollars, by] as const),
      ),
    ),
  )(
    '%s, of $%i by %s, twice at once and a second, a minute and an hour later: one capture (R12)',
    async (how, dollars, by) => {
      const unit = await unitThatOwes(20_000);
      const paymentMethodId = await makePaymentMethod(api.owner, api.ctx.vault, {
        tenant_id: tenantId,
      });
      const method =
        by === 'account'
          ? { ach: bankAccount }
          : { creditCard: by === 'card' ? card : { paymentMethodId } };
      const options = { method, ...(how === 'with a key' && { key: randomUUID() }) };
      const atOnce = await Promise.all([1, 2].map(() => pay([[unit, dollars]], options)));
      const first = atOnce.find(({ status }) => status === 200)!;
      for (const { status, body } of atOnce)
        if (status === 200) expect(body).toEqual(first.body);
        else expect(status).toBe(409);
      for (const seconds of [1, 60, 3600]) {
        const again = await later(seconds, async () =>
          pay([[unit, dollars]], { ...options, as: await signIn(api, 'dana@example.com') }),
        );
        expect(again.status).toBe(200);
        // Without a key, the same part of a debt is another payment after ten minutes.
        const isNew = how === 'without a key' && dollars === 50 && seconds === 3600;
        if (isNew) expect(again.body).not.toEqual(first.body);
        else expect(again.body).toEqual(first.body);
        expect((await standing(unit)).captured).toBe(isNew ? 2 : 1);
      }
    },
  );

  test.each([
    ['with one key', () => ({ key: '11111111-2222-3333-4444-555555555555' })],
    ['without a key', () => ({})],
    ['with a key each', () => ({ key: randomUUID() })],
  ])(
    'fifty times at once, %s: one capture, the rest the same receipt or 409 or too much',
    async (_, options) => {
      const unit = await unitThatOwes(20_000);
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => pay([[unit, 200]], options())),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => ![200, 409, 422].includes(status))).toEqual([]);
      const receipts = answers
        .filter(({ status }) => status === 200)
        .map(({ body }) => body.receiptNumber as string);
      expect(new Set(receipts).size).toBe(1);
      expect(await standing(unit)).toMatchObject({ balance: 0, captured: 1 });
    },
  );

  test('over overlapping units at once never deadlocks and never pays a unit twice', async () => {
    const units = await Promise.all(Array.from({ length: 6 }, () => unitThatOwes(10_000)));
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const picked = [units[index % 6]!, units[(index * 5 + 1) % 6]!].filter(
          (unit, at, all) => all.indexOf(unit) === at,
        );
        return pay(
          picked.map((unit) => [unit, 100] as [Unit, number]),
          { key: randomUUID() },
        );
      }),
    );
    expect(
      answers.map(({ status }) => status).filter((status) => ![200, 409, 422].includes(status)),
    ).toEqual([]);
    const paid = answers
      .filter(({ status }) => status === 200)
      .flatMap(({ body }) => body.payments as { ledgerId: string }[]);
    expect(paid.length).toBeGreaterThan(0);
    expect(new Set(paid.map(({ ledgerId }) => ledgerId)).size).toBe(paid.length);
    for (const unit of units) {
      const isPaid = paid.some(({ ledgerId }) => ledgerId === unit.ledgerId);
      expect(await standing(unit)).toMatchObject({
        balance: isPaid ? 0 : 10_000,
        captured: isPaid ? 1 : 0,
      });
    }
  });
});

describe('a gateway that does not answer', () => {
  const noAnswer = { creditCard: { ...card, cardNumber: sandboxNumbers.noAnswer } };

  async function openIntent({ ledgerId }: Unit): Promise<string> {
    const row = await getRow(api.owner, 'payment_intent_ledgers', 'intent_id', {
      ledger_id: ledgerId,
    });
    return row.intent_id;
  }

  async function stateOf(intentId: string): Promise<string> {
    const row = await getRow(api.owner, 'payment_intents', 'state', { id: intentId });
    return row.state;
  }

  test('leaves the payment to be confirmed; no one may pay again until the look-up has found the charge', async () => {
    const unit = await unitThatOwes(20_000);
    const key = randomUUID();
    const answer = await pay([[unit, 200]], { key, method: noAnswer });
    expect(answer.status).toBe(409);
    expect(answer.body.message).toMatch(/^Your payment is being confirmed/);
    for (const options of [{ key, method: noAnswer }, {}, { key: randomUUID() }])
      expect((await pay([[unit, 200]], options)).status).toBe(409);
    expect(await standing(unit)).toMatchObject({ balance: 20_000, captured: 1 });

    await resolvePayment(api.ctx, await openIntent(unit));
    expect(await standing(unit)).toMatchObject({ balance: 0, captured: 1 });
    const replay = await pay([[unit, 200]], { key, method: noAnswer });
    expect(replay.body).toMatchObject({ status: 'succeeded', payments: [{ amount: 200 }] });
    expect((await standing(unit)).captured).toBe(1);
  });

  test('is looked up by the sweep once its time is over, not before', async () => {
    const unit = await unitThatOwes(20_000);
    await pay([[unit, 200]], { method: noAnswer });
    await resolveOverduePayments(api.ctx);
    expect((await standing(unit)).balance).toBe(20_000);
    await later(10, () => resolveOverduePayments(api.ctx));
    expect(await standing(unit)).toMatchObject({ balance: 0, captured: 1 });
  });

  test('is asked again as often and as long as its patience says before a payment is given up', async () => {
    const unit = await unitThatOwes(20_000);
    const { gateway } = api.ctx;
    let voids = 0;
    api.ctx.gateway = {
      ...gateway,
      patience: { lookups: 3, minutes: 15 },
      charge: () => Promise.reject(new Error('connection reset')),
      voidReference: (...asked) => {
        voids += 1;
        return gateway.voidReference(...asked);
      },
    };
    await pay([[unit, 200]]);
    const intentId = await openIntent(unit);
    const state = () =>
      api.owner
        .selectFrom('payment_intents')
        .select(['state', 'not_found'])
        .where('id', '=', intentId)
        .executeTakeFirst();
    for (const seconds of [10, 30, 80, 200])
      await later(seconds, () => resolveOverduePayments(api.ctx));
    // Once more within the minute is not asked at all.
    expect(await state()).toEqual({ state: 'unknown', not_found: 3 });
    expect(voids).toBe(0);
    await later(16 * 60, () => resolveOverduePayments(api.ctx));
    api.ctx.gateway = gateway;
    expect(await state()).toEqual({ state: 'never_sent', not_found: 4 });
    expect(voids).toBe(1);
  });

  test('that never saw the charge: voided there, and the same key makes a new attempt', async () => {
    const unit = await unitThatOwes(20_000);
    const key = randomUUID();
    const { gateway } = api.ctx;
    const lost: PaymentGateway = {
      ...gateway,
      charge: () => Promise.reject(new Error('connection reset')),
    };
    api.ctx.gateway = lost;
    expect((await pay([[unit, 200]], { key })).status).toBe(409);
    api.ctx.gateway = gateway;
    const intentId = await openIntent(unit);
    await resolvePayment(api.ctx, intentId);
    expect(await standing(unit)).toMatchObject({ balance: 20_000, captured: 0 });
    expect((await pay([[unit, 200]], { key })).status).toBe(200);
    expect(await standing(unit)).toMatchObject({ balance: 0, captured: 1 });
  });

  test('whose payment cannot be posted at once is being confirmed, and posted later', async () => {
    const unit = await unitThatOwes(20_000);
    const { gateway } = api.ctx;
    const hold = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    let holding: Promise<void> | undefined;
    api.ctx.gateway = {
      ...gateway,
      async charge(request, signal) {
        const answer = await gateway.charge(request, signal);
        // Another transaction holds the ledger for longer than posting waits.
        holding = api.owner.transaction().execute(async (trx) => {
          await trx
            .selectFrom('ledgers')
            .select('id')
            .where('id', '=', unit.ledgerId)
            .forUpdate()
            .execute();
          held.resolve(undefined);
          await hold.promise;
        });
        await held.promise;
        return answer;
      },
    };
    const answer = await pay([[unit, 200]]);
    api.ctx.gateway = gateway;
    expect([answer.status, answer.body.message]).toEqual([
      409,
      expect.stringMatching(/^Your payment is being confirmed/),
    ]);
    hold.resolve(undefined);
    await holding;
    await resolveOpenPayments(api.ctx, [await openIntent(unit)]);
    expect(await standing(unit)).toMatchObject({ balance: 0, captured: 1 });
  });

  test('in a database that does not answer either: being confirmed, and posted later', async () => {
    const unit = await unitThatOwes(20_000);
    // The intent's row is written, and nothing after it.
    const broken = api.ctx.gateway;
    api.ctx.gateway = {
      ...broken,
      async charge(request, signal) {
        await broken.charge(request, signal);
        await sql`REVOKE UPDATE ON payment_intents FROM gatehouse_app`.execute(api.owner);
        throw new Error('connection reset');
      },
    };
    const answer = await pay([[unit, 200]]);
    await sql`GRANT UPDATE ON payment_intents TO gatehouse_app`.execute(api.owner);
    api.ctx.gateway = broken;
    expect([answer.status, answer.body.message]).toEqual([
      409,
      expect.stringMatching(/^Your payment is being confirmed/),
    ]);
    expect(await stateOf(await openIntent(unit))).toBe('submitted');
    await resolvePayment(api.ctx, await openIntent(unit));
    expect(await standing(unit)).toMatchObject({ balance: 0, captured: 1 });
  });

  test('whose payment is posted by a statement with a lost answer gets its receipt', async () => {
    const unit = await unitThatOwes(20_000);
    const { db, gateway } = api.ctx;
    let answers = 0;
    api.ctx.gateway = {
      ...gateway,
      async charge(request, signal) {
        const answer = await gateway.charge(request, signal);
        // The first reads what is posted then, the second has posted it.
        api.ctx.db = db.withPlugin({
          transformQuery: ({ node }) => node,
          transformResult({ result }) {
            answers += 1;
            return answers === 2
              ? Promise.reject(new Error('Connection terminated unexpectedly'))
              : Promise.resolve(result);
          },
        });
        return answer;
      },
    };
    const answer = await pay([[unit, 200]]);
    Object.assign(api.ctx, { db, gateway });
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({
        status: 'succeeded',
        payments: [expect.objectContaining({ amount: 200 })],
      }),
    ]);
    expect(await standing(unit)).toMatchObject({ balance: 0, captured: 1 });
  });

  test('whose payment another process posted gets its receipt, or is being confirmed where that cannot be read', async () => {
    const { gateway } = api.ctx;
    const payWhile = async (afterPosting: () => Promise<unknown>) => {
      const unit = await unitThatOwes(20_000);
      api.ctx.gateway = {
        ...gateway,
        async charge(request, signal) {
          const answer = await gateway.charge(request, signal);
          await resolvePayment(api.ctx, request.reference);
          await afterPosting();
          return answer;
        },
      };
      const answer = await pay([[unit, 200]]);
      await sql`GRANT SELECT ON payments TO gatehouse_app`.execute(api.owner);
      api.ctx.gateway = gateway;
      expect(await standing(unit)).toMatchObject({ balance: 0, captured: 1 });
      return answer;
    };
    expect((await payWhile(() => Promise.resolve())).body).toMatchObject({
      status: 'succeeded',
      payments: [{ amount: 200 }],
    });
    const unread = await payWhile(() =>
      sql`REVOKE SELECT ON payments FROM gatehouse_app`.execute(api.owner),
    );
    expect([unread.status, unread.body.message]).toEqual([
      409,
      expect.stringMatching(/^Your payment is being confirmed/),
    ]);
  });

  test('for one payment does not keep the others from being resolved', async () => {
    const units = [
      await unitThatOwes(20_000),
      await unitThatOwes(20_000),
      await unitThatOwes(20_000),
    ];
    for (const unit of units) await pay([[unit, 200]], { method: noAnswer });
    const intents = await Promise.all(units.map(openIntent));
    const { gateway } = api.ctx;
    const broken = intents[1]!;
    api.ctx.gateway = {
      ...gateway,
      lookup: (reference, where) =>
        reference === broken ? Promise.reject(new Error('down')) : gateway.lookup(reference, where),
    };
    await expect(resolveOpenPayments(api.ctx, intents)).rejects.toThrow(
      '1 payments could not be resolved',
    );
    api.ctx.gateway = gateway;
    const balances = await Promise.all(units.map(async (unit) => (await standing(unit)).balance));
    expect(balances).toEqual([0, 20_000, 0]);
    await resolveOpenPayments(api.ctx, intents);
    expect((await standing(units[1]!)).balance).toBe(0);
  });

  test('settled twice at once is posted once', async () => {
    const unit = await unitThatOwes(20_000);
    await pay([[unit, 200]], { method: noAnswer });
    const intentId = await openIntent(unit);
    await Promise.all(Array.from({ length: 8 }, () => resolvePayment(api.ctx, intentId)));
    expect(await standing(unit)).toMatchObject({ balance: 0, captured: 1 });
  });
});

describe('the facility’s payment order', () => {
  beforeEach(() => changeRows(api.owner, 'facilities', { payment_order: 'oldest_first' }));

  test.each([
    ['oldest_first', '2026-12-13', ['Late fee']],
    ['rent_first', '2026-12-13', ['Late fee']],
    ['fees_first', '2026-11-13', ['Rent']],
  ] as const)(
    '%s decides what a part payment settles and whether paid-through moves',
    async (order, paidThrough, left) => {
      await changeRows(api.owner, 'facilities', { payment_order: order });
      const unit = await unitThatOwes(20_000, 1_500);
      await pay([[unit, 200]]);
      expect(await standing(unit)).toMatchObject({ balance: 1500, paidThrough });
      const { body } = await api.call(
        'GET',
        `${dana.prefix}/tenants/${tenantId}/charges?ledgerId=${unit.ledgerId}`,
        {
          token: dana.token,
        },
      );
      expect(body.map((row: { description: string }) => row.description)).toEqual(left);
    },
  );
});

describe('a payment intent', () => {
  const states = [
    'submitted',
    'unknown',
    'succeeded',
    'pending',
    'settled',
    'declined',
    'never_sent',
    'returned',
  ] as const;
  const legal: Record<(typeof states)[number], readonly string[]> = {
    submitted: ['unknown', 'succeeded', 'pending', 'declined', 'never_sent'],
    unknown: ['succeeded', 'pending', 'declined', 'never_sent'],
    pending: ['settled', 'returned'],
    settled: ['returned'],
    succeeded: [],
    declined: [],
    never_sent: [],
    returned: [],
  };
  const hasReceipt = (state: string) =>
    ['succeeded', 'pending', 'settled', 'returned'].includes(state);

  test.each(states)('in the state %s takes only the legal steps', async (from) => {
    for (const to of states) {
      const id = randomUUID();
      await sql`
        INSERT INTO payment_intents (id, tenant_id, type, method_description, amount_cents, state, debt_key, attempt,
          receipt_number, decline_message)
        VALUES (${id}, ${tenantId}, 'ach', 'ACH', 1, ${from}, ${Buffer.from(id)}, 1,
          ${hasReceipt(from) ? id : null}, ${from === 'declined' ? 'No.' : null})`.execute(
        api.owner,
      );
      const step = sql`
        UPDATE payment_intents SET state = ${to}, receipt_number = ${hasReceipt(to) ? id : null},
          decline_message = ${to === 'declined' ? 'No.' : null} WHERE id = ${id}`.execute(
        api.ctx.db,
      );
      if (legal[from].includes(to)) await step;
      else await expect(step, `${from} to ${to}`).rejects.toMatchObject({ code: '23514' });
    }
    await sql`DELETE FROM payment_intents WHERE method_description = 'ACH'`.execute(api.owner);
  });
});

describe('a saved bank account', () => {
  test('with a short number shows no more than half of it', async () => {
    const unit = await unitThatOwes(10_000);
    const answer = await api.call(
      'POST',
      `${dana.prefix}/ledgers/${unit.ledgerId}/autopay-update`,
      {
        token: dana.token,
        body: { ach: { ...bankAccount, accountNumber: '12345' } },
      },
    );
    expect(answer.body.ach.accountNumber).toBe('****45');
  });
});

describe('after any sequence of charges and payments', () => {
  const step = fc.oneof(
    fc.record({
      charge: fc.integer({ min: 1, max: 90_000 }),
      category: fc.constantFrom('fee' as const, 'service' as const),
    }),
    fc.record({
      pay: fc.integer({ min: 1, max: 120_000 }),
      by: fc.constantFrom('card', 'account'),
    }),
  );
  const orders = fc.constantFrom(
    'oldest_first' as const,
    'rent_first' as const,
    'fees_first' as const,
  );

  test('the balance is what was charged less what was taken, and the books are sound', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        orders,
        async (steps, payment_order) => {
          await changeRows(api.owner, 'facilities', { payment_order, least_payment_cents: 1 });
          const unit = await unitThatOwes(20_000);
          let balance = 20_000;
          for (const each of steps) {
            if ('charge' in each) {
              const charge = { description: 'Extra', dueOn: '2026-11-20', priceCents: each.charge };
              await postCharges(api.owner, unit.ledgerId, [{ category: each.category, ...charge }]);
              balance += each.charge;
            } else {
              const method = each.by === 'card' ? { creditCard: card } : { ach: bankAccount };
              const answer = await pay([[unit, each.pay / 100]], { key: randomUUID(), method });
              expect(answer.status).toBe(each.pay <= balance ? 200 : 422);
              if (each.pay <= balance) balance -= each.pay;
            }
            expect((await standing(unit)).balance).toBe(balance);
          }
          await expectSoundBooks(api.owner);
        },
      ),
      { numRuns: 25 },
    );
    await changeRows(api.owner, 'facilities', { payment_order: 'oldest_first' });
  });
});

describe('entries are append-only', () => {
  // asvs 13.2.2
  test.each([
    ['entries', sql`UPDATE entries SET amount_cents = 1`],
    ['entries', sql`DELETE FROM entries`],
    ['charges', sql`UPDATE charges SET price_cents = 1`],
    ['charges', sql`DELETE FROM charges`],
    ['payments', sql`UPDATE payments SET receipt_number = ''`],
    ['payments', sql`DELETE FROM payments`],
    ['credits', sql`UPDATE credits SET tax1_cents = 1`],
    ['credits', sql`DELETE FROM credits`],
    ['reversals', sql`UPDATE reversals SET description = ''`],
    ['reversals', sql`DELETE FROM reversals`],
    ['allocations', sql`UPDATE allocations SET amount_cents = 1`],
    ['allocations', sql`DELETE FROM allocations`],
    ['the sandbox’s books', sql`UPDATE sandbox_gateway.charges SET amount_cents = 0`],
  ])('the app role may not change %s', async (_, statement) => {
    await expect(statement.execute(api.ctx.db)).rejects.toMatchObject({ code: '42501' });
  });
});
