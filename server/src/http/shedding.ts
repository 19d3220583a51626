import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
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
  if (door !== undefined) keepDoor(api, admission, { ...door, stopping });
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
      turnAway(reply, error, stopping.aborted);
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
  tellOfRefused(api, admission, log);
}

/** The answer that the error would become, with nothing of what every other answer goes through: there are thousands of these. */
function turnAway(reply: FastifyReply, { status, message, retryAfterSeconds }: Refusal, isStopping: boolean): void {
  const body = JSON.stringify({ message });
  reply.hijack();
  reply.raw
    .writeHead(status, {
      ...(reply.getHeaders() as OutgoingHttpHeaders), // what the hooks before this one have set
      ...sealed,
      ...(isStopping && { connection: 'close' }),
      'retry-after': String(retryAfterSeconds),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}

/** What the door needs to answer as the app does: whose pages may read the API, and whom it tells of each refusal. */
export type Door = {
  origins: string[];
  note: (labels: { method: string; route: string; status: number }, seconds: number) => void;
};

/** What belongs to one answer alone. */
const OWN_HEADERS = ['content-type', 'content-length', 'date', 'connection', 'keep-alive'];

/**
 * Turns tenants' reads away in front of the framework once the server listens: in there it takes an eighth of what a read
 * takes, and five times as many as can be answered would leave no time for those that can (R20).
 */
function keepDoor(
  api: FastifyInstance,
  admission: Admission,
  { origins, note, stopping }: Door & { stopping: AbortSignal },
): void {
  api.addHook('onListen', async () => {
    const plain = await headersOf(api);
    const read = new Map<string | undefined, string[]>();
    for (const origin of origins) read.set(origin, await headersOf(api, origin));
    const { server, prefix } = api;
    // Below a facility all that is read is usual, or gives way even sooner.
    const ofTenants = `${prefix}${PREFIX}`.split('/');
    const labels = { method: 'GET', route: `${prefix}${PREFIX}/*` };
    const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const refusal = isBare(request) && isBelow(ofTenants, request.url ?? '') ? admission.turnAway('usual') : null;
      if (refusal === null) {
        for (const handle of handlers) handle.call(server, request, response);
        return;
      }
      const { status, message, retryAfterSeconds } = refusal;
      const body = JSON.stringify({ message });
      response
        .writeHead(status, [
          ...(read.get(request.headers.origin) ?? plain),
          ...(stopping.aborted ? ['connection', 'close'] : []),
          ...['retry-after', String(retryAfterSeconds), 'content-type', 'application/json; charset=utf-8'],
          ...['content-length', String(Buffer.byteLength(body))],
        ])
        .end(body);
      note({ ...labels, status }, 0);
    });
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

/** The headers that every answer of the API has, names and values in turn, as the app itself sets them. */
async function headersOf(api: FastifyInstance, origin?: string): Promise<string[]> {
  const { headers } = await api.inject({ url: `${api.prefix}/`, headers: { ...(origin !== undefined && { origin }) } });
  return Object.entries(headers)
    .filter(([name]) => !OWN_HEADERS.includes(name))
    .flatMap(([name, value]) => [name, String(value)]);
}

/** Says now and then in the log how many were refused: a line for each would cost more than its refusal. */
function tellOfRefused(api: FastifyInstance, { refused }: Admission, log: Context['log']): void {
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
