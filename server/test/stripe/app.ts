import { createStripeGateway } from '#adapters/payments/stripe-gateway.ts';
import { readConfig } from '#config/config.ts';
import type { Context } from '#context/context.ts';
import { TEST_DATA_KEYS } from '../data-keys.ts';
import { openTestApp, type TestApp } from '../app.ts';
import {
  openStripeStub,
  STUB_PUBLISHABLE_KEY,
  STUB_SECRET_KEY,
  STUB_WEBHOOK_SECRET,
  type StripeStub,
} from './stub.ts';

/** The real app with Stripe's SDK against a stub of Stripe, on the demo world. */
export type StripeApp = TestApp & { stub: StripeStub };

/** Opens both; `overrides` replaces further parts of the context. */
export async function openStripeApp(overrides: Partial<Context> = {}): Promise<StripeApp> {
  const stub = await openStripeStub();
  const config = readConfig({
    DATA_KEYS: TEST_DATA_KEYS,
    SECRET_KEY: '07'.repeat(32),
    OPERATOR_EMAIL: 'owner@example.com',
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: STUB_SECRET_KEY,
    STRIPE_PUBLISHABLE_KEY: STUB_PUBLISHABLE_KEY,
    STRIPE_WEBHOOK_SECRET: STUB_WEBHOOK_SECRET,
    STRIPE_API_URL: stub.url,
  });
  if (config.payments.kind !== 'stripe') throw new Error('the environment above names Stripe');
  const gateway = await createStripeGateway(config.payments);
  const test = await openTestApp('demo_template', {
    config,
    gateway: {
      ...gateway,
      // A charge times out when the stub stays silent, however long it took to arrive there.
      charge: (request) => gateway.charge(request, stub.silenceOf(request.reference)),
    },
    gatewayTimeoutMs: 60_000,
    ...overrides,
  });
  return {
    ...test,
    stub,
    async close() {
      await test.close();
      await stub.close();
    },
  };
}
