import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PREFIX } from '@gatehouse/contract/endpoint';
import type { Language } from '@gatehouse/language/language';
import type { Context } from '#context/context.ts';
import { inLanguage } from '#context/language.ts';
import { Admission, bounds } from './admission.ts';
import { languageOfCall } from './language.ts';
import { clientOf } from './network.ts';

const LOG_MS = 10_000;
/** The answer to a read that is refused in front of the framework. */
const EARLY = { status: bounds.usual.status, body: { en: earlyBody('en'), es: earlyBody('es') } };

function earlyBody(language: Language): string {
  return JSON.stringify({ message: inLanguage(language, bounds.usual.sentence) });
}

/** What sheds load, in front of the app and in it. */
export type Shedding = {
  /**
   * Answers a tenant's read that is refused, in front of the framework; false where the app must
   * handle the request. A refusal by the framework takes an eighth of the time of a read, so at
   * five times the capacity little would be left for the reads that can be answered (R20).
   */
  refuse(request: IncomingMessage, response: ServerResponse): boolean;
  /**
   * Admits the calls of an app. `observe` records what `refuse` answered. Runs before the guard, so
   * that a refusal is cheap. A call does not count while its body arrives, or a few slow clients
   * would block all others.
   */
  admitCalls(api: FastifyInstance, observe: Observe): void;
  /** Admits the requests for pages that query the database, along with the calls. */
  admitPages(pages: FastifyInstance): void;
};

type Observe = (labels: { method: string; route: string; status: number }, seconds: number) => void;

/**
 * Admits no more calls than can run, and sheds the least urgent first. `base` is the path of the
 * API, and `origins` are those that may read it.
 */
export function shedLoad(
  {
    config,
    pressure,
    log,
    stopping,
  }: Pick<Context, 'pressure' | 'log' | 'stopping'> & {
    config: Pick<Context['config'], 'shedLoad' | 'trustedHops'>;
  },
  { base, origins }: { base: string; origins: string[] },
): Shedding {
  const admission = new Admission(pressure, { endsWaits: config.shedLoad });
  const isOfTenants = below(`${base}${PREFIX}`);
  const labels = { method: 'GET', route: `${base}${PREFIX}/*`, status: EARLY.status };
  let observe: Observe = () => {};
  const sent = headersSent(origins);
  const { admit, isRefusedRead } = admitter(admission, config);
  return {
    refuse(request, response) {
      const set = sent.find(request);
      // All reads below a facility are `usual` or less urgent.
      if (set === undefined || !isBare(request) || !isOfTenants(request.url ?? '')) return false;
      if (admission.shed('usual', () => clientOf(request, config)) === null) return false;
      const closing = stopping.aborted ? { connection: 'close' } : {};
      response.writeHead(EARLY.status, { ...set, ...closing });
      response.end(EARLY.body[languageOfCall(request)]);
      observe(labels, 0);
      return true;
    },
    admitCalls(api, record) {
      observe = record;
      admit(api);
      api.addHook('onResponse', (request, reply, done) => {
        if (isRefusedRead(request)) sent.keep(request.raw, reply);
        done();
      });
      logRefused(api, admission, log);
    },
    admitPages: admit,
  };
}

/**
 * The headers of the first refusal that the app sends to each origin in each language, which those
 * in front of it copy; origins that may not read the API get the same answer.
 */
function headersSent(origins: string[]) {
  const sent: Record<Language, Map<string | undefined, OutgoingHttpHeaders>> = {
    en: new Map(),
    es: new Map(),
  };
  const readerOf = ({ headers: { origin } }: IncomingMessage) =>
    origin !== undefined && origins.includes(origin) ? origin : undefined;
  return {
    find: (request: IncomingMessage) => sent[languageOfCall(request)].get(readerOf(request)),
    keep(request: IncomingMessage, reply: FastifyReply): void {
      const { connection: _, ...set } = reply.getHeaders();
      sent[languageOfCall(request)].set(readerOf(request), set as OutgoingHttpHeaders);
    },
  };
}

/** What admits the requests of a scope, and whether a read was refused by it. */
function admitter(admission: Admission, config: Pick<Context['config'], 'trustedHops'>) {
  const leaving = new WeakMap<FastifyRequest, () => void>();
  const refused = new WeakSet<FastifyRequest>();
  const enter = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { urgency } = request.routeOptions.config;
    if (urgency === undefined || leaving.has(request)) return;
    try {
      const client = clientOf(request.raw, config);
      leaving.set(request, await admission.enter(urgency, client, reply.raw));
    } catch (error) {
      if (!reply.raw.destroyed) {
        if (request.method === 'GET' && urgency === 'usual') refused.add(request);
        throw error;
      }
      reply.hijack(); // the client has disconnected
    }
  };
  const leave = (request: FastifyRequest): void => {
    leaving.get(request)?.();
    leaving.delete(request);
  };
  return {
    isRefusedRead: (request: FastifyRequest) => refused.has(request),
    admit: (scope: FastifyInstance): void => {
      scope.addHook('onRequest', enter);
      scope.addHook('preParsing', (request, _reply, _payload, done) => {
        if (request.method !== 'GET' && request.method !== 'HEAD') leave(request);
        done();
      });
      scope.addHook('preValidation', enter);
      // Also after the client has disconnected, because the handler runs to its end.
      scope.addHook('onSend', (request, _reply, _payload, done) => {
        leave(request);
        done();
      });
    },
  };
}

/** Matches the URLs at or below a pattern, in which `:name` is any part. */
function below(pattern: string): (url: string) => boolean {
  const parts = pattern.split('/');
  return (url) => {
    const given = url.split(/[/?]/, parts.length);
    return parts.every((part, index) =>
      part.startsWith(':') ? Boolean(given[index]) : part === given[index],
    );
  };
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
  const sumOf = () => Object.values(refused).reduce((sum, count) => sum + count, 0);
  let logged = 0;
  const timer = setInterval(() => {
    if (sumOf() > logged) log.warn({ refused }, 'calls are refused: the server is overloaded');
    logged = sumOf();
  }, LOG_MS).unref();
  api.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}
