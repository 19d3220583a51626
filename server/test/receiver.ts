import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * A received message: its id where it is an event, and whether its signature was valid for its
 * timestamp.
 */
export type Received = {
  id: string | undefined;
  raw: string;
  message: Record<string, unknown>;
  signedAt: number;
  isSigned: boolean;
};

/** The answer: a status with or without JSON, or a function that writes the raw response. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  | ((response: ServerResponse) => unknown);

export type Receiver = {
  url: string;
  received: Received[];
  /** Sets the answer to signed messages; 204 by default. */
  answer(reply: (message: Record<string, unknown>) => Reply): void;
  close(): Promise<void>;
};

/**
 * A real HTTP server like an operator's, for events, gates and e-sign: it checks signatures by
 * docs/webhook.md, without our code, and answers 401 to unsigned messages.
 */
export async function openReceiver(secret: string, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let reply: (message: Record<string, unknown>) => Reply = () => ({ status: 204 });
  const server = createServer((request, response) => {
    void text(request).then((raw) => {
      const message = JSON.parse(raw) as Record<string, unknown>;
      const time = String(request.headers['x-gatehouse-timestamp']);
      const given =
        /^v1=([0-9a-f]{64})$/.exec(String(request.headers['x-gatehouse-signature']))?.[1] ?? '';
      const expected = createHmac('sha256', secret).update(`${time}.${raw}`).digest();
      const isSigned = given !== '' && timingSafeEqual(Buffer.from(given, 'hex'), expected);
      const id = request.headers['gatehouse-event-id'];
      received.push({ id: id?.toString(), raw, message, signedAt: Number(time), isSigned });
      give(response, isSigned ? reply(message) : { status: 401 });
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?operator=1`,
    received,
    answer: (next) => (reply = next),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function give(response: ServerResponse, reply: Reply): void {
  if (typeof reply === 'function') {
    reply(response);
    return;
  }
  const { status = 200, headers = {}, body } = reply;
  response.writeHead(status, {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
