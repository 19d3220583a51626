import { z } from 'zod';
import { isOfConnecting } from './connecting.ts';
import {
  GatewayUnknown,
  MethodDeclined,
  NotSent,
  type Instrument,
  type MethodDetails,
  type PaymentGateway,
  type Selection,
  type Standing,
} from './gateway.ts';
import { newDetails } from './raw-numbers.ts';

/** The time limit of a look-up, a void or a refund. */
const PATIENCE_MS = 5000;

const chargeAnswer = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('succeeded') }),
  z.object({ outcome: z.literal('pending') }),
  z.object({ outcome: z.literal('declined'), message: z.string(), isHard: z.boolean() }),
]);
const standing = z.discriminatedUnion('outcome', [
  ...chargeAnswer.options,
  z.object({ outcome: z.literal('settled') }),
  z.object({ outcome: z.literal('returned'), code: z.string() }),
]);
const found = z.discriminatedUnion('outcome', [
  ...standing.options,
  z.object({ outcome: z.literal('notFound') }),
]);
const voided = z.discriminatedUnion('outcome', [
  ...standing.options,
  z.object({ outcome: z.literal('voided') }),
]);
const refunded = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('succeeded') }),
  z.object({ outcome: z.literal('failed'), message: z.string() }),
]);
const transactions = z.array(
  z.object({
    reference: z.string(),
    amountCents: z.int(),
    standing: z.enum([
      'succeeded',
      'pending',
      'declined',
      'settled',
      'returned',
    ]) satisfies z.ZodType<Standing['outcome']>,
    at: z.coerce.date(),
  }),
);
const wentBack = {
  id: z.string(),
  chargeReference: z.string(),
  amountCents: z.int(),
  at: z.coerce.date(),
};
const refundLines = z.array(
  z.object({
    ...wentBack,
    reference: z.nullable(z.string()),
    outcome: z.enum(['succeeded', 'failed']),
  }),
);
const disputeLines = z.array(
  z.object({
    ...wentBack,
    standing: z.enum(['inquiry', 'opened', 'won', 'lost']),
    evidenceDueAt: z.nullable(z.coerce.date()),
  }),
);
const described = z.union([
  z.object({ declined: z.string() }),
  z.object({
    token: z.string(),
    brand: z.string(),
    lastFour: z.string(),
    funding: z.enum(['credit', 'debit', 'prepaid', 'unknown']),
    expiresOn: z.nullable(z.string()),
    routingLastFour: z.nullable(z.string()),
    holderName: z.nullable(z.string()),
    postalCode: z.nullable(z.string()),
  }),
]);

/**
 * A client of the payment simulator of the kill tests (trials/src/harness/simulator), a separate
 * process that survives the server: JSON over loopback. A refused connection and a 429 are NotSent;
 * any other failure is GatewayUnknown, as at every gateway. `secret` is the key of its
 * fingerprints.
 */
export function createSimulatorGateway(url: string, secret: Buffer): PaymentGateway {
  const post = <T>(
    path: string,
    body: unknown,
    answer: z.ZodType<T>,
    signal = AbortSignal.timeout(PATIENCE_MS),
  ) => ask(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), signal }, answer);
  const get = <T>(path: string, answer: z.ZodType<T>) =>
    ask(`${url}${path}`, { signal: AbortSignal.timeout(PATIENCE_MS) }, answer);
  /** The details stored with a token include its fingerprint. */
  const fingerprintOf = (instrument: Instrument) =>
    'token' in instrument ? null : newDetails(secret, instrument).fingerprint;
  const describe = async (instrument: Instrument) =>
    'token' in instrument
      ? detailsOf(await post('/methods/describe', instrument, described), null)
      : newDetails(secret, instrument);
  return {
    // Two look-ups without a pause, so that tests cover a reference that is found by the second
    // only.
    patience: { lookups: 2, minutes: 0 },
    leastChargeCents: 1,
    debitBusinessDays: 2,
    charge: (request, signal) => post('/charges', request, chargeAnswer, signal),
    lookup: (reference) => get(`/charges/${reference}`, found),
    voidReference: (reference) => post(`/charges/${reference}/void`, {}, voided),
    refund: ({ reference, chargeReference, amountCents }) =>
      post('/refunds', { reference, chargeReference, amountCents }, refunded),
    async *listTransactions(from, to) {
      yield* await get(`/charges?from=${from.toISOString()}&to=${to.toISOString()}`, transactions);
    },
    async *listRefunds(which) {
      yield* await get(`/refunds?${queryOf(which)}`, refundLines);
    },
    async *listDisputes(which) {
      yield* await get(`/disputes?${queryOf(which)}`, disputeLines);
    },
    createCustomer: () => Promise.resolve(null),
    describe,
    saveMethod: async (instrument) =>
      detailsOf(await post('/methods', instrument, described), fingerprintOf(instrument)),
  };
}

function queryOf(which: Selection): string {
  return 'from' in which
    ? `from=${which.from.toISOString()}&to=${which.to.toISOString()}`
    : `charge=${which.chargeReference}`;
}

async function ask<T>(url: string, init: RequestInit, answer: z.ZodType<T>): Promise<T> {
  try {
    const response = await fetch(url, init);
    if (response.status === 429)
      throw new NotSent('the payment simulator did not take the call up');
    if (!response.ok) throw new Error(`status ${response.status}`);
    return answer.parse(await response.json());
  } catch (error) {
    if (error instanceof NotSent) throw error;
    if (isOfConnecting((error as Error).cause))
      throw new NotSent('the payment simulator cannot be reached', { cause: error });
    throw new GatewayUnknown('the payment simulator did not answer sensibly', { cause: error });
  }
}

function detailsOf(answer: z.infer<typeof described>, fingerprint: string | null): MethodDetails {
  if ('declined' in answer) throw new MethodDeclined(answer.declined);
  return { ...answer, fingerprint };
}
