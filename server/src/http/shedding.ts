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
    /** When calls of the route give way under load (D32); those of a route that names none ask nothing of the database. */
    urgency?: Urgency;
  }
}

const TELL_MS = 10_000;

/**
 * Takes no more calls than can be worked on, the urgent ones longest (D32). Before the guard, so that what is refused costs
 * next to nothing. A call has no place while its body arrives, or a few slow clients would hold them all.
 */
export function shedLoad(
  api: FastifyInstance,
  { pressure, log, stopping }: Pick<Context, 'pressure' | 'log' | 'stopping'>,
  door?: Door,
): void {
  const admission = new Admission(pressure);
  const refusals: Refusals = { headers: new Map(), origins: door?.origins ?? [], stopping };
  if (door !== undefined) refuseWhenBusy(api, admission, refusals, door.note);
  const inside = new WeakMap<FastifyRequest, Urgency>();
  const enter = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { urgency } = request.routeOptions.config;
    if (urgency === undefined || inside.has(request)) return;
    try {
      await admission.enter(urgency, reply.raw);
    } catch (error) {
      if (reply.raw.destroyed) {
        reply.hijack(); // nobody is there to be answered
        return;
      }
      if (request.method !== 'GET' || !(error instanceof Refusal)) throw error;
      turnAway(request, reply, error, refusals);
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
  // Also where the caller has gone: the work goes on until there is an answer.
  api.addHook('onSend', (request, _reply, _payload, done) => {
    leave(request);
    done();
  });
  logRefused(api, admission, log);
}

/**
 * How refusals are answered: the headers that the app sets, names and values in turn, by the origin that may read them; as learned
 * from the first of each.
 */
type Refusals = { headers: Map<string | undefined, string[]>; origins: string[]; stopping: AbortSignal };

/** The answer that the error would become, with nothing of what every other answer goes through: there are thousands of these. */
function turnAway({ headers }: FastifyRequest, reply: FastifyReply, refusal: Refusal, refusals: Refusals): void {
  const set = { ...reply.getHeaders(), ...sealed }; // what the hooks before this one have set
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

/** The origin whose pages may read the answer; all others are told the same. */
function readerOf(origin: string | undefined, { origins }: Refusals): string | undefined {
  return origin !== undefined && origins.includes(origin) ? origin : undefined;
}

/** What the door needs to answer as the app does: whose pages may read the API, and whom it tells of each refusal. */
export type Door = {
  origins: string[];
  note: (labels: { method: string; route: string; status: number }, seconds: number) => void;
};

/**
 * Turns tenants' reads away in front of the framework once the server listens and the app has made such an answer: in there it
 * takes an eighth of what a read takes, and five times as many as can be answered would leave no time for those that can (R20).
 */
function refuseWhenBusy(api: FastifyInstance, admission: Admission, refusals: Refusals, note: Door['note']): void {
  api.addHook('onListen', (done) => {
    const { server, prefix } = api;
    // Below a facility all that is read is usual, or gives way even sooner.
    const ofTenants = `${prefix}${PREFIX}`.split('/');
    const labels = { method: 'GET', route: `${prefix}${PREFIX}/*` };
    const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const headers = refusals.headers.get(readerOf(request.headers.origin, refusals));
      const isKnown = headers !== undefined && isBare(request) && isBelow(ofTenants, request.url ?? '');
      const refusal = isKnown ? admission.turnAway('usual') : null;
      if (headers === undefined || refusal === null) {
        for (const handle of handlers) handle.call(server, request, response);
        return;
      }
      refuse(response, headers, refusal, refusals);
      note({ ...labels, status: refusal.status }, 0);
    });
    done();
  });
}

/** Whether an address begins with the parts of a pattern, in which those after a colon may be anything. */
function isBelow(pattern: string[], url: string): boolean {
  const parts = url.split('?', 1)[0]!.split('/', pattern.length);
  return (
    parts.length === pattern.length &&
    parts.every((part, place) => (pattern[place]!.startsWith(':') ? part !== '' : part === pattern[place]))
  );
}

/** A read that came whole with its headers, and names the host that it wants: of any other the app says what is wrong. */
function isBare({ method, headers }: IncomingMessage): boolean {
  const { host, 'content-length': length, 'transfer-encoding': encoding } = headers;
  return method === 'GET' && host !== undefined && length === undefined && encoding === undefined;
}

/** Says now and then in the log how many were refused: a line for each would cost more than its refusal. */
function logRefused(api: FastifyInstance, { refused }: Admission, log: Context['log']): void {
  let told = sumOf(refused);
  const timer = setInterval(() => {
    const sum = sumOf(refused);
    if (sum > told) log.warn({ refused }, 'calls are refused: the server has more to do than it can');
    told = sum;
  }, TELL_MS).unref();
  api.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}

function sumOf(refused: Record<Urgency, number>): number {
  return Object.values(refused).reduce((sum, count) => sum + count, 0);
}
