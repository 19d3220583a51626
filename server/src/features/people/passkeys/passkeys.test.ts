import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { forgetOldChallenges } from '#features/people/passkeys/challenges.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { useTestApp, signIn, signInByPassword, type SignedIn } from '#test/app.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { mailsTo } from '#test/mails.ts';
import { fromNow, testClock } from '#test/test-day.ts';
import {
  newAuthenticator,
  type Authenticator,
  type Changes,
  type Creation,
  type Question,
} from './authenticator.fixture.ts';
import { changeRows, findRows } from '#test/rows.ts';

const ORIGIN = 'http://localhost:3000';
const MINUTE = 60_000;

const api = useTestApp('demo_template');
let dana: SignedIn;
let lee: SignedIn;
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  lee = await signIn(api, 'lee@example.com');
});

const get = (path: string, { token }: SignedIn = dana) => api.call('GET', path, { token });
const post = (path: string, body?: unknown, { token }: SignedIn = dana) =>
  api.call('POST', path, { token, ...(body !== undefined && { body }) });
const options = async (by?: SignedIn) =>
  (await post('/users/passkeys/options', undefined, by)).body as Creation;
const challenge = async () =>
  (await api.call('POST', '/users/passkeys/sign-in-options')).body as Question;
const signInBy = (credential: unknown, more: object = {}) =>
  api.call('POST', '/users/passkeys/sign-in', { body: { credential, ...more } });
/** A new authenticator with a passkey of the sign-in. */
async function add(by = dana, name = 'A phone'): Promise<{ phone: Authenticator; id: string }> {
  const phone = newAuthenticator(ORIGIN);
  const made = phone.create(await options(by));
  const { status, body } = await post('/users/passkeys', { name, credential: made }, by);
  expect([status, body.name]).toEqual([200, name.trim()]);
  return { phone, id: body.id };
}
/** At another time, as the app's clock says. */
async function at<T>(later: number, act: () => Promise<T>): Promise<T> {
  const now = fromNow(later);
  const clock = vi.spyOn(api.ctx.clock, 'now').mockReturnValue(now);
  try {
    return await act();
  } finally {
    clock.mockRestore();
  }
}

describe('a passkey', () => {
  // spec 7.85
  test('is added after a fresh sign-in, listed, mailed about, and signs in without a password', async () => {
    const { phone, id } = await add(dana, '  Dana’s phone ');
    const { body: listed } = await get('/users/passkeys');
    expect(listed).toEqual([
      {
        id,
        credentialId: expect.stringMatching(/^[\w-]{20,}$/),
        name: 'Dana’s phone',
        createdAt: expect.any(String),
        lastUsedAt: null,
        isSynced: true,
      },
    ]);
    const mails = await mailsTo(api, 'dana@example.com');
    expect(mails.at(-1)).toMatchObject({ subject: 'A passkey was added' });
    expect(mails.at(-1)?.text).toContain('“Dana’s phone”');
    const { status, body } = await signInBy(phone.get(await challenge()));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      token: expect.stringMatching(/^rvt_[\w-]{43}$/),
      locationCode: 'TXDFW03',
      device: expect.stringMatching(/^rdt_/),
    });
    expect(body.tenants.map((tenant: { id: string }) => tenant.id)).toEqual(dana.tenantIds);
    expect((await get(dana.prefix, { ...dana, token: body.token })).status).toBe(200);
    const [used] = (await get('/users/passkeys')).body;
    expect(used.lastUsedAt).not.toBeNull();
  });

  test('has options that ask for a key on the device, and name no secret', async () => {
    const { challenge: one, ...asked } = await options(lee);
    expect(one).not.toBe((await options(lee)).challenge);
    expect(asked).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: 'lee@example.com' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
  });

  // spec 7.85
  test('is renamed and removed by its own user only', async () => {
    const { phone, id } = await add();
    const rename = (by: SignedIn, to = id) =>
      api.call('PATCH', `/users/passkeys/${to}`, { token: by.token, body: { name: 'Old phone' } });
    const remove = (by: SignedIn, which = id) =>
      post(`/users/passkeys/${which}/removal`, undefined, by);
    expect((await rename(lee)).status).toBe(404);
    expect((await remove(lee)).status).toBe(404);
    expect((await rename(dana, 'no id')).status).toBe(404);
    expect((await remove(dana, `${id}'`)).status).toBe(404);
    expect((await rename(dana)).body).toMatchObject({ id, name: 'Old phone' });
    expect((await remove(dana)).status).toBe(200);
    expect((await remove(dana)).status).toBe(404);
    const mails = await mailsTo(api, 'dana@example.com');
    expect(mails.at(-1)).toMatchObject({ subject: 'A passkey was removed' });
    expect((await signInBy(phone.get(await challenge()))).status).toBe(401);
  });

  test('is added within ten minutes of signing in only', async () => {
    const asked = await options();
    const made = newAuthenticator(ORIGIN).create(asked);
    const refused = await at(11 * MINUTE, () => post('/users/passkeys/options'));
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'A passkey is added within 10 minutes of signing in. Please sign in again first.',
    ]);
    const late = await at(11 * MINUTE, () =>
      post('/users/passkeys', { name: 'Late', credential: made }),
    );
    expect(late.status).toBe(422);
  });

  test('beyond ten is refused, and so is one that another sign-in has', async () => {
    const maria = await signIn(api, 'maria@example.com', 'AZPHX01');
    const first = newAuthenticator(ORIGIN);
    const credentialId = randomBytes(20);
    const addOwn = async (by: SignedIn, phone = newAuthenticator(ORIGIN), changes: Changes = {}) =>
      post(
        '/users/passkeys',
        { name: 'One', credential: phone.create(await options(by), changes) },
        by,
      );
    expect((await addOwn(maria, first, { credentialId })).status).toBe(200);
    const taken = await addOwn(lee, newAuthenticator(ORIGIN), { credentialId });
    expect([taken.status, taken.body.message]).toEqual([422, 'This passkey was added before.']);
    const asked = await options(maria);
    for (let n = 2; n <= 10; n++) expect((await addOwn(maria)).status).toBe(200);
    expect((await post('/users/passkeys/options', undefined, maria)).status).toBe(422);
    const credential = newAuthenticator(ORIGIN).create(asked);
    expect((await post('/users/passkeys', { name: 'Eleven', credential }, maria)).status).toBe(422);
  });

  test('of two answers to the same options at once only one is added', async () => {
    const pat = await signIn(api, 'pat@example.com');
    const asked = await options(pat);
    const made = [1, 2].map(() => newAuthenticator(ORIGIN).create(asked));
    const answers = await Promise.all(
      made.map((credential) => post('/users/passkeys', { name: 'Two', credential }, pat)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect((await get('/users/passkeys', pat)).body).toHaveLength(1);
  });
});

describe('a new passkey is refused with 422', () => {
  const changed: [string, Changes][] = [
    ['from another origin', { origin: 'https://portal.example.net' }],
    ['from another port', { origin: 'http://localhost:3001' }],
    ['of another domain', { rpId: 'example.net' }],
    ['that is an answer to a sign-in', { type: 'webauthn.get' }],
    ['of a device that did not ask for finger, face or code', { flags: 0x01 }],
    ['whose id is longer than WebAuthn allows', { credentialId: randomBytes(1024) }],
  ];
  test.each(changed)('%s', async (_, changes) => {
    const before = (await get('/users/passkeys', lee)).body;
    const credential = newAuthenticator(ORIGIN).create(await options(lee), changes);
    const { status, body } = await post('/users/passkeys', { name: 'Bad', credential }, lee);
    expect([status, body.message]).toEqual([
      422,
      'The passkey could not be verified. Please try again.',
    ]);
    expect((await get('/users/passkeys', lee)).body).toEqual(before);
  });

  test('that answers the options of another user, or of a sign-in', async () => {
    const ofDana = await options(dana);
    const ofSignIn = { ...ofDana, challenge: (await challenge()).challenge };
    for (const asked of [ofDana, ofSignIn]) {
      const credential = newAuthenticator(ORIGIN).create(asked);
      expect((await post('/users/passkeys', { name: 'Bad', credential }, lee)).status).toBe(422);
    }
  });

  test('whose bytes mean nothing', async () => {
    const credential = newAuthenticator(ORIGIN).create(await options(lee));
    for (const response of [
      { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
      { ...(credential.response as object), attestationObject: 'oWNmbXRkbm9uZQ' },
    ]) {
      const body = { name: 'Bad', credential: { ...credential, response } };
      expect((await post('/users/passkeys', body, lee)).status).toBe(422);
    }
  });
});

describe('a sign-in by passkey is refused with 401', () => {
  let phone: Authenticator;
  beforeAll(async () => {
    ({ phone } = await add(lee));
  });

  const refused = async (credential: unknown) => {
    const { status, body } = await signInBy(credential);
    expect([status, body.message]).toEqual([
      401,
      'This passkey does not sign in here. Please use your email address and password.',
    ]);
  };

  const changed: [string, Changes][] = [
    ['from another origin', { origin: 'https://portal.example.net' }],
    ['of another domain', { rpId: 'example.net' }],
    [
      'signed by another key',
      { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey },
    ],
    ['in the name of another user', { userHandle: randomBytes(16).toString('base64url') }],
    ['that is an answer to the making of a passkey', { type: 'webauthn.create' }],
    ['of a device that did not ask for finger, face or code', { flags: 0x01 }],
    ['by a passkey that no user has', { credentialId: randomBytes(20) }],
  ];
  test.each(changed)('%s', async (_, changes) => {
    await refused(phone.get(await challenge(), changes));
  });

  // spec 10.16
  test('used twice, at once too', async () => {
    const answer = phone.get(await challenge());
    const answers = await Promise.all([1, 2, 3].map(() => signInBy(answer)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    await refused(answer);
  });

  test('older than five minutes, or of no challenge of this portal', async () => {
    const asked = await challenge();
    await at(6 * MINUTE, () => refused(phone.get(asked)));
    await refused(phone.get({ ...asked, challenge: randomBytes(52).toString('base64url') }));
    await refused(phone.get({ ...asked, challenge: (await options(lee)).challenge }));
  });

  test('whose counter went back, as that of a copied key does', async () => {
    expect((await signInBy(phone.get(await challenge(), { counter: 7 }))).status).toBe(200);
    await refused(phone.get(await challenge(), { counter: 7 }));
    expect((await signInBy(phone.get(await challenge(), { counter: 8 }))).status).toBe(200);
    // Also where the answer of the copy is under way.
    const answer = phone.get(await challenge(), { counter: 9 });
    const { late } = await api.ctx.db.transaction().execute(async (trx) => {
      await changeRows(trx, 'passkeys', { counter: 9 }, { counter: 8 });
      const called = signInBy(answer);
      await untilLockWait(api.owner);
      return { late: called };
    });
    expect((await late).status).toBe(401);
  });

  // spec 10.16
  test('of a disabled user, and of one whose records have another address', async () => {
    const sam = await signIn(api, 'sam@example.com');
    const { phone: key } = await add(sam);
    const setEmail = (email: string) =>
      changeRows(api.owner, 'tenants', { email }, { id: sam.tenantIds[0]! });
    await setEmail('other@example.com');
    await refused(key.get(await challenge()));
    await setEmail('sam@example.com');
    const setDisabled = (disabled_at: Date | null) =>
      changeRows(api.owner, 'users', { disabled_at }, { email: 'sam@example.com' });
    await setDisabled(testClock.now());
    await refused(key.get(await challenge()));
    await setDisabled(null);
    expect((await signInBy(key.get(await challenge()))).status).toBe(200);
  });

  test('neither forgives nor adds to wrong passwords', async () => {
    const wrong = () =>
      api.call('POST', '/users/login', {
        body: {
          username: 'lee@example.com',
          password: 'wrong-password-1',
          locationCode: lee.prefix.split('/').at(-1),
          corporationCode: 'ANCHOR',
        },
      });
    // The wait ends by the clock, which may not run on meanwhile.
    await at(0, async () => {
      for (let n = 0; n < 5; n++) await wrong();
      expect((await wrong()).status).toBe(429);
      expect((await signInBy(phone.get(await challenge(), { counter: 10 }))).status).toBe(200);
      expect((await wrong()).status).toBe(429);
    });
  });

  test('is not refused where passwords have used up the network, and many answers of it wait', async () => {
    const { limits } = api.ctx.config;
    const { 'sign-ins-an-hour': passwords, 'tenant-passkeys-a-minute': passkeys } = limits;
    limits['sign-ins-an-hour'] = { most: 0, seconds: 3600 };
    limits['tenant-passkeys-a-minute'] = { most: 1, seconds: 60 };
    await api.owner.deleteFrom('limit_counts').execute();
    const answers = [];
    for (const counter of [11, 12])
      answers.push((await signInBy(phone.get(await challenge(), { counter }))).status);
    expect(answers).toEqual([200, 429]);
    limits['sign-ins-an-hour'] = passwords;
    limits['tenant-passkeys-a-minute'] = passkeys;
  });
});

describe('the sessions of a sign-in', () => {
  const agent =
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Mobile Safari/537.36';

  // spec 7.86
  test('are listed with their browsers, the caller’s own first, and end one by one', async () => {
    const { body: other } = await api.call('POST', '/users/login', {
      body: {
        username: 'maria@example.com',
        password: DEMO_PASSWORD,
        locationCode: 'AZPHX01',
        corporationCode: 'ANCHOR',
      },
      headers: { 'user-agent': agent },
    });
    const maria = await signInByPassword(api, 'maria@example.com', 'AZPHX01');
    const { body: listed } = await get('/users/sessions', maria);
    expect(listed[0]).toMatchObject({ isCurrent: true });
    const phones = listed.filter((one: { browser: string }) => one.browser === 'Chrome on Android');
    expect(phones).toHaveLength(1);
    const [{ id }] = phones;
    expect(JSON.stringify(listed)).not.toContain(other.token);
    expect((await post(`/users/sessions/${id}/logout`, undefined, dana)).status).toBe(404);
    expect((await post(`/users/sessions/${id}/logout`, undefined, maria)).status).toBe(200);
    expect((await post(`/users/sessions/${id}/logout`, undefined, maria)).status).toBe(404);
    expect((await get('/users/passkeys', { ...maria, token: other.token })).status).toBe(401);
    expect((await get('/users/sessions', maria)).body).toHaveLength(listed.length - 1);
  });

  test('end themselves, as a logout does', async () => {
    const once = await signInByPassword(api, 'pat@example.com');
    const { body } = await get('/users/sessions', once);
    const own = body.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    expect((await post(`/users/sessions/${own.id}/logout`, undefined, once)).status).toBe(200);
    expect((await get('/users/sessions', once)).status).toBe(401);
  });
});

test('used challenges are deleted once they have expired', async () => {
  const count = async () => (await findRows(api.owner, 'used_challenges', 'used_at')).length;
  const before = await count();
  expect(before).toBeGreaterThan(0);
  await forgetOldChallenges(api.ctx);
  expect(await count()).toBe(before);
  await at(61 * MINUTE, () => forgetOldChallenges(api.ctx));
  expect(await count()).toBe(0);
});
