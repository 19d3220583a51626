import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { useTestApp, openTestApp, signIn } from '#test/app.ts';
import { newBrowser as newKey } from './browser.fixture.ts';

const api = useTestApp('demo_template', { clock: { now: () => now } });
let now = new Date('2026-06-01T12:00:00Z');

const credentials = {
  username: 'dana@example.com',
  password: DEMO_PASSWORD,
  locationCode: 'TXDFW03',
  corporationCode: 'ANCHOR',
};

function newBrowser() {
  const { proofKey, prove } = newKey();
  return { proofKey, prove: (token: string, at = now, hash?: string) => prove(token, at, hash) };
}

const login = (changes: object = {}, to = api) =>
  to.call('POST', '/users/login', { body: { ...credentials, ...changes } });

async function signInBound(browser = newBrowser()) {
  const { status, body } = await login({ proofKey: browser.proofKey });
  expect(status).toBe(200);
  return { browser, token: body.token as string };
}

const read = (token: string, proof?: string) =>
  api.call('GET', '/corporations/ANCHOR/locations/TXDFW03', {
    token,
    ...(proof !== undefined && { headers: { 'session-proof': proof } }),
  });

const seconds = (count: number) => new Date(now.getTime() + count * 1000);

describe('a bound token', () => {
  test('opens what is the tenant’s with the proof of its browser, again and again', async () => {
    const { browser, token } = await signInBound();
    const proof = browser.prove(token);
    for (let count = 0; count < 3; count += 1) expect((await read(token, proof)).status).toBe(200);
  });

  // asvs 7.2.1
  test('is refused without a proof exactly as an unknown token is, and the refusal is audited', async () => {
    const { token } = await signInBound();
    const refused = await read(token);
    const unknown = await read(`rvt_${'x'.repeat(43)}`);
    expect([refused.status, refused.text]).toEqual([401, unknown.text]);
    expect(refused.headers['www-authenticate']).toBe(unknown.headers['www-authenticate']);
    const { details } = await api.owner
      .selectFrom('audit_events')
      .select('details')
      .where('kind', '=', 'access_refused')
      .orderBy('at', 'desc')
      .executeTakeFirstOrThrow();
    expect(details).toMatchObject({ route: expect.stringMatching(/^GET /), lacks: 'proof' });
  });

  // asvs 14.3.3
  test('is refused with the proof of another browser, another token, or none that can be read', async () => {
    const { browser, token } = await signInBound();
    const other = await signInBound();
    const good = browser.prove(token);
    const [at, signature] = good.split('.') as [string, string];
    const wrong = [
      other.browser.prove(token),
      other.browser.prove(other.token),
      browser.prove(other.token),
      browser.prove(token, now, 'sha512'),
      `${Number(at) + 1}.${signature}`,
      `${at}.${'A'.repeat(86)}`,
      `${at}.`,
      signature,
      'null',
      createHash('sha256').update(token).digest('base64url'),
    ];
    // The right one is remembered as verified; that must help none of the others.
    expect((await read(token, good)).status).toBe(200);
    for (const proof of wrong) expect((await read(token, proof)).status, proof).toBe(401);
  });

  test('takes a clock that is five minutes wrong, and no proof that is older, even one that was good', async () => {
    const { browser, token } = await signInBound();
    const statusAt = async (offset: number) =>
      (await read(token, browser.prove(token, seconds(offset)))).status;
    expect([await statusAt(-300), await statusAt(300)]).toEqual([200, 200]);
    expect([await statusAt(-301), await statusAt(301)]).toEqual([401, 401]);
    const proof = browser.prove(token);
    expect((await read(token, proof)).status).toBe(200);
    now = seconds(301);
    expect((await read(token, proof)).status).toBe(401);
    expect((await read(token, browser.prove(token))).status).toBe(200);
  });

  test('ends by logout, which needs the proof too', async () => {
    const { browser, token } = await signInBound();
    const headers = { 'session-proof': browser.prove(token) };
    expect((await api.call('POST', '/users/logout', { token })).status).toBe(401);
    expect((await read(token, browser.prove(token))).status).toBe(200);
    expect((await api.call('POST', '/users/logout', { token, headers })).status).toBe(200);
    expect((await read(token, browser.prove(token))).status).toBe(401);
  });
});

describe('the key of a sign-in', () => {
  test('is optional: an unbound token works without a proof', async () => {
    const { body } = await login();
    expect((await read(body.token)).status).toBe(200);
  });

  // asvs 11.6.1
  test('must be a point of P-256', async () => {
    const { proofKey } = newBrowser();
    const offCurve = Buffer.from(proofKey, 'base64');
    offCurve[64]! ^= 1;
    const keys = [
      '',
      'x',
      7,
      null,
      proofKey.slice(1),
      `${'A'.repeat(87)}=`,
      offCurve.toString('base64'),
    ];
    for (const key of keys) {
      const { status, body } = await login({ proofKey: key });
      expect([status, body.message], String(key)).toEqual([422, 'The proof key is not valid.']);
    }
  });
});

test('REQUIRE_BOUND_TOKENS refuses a sign-in without a key and every unbound session', async () => {
  const config = { ...api.ctx.config, requireBoundTokens: true };
  const strict = await openTestApp('demo_template', { config });
  try {
    expect((await login({}, strict)).status).toBe(422);
    const { token, prefix } = await signIn(strict, 'dana@example.com');
    expect((await strict.call('GET', prefix, { token })).status).toBe(401);
    const browser = newBrowser();
    const { body } = await login({ proofKey: browser.proofKey }, strict);
    const headers = { 'session-proof': browser.prove(body.token, strict.ctx.clock.now()) };
    expect((await strict.call('GET', prefix, { token: body.token, headers })).status).toBe(200);
  } finally {
    await strict.close();
  }
});
