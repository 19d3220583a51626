import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** How often a balancer asks `/readyz`. */
export const PROBE_MS = 1000;
/** A server that says nothing is given up after so many probes; one that says it is not ready, at once. */
const MOST_SILENT = 3;
const SILENCE_MS = 2000;

type Backend = { address: string; isUp: boolean; silent: number };

/**
 * A load balancer as operators have them before the servers: it asks each every second whether it is ready, sends
 * requests by turns to those that are, over connections that it keeps, and sends none a second time.
 */
export type Balancer = {
  url: string;
  /** What it could not hand on or got no answer to, told to the caller as 502 and 503. */
  faults: string[];
  /** Waits until the server at the address gets requests, or gets none. */
  untilUp(address: string, isUp: boolean): Promise<void>;
  close(): Promise<void>;
};

/** Opens one before the servers at these addresses; each may come later, or go and come again. */
export async function openBalancer(addresses: string[]): Promise<Balancer> {
  const backends: Backend[] = addresses.map((address) => ({ address, isUp: false, silent: 0 }));
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const closing = new AbortController();
  const faults: string[] = [];
  let turn = 0;
  const server = createServer((request, response) => {
    const up = backends.filter(({ isUp }) => isUp);
    const backend = up[(turn += 1) % up.length];
    const fault = (status: number, what: string) => {
      faults.push(`${request.method} ${backend?.address ?? 'nowhere'}: ${what}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(status).end(JSON.stringify({ message: what }));
    };
    if (backend === undefined) fault(503, 'no server is ready');
    else handOn(request, response, backend, agent, (what) => fault(502, what));
  });
  server.keepAliveTimeout = 75_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const probing = backends.map((backend) => probe(backend, closing.signal));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    async untilUp(address, isUp) {
      const backend = backends.find((one) => one.address === address)!; // one of those it was opened with
      while (backend.isUp !== isUp) await delay(20);
    },
    async close() {
      closing.abort();
      await Promise.all(probing);
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function probe(backend: Backend, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    const isReady = await askReady(backend.address, closing);
    backend.silent = isReady === null ? backend.silent + 1 : 0;
    if (isReady !== null || backend.silent >= MOST_SILENT) backend.isUp = isReady === true;
    await delay(PROBE_MS, undefined, { signal: closing }).catch(() => {});
  }
}

/** Whether it says that it is ready, and is there at all; null where it says nothing in time. */
async function askReady(address: string, closing: AbortSignal): Promise<boolean | null> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(SILENCE_MS)]);
  try {
    const answer = await fetch(`${address}/readyz`, { signal, headers: { connection: 'close' } });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return signal.aborted ? null : false;
  }
}

function handOn(
  request: IncomingMessage,
  response: ServerResponse,
  { address }: Backend,
  agent: Agent,
  fault: (what: string) => void,
): void {
  const { connection: _connection, host: _host, ...headers } = request.headers;
  const sent = httpRequest(`${address}${request.url}`, { method: request.method!, agent, headers }, (answer) => {
    const { connection: _ours, 'keep-alive': _keepAlive, ...answered } = answer.headers;
    response.writeHead(answer.statusCode!, answered);
    answer.on('error', ({ message }) => fault(message));
    answer.pipe(response);
  });
  sent.on('error', ({ message }) => fault(message));
  request.pipe(sent);
}
