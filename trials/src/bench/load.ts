import autocannon from 'autocannon';
import { wireOf, type Call } from '../harness/client.ts';
import { quantileOf } from '../harness/statistics.ts';
import type { Server } from './servers.ts';

/**
 * What one round of load measured; times in milliseconds. `cpuMs` and `databaseMs` are the
 * processor time of the server's process and of PostgreSQL for one answer.
 */
export type Round = {
  answers: number;
  perSecond: number;
  p50: number;
  p99: number;
  cpuMs: number;
  databaseMs: number;
};

/** How long or how many requests a round lasts, and over how many connections. */
export type Shape = { connections: number } & ({ duration: number } | { amount: number });

/**
 * Loads a server for one round. Throws when any answer was not 200: a fast refusal would look like
 * speed.
 */
export async function runRound(server: Server, shape: Shape, nextCall: () => Call): Promise<Round> {
  const before = await processorOf(server);
  const latencies: number[] = [];
  const faults: string[] = [];
  const { host } = new URL(server.address);
  const begun = performance.now();
  let lastAnswer = begun;
  const run = autocannon({
    url: server.address,
    ...shape,
    requests: [{ setupRequest: () => requestOf(nextCall(), host) }],
  });
  run.on('response', (_client, status: number, _bytes, ms: number) => {
    lastAnswer = performance.now();
    latencies.push(ms);
    if (status !== 200) faults.push(`an answer was ${status}`);
  });
  run.on('reqError', (error: Error) => faults.push(error.message));
  await run;
  if (faults.length > 0)
    throw new Error(`${faults.length} requests failed; the first: ${faults[0]}`);
  const after = await processorOf(server);
  return {
    answers: latencies.length,
    perSecond: (latencies.length * 1000) / (lastAnswer - begun),
    p50: quantileOf(latencies, 0.5),
    p99: quantileOf(latencies, 0.99),
    cpuMs: ((after.server - before.server) * 1000) / latencies.length,
    databaseMs: ((after.database - before.database) * 1000) / latencies.length,
  };
}

async function processorOf(server: Server): Promise<{ server: number; database: number }> {
  const [own, database] = [await server.cpuSeconds(), await server.databaseSeconds()];
  return { server: own, database };
}

/**
 * autocannon says the length of a body itself, and the host only of requests that are not set up.
 */
function requestOf(call: Call, host: string) {
  const { headers, body } = wireOf(call);
  const { 'content-length': _length, ...rest } = headers;
  return { method: call.method, path: call.path, headers: { host, ...rest }, body };
}
