import { describe, expect, test, vi } from 'vitest';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { useTestApp, signIn, signInByPassword } from '#test/app.ts';
import { fromNow, testClock } from '#test/test-day.ts';
import { hashPassword, isPassword } from './password.ts';
import { changeRows } from '#test/rows.ts';

const api = useTestApp('demo_template');

const credentials = {
  username: 'dana@example.com',
  password: DEMO_PASSWORD,
  locationCode: 'TXDFW03',
  corporationCode: 'ANCHOR',
};
const login = (changes: object = {}) =>
  api.call('POST', '/users/login', { body: { ...credentials, ...changes } });
const facilityStatus = async (token: string) =>
  (await api.call('GET', '/corporations/ANCHOR/locations/TXDFW03', { token })).status;

describe('signing in', () => {
  // spec 1.4, 3.2, 7.14, 7.16
  test('answers a token and the tenant records of the location, ids only', async () => {
    const { status, body } = await login();
    expect(status).toBe(200);
    expect(body.token).toMatch(/^rvt_[\w-]{43}$/);
    expect(body.tenants).toHaveLength(2);
    expect(Object.keys(body.tenants[0])).toEqual(['id']);
  });

  test('accepts the email in any case and with spaces around it', async () => {
    expect((await login({ username: ' Dana@Example.COM ' })).status).toBe(200);
  });

  // spec 5.65
  test('takes a password in the form of any keyboard, and as it was hashed before', async () => {
    const [composed, decomposed] = ['caf\u00E9 81 harbor', 'cafe\u0301 81 harbor'];
    const kept = await hashPassword(decomposed);
    expect([await isPassword(composed, kept), await isPassword(decomposed, kept)]).toEqual([
      true,
      true,
    ]);
    // The hash that was made of the decomposed form before passwords were normalized.
    const before =
      '$argon2id$v=19$m=19456,t=2,p=1$c2l4dGVlbiBieXRlcyEhIQ$kZdtrLw+te0cJo4VdeH70HjHl/N026SvyEs0sCi4Vak';
    expect(await isPassword(decomposed, before)).toBe(true);
    expect(await isPassword(composed, before)).toBe(false);
    expect(await isPassword('cafe 81 harbor', before)).toBe(false);
  });

  test('names an invisible character in the address', async () => {
    const { status, body } = await login({ username: 'dana\u200B@example.com' });
    expect([status, body]).toEqual([
      422,
      {
        message:
          'Email Address contains an invisible character (U+200B). Please type the address instead of pasting it.',
      },
    ]);
  });

  // spec 1.1
  test('refuses a wrong password, an unknown address, a wrong location and a wrong corporation alike', async () => {
    const answers = [
      await login({ password: 'anchor-axle-27' }),
      await login({ username: 'nobody@example.com' }),
      await login({ locationCode: 'AZPHX01' }),
      await login({ locationCode: 'NOWHERE' }),
      await login({ corporationCode: 'OTHER' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  // asvs 7.5.1
  test('reaches a record only while the record has its email, in any case', async () => {
    const { body: before } = await login();
    const [kept, changed] = before.tenants as { id: string }[];
    const setEmail = (id: string, email: string) =>
      changeRows(api.owner, 'tenants', { email }, { id });
    await setEmail(kept!.id, 'DANA@example.com');
    // As a person with a database shell would, with the link and the sessions still there.
    await setEmail(changed!.id, 'new-owner@example.com');
    const readOf = async (id: string) =>
      (await api.call('GET', `/corporations/ANCHOR/locations/TXDFW03/tenants/${id}`, before))
        .status;
    expect([await readOf(kept!.id), await readOf(changed!.id)]).toEqual([200, 404]);
    expect((await login()).body.tenants).toEqual([{ id: kept!.id }]);
    await setEmail(kept!.id, 'new-owner@example.com');
    expect((await login()).status).toBe(401);
    for (const { id } of [kept!, changed!]) await setEmail(id, 'dana@example.com');
    expect((await login()).body.tenants).toEqual([kept, changed]);
  });

  // spec 1.21, 5.2, 5.3, 5.4, 5.7, 7.15
  test.each(['username', 'password', 'locationCode', 'corporationCode'])(
    'without %s is refused with a sentence',
    async (field) => {
      for (const value of [undefined, '', 7, null, ['x']]) {
        const { status, body } = await login({ [field]: value });
        expect(status).toBe(422);
        expect(body.message).toMatch(/ is required\.$/);
      }
    },
  );

  // asvs 7.2.2
  test('stores no token, only its hash, and no password', async () => {
    const { body } = await login();
    const rows = await api.sql<{ row: string }>`SELECT s::text AS row FROM sessions s`;
    expect(rows.some(({ row }) => row.includes(body.token))).toBe(false);
  });

  // asvs 7.2.4, 7.5.2
  test('a sixth session ends the oldest', async () => {
    const tokens: string[] = [];
    for (let count = 0; count < 6; count++)
      tokens.push((await signInByPassword(api, 'lee@example.com')).token);
    expect(await facilityStatus(tokens[0]!)).toBe(401);
    expect(await facilityStatus(tokens[1]!)).toBe(200);
    expect(await facilityStatus(tokens[5]!)).toBe(200);
  });
});

describe('a session', () => {
  // asvs 7.4.1
  test('ends with logout, for every later call', async () => {
    const { token } = await signIn(api, 'pat@example.com');
    expect(await facilityStatus(token)).toBe(200);
    expect((await api.call('POST', '/users/logout', { token })).body).toEqual({ success: true });
    expect(await facilityStatus(token)).toBe(401);
    expect((await api.call('POST', '/users/logout', { token })).status).toBe(401);
  });

  // asvs 7.4.2
  test('ends when its user is disabled', async () => {
    const { token } = await signIn(api, 'sam@example.com');
    await changeRows(
      api.owner,
      'users',
      { disabled_at: testClock.now() },
      { email: 'sam@example.com' },
    );
    expect(await facilityStatus(token)).toBe(401);
  });

  // asvs 7.3.1, 7.3.2
  test('ends after 30 minutes without a call, and after 12 hours in any case', async () => {
    const { token } = await signIn(api, 'pat@example.com');
    const start = testClock.now().getTime();
    const now = vi.spyOn(api.ctx.clock, 'now');
    const at = (minutes: number) => now.mockReturnValue(new Date(start + minutes * 60_000));
    for (let minutes = 0; minutes < 12 * 60; minutes += 29) {
      at(minutes);
      expect(await facilityStatus(token), `after ${minutes} minutes`).toBe(200);
    }
    at(12 * 60 + 1);
    expect(await facilityStatus(token)).toBe(401);
    now.mockRestore();

    const idle = await signIn(api, 'pat@example.com');
    const later = vi.spyOn(api.ctx.clock, 'now').mockReturnValue(fromNow(31 * 60_000));
    expect(await facilityStatus(idle.token)).toBe(401);
    later.mockRestore();
  });
});

describe('a password', () => {
  // asvs 6.2.10
  test('does not expire', async () => {
    const later = vi.spyOn(api.ctx.clock, 'now').mockReturnValue(fromNow(10 * 365 * 86_400_000));
    expect((await login()).status).toBe(200);
    later.mockRestore();
  });

  // asvs 11.2.1, 11.4.2
  test('is stored as a salted Argon2id hash', async () => {
    const [a, b] = [await hashPassword('anchor-axle-26'), await hashPassword('anchor-axle-26')];
    expect(a).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(a).not.toBe(b);
    expect(await isPassword('anchor-axle-26', a)).toBe(true);
    expect(await isPassword('Anchor-axle-26', a)).toBe(false);
  });
});
