import { expect, test } from 'vitest';
import { GatewayUnknown, NotSent } from '#adapters/payments/gateway.ts';
import { StripeRefused } from '#adapters/payments/stripe-refusals.ts';
import { gatewayFault } from './gateway.ts';

const LEFT = 'nothing was compared';

test('a gateway that does not answer is a sentence, also where several payments were looked up in vain', () => {
  const silence = new GatewayUnknown('Stripe did not answer in time');
  const sentence =
    'The payment gateway cannot be reached (Stripe did not answer in time): nothing was compared. Run it again later; the command "doctor" says whether the gateway answers.';
  expect(gatewayFault(silence, LEFT)?.message).toBe(sentence);
  expect(gatewayFault(new AggregateError([silence, silence], 'x'), LEFT)?.message).toBe(sentence);
});

test('a gateway that refuses the keys is one, too', () => {
  const fault = { kind: 'gateway_key_refused', sentence: 'The key is wrong.' } as const;
  const refused = [
    new NotSent('StripeAuthenticationError 401', { fault }),
    new StripeRefused('invalid', {}, 'no such'),
  ];
  expect(refused.map((error) => gatewayFault(error, LEFT)?.message)).toEqual([
    'The payment gateway refuses the call (StripeAuthenticationError 401): nothing was compared. Look at the keys of the settings.',
    'The payment gateway refuses the call (no such): nothing was compared. Look at the keys of the settings.',
  ]);
});

test('a fault of ours is none', () => {
  expect(gatewayFault(new TypeError('x'), LEFT)).toBeNull();
  expect(
    gatewayFault(new AggregateError([new GatewayUnknown('x'), new TypeError('x')], 'x'), LEFT),
  ).toBeNull();
});
