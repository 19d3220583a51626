import autocannon from 'autocannon';
import type { Call } from './calls.ts';
import type { Server } from './servers.ts';

/** What one round of load measured; times in milliseconds. */
export type Round = { answers: number; perSecond: number; p50: number; p99: number; cpuMs: number };

/** How long or how many requests a round lasts, and over how many connections. */
export type Shape = { connections: number } & ({ duration: number } | { amount: number });

/** Loads a server for one round. Throws when any answer was not 200: a fast refusal would look like speed. */
export async function runRound(server: Server, shape: Shape, nextCall: () => Call): Promise<Round> {
  const cpuBefore = await server.cpuSeconds();
  const latencies: number[] = [];
  const faults: string[] = [];
  const begun = performance.now();
  let lastAnswer = begun;
  const run = autocannon({ url: server.address, ...shape, requests: [{ setupRequest: nextCall }] });
  run.on('response', (_client, status: number, _bytes, ms: number) => {
    lastAnswer = performance.now();
    latencies.push(ms);
    if (status !== 200) faults.push(`an answer was ${status}`);
  });
  run.on('reqError', (error: Error) => faults.push(error.message));
  await run;
  if (faults.length > 0) throw new Error(`${faults.length} requests failed; the first: ${faults[0]}`);
  const cpuSeconds = (await server.cpuSeconds()) - cpuBefore;
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    answers: sorted.length,
    perSecond: (sorted.length * 1000) / (lastAnswer - begun),
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    cpuMs: (cpuSeconds * 1000) / sorted.length,
  };
}

/** The middle value; of an even count the mean of the two. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return Number.isInteger(half) ? (sorted[half - 1]! + sorted[half]!) / 2 : sorted[Math.floor(half)]!;
}

function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
