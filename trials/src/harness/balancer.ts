import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** How often a balancer asks `/readyz`. */
const PROBE_MS = 1000;
/**
 * A server that does not answer is marked as down after this many probes; one that is not ready, at
 * once.
 */
const MOST_SILENT = 2;
/** On a busy machine a server that serves may need seconds for its answer. */
const SILENCE_MS = 4000;
/** The longest time until it notices a change of a server. */
export const NOTICE_MS = MOST_SILENT * (PROBE_MS + SILENCE_MS);

/** The state by its probes: ready, not ready, or down. */
type State = 'ready' | 'unready' | 'gone';
type Backend = { address: string; state: State; readyAt: number; silent: number };

/**
 * A load balancer like an operator's: it probes each server every second, sends requests in turn to
 * ready ones over kept connections, and sends no request twice. If none is ready, because the
 * machine is slow, it sends to the one that was ready last.
 */
export type Balancer = {
  url: string;
  /** Requests that it could not forward or got no answer to; the caller gets 502 or 503. */
  faults: string[];
  /** Waits until the server at the address gets requests. */
  untilUp(address: string): Promise<void>;
  close(): Promise<void>;
};

/** Opens one for the servers at these addresses, which may start later or restart. */
export async function openBalancer(addresses: string[]): Promise<Balancer> {
  const backends: Backend[] = addresses.map((address) => ({
    address,
    state: 'gone',
    readyAt: 0,
    silent: 0,
  }));
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const closing = new AbortController();
  const faults: string[] = [];
  let turn = 0;
  const server = createServer((request, response) => {
    const ready = backends.filter(({ state }) => state === 'ready');
    const backend = ready[(turn += 1) % ready.length] ?? readyLast(backends);
    const fault = (status: number, what: string) => {
      faults.push(`${request.method} ${backend?.address ?? 'nowhere'}: ${what}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(status).end(JSON.stringify({ message: what }));
    };
    if (backend === undefined) fault(503, 'no server is there');
    else handOn(request, response, backend, agent, (what) => fault(502, what));
  });
  server.keepAliveTimeout = 75_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const probing = backends.map((backend) => probe(backend, closing.signal));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    async untilUp(address) {
      const backend = backends.find((one) => one.address === address)!; // one of those it was opened with
      while (backend.state !== 'ready') await delay(20);
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
    const found = await probeOnce(backend.address, closing);
    backend.silent = found === 'silent' ? backend.silent + 1 : 0;
    if (found !== 'silent') backend.state = found;
    else if (backend.silent >= MOST_SILENT) backend.state = 'unready';
    if (found === 'ready') backend.readyAt = performance.now();
    await delay(PROBE_MS, undefined, { signal: closing }).catch(() => {});
  }
}

function readyLast(backends: Backend[]): Backend | undefined {
  return backends
    .filter(({ state }) => state === 'unready')
    .toSorted((a, b) => b.readyAt - a.readyAt)[0];
}

async function probeOnce(address: string, closing: AbortSignal): Promise<State | 'silent'> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(SILENCE_MS)]);
  try {
    const answer = await fetch(`${address}/readyz`, { signal, headers: { connection: 'close' } });
    await answer.arrayBuffer();
    return answer.ok ? 'ready' : 'unready';
  } catch {
    return signal.aborted ? 'silent' : 'gone';
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
  const sent = httpRequest(
    `${address}${request.url}`,
    { method: request.method!, agent, headers },
    (answer) => {
      const { connection: _ours, 'keep-alive': _keepAlive, ...answered } = answer.headers;
      response.writeHead(answer.statusCode!, answered);
      answer.on('error', ({ message }) => fault(message));
      answer.pipe(response);
    },
  );
  sent.on('error', ({ message }) => fault(message));
  request.pipe(sent);
}
