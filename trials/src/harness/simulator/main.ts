import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  GatewayUnknown,
  type ChargeRequest,
  type Instrument,
  type Selection,
} from '@gatehouse/server/src/adapters/payments/gateway.ts';
import { testClock } from '@gatehouse/server/test/test-day.ts';
import { createFakeGateway } from './fake-gateway.ts';
import { SyncedLog } from './synced-log.ts';
import { describe, identify } from './instruments.ts';
import type { Fault, JournalLine, SimulatorMessage, SimulatorOrder } from './journal.ts';

/**
 * The payment simulator: a gateway in a separate process, which answers only what its journal has
 * on the disk. Its books are the independent word on what was captured. Started by the harness, and
 * ends with it.
 */
const order = JSON.parse(process.env.SIMULATOR_ORDER!) as SimulatorOrder; // written by simulator.ts of the harness
const journal = await SyncedLog.open(order.journal);
const gateway = createFakeGateway({
  clock: testClock,
  write: (line: JournalLine) => void journal.append(line),
});
const { dashboard } = gateway;
/** References that the next look-up does not find. */
const hidden = new Set<string>();

/** Requests of a gateway's kind, with any result. */
let calls = 0;

/** What the harness lets happen to a charge, a refund or a dispute. */
const harnessVerbs = new Set(['refund', 'fail', 'dispute', 'decide']);

/** Faults that are set for the next charge of an amount. */
const scripted = new Map<number, Fault>();

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(
      `the simulator failed: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
    response.destroy();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => notifyParent({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());

function notifyParent(message: SimulatorMessage): void {
  process.send!(message); // always forked
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator');
  const [, collection = '', reference = '', verb = ''] = pathname.split('/');
  const body = request.method === 'POST' ? await readJson(request) : undefined;
  if (
    request.method === 'POST' &&
    ['charges', 'refunds', 'methods'].includes(collection) &&
    !harnessVerbs.has(verb)
  )
    calls += 1;
  switch (
    `${request.method} ${collection}${reference === '' ? '' : '/x'}${verb === '' ? '' : `/${verb}`}`
  ) {
    case 'POST charges':
      return charge(body as ChargeRequest, response);
    case 'GET charges':
      return send(
        response,
        await listed(
          gateway.listTransactions(
            new Date(searchParams.get('from')!),
            new Date(searchParams.get('to')!),
          ),
        ),
      );
    case 'GET charges/x':
      return send(
        response,
        hidden.delete(reference)
          ? { outcome: 'notFound' }
          : await gateway.lookup(reference, anywhere),
      );
    case 'POST charges/x/void':
      return send(response, await gateway.voidReference(reference, anywhere));
    case 'POST charges/x/refund':
      return send(response, {
        id: await dashboard.refund(reference, (body as { cents: number }).cents),
      });
    case 'POST charges/x/dispute': {
      const { cents, isInquiry } = body as { cents: number; isInquiry: boolean };
      return send(response, { id: await dashboard.dispute(reference, cents, { isInquiry }) });
    }
    case 'POST refunds/x/fail':
      await dashboard.failRefund(reference);
      return send(response, {});
    case 'POST disputes/x/decide':
      await dashboard.decide(reference, (body as { standing: 'won' | 'lost' }).standing);
      return send(response, {});
    case 'GET refunds':
      return send(response, await listed(gateway.listRefunds(whichOf(searchParams))));
    case 'GET disputes':
      return send(response, await listed(gateway.listDisputes(whichOf(searchParams))));
    case 'GET calls':
      return send(response, { calls });
    case 'POST refunds': {
      const refund = body as { reference: string; chargeReference: string; amountCents: number };
      return send(response, await gateway.refund({ ...refund, where: anywhere }));
    }
    case 'POST methods':
    case 'POST methods/x':
      return send(response, describe(body as Instrument));
    case 'POST faults': {
      const { amountCents, fault } = body as { amountCents: number; fault: Fault };
      scripted.set(amountCents, fault);
      return send(response, {});
    }
    default:
      response.writeHead(404).end();
  }
}

async function listed<Line>(lines: AsyncIterable<Line>): Promise<Line[]> {
  const all: Line[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

/** It finds every reference. */
const anywhere = { customer: null, since: new Date(0) };

function whichOf(params: URLSearchParams): Selection {
  const charge = params.get('charge');
  return charge === null
    ? { from: new Date(params.get('from')!), to: new Date(params.get('to')!) }
    : { chargeReference: charge, where: anywhere };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text);
}

/** What it answers is on the disk. */
async function send(response: ServerResponse, value: unknown): Promise<void> {
  await journal.synced();
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
}

async function charge(request: ChargeRequest, response: ServerResponse): Promise<unknown> {
  const fault = scripted.get(request.amountCents) ?? null;
  scripted.delete(request.amountCents);
  await delay(Math.random() * order.latencyMs);
  if (fault === 'timeout before charge') return;
  if (fault === 'error before charge') return response.writeHead(500).end();
  const isNotSent =
    fault === 'refused before charge' || identify(request.instrument).behaviour === 'notSent';
  if (isNotSent) return response.writeHead(429).end();
  if (fault === 'slow') await delay(order.slowMs);
  if (fault === 'not found, then found') hidden.add(request.reference);
  const standing = await gateway.charge(request, undefined, fault).catch((error: unknown) => {
    if (error instanceof GatewayUnknown) return null;
    throw error;
  });
  await journal.synced();
  await delay(Math.random() * order.latencyMs);
  switch (fault) {
    case null:
    case 'slow':
      if (standing === null) return response.writeHead(409).end();
      if (isSilent(request)) return;
      return send(response, standing);
    case 'held':
      notifyParent({ held: request.reference, amountCents: request.amountCents });
      return;
    case 'error after charge':
      return response.writeHead(500).end();
    case 'duplicate reference':
      return response.writeHead(409).end('{"error":"duplicate_reference"}');
    case 'garbage answer':
      return response.end('{"outcome":"succ\u0000<html>');
    case 'reset mid-answer':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{"outcome":');
      return setTimeout(() => response.socket?.resetAndDestroy(), 5);
    case 'timeout after charge':
    case 'not found, then found':
      return;
  }
}

/** The card whose answer never comes. */
function isSilent({ instrument }: ChargeRequest): boolean {
  return 'card' in instrument
    ? instrument.card.cardNumber.endsWith('0119')
    : 'token' in instrument && instrument.token.includes('_noAnswer_');
}
