import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#config/config.ts';
import { openTestApp } from './app.ts';
import { TEST_DATA_KEYS } from './data-keys.ts';

const [CALLER, OTHER] = ['203.0.113.7', '198.51.100.9'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-proxies-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a call that the trusted proxy got unencrypted is refused, and the portal is not', async () => {
  const statusFor = async (
    PUBLIC_URL: string,
    TRUSTED_HOPS: string,
    forwardedProto: string | undefined,
    url = '/api/facilities',
  ) => {
    const env = {
      DATA_DIR: folder,
      DATA_KEYS: TEST_DATA_KEYS,
      ALLOW_SANDBOX: '1',
      PUBLIC_URL,
      TRUSTED_HOPS,
    };
    const api = await openTestApp('empty_template', { config: readConfig(env) });
    const headers = {
      host: new URL(PUBLIC_URL).host,
      ...(forwardedProto !== undefined && { 'x-forwarded-proto': forwardedProto }),
    };
    const { statusCode } = await api.app.inject({ url, headers, remoteAddress: '10.0.0.1' });
    await api.close();
    return statusCode;
  };
  const secure = 'https://portal.example.com';
  expect(await statusFor(secure, '1', 'http')).toBe(403);
  expect(await statusFor(secure, '1', 'https, http')).toBe(403);
  expect(await statusFor(secure, '1', 'http', '/healthz')).toBe(200);
  for (const proto of ['https', 'http, https', undefined])
    expect(await statusFor(secure, '1', proto)).not.toBe(403);
  expect(await statusFor(secure, '0', 'http')).not.toBe(403);
  expect(await statusFor('http://portal.example.com', '1', 'http')).not.toBe(403);
});

/** Signs in with an unknown name, twice a minute from a network; returns the status. */
async function openSignIn(TRUSTED_HOPS: string, remoteAddress: string) {
  const env = {
    DATA_DIR: folder,
    DATA_KEYS: TEST_DATA_KEYS,
    ALLOW_SANDBOX: '1',
    PUBLIC_URL: 'https://portal.example.com',
    LIMITS: 'sign-ins-a-minute=2',
    TRUSTED_HOPS,
  };
  const api = await openTestApp('empty_template', { config: readConfig(env) });
  let nth = 0;
  const signIn = async (headers: Record<string, string>) => {
    const username = `unknown${++nth}@example.com`;
    const body = {
      username,
      password: 'harbor gate 81',
      locationCode: 'TXDFW03',
      corporationCode: 'ANCHOR',
    };
    return (
      await api.app.inject({
        method: 'POST',
        url: '/api/users/login',
        body,
        headers: { host: 'portal.example.com', ...headers },
        remoteAddress,
      })
    ).statusCode;
  };
  return { signIn, close: () => api.close() };
}

// asvs 4.1.3
test('without a proxy of ours no header names the caller’s address', async () => {
  const { signIn, close } = await openSignIn('0', CALLER);
  const statuses = [
    await signIn({ 'x-forwarded-for': '192.0.2.1' }),
    await signIn({ 'x-real-ip': '192.0.2.2', forwarded: 'for=192.0.2.2' }),
    await signIn({ 'x-forwarded-for': `192.0.2.3, ${OTHER}`, 'x-client-ip': OTHER }),
  ];
  await close();
  expect(statuses).toEqual([401, 401, 429]);
});

// asvs 4.1.3, 15.3.4
test('behind one proxy it is the address that the proxy added, whatever the caller sent before it', async () => {
  const { signIn, close } = await openSignIn('1', '10.0.0.1');
  const statuses = [
    await signIn({ 'x-forwarded-for': CALLER }),
    await signIn({ 'x-forwarded-for': `192.0.2.1, ${CALLER}` }),
    await signIn({ 'x-forwarded-for': `${OTHER}, 10.0.0.1, ${CALLER}` }),
    await signIn({ 'x-forwarded-for': `${CALLER}, ${OTHER}` }),
  ];
  await close();
  expect(statuses).toEqual([401, 401, 429, 401]);
});
