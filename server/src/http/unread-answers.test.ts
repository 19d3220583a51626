import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { PAPER_BODY_BYTES } from '@gatehouse/contract/vehicle-papers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { patience } from '#test/patience.ts';
import { boundUnreadAnswers } from './unread-answers.ts';

let app: FastifyInstance;
let counts: { cut: number };
let sockets: Socket[];
beforeEach(async () => {
  sockets = [];
  // Connections of the test before may still be closing.
  const own = { cut: 0 };
  counts = own;
  app = Fastify();
  boundUnreadAnswers(app, { trustedHops: 1 });
  app.server.on('connection', (socket) => socket.on('close', () => (own.cut += 1)));
  app.get('/', () => 'x'.repeat(PAPER_BODY_BYTES));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** Asks over a connection of its own, and reads nothing but that an answer begins. */
async function ask(client: string): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  const head = ['GET / HTTP/1.1', 'Host: localhost', `X-Forwarded-For: ${client}`];
  socket.on('error', () => {});
  socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

test('of the answers that a client does not read, two of the largest are kept, and the oldest are cut off', async () => {
  const asked = [];
  for (let count = 0; count < 20; count += 1) asked.push(await ask('192.0.2.1'));
  await vi.waitFor(() => expect(counts.cut).toBe(18), patience);
  expect((await text(asked.at(-1)!)).length).toBeGreaterThan(PAPER_BODY_BYTES);
});

test('many clients that do not read keep eight of the largest, and one that reads is answered', async () => {
  for (let count = 0; count < 20; count += 1) await ask(`192.0.2.${count}`);
  await vi.waitFor(() => expect(counts.cut).toBe(12), patience);
  const last = await ask('192.0.2.201');
  expect((await text(last)).length).toBeGreaterThan(PAPER_BODY_BYTES);
});

test('answers that are read do not count, however many they are', async () => {
  for (let count = 0; count < 20; count += 1) {
    const read = await text(await ask('192.0.2.1'));
    expect(read.length).toBeGreaterThan(PAPER_BODY_BYTES);
  }
});
