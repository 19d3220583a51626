import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { useTestApp } from './app.ts';

const api = useTestApp('empty_template');
let port: number;
beforeAll(async () => {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = (api.app.server.address() as AddressInfo).port;
});

/** All data received until the server closes the connection. */
async function send(bytes: string): Promise<{ head: string; body: string }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { head, body };
}

// asvs 4.2.1
test.each([
  ['is no HTTP', 'HELLO\r\n\r\n', 400, 'The request is not valid HTTP.'],
  [
    'has a header that is none',
    'GET / HTTP/1.1\r\nHost: localhost\r\nno header\r\n\r\n',
    400,
    'The request is not valid HTTP.',
  ],
  ['names no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'The request is not valid HTTP.'],
  [
    'has headers of more than 16 KiB',
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
    431,
    'The request’s headers are too large.',
  ],
  [
    'has an address of 10,000 ids',
    `GET /api/${'12345678-1234-4123-8123-123456789012,'.repeat(10_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    431,
    'The request’s headers are too large.',
  ],
  [
    'has an unknown expectation',
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\n\r\n',
    417,
    'The request expects what this server does not do.',
  ],
])(
  'a request that %s is refused with a sentence, and its connection is closed',
  async (_, bytes, status, message) => {
    const { head, body } = await send(bytes);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain('cache-control: no-store');
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(head.toLowerCase()).toContain('connection: close');
    expect(JSON.parse(body)).toEqual({ message });
  },
);

test('a body of 50 MB is refused with a sentence and not read', async () => {
  const taken = once(api.app.server, 'connection').then(([socket]) => socket as Socket);
  const sender = connect(port, '127.0.0.1');
  const heard = text(sender).catch(() => 'nothing but a reset');
  sender.write(
    'POST /api/users/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50000000\r\n\r\n',
  );
  const [answer] = (await once(sender, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 413 .*\{"message":"The request is too large."\}$/s);
  sender.write(Buffer.alloc(50_000_000));
  const theirs = await taken;
  await Promise.all([once(theirs, 'close'), heard]);
  expect(theirs.bytesRead).toBeLessThan(1_000_000);
});
