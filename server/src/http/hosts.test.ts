import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answerError } from './errors.ts';
import { refuseOtherHosts, separateOffice } from './hosts.ts';

let app: FastifyInstance;
beforeEach(() => {
  app = fastify();
  app.setErrorHandler(answerError);
  refuseOtherHosts(app, ['https://portal.example.com'], 'PUBLIC_URL');
  app.get('/*', () => 'read');
});
afterEach(() => app.close());

const statusFor = async (host: string, url = '/mailbox') =>
  (await app.inject({ url, headers: { host } })).statusCode;

describe('a request is answered', () => {
  test.each([
    'portal.example.com',
    'Portal.Example.com:443',
    'localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
  ])('for %s', async (host) => {
    expect(await statusFor(host)).toBe(200);
  });

  test('by the address that the connection was made to', async () => {
    await app.listen({ port: 0, host: '127.0.0.2' });
    const { port } = app.server.address() as { port: number };
    const answer = await fetch(`http://127.0.0.2:${port}/mailbox`);
    expect(answer.status).toBe(200);
  });

  test('for any host where it asks for the health only', async () => {
    expect(await statusFor('10.0.0.7:3000', '/healthz')).toBe(200);
    expect(await statusFor('10.0.0.7:3000', '/readyz?verbose')).toBe(200);
  });
});

describe('a request is refused with 421', () => {
  test.each([
    'rebind.evil.example',
    'rebind.evil.example:3000',
    'portal.example.com.evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.168.1.5:3000',
    'portal.example.com@evil.example',
    'portal.example.com/evil',
    'a b',
  ])('for %j', async (host) => {
    const { statusCode, body } = await app.inject({ url: '/mailbox', headers: { host } });
    expect(statusCode).toBe(421);
    expect(JSON.parse(body)).toEqual({
      message: 'This server does not serve that host. PUBLIC_URL names the one it does.',
    });
    expect(await statusFor(host, '/healthzz')).toBe(421);
  });
});

describe('a loopback host opens nothing where the request', () => {
  const statusOf = async (of: FastifyInstance, headers: object, remoteAddress = '127.0.0.1') =>
    (await of.inject({ url: '/mailbox', remoteAddress, headers: { ...headers } })).statusCode;
  const loopback = ['127.0.0.1', '127.0.0.1:3000', 'localhost', '[::1]:3000'];

  test.each([
    { 'x-forwarded-for': '198.51.100.7' },
    { 'x-forwarded-proto': 'https' },
    { 'x-real-ip': '198.51.100.7' },
    { forwarded: 'for=198.51.100.7' },
    { via: '1.1 proxy' },
  ])('came through a proxy, which sent %j', async (sent) => {
    for (const host of loopback) expect(await statusOf(app, { host, ...sent })).toBe(421);
    expect(await statusOf(app, { host: 'portal.example.com', ...sent })).toBe(200);
    const unset = fastify();
    refuseOtherHosts(unset, ['http://localhost:3000'], 'PUBLIC_URL');
    unset.setErrorHandler(answerError);
    unset.get('/*', () => 'read');
    for (const host of loopback) expect(await statusOf(unset, { host, ...sent })).toBe(421);
    expect(await statusOf(unset, { host: 'localhost:3000' })).toBe(200);
    await unset.close();
  });

  test('came from another machine', async () => {
    for (const host of loopback) expect(await statusOf(app, { host }, '198.51.100.7')).toBe(421);
  });
});

test('a request with two Host headers is refused', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  const hosts = 'Host: portal.example.com\r\nHost: rebind.evil.example\r\n';
  socket.end(`GET /mailbox HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
  expect((await text(socket)).split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
});

describe('an office with a host of its own', () => {
  const office = { url: 'https://office.example.com', isApart: true };
  async function appWith(own: typeof office | null) {
    const both = fastify();
    both.setErrorHandler(answerError);
    separateOffice(both, own);
    const urls = ['https://portal.example.com', ...(own === null ? [] : [own.url])];
    refuseOtherHosts(both, urls, 'PUBLIC_URL');
    both.get('/api/office/me', { config: { isOffice: true } }, () => 'read');
    both.get('/office', { config: { isOffice: true } }, () => 'read');
    for (const url of ['/', '/login', '/api/*', '/healthz', '/api/policy-reports'])
      both.get(url, () => 'read');
    const statuses = async (host: string) => {
      const paths = ['/office', '/api/office/me', '/api/%6fffice/me', '/login', '/api/users'];
      const answers = await Promise.all(
        paths.map((url) => both.inject({ url, headers: { host } })),
      );
      return answers.map(({ statusCode }) => statusCode);
    };
    return { both, statuses };
  }

  test('is not on the portal’s host, in whatever way its path is written, and the portal not on its own', async () => {
    const { both, statuses } = await appWith(office);
    expect(await statuses('portal.example.com')).toEqual([404, 404, 404, 200, 200]);
    expect(await statuses('localhost:3000')).toEqual([404, 404, 404, 200, 200]);
    expect(await statuses('desk.example.com')).toEqual([404, 404, 404, 421, 421]);
    expect(await statuses('office.example.com')).toEqual([200, 200, 200, 404, 404]);
    const first = await both.inject({ url: '/', headers: { host: 'office.example.com' } });
    expect([first.statusCode, first.headers.location]).toEqual([302, '/office']);
    for (const url of ['/healthz', '/api/policy-reports'])
      expect((await both.inject({ url, headers: { host: 'office.example.com' } })).statusCode).toBe(
        200,
      );
    await both.close();
  });

  test('is nowhere where none is served', async () => {
    const { both, statuses } = await appWith(null);
    expect(await statuses('portal.example.com')).toEqual([404, 404, 404, 200, 200]);
    await both.close();
  });

  test('is next to the portal where it has no host of its own', async () => {
    const { both, statuses } = await appWith({ url: 'http://localhost:3000', isApart: false });
    expect(await statuses('localhost:3000')).toEqual([200, 200, 200, 200, 200]);
    await both.close();
  });
});
