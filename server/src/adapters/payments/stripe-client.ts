import { AsyncLocalStorage } from 'node:async_hooks';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { StripeSettings } from '#config/config.ts';
import { isOfConnecting } from './connecting.ts';
import { GatewayUnknown, NotSent, type GatewayFault } from './gateway.ts';
import { createBreaker } from '../breaker.ts';
import type { StripeFault } from './stripe-declines.ts';
import { StripeRefused } from './stripe-refusals.ts';

/** Each call gets this long to connect and this long in all. */
const CONNECT_MS = 3_000;
const CALL_MS = 20_000;
/**
 * Pauses between retries of a call whose idempotency key another call holds; together as long as a
 * call may take.
 */
const IN_USE_PAUSES_MS = [50, 150, 400, 1_000, 2_000];

/** Stripe's SDK behind a breaker and a bulkhead. */
export type StripeClient = {
  stripe: Stripe;
  /**
   * Sends one call. Throws NotSent where nothing was sent or Stripe rejected it without processing
   * (429, 401, 403), GatewayUnknown where the result is unknown, and StripeRefused where Stripe
   * refused it.
   */
  ask: <Answer>(call: () => Promise<Answer>, signal?: AbortSignal) => Promise<Answer>;
};

/** The SDK is imported here, so that a sandbox never loads it. */
export async function openStripe({
  secretKey,
  apiUrl,
}: Pick<StripeSettings, 'secretKey' | 'apiUrl'>): Promise<StripeClient> {
  const { default: Stripe } = await import('stripe');
  const { StripeError, StripeConnectionError, StripeAPIError, StripeRateLimitError } =
    Stripe.errors;
  const { StripeCardError, StripeIdempotencyError, StripeInvalidRequestError } = Stripe.errors;
  const { StripeAuthenticationError, StripePermissionError } = Stripe.errors;
  const base = new URL(apiUrl ?? 'https://api.stripe.com');
  /** State of the current call: whether a try may have arrived whose answer was lost. */
  const underWay = new AsyncLocalStorage<{ mayHaveArrived: boolean }>();
  const httpClient = Stripe.createNodeHttpClient(
    base.protocol === 'http:'
      ? impatient(new HttpAgent({ keepAlive: true }), 'connect')
      : impatient(new HttpsAgent({ keepAlive: true }), 'secureConnect'),
  );
  const makeRequest = httpClient.makeRequest.bind(httpClient);
  httpClient.makeRequest = async (...request) => {
    try {
      return await makeRequest(...request);
    } catch (error) {
      if (!isOfConnecting(error)) mayHaveArrived(underWay);
      throw error;
    }
  };
  const stripe = new Stripe(secretKey, {
    host: base.hostname,
    ...(base.port !== '' && { port: base.port }),
    protocol: base.protocol === 'http:' ? 'http' : 'https',
    // Even then the SDK retries once where a kept-alive connection was closed; every call that
    // writes carries an idempotency key.
    maxNetworkRetries: 0,
    timeout: CALL_MS,
    httpClient,
    telemetry: false,
  });
  const isIll = (error: unknown) =>
    !isInUse(error) &&
    (error instanceof StripeConnectionError ||
      error instanceof StripeAPIError ||
      error instanceof StripeRateLimitError ||
      (error instanceof StripeError && (error.statusCode ?? 500) >= 500));
  const kindOf = (error: unknown): StripeRefused['kind'] | null => {
    if (error instanceof StripeCardError) return 'card';
    if (error instanceof StripeIdempotencyError) return 'key';
    return error instanceof StripeInvalidRequestError ? 'invalid' : null;
  };
  const isRefusedUnread = (error: unknown) =>
    error instanceof StripeRateLimitError ||
    (error instanceof StripeConnectionError && isOfConnecting(error.detail));
  // An answer that did not come in time counts as a fault, too.
  const through = createBreaker({
    isFault: (error) => isIll(error) || error instanceof GatewayUnknown,
  });
  return {
    stripe,
    async ask(call, signal = AbortSignal.timeout(CALL_MS)) {
      const known = { mayHaveArrived: false };
      const send = () =>
        underWay.run(known, () => whileInUse(call, signal, () => mayHaveArrived(underWay)));
      try {
        return await through(() => unlessAborted(send(), signal), signal);
      } catch (error) {
        if (!(error instanceof StripeError)) throw error;
        const codes = codesOf(error);
        if (!known.mayHaveArrived && isRefusedUnread(error))
          throw new NotSent(`Stripe did not take the call: ${codes}`);
        if (isIll(error) || isInUse(error))
          throw new GatewayUnknown(`Stripe did not answer sensibly: ${codes}`);
        const kind = kindOf(error);
        if (kind === 'card' || kind === 'key') throw new StripeRefused(kind, faultOf(error), codes);
        // An earlier try may have succeeded.
        if (known.mayHaveArrived)
          throw new GatewayUnknown(`Stripe refused a second try of a call: ${codes}`);
        if (kind === 'invalid') throw new StripeRefused(kind, faultOf(error), codes);
        if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError)
          throw new NotSent(`Stripe refused the call: ${codes}`, { fault: keyRefused(codes) });
        throw new GatewayUnknown(`Stripe answered with an error that we do not know: ${codes}`);
      }
    },
  };
}

/** The API key is unknown to Stripe or lacks a permission. */
function keyRefused(codes: string): GatewayFault {
  return {
    kind: 'gateway_key_refused',
    sentence: `Stripe refuses our secret key or its rights (${codes}): no payment can be taken. Check STRIPE_SECRET_KEY.`,
  };
}

function mayHaveArrived(underWay: AsyncLocalStorage<{ mayHaveArrived: boolean }>): void {
  const known = underWay.getStore();
  if (known !== undefined) known.mayHaveArrived = true;
}

/**
 * Limits the time to connect, TLS handshake included: Node's own timeouts do not distinguish it
 * from answering.
 */
function impatient(agent: HttpAgent, connected: 'connect' | 'secureConnect'): HttpAgent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, done) => {
    const socket = connect(options, done);
    const tooLong = Object.assign(new Error('connecting took too long'), { syscall: 'connect' });
    const timer = setTimeout(() => socket?.destroy(tooLong), CONNECT_MS);
    for (const event of [connected, 'close']) socket?.once(event, () => clearTimeout(timer));
    return socket;
  };
  return agent;
}

/**
 * Retries while another call with the same key is in progress, and reports each time to `onInUse`:
 * the answer of that call is this one's too.
 */
async function whileInUse<Answer>(
  call: () => Promise<Answer>,
  signal: AbortSignal,
  onInUse: () => void,
): Promise<Answer> {
  for (const ms of IN_USE_PAUSES_MS) {
    try {
      return await call();
    } catch (error) {
      if (!isInUse(error)) throw error;
      onInUse();
      if (signal.aborted) throw error;
      await pause(ms);
    }
  }
  return call();
}

function isInUse(error: unknown): boolean {
  return (error as { code?: string }).code === 'idempotency_key_in_use';
}

/** Stops waiting when `signal` aborts. The call itself continues and cannot be cancelled. */
async function unlessAborted<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  const give = () => reject(new GatewayUnknown('Stripe did not answer in time'));
  if (signal.aborted) give();
  signal.addEventListener('abort', give, { once: true });
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener('abort', give);
  }
}

function faultOf({
  code,
  decline_code,
  advice_code,
  network_decline_code,
  param,
}: StripeFault): StripeFault {
  return { code, decline_code, advice_code, network_decline_code, param };
}

/** The error's codes, with its request id at Stripe. */
function codesOf({ type, code, statusCode, requestId }: Stripe.errors.StripeError): string {
  return [type, code, statusCode, requestId].filter((part) => part !== undefined).join(' ');
}
