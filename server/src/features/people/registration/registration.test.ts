import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { limits, type Limits } from '#config/limits.ts';
import type { Tables } from '#db/tables.ts';
import { makeCorporation, makeFacility, makeTenant } from '#seeds/builders.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { newAuthenticator } from '#features/people/passkeys/authenticator.fixture.ts';
import { useTestApp, signIn } from '#test/app.ts';
import { setLimits } from '#test/limits.ts';
import { makePerson } from '#test/people.ts';
import { fromNow, testClock } from '#test/test-day.ts';
import { changeRows, findRows } from '#test/rows.ts';

const api = useTestApp('demo_template');
type TenantRow = Omit<Insertable<Tables['tenants']>, 'drivers_license_number'>;
let facilities: { id: string; corporation_id: string; location_code: string }[];
beforeAll(async () => {
  facilities = await findRows(api.owner, 'facilities', ['id', 'corporation_id', 'location_code']);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const corporationCode = 'ANCHOR';
const PASSWORD = 'harbor gate 81';
const HERE = 'TXDFW03';
const NO_LONGER_VALID = 'Your verification is no longer valid. Please look up your account again.';

type Body = Record<string, unknown>;
const post = (path: string, body: Body) =>
  api.call('POST', `/users/${path}`, { body: { corporationCode, ...body } });
const register = (email: unknown, changes: Body = {}) =>
  post('register', { email, locationCode: HERE, ...changes });
const verify = (token: string, code: string, changes: Body = {}) =>
  post('verify', { token, code, ...changes });
const setPassword = (token: string, changes: Body = {}) =>
  post('password-update', { token, password: PASSWORD, ...changes });
const login = (username: string, password: string, locationCode = HERE) =>
  post('login', { username, password, locationCode });

/** Each test has its own addresses and so its own mails. */
let addresses = 0;
const newAddress = (domain = 'example.com') => `person${++addresses}@${domain}`;

const facilityOf = (code: string) =>
  facilities.find(({ location_code }) => location_code === code)!;
const addRecord = (email: string, locationCode = HERE, row: Partial<TenantRow> = {}) =>
  makeTenant(api.owner, { facility_id: facilityOf(locationCode).id, email, ...row });

/** The address of a tenant with no sign-in yet. */
async function newcomer(): Promise<string> {
  const email = newAddress();
  await addRecord(email);
  return email;
}

/** The address of a tenant who signs in with the demo's password. */
async function tenant(): Promise<string> {
  const email = newAddress();
  await makePerson(api, facilityOf(HERE).id, email);
  return email;
}

type Mail = { to: string; subject: string; text: string };
async function mailsTo(email: string): Promise<Mail[]> {
  return (await api.call('GET', `/dev/mailbox?to=${encodeURIComponent(email)}`)).body as Mail[];
}
const newestTo = async (email: string) => (await mailsTo(email))[0]!;

async function start(email: string, changes: Body = {}): Promise<{ token: string; code: string }> {
  const { body } = await register(email, changes);
  return { token: body.token, code: /^\d{8}$/m.exec((await newestTo(email)).text)![0] };
}
async function verified(email: string, changes: Body = {}): Promise<string> {
  const { token, code } = await start(email, changes);
  expect((await verify(token, code)).body).toEqual({ success: true });
  return token;
}

const wrong = (code: string) => (code === '00000000' ? '00000001' : '00000000');
const later = (minutes: number, seconds: number) =>
  vi.spyOn(api.ctx.clock, 'now').mockReturnValue(fromNow((minutes * 60 + seconds) * 1000));
const usersOf = (email: string) =>
  api.owner.selectFrom('users').selectAll().where('email', '=', email).execute();
const lookupsOf = (email: string) =>
  api.owner.selectFrom('account_lookups').selectAll().where('email', '=', email).execute();
async function counts(): Promise<unknown> {
  const rows =
    await api.sql`SELECT (SELECT count(*) FROM mails) AS mails, (SELECT count(*) FROM users) AS users,
    (SELECT string_agg(l::text, ';' ORDER BY l.token_hash) FROM account_lookups l) AS lookups`;
  return rows;
}

describe('registration', () => {
  // spec 1.16, 7.5, 7.7, 7.9, 7.11, 7.12
  // asvs 6.2.2
  test('leads from the lookup and the mailed code to a password that signs in', async () => {
    const { status, body } = await register('newcomer@example.com');
    expect([status, body]).toEqual([200, { token: expect.stringMatching(/^rgt_[\w-]{43}$/) }]);
    const [mail, ...others] = await mailsTo('newcomer@example.com');
    expect([mail!.subject, others]).toEqual(['Your verification code', []]);
    expect(mail!.text).toContain('Anchor & Axle Eagle Mountain');
    const code = /^\d{8}$/m.exec(mail!.text)![0];
    expect((await verify(body.token, code)).body).toEqual({ success: true });
    expect((await setPassword(body.token)).body).toMatchObject({ success: true });
    const session = await login('newcomer@example.com', PASSWORD);
    expect([session.status, session.body.tenants.length]).toEqual([200, 1]);
  });

  test('accepts the email in any case and with spaces around it, and writes to the address on file', async () => {
    const email = await newcomer();
    const { body } = await register(` ${email.toUpperCase()} `);
    const mail = await newestTo(email);
    expect(mail.to).toBe(email);
    await verify(body.token, /^\d{8}$/m.exec(mail.text)![0]);
    await setPassword(body.token);
    expect(await usersOf(email)).toHaveLength(1);
  });

  test('never sends a code to another mailbox whose address only compares as equal', async () => {
    const email = newAddress('kioskman.example');
    await addRecord(email);
    for (const similar of [email.replace('k', '\u212A'), email.replace('i', '\u0130')]) {
      await register(similar);
      const mails = await findRows(api.owner, 'mails', ['subject'], { to_address: [similar] });
      expect([similar, mails]).toEqual([similar, []]);
    }
  });

  // spec 5.65
  test('finds an address in the form of any keyboard, and takes a code as people type it', async () => {
    const email = newAddress('jos\u00E9.example');
    await addRecord(email);
    const { body } = await register(email.normalize('NFD'));
    const [code] = /^\d{8}$/m.exec((await newestTo(email)).text)!;
    const typed = `\u200B${code.slice(0, 4)}\u2013${code.slice(4, 6)} ${String.fromCodePoint(...Array.from(code.slice(6), (digit) => digit.codePointAt(0)! + 0xfee0))}`;
    expect((await verify(body.token, typed)).body).toEqual({ success: true });
    await setPassword(body.token, { password: 'caf\u00E9 harbor 81' });
    expect((await login(email, 'cafe\u0301 harbor 81')).status).toBe(200);
    expect((await login(email.normalize('NFD'), 'caf\u00E9 harbor 81')).status).toBe(200);
  });

  test('names an invisible character in the address', async () => {
    const { status, body } = await register('person\u2060@example.com');
    expect(status).toBe(422);
    expect(body.message).toContain('invisible character (U+2060)');
  });

  test('does not match an address whose letters are only similar to one on file', async () => {
    const email = newAddress('kiosk.example');
    await addRecord(email);
    const similar = email.replace('i', '\u0131');
    const { body } = await register(similar);
    const mails = await findRows(api.owner, 'mails', ['to_address', 'subject'], {
      to_address: [email, similar],
    });
    expect(mails).toEqual([{ to_address: similar, subject: 'Your email address is not on file' }]);
    const { token, code } = await start(email);
    expect((await verify(body.token, code)).body).toEqual({ success: false });
    expect((await verify(token, code)).body).toEqual({ success: true });
  });

  test('links every tenant record of the address at the location, and keeps earlier links', async () => {
    const email = await tenant();
    const added = await addRecord(email.toUpperCase());
    const elsewhere = await addRecord(email, 'AZPHX01');
    const before = (await login(email, DEMO_PASSWORD)).body.tenants;
    expect((await setPassword(await verified(email))).status).toBe(200);
    expect((await login(email, PASSWORD)).body.tenants).toEqual([...before, { id: added }]);
    expect((await login(email, PASSWORD, 'AZPHX01')).status).toBe(401);
    expect((await setPassword(await verified(email, { locationCode: 'AZPHX01' }))).status).toBe(
      200,
    );
    expect((await login(email, PASSWORD, 'AZPHX01')).body.tenants).toEqual([{ id: elsewhere }]);
    expect((await login(email, PASSWORD)).body.tenants).toHaveLength(2);
    expect(await usersOf(email)).toHaveLength(1);
  });

  // asvs 6.5.2
  test('stores neither token nor code, only their hashes', async () => {
    const { token, code } = await start(await newcomer());
    const rows = await api.sql<{ row: string }>`SELECT l::text AS row FROM account_lookups l`;
    const all = rows.map(({ row }) => row).join('\n');
    for (const secret of [token, code])
      for (const text of [secret, Buffer.from(secret).toString('hex')])
        expect(all).not.toContain(text);
  });
});

describe('an address that several records share', () => {
  const office = async () => {
    const email = newAddress();
    const ids: string[] = [];
    for (const first_name of ['Ann', 'Ben', 'Cleo'])
      ids.push(await addRecord(email, HERE, { first_name, last_name: 'Lee' }));
    return { email, ids };
  };
  const SUBJECT = 'Please ask us who may sign in';

  // asvs 8.2.2
  test('reaches no record of another name, and the mail says whom to ask', async () => {
    const { email } = await office();
    const { status, body } = await register(email);
    expect([status, Object.keys(body)]).toEqual([200, ['token']]);
    const { subject, text } = await newestTo(email);
    expect(subject).toBe(SUBJECT);
    expect(text).toContain('(817) 555-0103');
    expect(text).not.toMatch(/\d{8}|Ann|Ben|Cleo/);
    expect(await usersOf(email)).toEqual([]);
  });

  test('reaches the records that staff joined, and no other', async () => {
    const { email, ids } = await office();
    const [ann, ben] = ids;
    for (const id of [ann!, ben!])
      await changeRows(api.owner, 'tenants', { joined_at: testClock.now() }, { id });
    expect((await setPassword(await verified(email))).status).toBe(200);
    const { body } = await login(email, PASSWORD);
    expect(body.tenants).toEqual([ann, ben].toSorted().map((id) => ({ id })));
  });

  test('reaches the records of one person, however the name is spelled', async () => {
    const email = newAddress();
    for (const last_name of ['Muñoz-Lee', 'MUNOZ LEE']) await addRecord(email, HERE, { last_name });
    await addRecord(email, 'AZPHX01', { first_name: 'DANA', last_name: 'Munoz Lee' });
    await setPassword(await verified(email));
    expect((await login(email, PASSWORD)).body.tenants).toHaveLength(2);
  });

  test('of another location counts too, and another operator’s does not', async () => {
    const [email, other] = [newAddress(), newAddress()];
    await addRecord(email);
    await addRecord(email, 'AZPHX01', { first_name: 'Ann' });
    await register(email);
    expect((await newestTo(email)).subject).toBe(SUBJECT);
    const corporation_id = await makeCorporation(api.owner, { code: randomUUID() });
    const facility_id = await makeFacility(api.owner, { corporation_id, location_code: 'ELSE' });
    await makeTenant(api.owner, { facility_id, email: other, first_name: 'Ann' });
    await addRecord(other);
    await start(other);
  });

  test('keeps the record that it signs in to, and gets none that is added to it', async () => {
    const email = await tenant();
    const before = (await login(email, DEMO_PASSWORD)).body.tenants;
    await addRecord(email, HERE, { first_name: 'Ann' });
    expect((await setPassword(await verified(email))).status).toBe(200);
    expect((await login(email, PASSWORD)).body.tenants).toEqual(before);
  });

  test('that a record is given while a registration is under way links nothing', async () => {
    const email = await newcomer();
    const token = await verified(email);
    await addRecord(email, HERE, { first_name: 'Ann' });
    const { status, body } = await setPassword(token);
    expect([status, body]).toEqual([422, { message: NO_LONGER_VALID }]);
    expect(await usersOf(email)).toEqual([]);
  });
});

describe('account lookup', () => {
  // asvs 6.3.8
  test('answers alike for 20 known, shared and unknown addresses; only the mail differs', async () => {
    const known = Array.from({ length: 20 }, () => newAddress());
    const shared = Array.from({ length: 20 }, () => newAddress());
    const unknown = Array.from({ length: 20 }, () => newAddress());
    for (const email of [...known, ...shared]) await addRecord(email);
    for (const email of shared) await addRecord(email, HERE, { first_name: 'Ann' });
    const answers: Awaited<ReturnType<typeof register>>[] = [];
    for (const [index] of known.entries())
      for (const list of [known, shared, unknown]) answers.push(await register(list[index]!));

    const shapes = answers.map(({ status, headers, text, body }) => {
      const { date: _, ...same } = headers;
      return JSON.stringify([
        status,
        same,
        text.replace(String(body.token), 'token'),
        String(body.token).length,
      ]);
    });
    expect(new Set(shapes).size).toBe(1);
    expect(new Set(answers.map(({ body }) => String(body.token))).size).toBe(60);
    for (const email of [...known, ...shared, ...unknown])
      expect(await lookupsOf(email)).toHaveLength(1);
    for (const email of known)
      expect((await newestTo(email)).subject).toBe('Your verification code');
    for (const email of shared)
      expect((await newestTo(email)).subject).toBe('Please ask us who may sign in');
    for (const email of unknown)
      expect((await newestTo(email)).subject).toBe('Your email address is not on file');
  });

  test('mails an address that is not on file the facility’s phone, and no code', async () => {
    const email = newAddress();
    await register(email);
    const { text } = await newestTo(email);
    expect(text).toContain('not on file at Anchor & Axle Eagle Mountain');
    expect(text).toContain('(817) 555-0103');
    expect(text).not.toMatch(/\d{8}/);
  });

  test('knows an address only at the location that has it on file', async () => {
    await register('maria@example.com');
    expect((await newestTo('maria@example.com')).subject).toBe('Your email address is not on file');
    await register('maria@example.com', { locationCode: 'AZPHX01' });
    expect((await newestTo('maria@example.com')).subject).toBe('Your verification code');
  });

  test('treats a disabled user like an unknown address, who stays disabled', async () => {
    const email = await tenant();
    const token = await verified(email);
    await changeRows(api.owner, 'users', { disabled_at: testClock.now() }, { email });
    const before = await usersOf(email);
    expect((await setPassword(token)).status).toBe(422);
    await register(email);
    expect((await newestTo(email)).subject).toBe('Your email address is not on file');
    expect(await usersOf(email)).toEqual(before);
  });

  // spec 7.8
  test.each([
    { locationCode: 'NOWHERE' },
    { corporationCode: 'OTHER' },
    { locationCode: "' OR 1=1 --" },
  ])('refuses a location that is not the operator’s, and writes nothing: %j', async (changes) => {
    const before = await counts();
    const { status, body } = await register(await newcomer(), changes);
    expect([status, body]).toEqual([422, { message: 'That location is not one of ours.' }]);
    expect(await counts()).toEqual(before);
  });

  test('of a stranger does not end the code in flight: each works with its own token', async () => {
    const email = await newcomer();
    const [first, second] = [await start(email), await start(email.toUpperCase())];
    expect(second.token).not.toBe(first.token);
    expect((await verify(first.token, wrong(first.code))).body).toEqual({ success: false });
    for (const [one, other] of [[first, second] as const, [second, first] as const])
      expect((await verify(one.token, other.code)).body).toEqual({
        success: one.code === other.code,
      });
    expect((await verify(second.token, second.code)).body).toEqual({ success: true });
    expect((await verify(first.token, first.code)).body).toEqual({ success: true });
  });

  test('keeps three open side by side, also of lookups at once: the oldest of more ends', async () => {
    const email = await newcomer();
    const all = [];
    for (let nth = 0; nth < 4; nth++) all.push(await start(email));
    expect(await lookupsOf(email)).toHaveLength(3);
    const answers = [];
    for (const { token, code } of all) answers.push((await verify(token, code)).body.success);
    expect(answers).toEqual([false, true, true, true]);
    const other = await newcomer();
    await Promise.all(Array.from({ length: 20 }, () => register(other)));
    expect(await lookupsOf(other)).toHaveLength(3);
  });

  // spec 4.15
  test('with the token of an open one replaces that one only', async () => {
    const email = await newcomer();
    const [strangers, own] = [await start(email), await start(email)];
    const again = await start(email, { token: own.token });
    expect(await lookupsOf(email)).toHaveLength(2);
    expect((await verify(own.token, own.code)).body).toEqual({ success: false });
    expect((await verify(strangers.token, strangers.code)).body).toEqual({ success: true });
    expect((await verify(again.token, again.code)).body).toEqual({ success: true });
  });

  test('with another address’s token, or a verified one, ends neither', async () => {
    const [email, other] = [await newcomer(), await newcomer()];
    const others = await start(other);
    const own = await verified(email);
    await register(email, { token: others.token });
    await register(email, { token: own });
    expect((await verify(others.token, others.code)).body).toEqual({ success: true });
    expect((await setPassword(own)).status).toBe(200);
  });

  test('again has five tries of its own, and keeps a verified token, until one sets a password', async () => {
    const email = await newcomer();
    const token = await verified(email);
    const next = await start(email);
    for (let count = 0; count < 4; count++) await verify(next.token, wrong(next.code));
    expect((await verify(next.token, next.code)).body).toEqual({ success: true });
    const open = await start(email);
    expect((await setPassword(token)).status).toBe(200);
    expect((await setPassword(next.token)).body).toEqual({ message: NO_LONGER_VALID });
    expect((await verify(open.token, open.code)).body).toEqual({ success: false });
    expect(await lookupsOf(email)).toEqual([]);
  });
});

describe('verifying', () => {
  // spec 7.11
  test('answers success false for a wrong code, and the right one still works in the fifth try', async () => {
    const { token, code } = await start(await newcomer());
    for (const tried of [wrong(code), 'abc', code.slice(1), `${code}0`]) {
      const { status, body } = await verify(token, tried);
      expect([status, body]).toEqual([200, { success: false }]);
    }
    expect((await verify(token, code)).body).toEqual({ success: true });
  });

  test('the sixth try with the right code fails', async () => {
    const { token, code } = await start(await newcomer());
    for (let count = 0; count < 5; count++)
      expect((await verify(token, wrong(code))).body).toEqual({ success: false });
    expect((await verify(token, code)).body).toEqual({ success: false });
    expect((await setPassword(token)).status).toBe(422);
  });

  test('counts tries that come at once: five wrong ones use the code up', async () => {
    const email = await newcomer();
    const { token, code } = await start(email);
    await Promise.all(Array.from({ length: 20 }, () => verify(token, wrong(code))));
    expect((await lookupsOf(email))[0]!.tries).toBe(5);
    expect((await verify(token, code)).body).toEqual({ success: false });
  });

  // asvs 6.5.1
  test('of 50 uses of the right code at once one succeeds', async () => {
    const { token, code } = await start(await newcomer());
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(token, code)));
    expect(answers.filter(({ body }) => body.success === true)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  // asvs 6.4.1, 6.5.5
  test.each([
    [9, 59, true],
    [10, 1, false],
  ])(
    'a code is valid for 10 minutes: after %i minutes and %i seconds %s',
    async (minutes, seconds, success) => {
      const { token, code } = await start(await newcomer());
      later(minutes, seconds);
      expect((await verify(token, code)).body).toEqual({ success });
    },
  );

  // asvs 6.6.2
  test('a code fits its own token only', async () => {
    const [mine, other] = [await start(await newcomer()), await start(await newcomer())];
    expect((await verify(mine.token, other.code)).body).toEqual({
      success: mine.code === other.code,
    });
    expect((await verify(other.token, mine.code)).body).toEqual({
      success: mine.code === other.code,
    });
    expect((await verify(mine.token, mine.code)).body).toEqual({
      success: mine.code !== other.code,
    });
  });

  test('the corporation must be the token’s', async () => {
    const { token, code } = await start(await newcomer());
    const { status, body } = await verify(token, code, { corporationCode: 'OTHER' });
    expect([status, body]).toEqual([200, { success: false }]);
    expect((await verify(token, code)).body).toEqual({ success: true });
  });

  test.each(['', 'rgt_nothing', 'x'.repeat(5000), "' OR 1=1 --"])(
    'an invalid token is no error: %s',
    async (token) => {
      const { status, body } = await verify(token, '00000000');
      expect([status, body]).toEqual([200, { success: false }]);
    },
  );

  test('an address that is not on file has no code', async () => {
    const { body } = await register(newAddress());
    expect((await verify(body.token, '00000000')).body).toEqual({ success: false });
    expect((await setPassword(body.token)).body).toEqual({ message: NO_LONGER_VALID });
  });

  test('a session token is no registration token, and the reverse', async () => {
    const dana = await signIn(api, 'dana@example.com');
    const { token, code } = await start(await newcomer());
    expect((await verify(dana.token, code)).body).toEqual({ success: false });
    await verify(token, code);
    expect((await api.call('GET', dana.prefix, { token })).status).toBe(401);
  });
});

describe('setting the password', () => {
  // asvs 2.3.1, 6.2.3
  test('needs the verification step', async () => {
    const email = await newcomer();
    const { token } = await start(email);
    const { status, body } = await setPassword(token);
    expect([status, body]).toEqual([422, { message: NO_LONGER_VALID }]);
    expect(await usersOf(email)).toEqual([]);
  });

  test.each([
    [14, 59, 200],
    [15, 1, 422],
  ])(
    'needs a token not older than 15 minutes: after %i minutes and %i seconds %i',
    async (minutes, seconds, status) => {
      const token = await verified(await newcomer());
      later(minutes, seconds);
      expect((await setPassword(token)).status).toBe(status);
    },
  );

  test('a token is valid once, also for 50 uses at the same time', async () => {
    const email = await newcomer();
    const token = await verified(email);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        setPassword(token, { password: `harbor gate ${index}!` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(49);
    expect((await setPassword(token)).status).toBe(422);
    expect(await usersOf(email)).toHaveLength(1);
    const notices = (await mailsTo(email)).filter(
      ({ subject }) => subject === 'Welcome to your account',
    );
    expect(notices).toHaveLength(1);
  });

  test('with tokens of two locations at once: the first ends the other', async () => {
    const email = await newcomer();
    await addRecord(email, 'AZPHX01');
    const tokens = [await verified(email), await verified(email, { locationCode: 'AZPHX01' })];
    const answers = await Promise.all(tokens.map((token) => setPassword(token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test('the corporation must be the token’s', async () => {
    const token = await verified(await newcomer());
    expect((await setPassword(token, { corporationCode: 'OTHER' })).body).toEqual({
      message: NO_LONGER_VALID,
    });
    expect((await setPassword(token)).status).toBe(200);
  });

  // spec 10.11
  test('removes the private calendars of the user and no other’s', async () => {
    const [email, other] = [await tenant(), await tenant()];
    const urlOf = async (address: string) => {
      const { token, prefix, tenantIds } = await signIn(api, address);
      const path = `${prefix}/tenants/${tenantIds[0]}/calendar-feed`;
      return (await api.call('POST', path, { token })).body.url as string;
    };
    const urls = [await urlOf(email), await urlOf(other)];
    expect((await setPassword(await verified(email))).status).toBe(200);
    const answers = await Promise.all(
      urls.map((url) => api.app.inject({ url: new URL(url).pathname })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 200]);
    expect(await urlOf(email)).not.toBe(urls[0]);
  });

  test('removes the passkeys of the user and no other’s', async () => {
    const [email, other] = [await tenant(), await tenant()];
    const listed = async (address: string) =>
      (await api.call('GET', '/users/passkeys', { token: (await signIn(api, address)).token }))
        .body as unknown[];
    for (const address of [email, other]) {
      const { token } = await signIn(api, address);
      const { body: options } = await api.call('POST', '/users/passkeys/options', { token });
      const credential = newAuthenticator(api.ctx.config.publicUrl).create(options);
      const body = { name: 'A phone', credential };
      expect((await api.call('POST', '/users/passkeys', { token, body })).status).toBe(200);
    }
    expect((await setPassword(await verified(email))).status).toBe(200);
    expect([await listed(email), await listed(other)]).toEqual([[], [expect.anything()]]);
  });

  // asvs 6.4.3, 7.4.3
  test('ends every session of the user and no other’s, and the old password', async () => {
    const email = await tenant();
    const sessions = [await signIn(api, email), await signIn(api, email)];
    const lee = await signIn(api, 'lee@example.com');
    expect((await setPassword(await verified(email))).status).toBe(200);
    for (const { prefix, token } of sessions)
      expect((await api.call('GET', prefix, { token })).status).toBe(401);
    expect((await api.call('GET', lee.prefix, lee)).status).toBe(200);
    expect((await login(email, DEMO_PASSWORD)).status).toBe(401);
    expect((await login(email, PASSWORD)).status).toBe(200);
  });

  test('leaves no session of the old password behind, also of sign-ins at the same time', async () => {
    const email = await tenant();
    for (let round = 0; round < 5; round++) {
      const token = await verified(email);
      const old = round === 0 ? DEMO_PASSWORD : `harbor gate ${round}`;
      const [changed, ...logins] = await Promise.all([
        setPassword(token, { password: `harbor gate ${round + 1}` }),
        ...Array.from({ length: 4 }, () => login(email, old)),
      ]);
      expect(changed.status).toBe(200);
      for (const { body } of logins.filter(({ status }) => status === 200))
        expect((await api.call('GET', '/corporations/ANCHOR/locations/TXDFW03', body)).status).toBe(
          401,
        );
    }
  });

  test('ends every open registration of the address, and no other’s', async () => {
    const [email, other] = [await newcomer(), await newcomer()];
    await addRecord(email, 'AZPHX01');
    await start(other);
    await start(email, { locationCode: 'AZPHX01' });
    expect((await setPassword(await verified(email))).status).toBe(200);
    expect([await lookupsOf(email), await lookupsOf(other)]).toEqual([[], [expect.anything()]]);
  });

  test('answers a device token, with which the owner signs in while strangers hold the account up', async () => {
    const email = await tenant();
    const held = async (device: unknown) => {
      for (let nth = 0; nth < 6; nth++) await login(email, 'not the password');
      expect((await login(email, PASSWORD)).status).toBe(429);
      const body = { username: email, password: PASSWORD, locationCode: HERE, device };
      return (await post('login', body)).status;
    };
    const { device } = (await setPassword(await verified(email))).body;
    expect(device).toMatch(/^rdt_[\w-]{43}$/);
    expect(await held(device)).toBe(200);
    const again = (await setPassword(await verified(email), { device })).body;
    expect(again.device).toBe(device);
    expect(await held(device)).toBe(200);
    const others = (await setPassword(await verified(await tenant()), { device })).body;
    expect(others.device).not.toBe(device);
  });

  // asvs 6.3.7
  test('mails a notice, and keeps autopay', async () => {
    const autopays = () =>
      api.owner.selectFrom('autopays').selectAll().orderBy('ledger_id').execute();
    const before = await autopays();
    await setPassword(await verified('pat@example.com'));
    const notice = await newestTo('pat@example.com');
    expect(notice.subject).toBe('Your password was changed');
    expect(notice.text).toContain('(817) 555-0103');
    expect(await autopays()).toEqual(before);
  });

  test('welcomes a newcomer, in place of the notice of a change', async () => {
    const email = await newcomer();
    await setPassword(await verified(email));
    const mail = await newestTo(email);
    expect(mail.subject).toBe('Welcome to your account');
    expect(mail.text).not.toMatch(/changed|signed out/);
    await setPassword(await verified(email));
    expect((await newestTo(email)).subject).toBe('Your password was changed');
  });

  // asvs 6.2.5, 6.2.8
  test('keeps a password exactly: spaces, case and every character count', async () => {
    const email = await newcomer();
    const password = ' Ünï 🚤 pass ';
    await setPassword(await verified(email), { password });
    expect((await login(email, password)).status).toBe(200);
    expect((await login(email, password.trim())).status).toBe(401);
    expect((await login(email, password.toLowerCase())).status).toBe(401);
  });

  // spec 5.12, 9.3
  // asvs 6.2.1, 6.2.9
  test.each([
    ['🚤'.repeat(20), 200],
    ['🚤'.repeat(21), 422],
    ['🚤'.repeat(8), 200],
    ['🚤'.repeat(7), 422],
  ])('counts characters, 8 to 20: %s is answered with %i', async (password, status) => {
    expect((await setPassword(await verified(await newcomer()), { password })).status).toBe(status);
  });

  const tooClose =
    'This password is too close to your email address, the city or our name. Please choose another.';
  test.each([
    ['qwerty123', 'This password is one of the most common ones. Please choose another.'],
    ['marina-dock1', tooClose],
    ['fort-worth-26', tooClose],
    [DEMO_PASSWORD, tooClose],
  ])(
    'refuses %s in a sentence, and the token is still valid for another',
    async (password, message) => {
      const email = `marina.dock${++addresses}@example.com`;
      await addRecord(email);
      const token = await verified(email);
      const refused = await setPassword(token, { password });
      expect([refused.status, refused.body]).toEqual([422, { message }]);
      expect(await usersOf(email)).toEqual([]);
      expect((await setPassword(token)).status).toBe(200);
    },
  );
});

describe('a body that cannot be used is refused in a sentence, and nothing is written', () => {
  const notText = [undefined, null, 7, true, ['x'], { a: 1 }];
  const rows = (field: string, values: unknown[], message: string) =>
    values.map((value) => [field, value, message] as const);
  const corporations = rows(
    'corporationCode',
    [...notText, '', ' '],
    'Corporation code is required.',
  );

  // spec 1.18, 5.8, 5.9, 7.6, 7.8
  test.each([
    ...rows('email', [...notText, '', '  '], 'Email Address is required.'),
    ...rows(
      'email',
      [
        'dana',
        'dana@',
        'a@b@c.example',
        'a b@example.com',
        'a@example.com,b@example.com',
        '<a@example.com>',
        'a@example.com\r\nBcc: b@example.com',
      ],
      'Email Address must look like name@example.com.',
    ),
    ...rows('email', [`${'x'.repeat(250)}@example.com`], 'Email Address is too long.'),
    ...rows('email', ['a\0b@example.com'], 'The request holds a character that cannot be used.'),
    ...rows('locationCode', [...notText, '', ' '], 'Location is required.'),
    ...rows('locationCode', ['x'.repeat(101)], 'Location is too long.'),
    ...rows('token', notText.slice(1), 'The token must be text.'),
    ...rows('token', ['x'.repeat(101)], 'The token is too long.'),
    ...rows('device', notText.slice(1), 'The device token must be text.'),
    ...corporations,
  ])('register: %s %j', async (field, value, message) => {
    const before = await counts();
    const { status, body } = await register('newcomer@example.com', { [field]: value });
    expect([status, body]).toEqual([422, { message }]);
    expect(await counts()).toEqual(before);
  });

  describe('with a token', () => {
    let open: { token: string; code: string };
    let token: string;
    beforeAll(async () => {
      open = await start(await newcomer());
      token = await verified(await newcomer());
    });

    // spec 1.20, 5.10, 7.10
    test.each([
      ...rows('token', notText, 'Token is required.'),
      ...rows('code', [...notText, ''], 'Verification Code is required.'),
      ...corporations,
    ])('verify: %s %j', async (field, value, message) => {
      const before = await counts();
      const { status, body } = await verify(open.token, open.code, { [field]: value });
      expect([status, body]).toEqual([422, { message }]);
      expect(await counts()).toEqual(before);
    });

    // spec 1.19, 5.11, 5.14, 7.13
    test.each([
      ...rows('token', notText, 'Token is required.'),
      ...rows('password', [...notText, ''], 'Password is required.'),
      ...rows('password', ['1234567', 'x'], 'Password must have at least 8 characters.'),
      ...rows(
        'password',
        ['x'.repeat(21), 'x'.repeat(5000)],
        'Password must have at most 20 characters.',
      ),
      ...corporations,
    ])('password-update: %s %j', async (field, value, message) => {
      const before = await counts();
      const { status, body } = await setPassword(token, { [field]: value });
      expect([status, body]).toEqual([422, { message }]);
      expect(await counts()).toEqual(before);
    });
  });
});

describe('limits of account lookup', () => {
  const limited = (numbers: Partial<Limits>) => setLimits(api, numbers);

  const messageOf = ({ status, body }: { status: number; body: Body }) => [status, body['message']];

  test('three codes in ten minutes go to an address, whether it is on file or not, with any device', async () => {
    expect(limits['codes-in-ten-minutes']).toEqual({ most: 3, seconds: 600 });
    await limited({ 'codes-in-ten-minutes': limits['codes-in-ten-minutes'] });
    const device = `rdt_${'A'.repeat(43)}`;
    const answers = async (email: string) => {
      const all = [];
      for (let nth = 0; nth < 4; nth++)
        all.push(await register(nth === 1 ? email.toUpperCase() : email, { device }));
      return all.map(messageOf);
    };
    const known = await answers(await newcomer());
    expect(known.map(([status]) => status)).toEqual([200, 200, 200, 429]);
    expect(await answers(newAddress())).toEqual(known);
  });

  test('three codes also of a hundred lookups at once, from as many networks', async () => {
    await limited({ 'codes-in-ten-minutes': limits['codes-in-ten-minutes'] });
    const email = await newcomer();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, nth) =>
        api.app.inject({
          method: 'POST',
          url: '/api/users/register',
          body: { email, corporationCode, locationCode: HERE },
          remoteAddress: `10.0.${nth}.1`,
        }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      ...Array<number>(3).fill(200),
      ...Array<number>(97).fill(429),
    ]);
    expect(await lookupsOf(email)).toHaveLength(3);
    const mails = await mailsTo(email);
    expect(mails.map(({ subject }) => subject)).toEqual(
      Array<string>(3).fill('Your verification code'),
    );
    const { token } = answers.find(({ statusCode }) => statusCode === 200)!.json<Body>();
    const codes = mails.map(({ text }) => /^\d{8}$/m.exec(text)![0]);
    const tries = await Promise.all(
      Array.from({ length: 100 }, (_, nth) => verify(token as string, codes[nth % 3]!)),
    );
    const right = tries.filter(({ body }) => body.success === true).length;
    expect(right).toBeLessThanOrEqual(1);
  });

  describe('for an account', () => {
    const [HOME, AWAY, ELSEWHERE, THIRD] = [
      '203.0.113.7',
      '198.51.100.9',
      '192.0.2.77',
      '192.0.2.78',
    ];
    let now: Date;
    const from = async (remoteAddress: string, path: string, body: Body) => {
      const {
        statusCode,
        body: text,
        headers,
      } = await api.app.inject({
        method: 'POST',
        url: `/api/users/${path}`,
        body: { corporationCode, locationCode: HERE, ...body },
        remoteAddress,
      });
      return {
        status: statusCode,
        body: JSON.parse(text) as Body,
        wait: Number(headers['retry-after']),
      };
    };
    const pass = (minutes: number) => {
      now = new Date(now.getTime() + minutes * 60_000);
    };
    /** Requests this many codes, each in the next window of ten minutes; answers the statuses. */
    const ask = async (remoteAddress: string, times: number, body: Body) => {
      const statuses: number[] = [];
      for (let nth = 0; nth < times; nth++) {
        pass(10);
        statuses.push((await from(remoteAddress, 'register', body)).status);
      }
      return statuses;
    };
    const deviceOf = async (email: string) =>
      (await from(HOME, 'login', { username: email, password: DEMO_PASSWORD })).body['device'];
    const many = (count: number, status: number) => Array.from({ length: count }, () => status);
    const [SENT, REFUSED] = [200, 429];

    beforeEach(async () => {
      now = testClock.now();
      vi.spyOn(api.ctx.clock, 'now').mockImplementation(() => now);
      const { 'lookups-a-minute': a, 'lookups-an-hour': b, 'code-tries-a-minute': c } = limits;
      const { 'codes-in-ten-minutes': d, 'codes-an-hour': e } = limits;
      await limited({
        'lookups-a-minute': a,
        'lookups-an-hour': b,
        'code-tries-a-minute': c,
        'codes-in-ten-minutes': d,
        'codes-an-hour': e,
        'codes-an-hour-from-a-network': limits['codes-an-hour-from-a-network'],
      });
    });

    // asvs 6.6.3
    test('five codes an hour, two of them to one network, at all locations together', async () => {
      const email = await tenant();
      expect(await ask(AWAY, 3, { email })).toEqual([SENT, SENT, REFUSED]);
      expect(await ask(ELSEWHERE, 3, { email, locationCode: 'AZPHX01' })).toEqual([
        ...many(2, SENT),
        REFUSED,
      ]);
      pass(-50);
      expect(await ask(THIRD, 2, { email })).toEqual([SENT, REFUSED]);
    });

    test('ten lookups from two addresses do not keep another network from its code', async () => {
      const email = await tenant();
      for (const network of [AWAY, ELSEWHERE])
        for (let nth = 0; nth < 5; nth++) await from(network, 'register', { email });
      pass(10);
      expect((await from(HOME, 'register', { email })).status).toBe(SENT);
    });

    test('the /64s of one customer are one network', async () => {
      const email = await tenant();
      for (let nth = 0; nth < 9; nth++) await ask(`2001:db8:1:${nth}00::1`, 1, { email });
      pass(-80);
      expect(await ask(HOME, 1, { email })).toEqual([SENT]);
      expect(await lookupsOf(email)).toHaveLength(3);
    });

    test.each(['known', 'unknown'])(
      'of a %s address is refused for an hour at most',
      async (which) => {
        const email = which === 'known' ? await tenant() : newAddress();
        for (const network of [AWAY, ELSEWHERE, THIRD])
          for (let nth = 0; nth < 2; nth++) {
            pass(5);
            await from(network, 'register', { email });
          }
        pass(10);
        const { status, wait } = await from(HOME, 'register', { email });
        expect([status, wait]).toEqual([REFUSED, 1500]);
        pass(25);
        expect((await from(HOME, 'register', { email })).status).toBe(SENT);
      },
    );

    test('lookups of strangers keep a device of the account from nothing, from anywhere', async () => {
      const email = await tenant();
      const device = await deviceOf(email);
      const { token } = (await from(AWAY, 'register', { email, device })).body;
      const code = /^\d{8}$/m.exec((await newestTo(email)).text)![0];
      // From the owner's own network too, which they use up.
      for (let nth = 0; nth < 25; nth++) await from(AWAY, 'register', { email });
      for (const network of [HOME, ELSEWHERE, THIRD]) await ask(network, 3, { email });
      pass(-90);
      for (let nth = 0; nth < 61; nth++) await from(AWAY, 'verify', { token: 'x', code });
      expect((await from(AWAY, 'verify', { token: 'x', code })).status).toBe(REFUSED);
      expect((await from(AWAY, 'register', { email })).status).toBe(REFUSED);
      expect((await from(AWAY, 'verify', { token, code })).body).toEqual({ success: true });
      expect((await from(AWAY, 'register', { email, device })).status).toBe(SENT);
    });

    test('a device has three codes in ten minutes, and never waits longer', async () => {
      const email = await tenant();
      const device = await deviceOf(email);
      for (let window = 0; window < 8; window++) {
        for (let nth = 0; nth < 3; nth++)
          expect((await from(AWAY, 'register', { email, device })).status).toBe(SENT);
        const refused = await from(AWAY, 'register', { email, device });
        expect(refused).toMatchObject({ status: REFUSED, wait: 600 });
        pass(10);
      }
    });

    test('a device of another account counts for nothing', async () => {
      const [email, other] = [await tenant(), await tenant()];
      const device = await deviceOf(other);
      expect(await ask(AWAY, 3, { email, device })).toEqual([SENT, SENT, REFUSED]);
    });

    test('what was refused does not count', async () => {
      const email = await tenant();
      for (const network of [AWAY, AWAY, THIRD])
        expect((await from(network, 'register', { email })).status).toBe(SENT);
      const atOnce = await Promise.all(
        Array.from({ length: 20 }, () => from(ELSEWHERE, 'register', { email })),
      );
      expect(new Set(atOnce.map(({ status }) => status))).toEqual(new Set([REFUSED]));
      expect(await ask(ELSEWHERE, 3, { email })).toEqual([SENT, SENT, REFUSED]);
    });
  });

  test('a network looks up and tries dead tokens a limited number of times a minute, and open ones all the same', async () => {
    await limited({
      'lookups-a-minute': { most: 3, seconds: 60 },
      'code-tries-a-minute': { most: 2, seconds: 60 },
    });
    const { token, code } = await start(await newcomer());
    const lookups = [
      await register(newAddress()),
      await register(newAddress()),
      await register(newAddress()),
    ];
    expect(lookups.map(({ status }) => status)).toEqual([200, 200, 429]);
    const tries = [
      await verify('rgt_none', '1'),
      await verify('rgt_none', '2'),
      await verify('rgt_none', '3'),
    ];
    expect(tries.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect((await verify(token, code)).body).toEqual({ success: true });
  });
});
