import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dashboard } from '#adapters/payments/gateway.contract.ts';
import { testClock } from '../test-day.ts';
import { listAt, readForm, textAt, type Form } from './form.ts';
import { testMethods, type MethodFacts } from './methods.ts';

export const STUB_SECRET_KEY = 'sk_test_stub';
export const STUB_PUBLISHABLE_KEY = 'pk_test_stub';
export const STUB_WEBHOOK_SECRET = 'whsec_stub';

/** Stripe forgets an idempotency key after a day. */
const KEY_LIFE_MS = 24 * 60 * 60 * 1000;
/** A charge takes a moment, so that calls with one key can meet. */
const CHARGE_MS = 5;

/** A fault of the next charge. `Before`: nothing happened. `After`: the charge was made. */
export type StripeFailure =
  | 'no answer before'
  | 'no answer after'
  | '500 before'
  | '500 after'
  | 'reset before'
  | 'reset after'
  | 'garbage after'
  | '429';

// The stub speaks Stripe's JSON, whose shapes the SDK's types hold; here they are only put
// together.
// oxlint-disable-next-line typescript/no-explicit-any
type Thing = Record<string, any>;

type Reply = { status: number; body: Thing };
type Kept = { request: string; at: number; reply: Reply | null };

/** A stub of Stripe's API on loopback, with its records in memory. */
export type StripeStub = {
  url: string;
  /** All intents, in the order of creation. */
  intents(): Thing[];
  /** The amount captured or pending for a reference, in cents; null for none. */
  capturedCents(reference: string): number | null;
  refunds(): Thing[];
  /**
   * Creates a confirmation token as Stripe.js does from its fields, named by a test token, and
   * with what the fields say of later charges.
   */
  confirmationToken(method: string, setupFutureUsage?: 'off_session' | null): string;
  /** The methods that are kept for later charges of a customer. */
  keptMethods(): Thing[];
  /** The faults of the next charges, one each. */
  failNext(...failures: StripeFailure[]): void;
  /** Times out once a charge of this reference arrived and is not answered. */
  silenceOf(reference: string): AbortSignal;
  /**
   * Closes the server with the next connection that it resets, so that the SDK's own retry fails.
   */
  closeAfterNextReset(): void;
  /** Whether the account accepts bank debits. */
  switchBankDebits(on: boolean): void;
  /** Calls refused or answered so far, by method and path. */
  calls(): string[];
  /** Completes all pending bank debits, each by the behaviour of its account. */
  settle(): Promise<void>;
  /** Actions in Stripe's dashboard and of cardholders: refunds and disputes. Sends their events. */
  dashboard: Dashboard;
  /** Returns a bank debit although it was paid. */
  dispute(reference: string, networkCode: string, reason: string): Promise<void>;
  /** Renews the saved cards that end in four digits, and sends the events. */
  renewCards(last4: string, changes: Thing): Promise<void>;
  /**
   * Pays out all captures that were not paid out, as by the account's schedule; `changes` override
   * fields of the payout. Returns its id.
   */
  payOut(changes?: Thing): string;
  /** Advances the stub's clock. */
  advance(ms: number): void;
  /** All events, whether sent or not. */
  events(): { id: string; type: string; payload: string; signature: string }[];
  /** Waits until every event was accepted; throws where one could not be sent. */
  delivered(): Promise<void>;
  /** The address for events from now on; null for none. */
  sendEventsTo(url: string | null): void;
  close(): Promise<void>;
};

const fieldsOf = {
  charge: [
    'amount,currency,customer,confirm,payment_method,confirmation_token,allowed_payment_method_types',
    'payment_method_options,off_session,error_on_requires_action,setup_future_usage,metadata,description,mandate_data,expand',
  ],
  setup: [
    'customer,confirm,payment_method,confirmation_token,allowed_payment_method_types,payment_method_options,usage',
    'metadata,mandate_data,expand',
  ],
  customer: ['name,email,metadata,expand'],
  refund: ['payment_intent,amount,metadata,expand'],
};

class Refused extends Error {
  readonly reply: Reply;
  constructor(status: number, error: Thing) {
    super(String(error.message));
    this.reply = { status, body: { error } };
  }
}

function invalid(code: string, message: string, status = 400, param?: string): Refused {
  return new Refused(status, { type: 'invalid_request_error', code, message, param });
}

function tooMany(): Refused {
  return invalid('rate_limit', 'Too many requests', 429);
}

function noCustomer(name: string): Refused {
  return invalid('resource_missing', `No such customer: '${name}'`, 400, 'customer');
}

/** Opens the stub on its own port, or on `port`. */
export async function openStripeStub(port = 0): Promise<StripeStub> {
  let shift = 0;
  let made = 0;
  const failures: StripeFailure[] = [];
  const called: string[] = [];
  const keys = new Map<string, Kept>();
  const intents = new Map<string, Thing>();
  const setups = new Map<string, Thing>();
  const customers = new Map<string, Thing>();
  const methods = new Map<string, Thing & { facts: MethodFacts; wasUsed?: boolean }>();
  const tokens = new Map<string, Thing & { facts: MethodFacts }>();
  const charges = new Map<string, Thing>();
  const refunds = new Map<string, Thing>();
  const disputes = new Map<string, Thing>();
  const payouts = new Map<string, Thing>();
  const balanceTransactions = new Map<string, Thing>();
  const events: ReturnType<StripeStub['events']> = [];
  let eventsUrl: string | null = null;
  let closesAfterReset = false;
  let takesBankDebits = true;

  const now = () => testClock.now().getTime() + shift;
  const created = () => Math.floor(now() / 1000);
  const id = (prefix: string) => `${prefix}_stub${(made += 1)}${randomUUID().slice(0, 8)}`;
  const billing = {
    name: 'Dana Reyes',
    email: 'dana@example.com',
    phone: null,
    address: { line1: '1 Canary Lane', postal_code: '76020' },
  };

  /** Records an event and sends it asynchronously, as Stripe does. */
  async function emit(type: string, object: Thing): Promise<void> {
    const payload = JSON.stringify({
      id: id('evt'),
      object: 'event',
      api_version: '2026-10-28.endive',
      created: created(),
      type,
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: { object },
    });
    const event = {
      id: (JSON.parse(payload) as Thing).id as string,
      type,
      payload,
      signature: sign(payload, created()),
    };
    events.push(event);
    if (eventsUrl !== null)
      await fetch(eventsUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': event.signature,
        },
        body: payload,
      });
  }

  const sending = new Set<Promise<void>>();
  const send = (type: string, object: Thing) => {
    const sent = emit(type, object);
    sending.add(sent);
    // A failed delivery is reported to the call that waits for all.
    sent.then(
      () => sending.delete(sent),
      () => undefined,
    );
  };

  /** Creates a method for a test token. */
  function makeMethod(facts: MethodFacts): Thing & { facts: MethodFacts } {
    const method = {
      id: id('pm'),
      object: 'payment_method',
      type: facts.type,
      billing_details: billing,
      customer: null,
      livemode: false,
      [facts.type]: facts[facts.type],
      facts,
    };
    methods.set(method.id, method);
    return method;
  }

  type Paying = {
    method: Thing & { facts: MethodFacts };
    hasMandate: boolean;
    token: Thing | null;
  };

  /** The method that a call pays or sets up with, refused as Stripe refuses it. */
  function payingWith(form: Form): Paying {
    const name = textAt(form, 'payment_method');
    const tokenId = textAt(form, 'confirmation_token');
    const types = listAt(form, 'allowed_payment_method_types');
    let paying: Paying;
    if (types.includes('us_bank_account') && !takesBankDebits)
      throw new Refused(400, {
        type: 'invalid_request_error',
        message:
          'The payment method type "us_bank_account" is invalid. Please ensure the provided type is activated.',
        param: 'allowed_payment_method_types',
      });
    if (tokenId !== undefined) {
      const token = tokens.get(tokenId);
      if (token === undefined)
        throw invalid('resource_missing', `No such confirmation_token: '${tokenId}'`);
      if (token.payment_intent !== null || token.setup_intent !== null)
        throw invalid('token_already_used', 'This ConfirmationToken was used before.');
      paying = { method: makeMethod(token.facts), hasMandate: true, token };
    } else {
      const test = testMethods[name ?? ''];
      const method = test === undefined ? methods.get(name ?? '') : makeMethod(test);
      if (method === undefined)
        throw invalid('resource_missing', `No such PaymentMethod: '${name ?? ''}'`);
      const customer = textAt(form, 'customer') ?? null;
      if (method.customer !== null && method.customer !== customer)
        throw invalid(
          'payment_method_unexpected_state',
          'The payment method belongs to another customer.',
        );
      if (method.customer === null && method.wasUsed === true)
        throw invalid(
          'payment_method_unexpected_state',
          'The payment method may not be used again.',
        );
      paying = {
        method,
        hasMandate: method.customer !== null || form.mandate_data !== undefined,
        token: null,
      };
    }
    const { type } = paying.method.facts;
    if (paying.method.facts.behaviour.does === 'answer 429') throw tooMany();
    if (!types.includes(type))
      throw invalid(
        'payment_intent_incompatible_payment_method',
        `The payment method is no ${types.join()}`,
      );
    if (type === 'us_bank_account' && !paying.hasMandate)
      throw invalid('parameter_missing', 'A us_bank_account needs mandate_data.');
    if (paying.method.facts.isUnverified === true && verifiesInstantly(form))
      throw invalid('bank_account_unverified', 'The bank account is not verified.');
    return paying;
  }

  function verifiesInstantly(form: Form): boolean {
    return (
      textAt(form, 'payment_method_options', 'us_bank_account', 'verification_method') === 'instant'
    );
  }

  function chargeOf(intent: Thing, method: Thing, status: string, fault: Thing | null): Thing {
    const charge = {
      id: id(method.type === 'card' ? 'ch' : 'py'),
      object: 'charge',
      amount: intent.amount,
      created: created(),
      currency: 'usd',
      customer: intent.customer,
      metadata: intent.metadata,
      payment_intent: intent.id,
      status,
      disputed: false,
      billing_details: billing,
      failure_code: fault?.code ?? null,
      outcome: {
        network_decline_code: fault?.network_decline_code ?? null,
        advice_code: fault?.advice_code ?? null,
      },
      payment_method_details: { type: method.type, [method.type as string]: method[method.type] },
    };
    charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
    return charge;
  }

  function fail(intent: Thing, method: Thing, fault: Thing): Refused {
    const charge = chargeOf(intent, method, 'failed', fault);
    intent.status = 'requires_payment_method';
    intent.last_payment_error = {
      type: 'card_error',
      ...fault,
      charge: charge.id,
      payment_method: shown(method),
    };
    send('payment_intent.payment_failed', structuredClone(intent));
    return new Refused(402, {
      type: 'card_error',
      ...fault,
      charge: charge.id,
      payment_intent: structuredClone(intent),
    });
  }

  async function makeIntent(form: Form): Promise<Thing> {
    const amount = Number(textAt(form, 'amount'));
    if (!Number.isInteger(amount) || amount <= 0)
      throw invalid('parameter_invalid_integer', 'Invalid integer: amount');
    if (amount < 50) throw invalid('amount_too_small', 'Amount must be at least $0.50 usd.');
    if (textAt(form, 'currency') !== 'usd')
      throw invalid('parameter_missing', 'Missing required param: currency.');
    const customer = textAt(form, 'customer') ?? null;
    if (customer !== null && !customers.has(customer)) throw noCustomer(customer);
    const isConfirmed = textAt(form, 'confirm') === 'true';
    const paying = isConfirmed ? payingWith(form) : null;
    const intent: Thing = {
      id: id('pi'),
      object: 'payment_intent',
      amount,
      amount_received: 0,
      canceled_at: null,
      client_secret: `secret_${randomUUID()}`,
      created: created(),
      currency: 'usd',
      customer,
      description: textAt(form, 'description') ?? null,
      last_payment_error: null,
      latest_charge: null,
      livemode: false,
      metadata: form.metadata ?? {},
      next_action: null,
      payment_method: null,
      payment_method_types: listAt(form, 'allowed_payment_method_types'),
      setup_future_usage: textAt(form, 'setup_future_usage') ?? null,
      status: 'requires_payment_method',
    };
    // From here on Stripe stores its answer under the key.
    intents.set(intent.id as string, intent);
    if (paying === null) return intent;
    await pause(CHARGE_MS);
    return confirm(intent, paying, form);
  }

  function confirm(intent: Thing, { method, token }: Paying, form: Form): Thing {
    if (token !== null) token.payment_intent = intent.id;
    method.wasUsed = true;
    intent.payment_method = method.id;
    const isOffSession = textAt(form, 'off_session') === 'true';
    const { behaviour, type } = method.facts;
    if (behaviour.does === 'decline' && (behaviour.when === undefined || isOffSession))
      throw fail(intent, method, {
        code: behaviour.code,
        message: 'Your bank declined this card.',
        ...(behaviour.declineCode !== undefined && { decline_code: behaviour.declineCode }),
        ...(behaviour.adviceCode !== undefined && { advice_code: behaviour.adviceCode }),
      });
    if (behaviour.does === 'ask for authentication') {
      if (isOffSession || textAt(form, 'error_on_requires_action') === 'true')
        throw fail(intent, method, {
          code: 'authentication_required',
          message: 'This payment requires authentication.',
        });
      intent.status = 'requires_action';
      intent.next_action = { type: 'use_stripe_sdk' };
      return intent;
    }
    intent.setup_future_usage ??= token?.setup_future_usage ?? null;
    if (intent.setup_future_usage !== null && intent.customer !== null)
      method.customer = intent.customer;
    if (type === 'us_bank_account') {
      intent.status = 'processing';
      chargeOf(intent, method, 'pending', null);
      send('payment_intent.processing', structuredClone(intent));
    } else {
      intent.status = 'succeeded';
      intent.amount_received = intent.amount;
      const charge = chargeOf(intent, method, 'succeeded', null);
      send('payment_intent.succeeded', structuredClone(intent));
      send('charge.succeeded', structuredClone(charge));
    }
    return intent;
  }

  function makeSetup(form: Form): Thing {
    const customer = textAt(form, 'customer') ?? null;
    if (customer !== null && !customers.has(customer)) throw noCustomer(customer);
    const { method, token } = payingWith(form);
    const setup: Thing = {
      id: id('seti'),
      object: 'setup_intent',
      created: created(),
      customer,
      last_setup_error: null,
      livemode: false,
      metadata: form.metadata ?? {},
      payment_method: method.id,
      status: 'succeeded',
      usage: textAt(form, 'usage'),
    };
    setups.set(setup.id as string, setup);
    if (token !== null) token.setup_intent = setup.id;
    const { behaviour } = method.facts;
    // A card that is not charged may still be reported stolen.
    if (behaviour.does === 'decline' && behaviour.when === undefined) {
      const fault = {
        code: behaviour.code,
        decline_code: behaviour.declineCode,
        message: 'Your bank declined this card.',
      };
      setup.status = 'requires_payment_method';
      setup.last_setup_error = { type: 'card_error', ...fault };
      throw new Refused(402, {
        type: 'card_error',
        ...fault,
        setup_intent: structuredClone(setup),
      });
    }
    if (behaviour.does === 'ask for authentication' || method.facts.isUnverified === true) {
      setup.status = 'requires_action';
      return setup;
    }
    method.customer = customer;
    return setup;
  }

  function makeRefund(form: Form): Thing {
    const intent = intents.get(textAt(form, 'payment_intent') ?? '');
    if (intent === undefined) throw invalid('resource_missing', 'No such payment_intent');
    const amount = Number(textAt(form, 'amount'));
    const before = [...refunds.values()].filter(
      (made) => made.payment_intent === intent.id && made.status === 'succeeded',
    );
    const disputed = [...disputes.values()].some(
      (one) => one.payment_intent === intent.id && one.status !== 'won',
    );
    if (disputed) throw invalid('charge_disputed', 'The charge has been charged back.');
    const left =
      (intent.amount_received as number) -
      before.reduce((sum, made) => sum + (made.amount as number), 0);
    if (left <= 0)
      throw invalid('charge_already_refunded', 'The charge has already been refunded.');
    if (amount > left)
      throw invalid('parameter_invalid_integer', 'The refund is greater than the amount left.');
    const refund: Thing = {
      id: id('re'),
      object: 'refund',
      amount,
      created: created(),
      currency: 'usd',
      metadata: form.metadata ?? {},
      payment_intent: intent.id,
      status: 'succeeded',
    };
    refunds.set(refund.id as string, refund);
    send('refund.created', structuredClone(refund));
    const charge = charges.get(intent.latest_charge as string)!;
    const refunded = before.reduce((sum, made) => sum + (made.amount as number), amount);
    send('charge.refunded', { ...structuredClone(charge), amount_refunded: refunded });
    return refund;
  }

  function page(all: Thing[], query: Form, matches: (thing: Thing) => boolean): Thing {
    const limit = Number(textAt(query, 'limit') ?? 10);
    const newestFirst = all.toReversed();
    const after = textAt(query, 'starting_after');
    const from = after === undefined ? 0 : newestFirst.findIndex((thing) => thing.id === after) + 1;
    const rest = newestFirst.slice(from).filter(matches);
    return {
      object: 'list',
      url: '/v1/list',
      has_more: rest.length > limit,
      data: rest.slice(0, limit),
    };
  }

  function isWithin(thing: Thing, query: Form): boolean {
    const bound = (name: string) => Number(textAt(query, 'created', name));
    const at = thing.created as number;
    return !(at < bound('gte') || at <= bound('gt') || at > bound('lte') || at >= bound('lt'));
  }

  /** The method as sent, without the stub's own fields. */
  function shown(method: Thing): Thing {
    return Object.fromEntries(
      Object.entries(method).filter(([name]) => name !== 'facts' && name !== 'wasUsed'),
    );
  }

  function expanded(thing: Thing, expand: string[]): Thing {
    const copy = structuredClone(thing);
    for (const name of expand) {
      const value: unknown = copy[name];
      if (typeof value !== 'string') continue;
      const method = methods.get(value);
      copy[name] =
        charges.get(value) ??
        intents.get(value) ??
        refunds.get(value) ??
        (method === undefined ? value : shown(method));
    }
    return copy;
  }

  function get<Kind extends Thing>(things: Map<string, Kind>, name: string, kind: string): Kind {
    const thing = things.get(name);
    if (thing === undefined) throw invalid('resource_missing', `No such ${kind}: '${name}'`, 404);
    return thing;
  }

  async function serve(method: string, path: string[], form: Form): Promise<Thing> {
    const [, kind, name, verb] = path;
    const expand = listAt(form, 'expand');
    const inList = expand.map((field) => field.replace(/^data\./, ''));
    switch (
      `${method} ${kind}${name === undefined ? '' : '/:id'}${verb === undefined ? '' : `/${verb}`}`
    ) {
      case 'POST payment_intents':
        only(form, fieldsOf.charge);
        return expanded(await makeIntent(form), expand);
      case 'GET payment_intents': {
        const customer = textAt(form, 'customer');
        const found = page([...intents.values()], form, (intent) => {
          return isWithin(intent, form) && (customer === undefined || intent.customer === customer);
        });
        return {
          ...found,
          data: (found.data as Thing[]).map((intent) => expanded(intent, inList)),
        };
      }
      case 'GET payment_intents/:id':
        return expanded(get(intents, name!, 'payment_intent'), expand);
      case 'POST payment_intents/:id/cancel': {
        const intent = get(intents, name!, 'payment_intent');
        if (!/^requires_/.test(intent.status as string))
          throw invalid(
            'payment_intent_unexpected_state',
            `You cannot cancel this PaymentIntent: ${intent.status}`,
          );
        intent.status = 'canceled';
        intent.canceled_at = created();
        send('payment_intent.canceled', structuredClone(intent));
        return intent;
      }
      case 'POST setup_intents':
        only(form, fieldsOf.setup);
        return expanded(makeSetup(form), expand);
      case 'GET setup_intents/:id':
        return expanded(get(setups, name!, 'setup_intent'), expand);
      case 'GET payment_methods/:id': {
        const test = testMethods[name!];
        return shown(test === undefined ? get(methods, name!, 'payment_method') : makeMethod(test));
      }
      case 'GET confirmation_tokens/:id':
        return shown(get(tokens, name!, 'confirmation_token'));
      case 'POST customers': {
        only(form, fieldsOf.customer);
        const email = textAt(form, 'email');
        if (email !== undefined && !/^[^@]+@[^@.]+(\.[^@.]+)+$/.test(email))
          throw invalid('email_invalid', `Invalid email address: ${email}`, 400, 'email');
        const customer = { id: id('cus'), object: 'customer', created: created(), ...form };
        customers.set(customer.id, customer);
        return customer;
      }
      case 'POST refunds':
        only(form, fieldsOf.refund);
        return makeRefund(form);
      case 'GET refunds':
        return listOf(refunds, form, inList);
      case 'GET disputes':
        return listOf(disputes, form, inList);
      case 'GET payouts':
        return page([...payouts.values()], form, (payout) => isWithin(payout, form));
      case 'GET balance_transactions': {
        const payout = get(payouts, textAt(form, 'payout') ?? '', 'payout');
        if (payout.automatic !== true)
          throw invalid('balance_transactions', 'The payout was made by hand.');
        const found = page(
          [...balanceTransactions.values()],
          form,
          (one) => one.payout === payout.id,
        );
        const shownData = (found.data as Thing[]).map(({ payout: _, ...one }) =>
          expanded(one, inList),
        );
        return { ...found, data: shownData };
      }
      default:
        throw invalid(
          'url_invalid',
          `Unrecognized request URL (${method} /${path.join('/')})`,
          404,
        );
    }
  }

  function listOf(things: Map<string, Thing>, form: Form, inList: string[]): Thing {
    const payment = textAt(form, 'payment_intent');
    const found = page([...things.values()], form, (thing) => {
      return isWithin(thing, form) && (payment === undefined || thing.payment_intent === payment);
    });
    return { ...found, data: (found.data as Thing[]).map((thing) => expanded(thing, inList)) };
  }

  /** Stripe's idempotency layer around all writes. */
  async function once24h(
    key: string,
    method: string,
    path: string[],
    body: string,
  ): Promise<Reply> {
    const request = createHash('sha256')
      .update(`${method} ${path.join('/')} ${body}`)
      .digest('hex');
    const kept = keys.get(key);
    if (kept !== undefined && now() - kept.at < KEY_LIFE_MS) {
      if (kept.reply === null)
        return new Refused(409, {
          type: 'invalid_request_error',
          code: 'idempotency_key_in_use',
          message: 'There is currently another in-progress request using this idempotency key.',
        }).reply;
      if (kept.request !== request)
        return new Refused(400, {
          type: 'idempotency_error',
          message:
            'Keys for idempotent requests can only be used with the same parameters they were first used with.',
        }).reply;
      return kept.reply;
    }
    const mine: Kept = { request, at: now(), reply: null };
    keys.set(key, mine);
    const isCharge = path[1] === 'payment_intents' && path.length === 2;
    const failure = isCharge && /(^|&)confirm=true/.test(body) ? failures.shift() : undefined;
    const broken: Reply = {
      status: 500,
      body: { error: { type: 'api_error', message: 'An unknown error occurred' } },
    };
    if (failure?.endsWith('before') || failure === '429') {
      keys.delete(key);
      if (failure === '500 before') {
        // Stripe stores a 500 too.
        keys.set(key, { ...mine, reply: broken });
        return broken;
      }
      if (failure === '429') return tooMany().reply;
      throw new Silence(failure === 'reset before');
    }
    const reply = await answer(method, path, readForm(body));
    // A refusal before processing is not stored.
    const wasTried = reply.status === 200 || reply.status === 402;
    if (wasTried) mine.reply = structuredClone(reply);
    else keys.delete(key);
    if (failure === '500 after') return broken;
    if (failure === 'garbage after') throw new Garbage();
    if (failure?.endsWith('after')) throw new Silence(failure === 'reset after');
    if (isCharge && isSilent(reply.body)) throw new Silence(false);
    return reply;
  }

  function isSilent({ payment_method }: Thing): boolean {
    return methods.get(String(payment_method))?.facts.behaviour.does === 'charge and never answer';
  }

  async function answer(method: string, path: string[], form: Form): Promise<Reply> {
    try {
      return { status: 200, body: await serve(method, path, form) };
    } catch (error) {
      if (error instanceof Refused) return error.reply;
      throw error;
    }
  }

  const silences = new Map<string, AbortController>();
  function silenceOf(reference: string): AbortController {
    const silence = silences.get(reference) ?? new AbortController();
    silences.set(reference, silence);
    return silence;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://stripe');
    const path = pathname.slice(1).split('/');
    const method = request.method ?? 'GET';
    called.push(`${method} ${pathname}`);
    const body = await textOf(request);
    const respond = ({ status, body: json }: Reply) => {
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': id('req') });
      response.end(JSON.stringify(json));
    };
    if (request.headers.authorization !== `Bearer ${STUB_SECRET_KEY}`) {
      respond(
        new Refused(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
          .reply,
      );
      return;
    }
    const key = request.headers['idempotency-key'];
    try {
      if (method === 'GET') respond(await answer(method, path, readForm(search.slice(1))));
      else if (typeof key !== 'string')
        respond(invalid('missing', 'The stub wants an Idempotency-Key.').reply);
      else respond(await once24h(key, method, path, body));
    } catch (error) {
      if (error instanceof Garbage) response.end('<html>Bad gateway');
      else if (!(error instanceof Silence)) throw error;
      else if (error.isReset) {
        if (closesAfterReset) server.close();
        request.socket.destroy();
      } else {
        const reference = new URLSearchParams(body).get('metadata[reference]') ?? '';
        silenceOf(reference).abort(new DOMException('The stub is silent', 'TimeoutError'));
      }
    }
  }

  const server = createServer((request, response) => void handle(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  function intentOf(reference: string): Thing | undefined {
    return [...intents.values()].findLast(
      ({ metadata }) => (metadata as Thing).reference === reference,
    );
  }

  function getIntent(reference: string): Thing {
    const intent = intentOf(reference);
    if (intent === undefined) throw new Error(`there is no intent of ${reference}`);
    return intent;
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    intents: () => [...intents.values()],
    silenceOf: (reference) => silenceOf(reference).signal,
    capturedCents(reference) {
      const taken = [...intents.values()].filter(
        ({ metadata, status }) =>
          (metadata as Thing).reference === reference &&
          (status === 'succeeded' || status === 'processing'),
      );
      return taken.length === 0
        ? null
        : taken.reduce((sum, { amount }) => sum + (amount as number), 0);
    },
    refunds: () => [...refunds.values()],
    keptMethods: () => [...methods.values()].filter(({ customer }) => customer !== null),
    confirmationToken(name, setupFutureUsage = null) {
      const facts = testMethods[name];
      if (facts === undefined) throw new Error(`there is no test token ${name}`);
      const token = {
        id: id('ctoken'),
        object: 'confirmation_token',
        created: created(),
        livemode: false,
        payment_intent: null,
        setup_intent: null,
        setup_future_usage: setupFutureUsage,
        payment_method_preview: {
          type: facts.type,
          [facts.type]: facts[facts.type],
          billing_details: billing,
        },
        facts,
      };
      tokens.set(token.id, token);
      return token.id;
    },
    failNext: (...next) => void failures.push(...next),
    closeAfterNextReset: () => void (closesAfterReset = true),
    switchBankDebits: (on) => void (takesBankDebits = on),
    calls: () => called,
    async settle() {
      for (const intent of intents.values()) {
        if (intent.status !== 'processing') continue;
        const { later } = methods.get(intent.payment_method as string)!.facts;
        const charge = charges.get(intent.latest_charge as string)!;
        if (later.comes === 'failed') {
          const fault = {
            code: later.code,
            network_decline_code: later.networkCode,
            message: 'The debit failed.',
          };
          Object.assign(charge, { status: 'failed', failure_code: later.code });
          (charge.outcome as Thing).network_decline_code = later.networkCode;
          Object.assign(intent, { status: 'requires_payment_method', last_payment_error: fault });
          await emit('payment_intent.payment_failed', structuredClone(intent));
          continue;
        }
        charge.status = 'succeeded';
        Object.assign(intent, { status: 'succeeded', amount_received: intent.amount });
        await emit('payment_intent.succeeded', structuredClone(intent));
        if (later.comes === 'disputed') await dispute(intent, later.networkCode, later.reason);
      }
    },
    async dispute(reference, networkCode, reason) {
      await dispute(getIntent(reference), networkCode, reason);
    },
    dashboard: {
      refund(reference, cents) {
        const form: Form = {
          payment_intent: getIntent(reference).id as string,
          amount: String(cents),
        };
        return Promise.resolve(makeRefund(form).id as string);
      },
      async failRefund(name) {
        const refund = refunds.get(name)!;
        Object.assign(refund, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
        await emit('refund.failed', structuredClone(refund));
      },
      async dispute(reference, cents, { isInquiry = false } = {}) {
        const intent = getIntent(reference);
        const made = disputeOf(intent, {
          amount: cents,
          network_reason_code: '10.4',
          reason: 'fraudulent',
          status: isInquiry ? 'warning_needs_response' : 'needs_response',
          evidence_details: { due_by: created() + 14 * 86_400 },
          balance_transactions: isInquiry
            ? []
            : [{ amount: -cents, reporting_category: 'dispute' }],
        });
        await emit('charge.dispute.created', structuredClone(made));
        if (!isInquiry) await emit('charge.dispute.funds_withdrawn', structuredClone(made));
        return made.id as string;
      },
      async decide(name, standing) {
        const made = disputes.get(name)!;
        made.status = standing;
        await emit('charge.dispute.closed', structuredClone(made));
        if (standing !== 'won') return;
        (made.balance_transactions as Thing[]).push({
          amount: made.amount,
          reporting_category: 'dispute_reversal',
        });
        await emit('charge.dispute.funds_reinstated', structuredClone(made));
      },
    },
    async renewCards(last4, changes) {
      for (const method of methods.values()) {
        const card = method.card as Thing | undefined;
        if (method.customer === null || card?.last4 !== last4) continue;
        method.card = { ...card, ...changes };
        await emit('payment_method.automatically_updated', shown(method));
      }
    },
    payOut(changes = {}) {
      const payout: Thing = {
        id: id('po'),
        object: 'payout',
        arrival_date: Math.floor(created() / 86_400 + 2) * 86_400,
        automatic: true,
        created: created(),
        currency: 'usd',
        reconciliation_status: 'completed',
        status: 'paid',
        ...changes,
      };
      payouts.set(payout.id as string, payout);
      const before = new Set(
        [...balanceTransactions.values()].map(({ source }) => source as string),
      );
      const book = (type: string, source: Thing, amount: number) => {
        if (before.has(source.id as string)) return;
        const one = {
          id: id('txn'),
          object: 'balance_transaction',
          type,
          amount,
          source: source.id,
          payout: payout.id,
        };
        balanceTransactions.set(one.id, one);
      };
      for (const charge of charges.values()) {
        const isCard = (charge.payment_method_details as Thing).type === 'card';
        if (charge.status === 'succeeded')
          book(isCard ? 'charge' : 'payment', charge, charge.amount as number);
      }
      for (const refund of refunds.values()) book('refund', refund, -(refund.amount as number));
      book('payout', payout, 0);
      return payout.id as string;
    },
    advance: (ms) => void (shift += ms),
    events: () => events,
    async delivered() {
      await Promise.all(sending);
    },
    sendEventsTo: (url) => void (eventsUrl = url),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  /** A late return of a bank debit: a dispute that is lost from the start. */
  async function dispute(intent: Thing, networkCode: string, reason: string): Promise<void> {
    const made = disputeOf(intent, {
      amount: intent.amount,
      network_reason_code: networkCode,
      reason,
      status: 'lost',
      evidence_details: { due_by: null },
      balance_transactions: [{ amount: -(intent.amount as number), reporting_category: 'dispute' }],
    });
    await emit('charge.dispute.created', structuredClone(made));
  }

  function disputeOf(intent: Thing, facts: Thing): Thing {
    const charge = charges.get(intent.latest_charge as string)!;
    charge.disputed = true;
    const made: Thing = {
      id: id('du'),
      object: 'dispute',
      charge: charge.id,
      created: created(),
      currency: 'usd',
      metadata: {},
      payment_intent: intent.id,
      ...facts,
    };
    disputes.set(made.id as string, made);
    return made;
  }
}

/** Leaves a connection without an answer, or resets it. */
class Silence extends Error {
  readonly isReset: boolean;
  constructor(isReset: boolean) {
    super('no answer');
    this.isReset = isReset;
  }
}

class Garbage extends Error {}

function only(form: Form, known: string[]): void {
  const stranger = Object.keys(form).find((name) => !known.join(',').split(',').includes(name));
  if (stranger !== undefined)
    throw invalid('parameter_unknown', `Received unknown parameter: ${stranger}`);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** The `stripe-signature` header of a payload that was sent at an instant, in seconds. */
export function sign(payload: string, at: number, secret = STUB_WEBHOOK_SECRET): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`;
}
