import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '#config/limits.ts';
import { makeFacility } from '#seeds/builders.ts';
import { useTestApp } from '#test/app.ts';
import { makePerson } from '#test/people.ts';
import { findRows } from '#test/rows.ts';

const PASSWORD = 'harbor gate 81';
const [HOME, AWAY] = ['203.0.113.7', '198.51.100.9'];

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
  return addAccount(`person${++people}@example.com`);
}
async function addAccount(email: string): Promise<string> {
  await makePerson(api, facilityId, email, PASSWORD);
  return email;
}

const later = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000));

async function signIn(username: string, password: string, from = HOME) {
  const body = { username, password, locationCode: 'TXDFW03', corporationCode: 'ANCHOR' };
  const { statusCode, headers } = await api.app.inject({
    method: 'POST',
    url: '/api/users/login',
    body,
    remoteAddress: from,
  });
  return { status: statusCode, retryAfter: Number(headers['retry-after']) };
}
const wrong = (username: string, from = HOME) => signIn(username, 'not the password', from);
const mailsTo = async (email: string) =>
  (await findRows(api.owner, 'mails', 'subject', { to_address: email })).map(
    ({ subject }) => subject,
  );

describe('wrong passwords', () => {
  // asvs 6.3.1
  test('must wait from the fifth on, twice as long each time, until a right one', async () => {
    const email = await person();
    for (let tries = 0; tries < 5; tries++) expect((await wrong(email)).status).toBe(401);
    expect(await wrong(email)).toEqual({ status: 429, retryAfter: 1 });
    later(1);
    expect((await wrong(email)).status).toBe(401);
    expect(await signIn(email, PASSWORD)).toEqual({ status: 429, retryAfter: 2 });
    later(2);
    expect((await signIn(email, PASSWORD)).status).toBe(200);
    for (let tries = 0; tries < 5; tries++) expect((await wrong(email)).status).toBe(401);
  });

  test('of an unknown address are refused in the same way', async () => {
    const [email, unknown] = [await person(), 'unknown@example.com'];
    const answers = async (username: string) => {
      const statuses: number[] = [];
      for (let tries = 0; tries < 7; tries++) statuses.push((await wrong(username, AWAY)).status);
      return statuses;
    };
    expect(await answers(unknown)).toEqual(await answers(email));
  });

  test('are counted together under every spelling that is the same address', async () => {
    const email = await addAccount('\u0130will@example.com');
    const spellings = [email, email.toUpperCase(), email.normalize('NFD'), 'iWILL@example.com'];
    for (const spelling of spellings) expect((await signIn(spelling, PASSWORD)).status).toBe(200);
    for (let tries = 0; tries < 5; tries++) expect((await wrong(email, AWAY)).status).toBe(401);
    for (const spelling of spellings)
      expect((await signIn(spelling, PASSWORD, AWAY)).status).toBe(429);
  });

  test('cannot be tried under a name whose letters are only similar to the address', async () => {
    const email = await addAccount('will@example.com');
    expect((await signIn(email.replace('i', '\u0131'), PASSWORD)).status).toBe(401);
  });

  test('at once are limited as those one after the other', async () => {
    const email = await person();
    const answers = await Promise.all(Array.from({ length: 20 }, () => wrong(email, '192.0.2.1')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test('never wait longer than 15 minutes, and after a hundred only a new password helps', async () => {
    const email = await person();
    await wrong(email);
    await api.sql`UPDATE sign_in_tries SET tries = 90`;
    const statuses: number[] = [];
    for (let tries = 0; tries < 13; tries++) {
      statuses.push((await wrong(email, `10.0.${tries}.1`)).status);
      later(900);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.slice(10)).toEqual([429, 429, 429]);
    later(90 * 86_400);
    expect((await signIn(email, PASSWORD)).status).toBe(429);
  });
});

describe('one network', () => {
  // asvs 2.4.1
  test('signs in 20 times a minute and 100 times an hour, under any name', async () => {
    expect(limits['sign-ins-a-minute']).toEqual({ most: 20, seconds: 60 });
    expect(limits['sign-ins-an-hour']).toEqual({ most: 100, seconds: 3600 });
    api.ctx.config.limits['sign-ins-a-minute'] = { most: 2, seconds: 60 };
    api.ctx.config.limits['sign-ins-an-hour'] = { most: 5, seconds: 3600 };
    const statuses: number[] = [];
    for (let minute = 0; minute < 3; minute++) {
      for (let tries = 0; tries < 3; tries++)
        statuses.push((await wrong(`a${minute}-${tries}@example.com`)).status);
      later(60);
    }
    // Refused tries count for the hour as well.
    expect(statuses).toEqual([401, 401, 429, 401, 401, 429, 429, 429, 429]);
    later(3600);
    expect((await wrong('c@example.com')).status).toBe(401);
  });

  test('is a household’s whole IPv6 network, and four in a /56, sixteen in a /48', async () => {
    api.ctx.config.limits['sign-ins-a-minute'] = { most: 1, seconds: 60 };
    const answers = async (from: string[]) => {
      let nth = 0;
      const statuses: number[] = [];
      for (const one of from)
        statuses.push((await wrong(`${one}-${nth++}@example.com`, one)).status);
      return statuses;
    };
    const networks = (count: number, network: (nth: string) => string) =>
      Array.from({ length: count }, (_, nth) => network(nth.toString(16)));
    const looked = (count: number, refused: number) => [
      ...Array.from({ length: count }, () => 401),
      ...Array.from({ length: refused }, () => 429),
    ];
    expect(await answers(networks(2, (nth) => `2001:db8:1:2::${nth}`))).toEqual(looked(1, 1));
    expect(await answers(networks(5, (nth) => `2001:db8:2:${nth}::1`))).toEqual(looked(4, 1));
    expect(await answers(networks(17, (nth) => `2001:db8:3:${nth}00::1`))).toEqual(looked(16, 1));
    expect(await answers(['::ffff:192.0.2.9', '192.0.2.9', '::ffff:c000:209'])).toEqual(
      looked(1, 2),
    );
  });
});

describe('a sign-in from another network', () => {
  // asvs 6.3.5
  test('is mailed to the address on file, the first one and one from a known network are not', async () => {
    const email = await person();
    await signIn(email, PASSWORD);
    await signIn(email, PASSWORD);
    expect(await mailsTo(email)).toEqual([]);
    await signIn(email, PASSWORD, AWAY);
    await signIn(email, PASSWORD, AWAY);
    expect(await mailsTo(email)).toEqual(['A new sign-in to your account']);
  });

  test('from another /64 of the same household is not mailed, from another household it is', async () => {
    const email = await person();
    await signIn(email, PASSWORD, '2001:db8:1:10::1');
    await signIn(email, PASSWORD, '2001:db8:1:1f::1');
    expect(await mailsTo(email)).toEqual([]);
    await signIn(email, PASSWORD, '2001:db8:1:11f::1');
    expect(await mailsTo(email)).toEqual(['A new sign-in to your account']);
  });
});
