import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Urgency } from '@gatehouse/contract/endpoint';
import { PREFIX } from '@gatehouse/contract/ids';
import type { Context } from '#context.ts';
import { Refusal } from '#refusal.ts';
import { Admission } from './admission.ts';
import { sealed } from './headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The order in which calls of the route are shed under load (D32); a route without one does not
     * query the database.
     */
    urgency?: Urgency;
  }
}

const LOG_MS = 10_000;

/**
 * Admits no more calls than can run, and sheds the least urgent first (D32). Runs before the guard,
 * so that a refusal is cheap. A call does not count while its body arrives, or a few slow clients
 * would block all others.
 */
export function shedLoad(
  api: FastifyInstance,
  { pressure, log, stopping }: Pick<Context, 'pressure' | 'log' | 'stopping'>,
  early?: EarlyRefusals,
): void {
  const admission = new Admission(pressure);
  const refusals: Refusals = { headers: new Map(), origins: early?.origins ?? [], stopping };
  if (early !== undefined) refuseWhenBusy(api, admission, refusals, early.observe);
  const inside = new WeakMap<FastifyRequest, Urgency>();
  const enter = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { urgency } = request.routeOptions.config;
    if (urgency === undefined || inside.has(request)) return;
    try {
      await admission.enter(urgency, reply.raw);
    } catch (error) {
      if (reply.raw.destroyed) {
        reply.hijack(); // the client has disconnected
        return;
      }
      if (request.method !== 'GET' || !(error instanceof Refusal)) throw error;
      sendRefusal(request, reply, error, refusals);
      return;
    }
    inside.set(request, urgency);
  };
  const leave = (request: FastifyRequest): void => {
    const urgency = inside.get(request);
    if (urgency === undefined) return;
    inside.delete(request);
    admission.leave(urgency);
  };
  api.addHook('onRequest', enter);
  api.addHook('preParsing', (request, _reply, _payload, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') leave(request);
    done();
  });
  api.addHook('preValidation', enter);
  // Also after the client has disconnected, because the handler runs to its end.
  api.addHook('onSend', (request, _reply, _payload, done) => {
    leave(request);
    done();
  });
  logRefused(api, admission, log);
}

/**
 * How refusals are answered: the headers that the app sets, names and values in turn, by the origin
 * that may read them. They are copied from the first refusal of each origin.
 */
type Refusals = { headers: Map<string | undefined, string[]>; origins: string[]; stopping: AbortSignal };

/**
 * Sends the answer of the error handler without the work of other answers, since there are
 * thousands of these.
 */
function sendRefusal({ headers }: FastifyRequest, reply: FastifyReply, refusal: Refusal, refusals: Refusals): void {
  const set = { ...reply.getHeaders(), ...sealed }; // set by earlier hooks
  const all = Object.entries(set).flatMap(([name, value]) => [name, String(value)]);
  refusals.headers.set(readerOf(headers.origin, refusals), all);
  reply.hijack();
  refuse(reply.raw, all, refusal, refusals);
}

function refuse(
  response: ServerResponse,
  headers: string[],
  { status, message, retryAfterSeconds }: Refusal,
  { stopping }: Refusals,
): void {
  const body = JSON.stringify({ message });
  response
    .writeHead(status, [
      ...headers,
      ...(stopping.aborted ? ['connection', 'close'] : []),
      ...['retry-after', String(retryAfterSeconds), 'content-type', 'application/json; charset=utf-8'],
      ...['content-length', String(Buffer.byteLength(body))],
    ])
    .end(body);
}

/** The allowed origin of a request; undefined for all others, which get the same answer. */
function readerOf(origin: string | undefined, { origins }: Refusals): string | undefined {
  return origin !== undefined && origins.includes(origin) ? origin : undefined;
}

/**
 * What refusals in front of the framework need: the origins that may read the API, and how to
 * record a refusal.
 */
export type EarlyRefusals = {
  origins: string[];
  observe: (labels: { method: string; route: string; status: number }, seconds: number) => void;
};

/**
 * Refuses tenants' reads in front of the framework, once the server listens and the app has sent
 * such a refusal. A refusal by the framework takes an eighth of the time of a read, so at five
 * times the capacity none would be left for the reads that can be answered (R20).
 */
function refuseWhenBusy(
  api: FastifyInstance,
  admission: Admission,
  refusals: Refusals,
  observe: EarlyRefusals['observe'],
): void {
  api.addHook('onListen', (done) => {
    const { server, prefix } = api;
    // All reads below a facility are `usual` or less urgent.
    const ofTenants = `${prefix}${PREFIX}`.split('/');
    const labels = { method: 'GET', route: `${prefix}${PREFIX}/*` };
    const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const headers = refusals.headers.get(readerOf(request.headers.origin, refusals));
      const isKnown = headers !== undefined && isBare(request) && isBelow(ofTenants, request.url ?? '');
      const refusal = isKnown ? admission.shed('usual') : null;
      if (headers === undefined || refusal === null) {
        for (const handle of handlers) handle.call(server, request, response);
        return;
      }
      refuse(response, headers, refusal, refusals);
      observe({ ...labels, status: refusal.status }, 0);
    });
    done();
  });
}

/** Whether a path begins with the parts of a pattern, in which `:name` matches anything. */
function isBelow(pattern: string[], url: string): boolean {
  const parts = url.split('?', 1)[0]!.split('/', pattern.length);
  return (
    parts.length === pattern.length &&
    parts.every((part, place) => (pattern[place]!.startsWith(':') ? part !== '' : part === pattern[place]))
  );
}

/** Whether a request is a GET without a body and with a host; the app handles all others. */
function isBare({ method, headers }: IncomingMessage): boolean {
  const { host, 'content-length': length, 'transfer-encoding': encoding } = headers;
  return method === 'GET' && host !== undefined && length === undefined && encoding === undefined;
}

/**
 * Logs the number of refused calls now and then, because a line for each would cost more than its
 * refusal.
 */
function logRefused(api: FastifyInstance, { refused }: Admission, log: Context['log']): void {
  let logged = sumOf(refused);
  const timer = setInterval(() => {
    const sum = sumOf(refused);
    if (sum > logged) log.warn({ refused }, 'calls are refused: the server is overloaded');
    logged = sum;
  }, LOG_MS).unref();
  api.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}

function sumOf(refused: Record<Urgency, number>): number {
  return Object.values(refused).reduce((sum, count) => sum + count, 0);
}
