import { describe, expect, test, vi } from 'vitest';
import { openTestApp } from '#test/app.ts';
import { fromNow, testClock } from '#test/test-day.ts';
import type { NewInstrument } from './gateway.ts';
import { describeGateway } from './gateway.contract.ts';
import { openSandboxDashboard } from './sandbox-dashboard.fixture.ts';
import { createSandboxGateway, sandboxNumbers } from './sandbox-gateway.ts';
import { findRows } from '#test/rows.ts';

const numbers = {
  approve: '4242424242424242',
  decline: sandboxNumbers.declined,
  hardDecline: sandboxNumbers.stolen,
  insufficientFunds: sandboxNumbers.insufficientFunds,
  declinedByAutopay: sandboxNumbers.declinedByAutopay,
  noAnswer: sandboxNumbers.noAnswer,
  notSent: sandboxNumbers.notSent,
};

const card = (cardNumber: string): NewInstrument => ({
  type: 'creditCard',
  card: {
    cardType: 'Visa',
    cardNumber,
    cardCvv: '123',
    expirationMonth: '04',
    expirationYear: '2029',
    name: 'Dana Reyes',
    postalCode: '76020',
  },
});
const account = (accountNumber: string): NewInstrument => ({
  type: 'ach',
  account: { accountType: 'Consumer Checking', accountNumber, routingNumber: '110000000' },
});

describeGateway('sandbox', async () => {
  const test = await openTestApp('empty_template');
  let aheadMs = 0;
  const clock = { now: () => fromNow(aheadMs) };
  return {
    gateway: createSandboxGateway(test.ctx.db, clock, test.ctx.config.secret),
    card: (behaviour) => card(numbers[behaviour]),
    account: () => account('000123456789'),
    async capturedCents(reference) {
      const row = await test.owner
        .selectFrom('sandbox_gateway.charges')
        .select('amount_cents')
        .where('reference', '=', reference)
        .where('outcome', 'in', ['captured', 'accepted'])
        .executeTakeFirst();
      return row?.amount_cents ?? null;
    },
    async keptMethods() {
      const { length } = await findRows(test.owner, 'sandbox_gateway.methods', 'token');
      return length;
    },
    // It stays silent only after the capture, whatever the signal says before.
    silenceOf: () => AbortSignal.abort(new DOMException('The sandbox is silent', 'TimeoutError')),
    dashboard: openSandboxDashboard(test.owner),
    banks: {
      returnedAccount: () => account(sandboxNumbers.returnedAccount),
      code: 'R01',
      pass: () => Promise.resolve(void (aheadMs = 2 * 24 * 60 * 60 * 1000)),
    },
    payOut: () => Promise.resolve(void (aheadMs += 6 * 24 * 60 * 60 * 1000)),
    close: () => test.close(),
  };
});

describe('the sandbox', () => {
  test('returns the funding of a saved card', async () => {
    const api = await openTestApp('empty_template');
    const gateway = createSandboxGateway(api.ctx.db, testClock, api.ctx.config.secret);
    const funding = async (number: string) =>
      (await gateway.saveMethod(card(number), null)).funding;
    expect(
      await Promise.all(['4242424242424242', '4000056655665556', '5105105105105100'].map(funding)),
    ).toEqual(['credit', 'debit', 'prepaid']);
    await api.close();
  });

  test('gives a fingerprint that cannot be found by trying numbers without its key', async () => {
    const api = await openTestApp('empty_template');
    const under = async (key: number) => {
      const gateway = createSandboxGateway(api.ctx.db, testClock, Buffer.alloc(32, key));
      return (await gateway.describe(card(numbers.approve))).fingerprint;
    };
    expect(await under(1)).toBe(await under(1));
    expect(await under(1)).not.toBe(await under(2));
    await api.close();
  });

  test('charges a new card, and a saved one, in one statement', async () => {
    const api = await openTestApp('empty_template');
    const gateway = createSandboxGateway(api.ctx.db, testClock, api.ctx.config.secret);
    const { token } = await gateway.saveMethod(card(numbers.approve), null);
    const spy = vi.spyOn(api.ctx.db.getExecutor(), 'executeQuery');
    // The app has statements of its own meanwhile.
    const count = () =>
      spy.mock.calls.filter(([{ sql }]) => sql.includes('sandbox_gateway')).length;
    const request = { amountCents: 100, initiator: 'tenant', customer: null } as const;
    const signal = AbortSignal.timeout(120_000);
    await gateway.charge(
      { ...request, reference: crypto.randomUUID(), instrument: card(numbers.approve) },
      signal,
    );
    expect(count()).toBe(1);
    await gateway.charge(
      { ...request, reference: crypto.randomUUID(), instrument: { type: 'creditCard', token } },
      signal,
    );
    expect(count()).toBe(2);
    await api.close();
  });
});
