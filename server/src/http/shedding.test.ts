import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { calm } from '#telemetry/pressure.ts';
import { bounds } from './admission.ts';
import { shedLoad } from './shedding.ts';
import { patience } from '#test/patience.ts';

const { atOnce } = bounds.photo;

let app: FastifyInstance;
let arrived: number;
let closed: number;
/** Ends each call in progress. */
let working: (() => void)[];
beforeEach(async () => {
  [arrived, closed, working] = [0, 0, []];
  app = Fastify();
  app.server.on('request', (_, answer) => {
    arrived += 1;
    answer.on('close', () => (closed += 1));
  });
  const ctx = {
    config: { shedLoad: true, trustedHops: 0 },
    pressure: () => calm,
    log: pino({ level: 'silent' }),
    stopping: new AbortController().signal,
  };
  shedLoad(ctx, { base: '', origins: [] }).admitCalls(app, () => {});
  app.get(
    '/',
    { config: { urgency: 'photo' } },
    () => new Promise((resolve) => working.push(() => resolve({}))),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const end of working) end();
  await app.close();
});

function send(): ClientRequest {
  const { port } = app.server.address() as AddressInfo;
  const call = request({ host: '127.0.0.1', port });
  call.on('error', () => {});
  call.on('response', (answer) => answer.resume());
  return call.end();
}

test('a queued call whose client has disconnected is not run', async () => {
  for (let index = 0; index < atOnce; index += 1) send();
  await vi.waitFor(() => expect(working).toHaveLength(atOnce), patience);
  const gone = Array.from({ length: 5 }, () => send());
  await vi.waitFor(() => expect(arrived).toBe(atOnce + gone.length), patience);
  for (const call of gone) call.destroy();
  await vi.waitFor(() => expect(closed).toBe(gone.length), patience);
  const last = send();
  const answered = once(last, 'response');
  working[0]!();
  await vi.waitFor(() => expect(working).toHaveLength(atOnce + 1), patience);
  working.at(-1)!();
  await answered;
  expect(working).toHaveLength(atOnce + 1);
});
