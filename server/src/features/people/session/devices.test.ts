import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '#config/limits.ts';
import { forgetOldDevices } from '#features/people/session/devices.ts';
import { disableUser, enableUser } from '#features/people/users/users.ts';
import { makeFacility } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { makePerson } from '#test/people.ts';

const PASSWORD = 'harbor gate 81';
const [HOME, AWAY] = ['203.0.113.7', '198.51.100.9'];
const DAY = 86_400;

const api = useTestApp('empty_template', { clock: { now: () => now } });
let now = new Date('2026-11-21T12:00:00Z');
let facilityId: string;
beforeAll(async () => {
  api.ctx.config = { ...api.ctx.config, limits: { ...limits } };
  facilityId = await makeFacility(api.owner, {});
});
beforeEach(async () => {
  api.ctx.config.limits = { ...limits };
  await api.sql`TRUNCATE limit_counts`;
});

let people = 0;
async function person(): Promise<string> {
  const email = `person${++people}@example.com`;
  await makePerson(api, facilityId, email, PASSWORD);
  return email;
}

const later = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000));

type Try = { password?: string; from?: string; device?: unknown };
async function signIn(username: string, { password = PASSWORD, from = HOME, device }: Try = {}) {
  const body = { username, password, locationCode: 'TXDFW03', corporationCode: 'ANCHOR', device };
  const answer = await api.app.inject({
    method: 'POST',
    url: '/api/users/login',
    body,
    remoteAddress: from,
  });
  return {
    status: answer.statusCode,
    retryAfter: Number(answer.headers['retry-after']),
    body: answer.json<{ token: string; device: string }>(),
  };
}
const wrong = (username: string, options: Try = {}) =>
  signIn(username, { ...options, password: 'not the password' });
const deviceOf = async (email: string) => (await signIn(email)).body.device;
const lock = async (email: string) => {
  for (let nth = 0; nth < 6; nth++) await wrong(email, { from: `10.0.0.${nth}` });
};

describe('a device', () => {
  test('is a token of its own, stored as a hash, that the next sign-in sends and gets back', async () => {
    const email = await person();
    const device = await deviceOf(email);
    expect(device).toMatch(/^rdt_[\w-]{43}$/);
    expect((await signIn(email, { device })).body.device).toBe(device);
    const rows = await api.sql`SELECT d::text FROM devices d`;
    expect(JSON.stringify(rows)).not.toContain(device.slice(4));
  });

  // asvs 6.3.4
  test('opens nothing as a session token', async () => {
    const device = await deviceOf(await person());
    const path = '/corporations/ANCHOR/locations/TXDFW03';
    expect((await api.call('GET', path, { token: device })).status).toBe(401);
  });

  // asvs 6.3.1
  test('signs its owner in from anywhere while strangers have the account locked', async () => {
    const email = await person();
    const device = await deviceOf(email);
    await lock(email);
    expect((await signIn(email)).status).toBe(429);
    expect((await signIn(email, { device, from: AWAY })).status).toBe(200);
    await wrong(email, { from: AWAY });
    await api.sql`UPDATE sign_in_tries SET tries = 100`;
    expect((await signIn(email)).status).toBe(429);
    expect((await signIn(email, { device })).status).toBe(200);
  });

  test('is not held back by what others on its network used up', async () => {
    const email = await person();
    const device = await deviceOf(email);
    for (let nth = 0; nth < 20; nth++) await wrong(`unknown${nth}@example.com`);
    expect((await signIn(email)).status).toBe(429);
    expect((await signIn(email, { device })).status).toBe(200);
  });

  test.each<[string, (email: string) => Promise<unknown>]>([
    ['another account’s', async () => deviceOf(await person())],
    ['one never issued', () => Promise.resolve(`rdt_${'A'.repeat(43)}`)],
    [
      'an expired one',
      async (email) => {
        const device = await deviceOf(email);
        later(180 * DAY + 1);
        return device;
      },
    ],
  ])('counts for nothing where it is %s', async (_, make) => {
    const email = await person();
    const device = await make(email);
    await lock(email);
    expect((await signIn(email, { device })).status).toBe(429);
  });

  test('has its own wrong passwords: the same wait, 15 minutes at most, that no other has', async () => {
    const email = await person();
    const device = await deviceOf(email);
    const other = await deviceOf(email);
    for (let nth = 0; nth < 5; nth++) expect((await wrong(email, { device })).status).toBe(401);
    expect(await signIn(email, { device })).toMatchObject({ status: 429, retryAfter: 1 });
    expect((await signIn(email, { device: other })).status).toBe(200);
    expect((await signIn(email, { from: AWAY })).status).toBe(200);
    await api.sql`UPDATE sign_in_tries SET tries = 98`;
    later(1);
    expect((await wrong(email, { device })).status).toBe(401);
    expect((await signIn(email, { device })).retryAfter).toBe(900);
    later(900);
    expect((await signIn(email, { device })).status).toBe(200);
  });

  test('ends after a hundred wrong passwords in a row, also at once', async () => {
    const email = await person();
    const device = await deviceOf(email);
    await wrong(email, { device });
    await api.sql`UPDATE sign_in_tries SET tries = 99`;
    await Promise.all(Array.from({ length: 5 }, () => wrong(email, { device })));
    later(900);
    await lock(email);
    expect((await signIn(email, { device })).status).toBe(429);
    const rows = await api.sql`SELECT FROM devices d JOIN users u ON u.id = d.user_id
      WHERE u.email = ${email}`;
    expect(rows).toHaveLength(0);
  });

  test('signs in 20 times a minute', async () => {
    api.ctx.config.limits['sign-ins-a-minute'] = { most: 2, seconds: 60 };
    const email = await person();
    const device = await deviceOf(email);
    const statuses: number[] = [];
    for (let nth = 0; nth < 3; nth++)
      statuses.push((await signIn(email, { device, from: `10.9.0.${nth}` })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('is one of twenty at most: the one unused for the longest time ends', async () => {
    api.ctx.config.limits['sign-ins-a-minute'] = { most: 1000, seconds: 60 };
    const email = await person();
    const first = await deviceOf(email);
    later(1);
    const second = await deviceOf(email);
    later(1);
    await signIn(email, { device: first });
    for (let nth = 0; nth < 19; nth++) {
      later(1);
      await deviceOf(email);
    }
    await lock(email);
    expect((await signIn(email, { device: second })).status).toBe(429);
    expect((await signIn(email, { device: first })).status).toBe(200);
  });

  test('ends when its user is disabled, for good', async () => {
    const email = await person();
    const device = await deviceOf(email);
    await disableUser(api.ctx, email, false);
    await enableUser(api.ctx, email, false);
    await lock(email);
    expect((await signIn(email, { device })).status).toBe(429);
  });

  test('is deleted once it has expired, and no sooner', async () => {
    await api.sql`TRUNCATE devices`;
    await deviceOf(await person());
    later(179 * DAY);
    const kept = await person();
    await deviceOf(kept);
    await forgetOldDevices(api.ctx);
    later(2 * DAY);
    await forgetOldDevices(api.ctx);
    const rows = await api.sql`SELECT u.email FROM devices d JOIN users u ON u.id = d.user_id`;
    expect(rows).toEqual([{ email: kept }]);
  });

  test.each([7, null, ['x'], 'x'.repeat(255)])(
    '%j is refused as no text of a device',
    async (device) => {
      expect((await signIn(await person(), { device })).status).toBe(422);
    },
  );
});

describe('an address that is locked', () => {
  test('is refused alike from every network, the owner’s too, whether it exists or not', async () => {
    const email = await person();
    expect((await signIn(email, { from: HOME })).status).toBe(200);
    await lock(email);
    await lock('unknown@example.com');
    for (const from of [HOME, AWAY])
      expect(await wrong(email, { from })).toEqual(await wrong('unknown@example.com', { from }));
  });
});
