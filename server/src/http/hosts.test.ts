import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answerError } from './errors.ts';
import { refuseOtherHosts } from './hosts.ts';

let app: FastifyInstance;
beforeEach(() => {
  app = fastify();
  app.setErrorHandler(answerError);
  refuseOtherHosts(app, 'https://portal.example.com');
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

  test('for any host where it asks for the health alone', async () => {
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
