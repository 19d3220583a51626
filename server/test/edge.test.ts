import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { fastify } from 'fastify';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#config/config.ts';
import { demandShapes } from '#http/routes.ts';
import { untilLockWait } from './lock-wait.ts';
import { useTestApp, openTestApp } from './app.ts';

const APP = 'https://app.example.com';

const api = useTestApp('demo_template');
let port: number;
beforeAll(async () => {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = api.app.server.address() as AddressInfo);
});

/** Sends bytes over a connection of its own and returns the data received until it closes. */
async function raw(request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  return text(socket);
}

function ask(method: string, url: string, headers: Record<string, string> = {}) {
  return api.app.inject({ method: method, url, headers });
}

describe('a method that a path does not accept is 405, before anything else, and names those that it accepts', () => {
  // asvs 3.5.3, 4.1.4, 13.4.4
  test.each([
    ['TRACE', '/api/users/login', 'POST'],
    ['GET', '/api/users/login', 'POST'],
    ['DELETE', '/api/users/logout', 'POST'],
    ['PUT', '/api/corporations/ANCHOR/locations', 'GET, HEAD'],
    ['OPTIONS', '/api/corporations/ANCHOR/locations', 'GET, HEAD'],
    ['POST', '/api/corporations/a/locations/b/tenants/c', 'GET, HEAD, PATCH'],
    ['TRACE', '/api/corporations/a/locations/b/ledgers/c/unit-contents', 'GET, HEAD, POST'],
    ['TRACE', '/', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/readyz', 'GET, HEAD'],
    ['PUT', '/docs', 'GET, HEAD'],
  ])('%s %s', async (method, url, allow) => {
    const { statusCode, headers, body } = await ask(method, url, {
      'content-type': 'application/json',
    });
    expect([statusCode, headers.allow]).toEqual([405, allow]);
    expect(body).toBe('{"message":"This address does not take requests of that kind."}');
  });

  // asvs 4.1.4
  test.each(['PROPFIND', 'LINK'])('%s, which no route accepts', async (method) => {
    const answer = await raw(
      `${method} /api/users/login HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/^allow: /im);
  });
});

describe('the security headers', () => {
  // asvs 3.2.1, 3.4.4, 3.4.5, 3.4.8, 3.5.8
  test.each([
    ['GET', '/api/corporations/ANCHOR/locations', 200],
    ['GET', '/api/nothing', 404],
    ['GET', '/api/%zz', 404],
    ['GET', '/api/users/login', 405],
    ['POST', '/api/users/login', 422],
    ['POST', '/api/users/logout', 401],
    ['GET', '/healthz', 200],
    ['GET', '/assets/nothing.js', 404],
  ])('%s %s, answered %s', async (method, url, status) => {
    const { statusCode, headers } = await ask(method, url);
    expect([statusCode, headers['x-content-type-options']]).toEqual([status, 'nosniff']);
    if (url.includes('%zz')) return;
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    if (!url.startsWith('/api')) return;
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    );
  });

  test('a long answer of the API is compressed for a client that accepts it', async () => {
    const url = '/api/corporations/ANCHOR/locations';
    const plain = await ask('GET', url);
    const sent = await ask('GET', url, { 'accept-encoding': 'gzip, br' });
    expect(sent.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(sent.rawPayload).toString()).toBe(plain.body);
    expect(sent.rawPayload.length).toBeLessThan(plain.body.length / 2);
  });

  // asvs 3.4.2
  test('pages of other origins may not call, and browsers are not restricted to https, unless configured', async () => {
    const { headers } = await ask('GET', '/api/corporations/ANCHOR/locations', { origin: APP });
    for (const name of ['access-control-allow-origin', 'strict-transport-security', 'vary'])
      expect(headers).not.toHaveProperty(name);
  });

  // asvs 3.4.1, 3.4.2, 12.2.1
  test('behind https, for a year and with subdomains; and exactly the named origins, without credentials', async () => {
    const config = readConfig({
      ...process.env,
      ALLOW_SANDBOX: '1',
      PUBLIC_URL: 'https://portal.example.com',
      CORS_ORIGINS: APP,
    });
    const other = await openTestApp('empty_template', { config });
    const url = '/api/users/login';
    const preflight = { 'access-control-request-method': 'POST' };
    try {
      const from = (origin: string) =>
        other.app.inject({ method: 'OPTIONS', url, headers: { origin, ...preflight } });
      const taken = await from(APP);
      expect(taken.statusCode).toBe(204);
      expect(taken.headers).toMatchObject({
        'access-control-allow-origin': APP,
        'access-control-allow-methods': 'GET, POST, PATCH',
        'access-control-allow-headers':
          'authorization, content-type, gatehouse-language, idempotency-key, session-proof',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        vary: 'origin',
      });
      const sent = await other.app.inject({ method: 'POST', url, headers: { origin: APP } });
      expect([sent.statusCode, sent.headers['access-control-allow-origin']]).toEqual([422, APP]);
      for (const origin of [
        'https://app.example.com.evil.com',
        'http://app.example.com',
        'null',
        `${APP}:444`,
      ]) {
        const { statusCode, headers } = await from(origin);
        expect([statusCode, headers['access-control-allow-origin']]).toEqual([405, undefined]);
      }
      expect(taken.headers).not.toHaveProperty('access-control-allow-credentials');
    } finally {
      await other.close();
    }
  });
});

describe('limits', () => {
  test('a connection is kept alive for longer than a proxy keeps it, and one without a request is not', () => {
    const { keepAliveTimeout, timeout, headersTimeout } = api.app.server;
    expect([keepAliveTimeout > 60_000, timeout, headersTimeout]).toEqual([true, 20_000, 10_000]);
  });

  test('an answer may take longer than a client may be silent', async () => {
    api.app.server.timeout = 300;
    const answer = await api.owner.transaction().execute(async (trx) => {
      await sql`LOCK TABLE facilities`.execute(trx);
      const answer = raw(
        'GET /api/corporations/ANCHOR/locations HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      );
      await untilLockWait(trx);
      // Is ended by the limit, which the connection of the call has then been silent for too.
      const silent = connect(port, '127.0.0.1');
      silent.write('GET /heal');
      await once(silent.resume(), 'end');
      return { answer };
    });
    expect(await answer.answer).toMatch(/^HTTP\/1\.1 200 /);
    api.app.server.timeout = 20_000;
  });

  test('a route without a schema of its answers prevents the start', async () => {
    const app = fastify();
    demandShapes(app);
    expect(() => app.get('/x', () => 'x')).toThrow('GET /x has no shape of its answers');
    await app.close();
  });
});
