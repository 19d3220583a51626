import type { Autopay } from '@gatehouse/contract/autopay';
import type { Ledger } from '@gatehouse/contract/ledgers';
import { beforeAll, describe, expect, test } from 'vitest';
import { sandboxNumbers } from '#adapters/payments/sandbox-gateway.ts';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';
import { testClock } from '#test/test-day.ts';
import { findRows } from '#test/rows.ts';

const card = {
  cardType: 'Discover',
  cardNumber: '6011111111111117',
  cardCvv: '123',
  expirationMonth: '11',
  expirationYear: String(testClock.now().getUTCFullYear() + 2),
  name: 'Dana Reyes',
  streetAddress: '18 Heron Lane',
  postalCode: '76020',
};

let dana: SignedIn;
let ledgers: Ledger[];
const api = useTestApp('demo_template');
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers`;
  ledgers = (await api.call('GET', path, { token: dana.token })).body as Ledger[];
});

const update = (ledgerId: string, body: unknown) =>
  api.call('POST', `${dana.prefix}/ledgers/${ledgerId}/autopay-update`, {
    token: dana.token,
    body,
  });
const list = async () =>
  (
    await api.call('GET', `${dana.prefix}/tenants/${dana.tenantIds[0]}/autopays`, {
      token: dana.token,
    })
  ).body as Autopay[];
const methodCount = async () => (await findRows(api.owner, 'payment_methods', 'id')).length;

describe('updating autopay', () => {
  // spec 3.27, 3.28, 3.30, 7.30, 7.31, 7.32
  test('with a new card turns it on and answers the card masked, with the id that stands for it', async () => {
    const answer = await update(ledgers[0]!.id, {
      creditCard: card,
      switchingFromCcToAch: false,
      webhookData: {},
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ledgerId: ledgers[0]!.id,
      active: true,
      nextCharge: { date: expect.any(String), amount: expect.any(Number) },
      nextBill: {
        date: expect.any(String),
        lines: [{ description: expect.stringMatching(/^Rent /), amount: 199.5 }],
        cardFee: 5,
      },
      problem: null,
      attempts: [],
      type: 'creditCard',
      creditCard: {
        paymentMethodId: expect.any(String),
        cardType: 'Discover',
        cardNumber: '************1117',
        expirationDate: `${card.expirationYear}-11`,
        bringsFee: true,
        name: 'Dana Reyes',
        streetAddress: '18 Heron Lane',
        postalCode: '76020',
      },
    });
    expect((await list()).find(({ ledgerId }) => ledgerId === ledgers[0]!.id)).toEqual(answer.body);
  });

  test('with that id sets the same card for another unit and keeps no second one', async () => {
    const first = await update(ledgers[0]!.id, { creditCard: card });
    const before = await methodCount();
    const { paymentMethodId } = first.body.creditCard;
    const second = await update(ledgers[2]!.id, { creditCard: { paymentMethodId } });
    expect(second.body).toMatchObject({ active: true, creditCard: { paymentMethodId } });
    expect(await methodCount()).toBe(before);
  });

  // spec 3.28, 3.29, 7.30, 7.31
  test('changes from a card to a bank account and back', async () => {
    const ach = {
      accountType: 'Consumer Savings',
      accountNumber: '000123456789',
      routingNumber: '111000025',
    };
    const bank = await update(ledgers[1]!.id, { ach });
    expect(bank.body).toMatchObject({
      type: 'ach',
      ach: { accountNumber: '****6789', routingNumber: '*****0025' },
    });
    expect(bank.body.creditCard).toBeUndefined();
    expect((await update(ledgers[1]!.id, { creditCard: card })).body).toMatchObject({
      type: 'creditCard',
    });
  });
});

describe('a refused update changes nothing', () => {
  test('a card that is declined when it is saved: 402', async () => {
    const [before, count] = [await list(), await methodCount()];
    const answer = await update(ledgers[1]!.id, {
      creditCard: { ...card, cardNumber: sandboxNumbers.declined },
    });
    expect([answer.status, answer.body.message]).toEqual([
      402,
      expect.stringMatching(/^Your bank declined this card/),
    ]);
    expect(await list()).toEqual(before);
    expect(await methodCount()).toBe(count);
  });

  test('another tenant’s saved method, and an own one under the other type: 404', async () => {
    const lee = await signIn(api, 'lee@example.com');
    const { body } = await api.call('GET', `${lee.prefix}/tenants/${lee.tenantIds[0]}/autopays`, {
      token: lee.token,
    });
    const foreign = (body as Autopay[])[0]!.creditCard!.paymentMethodId;
    const own = (await list())[1]!.creditCard!.paymentMethodId;
    const before = await list();
    for (const params of [
      { creditCard: { paymentMethodId: foreign } },
      { ach: { paymentMethodId: own } },
    ])
      expect((await update(ledgers[0]!.id, params)).status).toBe(404);
    expect(await list()).toEqual(before);
  });

  // spec 5.22, 7.31
  test.each([
    ['no method', {}, /creditCard or ach/],
    ['both', { creditCard: card, ach: {} }, /./],
    [
      'a year that is over',
      { creditCard: { ...card, expirationYear: '2020' } },
      /^Expiration year must be from/,
    ],
    ['a short security code', { creditCard: { ...card, cardCvv: '1' } }, /^Security code/],
  ])('%s: 422', async (_, params, sentence) => {
    const before = await list();
    const answer = await update(ledgers[0]!.id, params);
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringMatching(sentence)]);
    expect(await list()).toEqual(before);
  });
});
