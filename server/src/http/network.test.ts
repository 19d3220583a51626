import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import Fastify from 'fastify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerError } from './errors.ts';
import { addressOf, clientOf, networksOf, requireAddress } from './network.ts';

describe('the networks of an address', () => {
  test.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['::ffff:203.0.113.7', ['203.0.113.7']],
    ['::ffff:cb00:7107', ['203.0.113.7']],
    ['0:0:0:0:0:FFFF:203.0.113.7', ['203.0.113.7']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2', '2001:db8:1:0/56', '2001:db8:1/48']],
    ['2001:db8:1:2::9', ['2001:db8:1:2', '2001:db8:1:0/56', '2001:db8:1/48']],
    ['2001:db8:1:23ff::9', ['2001:db8:1:23ff', '2001:db8:1:2300/56', '2001:db8:1/48']],
    ['2001:DB8::1', ['2001:db8:0:0', '2001:db8:0:0/56', '2001:db8:0/48']],
    ['::1', ['0:0:0:0', '0:0:0:0/56', '0:0:0/48']],
    ['fe80::1%eth0', ['fe80:0:0:0', 'fe80:0:0:0/56', 'fe80:0:0/48']],
    ['203.0.113.7:41234', ['203.0.113.7']],
    ['[2001:db8:1:2:3::9]:41234', ['2001:db8:1:2', '2001:db8:1:0/56', '2001:db8:1/48']],
    ['203.0.113.7, 10.0.0.1', ['unknown']],
    ['anything', ['unknown']],
  ])('of %s are %j', (ip, networks) => {
    expect(networksOf(ip).map(({ network }) => network)).toEqual(networks);
  });
});

const SOCKET = '192.0.2.9';

function requestOf(forwarded: string | undefined): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.defineProperty(request.socket, 'remoteAddress', { value: SOCKET });
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return request;
}

describe('the address of a request', () => {
  test.each([
    [0, '203.0.113.7', SOCKET],
    [1, undefined, SOCKET],
    [1, '', SOCKET],
    [1, '203.0.113.7', '203.0.113.7'],
    [1, '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    [2, '198.51.100.1 ,203.0.113.7', '198.51.100.1'],
    [2, '203.0.113.7', '203.0.113.7'],
  ])('behind %i trusted proxies with %j before it is %s', (hops, forwarded, address) => {
    expect(addressOf(requestOf(forwarded), hops)).toBe(address);
  });

  test('is the one that Fastify resolves with as many trusted hops', async () => {
    const apps = [0, 1, 2, 3].map((hops) =>
      Fastify({ trustProxy: (_address, hop) => hop < hops }).get('/', ({ ip, raw }) => ({
        ip,
        ours: addressOf(raw, hops),
      })),
    );
    const part = fc.constantFrom('203.0.113.7', '2001:db8::1', 'x', ' ', '\t', '', '10.0.0.1:80');
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const headers = { 'x-forwarded-for': parts.join(',') };
        for (const app of apps) {
          const { ip, ours } = (await app.inject({ url: '/', headers })).json();
          expect(ours).toBe(ip);
        }
      }),
    );
  });
});

describe('a request behind a trusted proxy', () => {
  const statusFor = async (forwarded: string | undefined, { hops = 1, url = '/read' } = {}) => {
    const app = Fastify({ trustProxy: (_address, hop) => hop < hops });
    app.setErrorHandler(answerError);
    requireAddress(app, hops);
    app.get('/*', () => 'read');
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const { statusCode, body } = await app.inject({ url, headers });
    return { statusCode, body };
  };

  test.each(['anything', 'unknown', '203.0.113', '203.0.113.7, _hidden', '203.0.113.7:port'])(
    'is refused where what the proxy added, in %j, is no address',
    async (forwarded) => {
      const { statusCode, body } = await statusFor(forwarded);
      expect(statusCode).toBe(400);
      expect(JSON.parse(body)).toEqual({
        message: 'X-Forwarded-For does not end with an address. The proxy must add one.',
      });
    },
  );

  test.each([
    undefined,
    '',
    '203.0.113.7',
    '203.0.113.7:41234',
    '[2001:db8::9]:41234',
    'fe80::1%eth0',
    'anything, 203.0.113.7',
  ])('is answered with %j', async (forwarded) => {
    expect((await statusFor(forwarded)).statusCode).toBe(200);
  });

  test('is answered whatever a caller says where no proxy is trusted, and for the health only', async () => {
    expect((await statusFor('anything', { hops: 0 })).statusCode).toBe(200);
    expect((await statusFor('anything', { url: '/healthz' })).statusCode).toBe(200);
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::9', '2001:db8:1/48'],
  ['2001:db8::1', '2001:db8:0/48'],
  ['anything', 'unknown'],
])('%s shares as the client %s', (ip, client) => {
  expect(clientOf(requestOf(ip), { trustedHops: 1 })).toBe(client);
});
