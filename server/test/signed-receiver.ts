import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a receiver does with a message: answers JSON, answers a status, or says nothing at all. */
type Reply = { status?: number; headers?: Record<string, string>; body?: unknown } | 'nothing';

export type Receiver = {
  url: string;
  /** Every message that came, whether it was signed with the secret for these very seconds, and how it was answered. */
  received: { message: Record<string, unknown>; raw: string; isSigned: boolean }[];
  /** From now on: what is answered to each. */
  answer(reply: (message: Record<string, unknown>) => Reply): void;
  close(): Promise<void>;
};

/** A real HTTP server as an operator may run one: it checks signatures with its own few lines, and nothing of ours. */
export async function openReceiver(secret: string, port = 0): Promise<Receiver> {
  const received: Receiver['received'] = [];
  let reply: (message: Record<string, unknown>) => Reply = () => ({ status: 204 });
  const server = createServer((request, response) => {
    void text(request).then((raw) => {
      const message = JSON.parse(raw) as Record<string, unknown>;
      const timestamp = String(request.headers['x-gatehouse-timestamp']);
      const digest = createHmac('sha256', secret).update(timestamp).update('.').update(raw).digest('hex');
      const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
      const isSigned = isFresh && request.headers['x-gatehouse-signature'] === `v1=${digest}`;
      received.push({ message, raw, isSigned });
      give(response, isSigned ? reply(message) : { status: 401 });
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (next) => (reply = next),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function give(response: ServerResponse, reply: Reply): void {
  if (reply === 'nothing') return;
  const { status = 200, headers = {}, body } = reply;
  response.writeHead(status, { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
