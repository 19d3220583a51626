import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import pg from 'pg';

/**
 * One statement that a request sent to PostgreSQL, with what came back and when, in milliseconds of
 * the request.
 */
export type Statement = {
  sql: string;
  /** The name of a prepared statement. */
  name?: string;
  parameters: unknown[];
  rows: Record<string, unknown>[];
  sentAt: number;
  answeredAt: number;
};

/** All statements of one request, in the order in which they were sent. */
export type Trace = { statements: Statement[]; status: number; ms: number };

type Open = { begun: number; statements: Statement[] };

// Preloaded into an ordinary server process (`--import`), so that what is recorded is what is
// served. The statements belong to their request through the async context; those of the job queue
// have none and are left out.
const open = new AsyncLocalStorage<Open>();
const byRequest = new WeakMap<IncomingMessage, Open>();

if (process.send !== undefined) {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    if (request.url?.startsWith('/api/') !== true) return;
    const started = { begun: performance.now(), statements: [] };
    byRequest.set(request, started);
    open.enterWith(started);
  });
  subscribe('http.server.response.finish', (message) => {
    const { request, response } = message as {
      request: IncomingMessage;
      response: { statusCode: number };
    };
    const recorded = byRequest.get(request);
    if (recorded === undefined) return;
    const { begun, statements } = recorded;
    const trace: Trace = { statements, status: response.statusCode, ms: performance.now() - begun };
    process.send!(trace);
  });
  recordQueries();
}

function recordQueries(): void {
  const prototype = pg.Client.prototype as unknown as {
    query: (this: pg.Client, ...given: unknown[]) => unknown;
  };
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const request = open.getStore();
    const answer = query.apply(this, given);
    // The setting that scopes a connection to its tenant is sent together with the statement that
    // follows, and is no round trip.
    if (request === undefined || (given[0] as pg.QueryConfig).name === 'gatehouse_reach')
      return answer;
    if (!(answer instanceof Promise))
      throw new Error('the server queries in a way that the recorder does not know');
    const statement = {
      ...readQuery(given),
      rows: [],
      sentAt: performance.now() - request.begun,
      answeredAt: 0,
    };
    request.statements.push(statement);
    return answer.then((result: pg.QueryResult<Record<string, unknown>>) => {
      Object.assign(statement, {
        rows: result.rows,
        answeredAt: performance.now() - request.begun,
      });
      return result;
    });
  };
}

function readQuery([query, parameters]: unknown[]): Pick<Statement, 'sql' | 'name' | 'parameters'> {
  if (typeof query === 'string') return { sql: query, parameters: copy(parameters) };
  const { text, name, values } = query as pg.QueryConfig;
  return { sql: text, ...(name !== undefined && { name }), parameters: copy(values ?? parameters) };
}

function copy(parameters: unknown): unknown[] {
  return Array.isArray(parameters) ? [...(parameters as unknown[])] : [];
}
