import { randomUUID } from 'node:crypto';
import { pathOf, type Endpoint } from '@gatehouse/contract/endpoint';
import { endpoints } from '@gatehouse/contract/endpoints';
import { officeEndpoints } from '@gatehouse/contract/office/office-endpoints';
import type { OfficeEndpoint } from '@gatehouse/contract/office/office-endpoint';
import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { OFFICE_COOKIE } from '#http/staff-guard.ts';
import { useTestApp, signIn, type SignedIn } from './app.ts';
import { signInStaff } from './office.ts';
import { sumOfTables } from './sum-of-tables.ts';

const all = Object.values<Endpoint>(endpoints);
const writing = all.filter(({ method }) => method !== 'GET');
const OWN = 'http://localhost:3000';
/** Another site, a sandboxed frame, and origins that are nearly our own. */
const origins = [
  'https://evil.example',
  'null',
  'http://localhost.evil.example:3000',
  'http://localhost',
  'http://localhost:1',
  'https://localhost:3000',
  `${OWN}.evil.example`,
  OWN.toUpperCase(),
];
const EVIL = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };

const api = useTestApp('demo_template');
let dana: SignedIn;
let params: Record<string, string>;
let untouched: unknown;
/** What is stored, without the events of the audit trail, which has refused tries as well. */
const stored = () => sumOfTables(api.owner, 'audit_events');
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  const [tenantId] = dana.tenantIds as [string];
  const { body } = await api.call('GET', `${dana.prefix}/tenants/${tenantId}/ledgers`, dana);
  const [{ id: ledgerId, unitId }] = body as [{ id: string; unitId: string }];
  const missing =
    'imageId requestId documentId passkeyId sessionId receiptNumber number year paperKind token';
  params = {
    ...Object.fromEntries(missing.split(' ').map((name) => [name, randomUUID()])),
    corp: 'ANCHOR',
    locationCode: 'TXDFW03',
    tenantId,
    ledgerId,
    unitId,
    tenantIds: tenantId,
    ledgerIds: ledgerId,
  };
  untouched = await stored();
});

const urlOf = ({ path }: Pick<Endpoint, 'path'>) => `/api${pathOf(path, params)}`;
/** Sends it and checks that no page of another origin may read the answer. */
async function send(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  payload?: string,
) {
  const answer = await api.app.inject({
    method: method as InjectOptions['method'],
    url,
    headers: { host: 'localhost:3000', ...headers },
    ...(payload !== undefined && { payload }),
  });
  const names = Object.keys(answer.headers);
  expect(names.filter((name) => /^access-control-|^set-cookie$/.test(name))).toEqual([]);
  expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
  return answer;
}
const sealed = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

describe('a call as a page of another origin can send it without asking', () => {
  const types: [type: string, write: (json: string) => string][] = [
    ['text/plain', (json) => json],
    ['text/plain;charset=application/json', (json) => json],
    ['application/x-www-form-urlencoded', (json) => `${encodeURIComponent(json)}=`],
    [
      'multipart/form-data; boundary=x',
      (json) => `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${json}\r\n--x--`,
    ],
    ['', (json) => json],
  ];

  test.each(writing.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s is refused in every form, with the token in a cookie, the query or a field',
    async (_, endpoint) => {
      const { method, access, body } = endpoint;
      const url = urlOf(endpoint);
      const isFound = !/:(requestId|passkeyId|sessionId|token)/.test(endpoint.path);
      const badBody = [415, 422, ...(isFound ? [] : [404])];
      const { token } = dana;
      for (const [type, write] of types) {
        const headers = { ...EVIL, 'sec-fetch-mode': 'no-cors', 'content-type': type };
        const cookie = { ...headers, cookie: `token=${token}; session=${token}` };
        const text = write('{}');
        for (const [to, payload] of [
          [url, text],
          [`${url}?token=${token}&access_token=${token}`, text],
          [url, `${text}&token=${token}`],
        ] as const)
          expect(access === 'public' ? badBody : [401]).toContain(
            (await send(method, to, cookie, payload)).statusCode,
          );
        // With a token too it takes JSON only, so that no form can speak for the portal.
        if (access !== 'public' && body !== undefined) {
          const signedIn = { ...cookie, authorization: `Bearer ${token}` };
          expect(badBody).toContain((await send(method, url, signedIn, text)).statusCode);
        }
      }
      expect(await stored()).toEqual(untouched);
    },
  );

  test.each(all.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s is allowed to no other origin by its preflight',
    async (_, endpoint) => {
      for (const origin of origins) {
        const { statusCode } = await send('OPTIONS', urlOf(endpoint), {
          origin,
          'access-control-request-method': endpoint.method,
          'access-control-request-headers':
            'authorization,content-type,idempotency-key,session-proof',
          'access-control-request-private-network': 'true',
        });
        expect(statusCode).toBeGreaterThanOrEqual(400);
      }
    },
  );

  const ofTenant = () => urlOf(endpoints.getTenant);
  const bearer = () => ({ authorization: `Bearer ${dana.token}` });

  test.each(origins)('a read with a token from %s is for our own page only', async (origin) => {
    const { statusCode, headers } = await send('GET', ofTenant(), { ...bearer(), origin });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject(sealed);
  });

  test.each(['x-http-method-override', 'x-method-override', 'x-http-method'])(
    'a read stays one under %s',
    async (name) => {
      const more = { ...EVIL, ...bearer(), [name]: 'PATCH' };
      expect((await send('GET', ofTenant(), more)).statusCode).toBe(200);
      expect(await stored()).toEqual(untouched);
    },
  );

  test.each([
    ['if-none-match', '*'],
    ['if-modified-since', 'Wed, 25 Nov 2026 12:00:00 GMT'],
  ])('no answer was kept, whatever %s says', async (name, value) => {
    const { statusCode, headers } = await send('GET', ofTenant(), { ...bearer(), [name]: value });
    expect([statusCode, headers.etag]).toEqual([200, undefined]);
    expect(headers).toMatchObject(sealed);
  });

  test.each(['HEAD', 'TRACE'])('%s of a record without a token is refused', async (method) => {
    const { statusCode, body } = await send(method, ofTenant(), EVIL);
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(body).not.toContain(dana.token);
  });

  test.each([
    '/',
    '/login',
    '/billing-info',
    '/nothing-here',
    '/docs',
    '/healthz',
    '/openapi.json',
  ])('%s is shown in no frame', async (path) => {
    const { headers } = await send('GET', path, EVIL);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });
});

describe('a change in the office from another page, with an owner’s cookie', () => {
  const pages: [page: string, headers: Record<string, string>, statuses: number[]][] = [
    ['no page', {}, [403]],
    ...origins
      .filter((origin) => origin !== OWN.toUpperCase())
      .map((origin): [string, Record<string, string>, number[]] => [origin, { origin }, [403]]),
    ['the same site', { 'sec-fetch-site': 'same-site' }, [403]],
    ['its own origin, by a frame of another', { ...EVIL, origin: OWN }, [403]],
    ['its own form', { origin: OWN, 'content-type': 'text/plain' }, [409, 415, 422]],
  ];
  const changing = Object.values<OfficeEndpoint>(officeEndpoints).filter(
    ({ method }) => method !== 'GET',
  );

  test.each(changing.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s is refused before anything is read',
    async (_, { method, path }) => {
      const cookie = `${OFFICE_COOKIE}=${await signInStaff(api, 'owner')}`;
      const ids = Object.fromEntries(
        Array.from(path.matchAll(/:(\w+)/g), ([, name]) => [name!, randomUUID()]),
      );
      for (const [page, headers, statuses] of pages) {
        const { statusCode } = await send(
          method,
          `/api${pathOf(path, ids)}`,
          { cookie, ...headers },
          '{}',
        );
        expect([page, statuses.includes(statusCode), statusCode]).toEqual([page, true, statusCode]);
      }
    },
  );
});
