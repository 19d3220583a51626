import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const WEBHOOK_SECRET = 'a-secret-of-tests-that-nobody-else-has';

/** An event as a receiver took it in; `isSigned` where its signature is that of the secret. */
export type Received = { id: string; body: string; isSigned: boolean };

/** An operator's receiver on this machine, which answers as the test says; it takes every event with 204 otherwise. */
export type Receiver = {
  url: string;
  received: Received[];
  answer: (request: IncomingMessage, response: ServerResponse, event: Received) => void;
  close(): Promise<void>;
};

export async function openReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const event = { id: String(request.headers['gatehouse-event-id']), body, isSigned: isSigned(request, body) };
      receiver.received.push(event);
      receiver.answer(request, response, event);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?operator=1`,
    received: [],
    answer: (_request, response) => response.writeHead(204).end(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** As docs/webhook.md tells a receiver to do it. */
function isSigned({ headers }: IncomingMessage, body: string): boolean {
  const time = String(headers['x-gatehouse-timestamp']);
  const given = /^v1=([0-9a-f]{64})$/.exec(String(headers['x-gatehouse-signature']))?.[1] ?? '';
  const expected = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.${body}`).digest();
  return given !== '' && timingSafeEqual(Buffer.from(given, 'hex'), expected);
}
