import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildApp } from '#app/app.ts';
import type { DatabaseTransaction } from '#db/database.ts';
import {
  newAuthenticator,
  type Authenticator,
  type Changes,
  type Creation,
  type Question,
} from '#features/people/passkeys/authenticator.fixture.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { createMetrics } from '#telemetry/metrics.ts';
import { useTestApp, signIn as signInTenant, type TestApp } from '#test/app.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { readMails } from '#test/mails.ts';
import { callOffice, signInStaff, tokenIn } from '#test/office.ts';
import { actOnStaffMember, commandLine } from './members.ts';
import { ORIGIN, staffKeys } from './staff-keys.fixture.ts';
import { addRows, changeRows, findRows } from '#test/rows.ts';

const START = new Date('2026-11-24T15:00:00Z');
let now = START;
const api = useTestApp('demo_template', { clock: { now: () => now } });
const { steps, askOptions, options, addMade, remove, add, proofBy, setUpApp, codeOf } =
  staffKeys(api);
/** The app in the live profile, on the same database. */
let live: TestApp;
beforeAll(async () => {
  const config = { ...api.ctx.config, profile: 'live' as const };
  live = { ...api, app: await buildApp({ ...api.ctx, config, metrics: createMetrics() }) };
});
beforeEach(async () => {
  now = START;
  await forgetTries();
  await api.owner.deleteFrom('staff_passkeys').execute();
  await changeRows(api.owner, 'staff_members', { totp_secret: null });
});
afterAll(() => live.app.close());

/** The waits after wrong passwords, which these tests are not about. */
const forgetTries = () => api.owner.deleteFrom('sign_in_tries').execute();
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};
const addressOf = (who: string) => `${who}@anchor-axle.example`;
const signIn = (who: string, more: object = {}, password = DEMO_PASSWORD) =>
  callOffice(api, 'POST', '/office/sign-in', {
    body: { email: addressOf(who), password, ...more },
  });
const me = (as: string) => callOffice(api, 'GET', '/office/me', { as });
/** What the sign-in asks the passkeys of an account by, after the right password. */
async function ask(who: string): Promise<Question> {
  const { body } = await signIn(who);
  expect(body.state).toBe('secondStepNeeded');
  return body.secondStep.passkey as Question;
}
const mailsTo = async (who: string) =>
  (await readMails(api)).filter(({ to_address }) => to_address === addressOf(who));
const failures = async () =>
  (await findRows(api.owner, 'audit_events', 'id', { kind: 'staff_sign_in_failed' })).length;
const changes = async () =>
  (
    await api.owner
      .selectFrom('audit_events')
      .select('details')
      .where('kind', '=', 'staff_account_changed')
      .orderBy('id')
      .execute()
  ).map(({ details }) => details!.change);

describe('a passkey of a member of staff', () => {
  // asvs 6.3.3
  test('is added after a fresh sign-in and the password, mailed, and demanded from then on', async () => {
    const as = await signInStaff(api, 'clerk');
    const other = await signInStaff(api, 'clerk');
    const { key } = await add(as, '  The office key ');
    expect((await me(as)).body).toMatchObject({ hasSecondStep: true });
    expect((await me(other)).status).toBe(401);
    expect(await steps(as)).toEqual({
      hasApp: false,
      passkeys: [
        {
          id: expect.any(String),
          credentialId: expect.stringMatching(/^[\w-]{20,}$/),
          name: 'The office key',
          createdAt: START.toISOString(),
          lastUsedAt: null,
          isSynced: true,
        },
      ],
      question: expect.objectContaining({ rpId: 'localhost', userVerification: 'required' }),
    });
    expect((await mailsTo('clerk')).at(-1)?.text).toContain(
      'The passkey “The office key” was added to your account in the office',
    );
    expect((await changes()).at(-1)).toBe('passkey added');

    const asked = await signIn('clerk');
    expect([asked.status, asked.headers['set-cookie']]).toEqual([200, undefined]);
    expect(asked.body).toMatchObject({
      state: 'secondStepNeeded',
      me: null,
      secondStep: {
        hasApp: false,
        passkey: { rpId: 'localhost', userVerification: 'required', allowCredentials: [{}] },
      },
    });
    const answer = await signIn('clerk', { passkey: key.get(asked.body.secondStep.passkey) });
    expect([answer.status, answer.body.state]).toEqual([200, 'signedIn']);
    expect((await me(tokenIn(answer)!)).body).toMatchObject({ hasSecondStep: true });
    expect((await steps(as)).passkeys[0]?.lastUsedAt).toBe(START.toISOString());
  });

  test('is next to an authenticator app: either is the second step', async () => {
    const as = await signInStaff(api, 'manager');
    const secret = await setUpApp(as);
    later(1);
    const { key } = await add(as, 'A key', { code: await codeOf(secret) });
    expect(await steps(as)).toMatchObject({ hasApp: true, passkeys: [{ name: 'A key' }] });
    later(1);
    const asked = await signIn('manager');
    expect(asked.body.secondStep).toMatchObject({ hasApp: true, passkey: { rpId: 'localhost' } });
    expect((await signIn('manager', { code: await codeOf(secret) })).body.state).toBe('signedIn');
    const passkey = key.get(asked.body.secondStep.passkey);
    expect((await signIn('manager', { passkey })).body.state).toBe('signedIn');
  });

  test('is not added with a wrong password, nor more than ten minutes after the sign-in', async () => {
    const as = await signInStaff(api, 'clerk');
    expect((await askOptions(as, { password: 'wrong' })).status).toBe(422);
    const made = newAuthenticator(ORIGIN).create(await options(as));
    later(11);
    const late = await askOptions(as);
    expect([late.status, late.body.message]).toEqual([
      403,
      'A passkey is added within 10 minutes of signing in. Please sign in again first.',
    ]);
    expect((await addMade(as, made)).status).toBe(403);
    expect((await steps(as)).passkeys).toEqual([]);
  });

  test('is renamed and removed by its own member only; the removal is mailed and ends other sessions', async () => {
    const as = await signInStaff(api, 'clerk');
    const manager = await signInStaff(api, 'manager');
    const { key, id } = await add(as);
    const rename = (by: string, of = id) =>
      callOffice(api, 'PATCH', `/office/me/passkeys/${of}`, { as: by, body: { name: 'Old key' } });
    expect([(await rename(manager)).status, (await remove(manager, id)).status]).toEqual([
      404, 404,
    ]);
    expect((await rename(as, 'x')).status).toBe(404);
    expect((await rename(as)).body).toMatchObject({ id, name: 'Old key' });
    const asked = await ask('clerk');
    const stolen = await signInStaff(api, 'clerk');
    expect((await remove(as, id, await proofBy(as, key))).body).toMatchObject({
      hasSecondStep: false,
    });
    expect((await remove(as, id)).status).toBe(404);
    expect((await me(stolen)).status).toBe(401);
    expect((await mailsTo('clerk')).at(-1)?.text).toContain('The passkey “Old key” was removed');
    expect((await changes()).at(-1)).toBe('passkey removed');
    const refused = await signIn('clerk', { passkey: key.get(asked) });
    // Without a second step the password is enough again, in the sandbox only.
    expect(refused.body.state).toBe('signedIn');
  });

  test('beyond ten is refused, and so is one that another member has', async () => {
    const as = await signInStaff(api, 'clerk');
    const { key } = await add(as);
    const { credentialId: id } = (await steps(as)).passkeys[0]!;
    const credentialId = Buffer.from(id, 'base64url');
    const manager = await signInStaff(api, 'manager');
    const made = newAuthenticator(ORIGIN).create(await options(manager), { credentialId });
    const taken = await addMade(manager, made);
    expect([taken.status, taken.body.message]).toEqual([422, 'This passkey was added before.']);
    const asked = await options(as, await proofBy(as, key));
    for (let n = 2; n <= 10; n++) await add(as, 'A key', await proofBy(as, key));
    expect((await askOptions(as, await proofBy(as, key))).body.message).toContain('You have 10');
    expect((await addMade(as, newAuthenticator(ORIGIN).create(asked))).status).toBe(422);
  });

  test('of two answers to the same options at once only one is added', async () => {
    const as = await signInStaff(api, 'clerk');
    const asked = await options(as);
    const answers = await Promise.all(
      [1, 2].map(() => addMade(as, newAuthenticator(ORIGIN).create(asked))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect((await steps(as)).passkeys).toHaveLength(1);
  });
});

describe('a new passkey of staff is refused with 422', () => {
  const changed: [string, Changes][] = [
    ['from another origin', { origin: 'https://office.example.net' }],
    ['from another port', { origin: 'http://localhost:3001' }],
    ['of another domain', { rpId: 'example.net' }],
    ['of a device that did not ask for finger, face or code', { flags: 0x01 }],
  ];
  test.each(changed)('%s', async (_, more) => {
    const as = await signInStaff(api, 'clerk');
    const answer = await addMade(as, newAuthenticator(ORIGIN).create(await options(as), more));
    expect([answer.status, answer.body.message]).toEqual([
      422,
      'The passkey could not be verified. Please try again.',
    ]);
    expect((await steps(as)).passkeys).toEqual([]);
  });

  test('that answers the options of another member, of a sign-in, or of a tenant', async () => {
    const as = await signInStaff(api, 'clerk');
    const manager = await signInStaff(api, 'manager');
    const { key } = await add(manager);
    const own = await options(as);
    const { token } = await signInTenant(api, 'dana@example.com');
    const tenants = await api.call('POST', '/users/passkeys/options', { token });
    for (const asked of [
      await options(manager, await proofBy(manager, key)),
      { ...own, challenge: (await ask('manager')).challenge },
      { ...own, challenge: (tenants.body as Creation).challenge },
    ])
      expect((await addMade(as, newAuthenticator(ORIGIN).create(asked))).status).toBe(422);
  });
});

describe('a second step by passkey is refused like a wrong password', () => {
  let key: Authenticator;
  let as: string;
  beforeEach(async () => {
    as = await signInStaff(api, 'clerk');
    ({ key } = await add(as));
  });

  const refused = async (passkey: unknown, who = 'clerk') => {
    const before = await failures();
    const { status, body, headers } = await signIn(who, { passkey });
    expect([status, body.message, headers['set-cookie']]).toEqual([
      401,
      'The email address, password or second step is not right. Please check them and try again.',
      undefined,
    ]);
    expect(await failures()).toBe(before + 1);
  };

  const changed: [string, Changes][] = [
    ['from another origin', { origin: 'https://office.example.net' }],
    ['from another port', { origin: 'http://localhost:3001' }],
    ['of another domain', { rpId: 'example.net' }],
    [
      'signed by another key',
      { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey },
    ],
    ['in the name of another member', { userHandle: randomBytes(16).toString('base64url') }],
    ['that is an answer to the making of a passkey', { type: 'webauthn.create' }],
    ['of a device that did not ask for finger, face or code', { flags: 0x01 }],
    ['by a passkey that no member has', { credentialId: randomBytes(20) }],
  ];
  test.each(changed)('%s', async (_, more) => {
    await refused(key.get(await ask('clerk'), more));
  });

  // spec 10.24
  test('with another member’s passkey', async () => {
    const { key: other } = await add(await signInStaff(api, 'manager'));
    await refused(other.get(await ask('clerk')));
    await refused(other.get(await ask('manager')), 'clerk');
    const own = other.get(await ask('manager'));
    expect((await signIn('manager', { passkey: own })).body.state).toBe('signedIn');
  });

  test('with a wrong password, however right the passkey is', async () => {
    const passkey = key.get(await ask('clerk'));
    expect((await signIn('clerk', { passkey }, 'wrong password')).status).toBe(401);
  });

  // spec 10.24
  test('used twice, at once too', async () => {
    const answer = key.get(await ask('clerk'));
    const answers = await Promise.all([1, 2, 3].map(() => signIn('clerk', { passkey: answer })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    await refused(answer);
  });

  test('older than five minutes, or of no challenge of this office', async () => {
    const asked = await ask('clerk');
    later(6);
    await refused(key.get(asked));
    await refused(key.get({ ...asked, challenge: randomBytes(52).toString('base64url') }));
    const question = await api.call('POST', '/users/passkeys/sign-in-options');
    await refused(key.get(question.body as Question));
    const again = await signInStaff(api, 'clerk');
    const { challenge } = await options(again, await proofBy(again, key));
    await refused(key.get({ ...asked, challenge }));
  });

  test('whose counter went back, as that of a copied key does', async () => {
    const seven = { counter: 7 };
    const asked = await ask('clerk');
    expect((await signIn('clerk', { passkey: key.get(asked, seven) })).status).toBe(200);
    await refused(key.get(await ask('clerk'), seven));
    await forgetTries();
    // Two with the next counter at once are two keys.
    const both = [await ask('clerk'), await ask('clerk')];
    const answers = await Promise.all(
      both.map((one) => signIn('clerk', { passkey: key.get(one, { counter: 8 }) })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test('of a disabled account', async () => {
    const passkey = key.get(await ask('clerk'));
    const { id } = (await me(as)).body;
    await actOnStaffMember(api.ctx, id, 'disable', commandLine('root'));
    expect((await signIn('clerk', { passkey })).status).toBe(401);
    await actOnStaffMember(api.ctx, id, 'enable', commandLine('root'));
    expect((await signIn('clerk', { passkey })).body.state).toBe('signedIn');
  });

  test('by one that was removed, where another one is left', async () => {
    const removed = (await steps(as)).passkeys[0]!.id;
    await add(as, 'Another', await proofBy(as, key));
    const asked = await ask('clerk');
    await remove(as, removed, await proofBy(as, key));
    await refused(key.get(asked));
  });

  test('by a tenant’s passkey, and signs no tenant in', async () => {
    const { token } = await signInTenant(api, 'lee@example.com');
    const phone = newAuthenticator(ORIGIN);
    const made = phone.create(
      (await api.call('POST', '/users/passkeys/options', { token })).body as Creation,
    );
    const body = { name: 'A phone', credential: made };
    expect((await api.call('POST', '/users/passkeys', { token, body })).status).toBe(200);
    await refused(phone.get(await ask('clerk')));
    const question = (await api.call('POST', '/users/passkeys/sign-in-options')).body as Question;
    const credential = key.get(question);
    const answer = await api.call('POST', '/users/passkeys/sign-in', { body: { credential } });
    expect(answer.status).toBe(401);
  });
});

describe('a sign-in that is under way', () => {
  /** Signs in while the change is made under the lock of the account; the change comes first. */
  const during = (body: object, change: (trx: DatabaseTransaction, staffId: string) => unknown) =>
    api.ctx.db.transaction().execute(async (trx) => {
      const { id } = await trx
        .selectFrom('staff_members')
        .select('id')
        .where('email', '=', addressOf('clerk'))
        .forUpdate()
        .executeTakeFirstOrThrow();
      const answer = signIn('clerk', body);
      await untilLockWait(api.owner);
      await change(trx, id);
      return { answer };
    });

  test('by the password only is refused where a second step was set up meanwhile', async () => {
    const { answer } = await during({}, (trx, staff_id) =>
      addRows(trx, 'staff_passkeys', {
        id: randomUUID(),
        staff_id,
        credential_id: randomBytes(20),
        name: 'A key',
        public_key: randomBytes(20),
        counter: 0,
        is_synced: false,
        created_at: now,
        last_used_at: null,
      }),
    );
    expect((await answer).status).toBe(401);
  });

  test('by a passkey is refused where the second step was reset meanwhile', async () => {
    const { key } = await add(await signInStaff(api, 'clerk'));
    const passkey = key.get(await ask('clerk'));
    const { answer } = await during({ passkey }, (trx, id) =>
      trx.deleteFrom('staff_passkeys').where('staff_id', '=', id).execute(),
    );
    expect((await answer).status).toBe(401);
  });
});

describe('the last second step', () => {
  // spec 10.25
  test('cannot be removed in the live profile, and of two removals at once one is refused', async () => {
    const as = await signInStaff(api, 'owner');
    const { key, id } = await add(as);
    /** Each proves its own removal, so that neither takes the other's proof away. */
    const removeOne = async (own: { key: Authenticator; id: string }) =>
      remove(as, own.id, await proofBy(as, own.key), live);
    const refused = await removeOne({ key, id });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'This is your only second step. Add another passkey or an authenticator app first.',
    ]);
    expect((await callOffice(live, 'GET', '/office/staff', { as })).status).toBe(200);
    const other = await add(as, 'Another', await proofBy(as, key));
    const both = await Promise.all([removeOne({ key, id }), removeOne(other)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await steps(as)).passkeys).toHaveLength(1);
  });

  test('can be a passkey that is set up before anything else is answered', async () => {
    const as = await signInStaff(api, 'clerk');
    expect((await callOffice(live, 'GET', '/office/today', { as })).status).toBe(403);
    const asked = (await askOptions(as, {}, live)).body as Creation;
    const answer = await addMade(as, newAuthenticator(ORIGIN).create(asked), 'A key', live);
    expect(answer.body).toMatchObject({ hasSecondStep: true, mustEnrol: false });
    expect((await callOffice(live, 'GET', '/office/tenants', { as })).status).toBe(200);
  });

  // spec 10.25
  test('that is lost is reset by an owner: passkeys go with the sessions, and it is mailed', async () => {
    const as = await signInStaff(api, 'manager');
    const owner = await signInStaff(api, 'owner');
    const { key } = await add(as);
    const unfinished = newAuthenticator(ORIGIN).create(await options(as, await proofBy(as, key)));
    const { id } = (await me(as)).body;
    const row = await callOffice(api, 'GET', `/office/staff/${id}`, { as: owner });
    expect(row.body).toMatchObject({ hasSecondStep: true });
    const reset = await callOffice(api, 'POST', `/office/staff/${id}`, {
      as: owner,
      body: { action: 'resetSecondStep', why: 'Lost the phone', isPreview: false },
    });
    expect(reset.body).toMatchObject({ hasSecondStep: false });
    expect((await addMade(as, unfinished)).status).toBe(401);
    expect((await mailsTo('manager')).at(-1)?.text).toContain('with all its passkeys');
    expect((await signIn('manager')).body.state).toBe('signedIn');
  });
});
