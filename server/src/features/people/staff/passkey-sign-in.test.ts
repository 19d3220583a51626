import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  newAuthenticator,
  type Authenticator,
  type Changes,
  type Creation,
  type Question,
} from '#features/people/passkeys/authenticator.fixture.ts';
import { DEVICE_COOKIE } from '#http/staff-guard.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { answerOf, signIn as signInTenant, useTestApp } from '#test/app.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, deviceIn, OFFICE_PAGE, signInStaff, tokenIn } from '#test/office.ts';
import { findRows, getRow } from '#test/rows.ts';
import { actOnStaffMember, commandLine } from './members.ts';
import { ORIGIN, staffKeys } from './staff-keys.fixture.ts';

const START = new Date('2026-11-24T15:00:00Z');
const CLERK = 'clerk@anchor-axle.example';
let now = START;
const api = useTestApp('demo_template', { clock: { now: () => now } });
const { add, remove, proofBy, options, setUpApp } = staffKeys(api);
let as: string;
let key: Authenticator;
let id: string;
beforeEach(async () => {
  now = START;
  for (const table of [
    'sign_in_tries',
    'known_networks',
    'limit_counts',
    'staff_passkeys',
  ] as const)
    await api.owner.deleteFrom(table).execute();
  as = await signInStaff(api, 'clerk');
  ({ key, id } = await add(as));
});

const HOME = '198.51.100.7';
const post = async (path: string, body: object, { ip = HOME, device = '' } = {}) =>
  answerOf(
    await api.app.inject({
      method: 'POST',
      url: `/api/office/${path}`,
      remoteAddress: ip,
      headers: { ...OFFICE_PAGE, cookie: `${DEVICE_COOKIE}=${device}` },
      payload: body,
    }),
  );
const ask = async () => (await post('passkeys/sign-in-options', {})).body as Question;
const signIn = (passkey: unknown, from: { ip?: string; device?: string } = {}) =>
  post('passkeys/sign-in', { passkey }, from);
const refused = async (passkey: unknown) => {
  const answer = await signIn(passkey);
  expect([answer.status, answer.body.message, answer.headers['set-cookie']]).toEqual([
    401,
    'This passkey does not sign in here. Please use your email address and password.',
    undefined,
  ]);
};
const events = (kind: string) =>
  findRows(api.owner, 'audit_events', ['details', 'staff_id'], { kind });

// spec 10.46; asvs 6.3.3
describe('a passkey signs a member of staff in', () => {
  test('without address and password, as both steps, in a browser that is then known', async () => {
    const asked = await post('passkeys/sign-in-options', {});
    expect([asked.status, asked.body]).toEqual([
      200,
      {
        challenge: expect.any(String),
        rpId: 'localhost',
        timeout: 300_000,
        userVerification: 'required',
        allowCredentials: [],
      },
    ]);
    const answer = await signIn(key.get(asked.body));
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { email: CLERK, hasSecondStep: true, mustEnrol: false },
    ]);
    const token = tokenIn(answer)!;
    expect((await callOffice(api, 'GET', '/office/tenants', { as: token })).status).toBe(200);
    const again = await signIn(key.get(await ask()), { device: deviceIn(answer)! });
    expect(deviceIn(again)).toBe(deviceIn(answer));
    const { id: staff } = await getRow(api.owner, 'staff_members', 'id', { email: CLERK });
    expect((await events('staff_signed_in')).at(-1)).toEqual({
      details: { by: 'Ana Flores', staff, with: 'passkey' },
      staff_id: staff,
    });
  });

  test('next to an authenticator app too, without its code', async () => {
    const manager = await signInStaff(api, 'manager');
    const secret = await setUpApp(manager);
    now = new Date(now.getTime() + 60_000);
    const { key: managers } = await add(manager, 'A key', {
      code: await staffKeys(api).codeOf(secret),
    });
    expect((await signIn(managers.get(await ask()))).status).toBe(200);
  });

  test('while wrong passwords lock it, from a network that is used up by them too', async () => {
    const wrong = (ip: string) => post('sign-in', { email: CLERK, password: 'wrong' }, { ip });
    for (let n = 0; n < 34; n++) await wrong(`203.0.113.${n}`);
    api.ctx.config.limits['sign-ins-a-minute'] = { most: 3, seconds: 60 };
    for (let n = 0; n < 4; n++) await wrong(HOME);
    expect((await post('sign-in', { email: CLERK, password: DEMO_PASSWORD })).status).toBe(429);
    expect((await signIn(key.get(await ask()))).status).toBe(200);
    api.ctx.config.limits['sign-ins-a-minute'] = { most: 1000, seconds: 60 };
    // Nor does it end the wait of others.
    expect((await post('sign-in', { email: CLERK, password: DEMO_PASSWORD })).status).toBe(429);
  });

  test('and from a new network it is mailed', async () => {
    await signIn(key.get(await ask()));
    const before = (await mailsTo(api, CLERK)).length;
    await signIn(key.get(await ask()), { ip: '192.0.2.77' });
    const mails = await mailsTo(api, CLERK);
    expect(mails.length).toBe(before + 1);
    expect(mails.at(-1)!.text).toContain('from a network that was not used');
  });
});

// spec 10.46
describe('a sign-in by passkey is refused alike, and noted', () => {
  const changed: [string, Changes][] = [
    ['from another origin', { origin: 'https://office.example.net' }],
    ['of another domain', { rpId: 'example.net' }],
    ['of a device that did not ask for finger, face or code', { flags: 0x01 }],
    ['in the name of another member', { userHandle: randomBytes(16).toString('base64url') }],
    ['by a passkey that no member has', { credentialId: randomBytes(20) }],
  ];
  test.each(changed)('%s', async (_, more) => {
    const before = (await events('staff_sign_in_failed')).length;
    await refused(key.get(await ask(), more));
    expect((await events('staff_sign_in_failed')).length).toBe(before + 1);
  });

  test('of a disabled member, also where that comes while it is under way', async () => {
    const { id: staffId } = await getRow(api.owner, 'staff_members', 'id', { email: CLERK });
    const under = key.get(await ask());
    const { answer } = await api.ctx.db.transaction().execute(async (trx) => {
      const disabling = trx.updateTable('staff_members').set({ disabled_at: now });
      await disabling.where('id', '=', staffId).execute();
      const sent = signIn(under);
      await untilLockWait(api.owner);
      return { answer: sent };
    });
    expect((await answer).status).toBe(401);
    await actOnStaffMember(api.ctx, staffId, 'enable', commandLine('root'));
    await actOnStaffMember(api.ctx, staffId, 'disable', commandLine('root'));
    await refused(key.get(await ask()));
    await actOnStaffMember(api.ctx, staffId, 'enable', commandLine('root'));
    expect((await signIn(key.get(await ask()))).status).toBe(200);
  });

  test('by one that was removed, or reset by an owner', async () => {
    const { key: other } = await add(as, 'Another', await proofBy(as, key));
    await remove(as, id, await proofBy(as, other));
    await refused(key.get(await ask()));
    const { id: staffId } = await getRow(api.owner, 'staff_members', 'id', { email: CLERK });
    await actOnStaffMember(api.ctx, staffId, 'resetSecondStep', commandLine('root'));
    await refused(other.get(await ask()));
  });

  test('used twice, at once too, or older than five minutes', async () => {
    const answer = key.get(await ask());
    const answers = await Promise.all([1, 2, 3].map(() => signIn(answer)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    await refused(answer);
    const old = key.get(await ask());
    now = new Date(now.getTime() + 6 * 60_000);
    await refused(old);
  });

  test('that answers another question: of a second step, of a new passkey, of a tenant', async () => {
    const { body } = await post('sign-in', { email: CLERK, password: DEMO_PASSWORD });
    await refused(key.get(body.secondStep.passkey));
    const { challenge } = await options(as, await proofBy(as, key));
    await refused(key.get({ challenge, rpId: 'localhost' }));
    const tenants = await api.call('POST', '/users/passkeys/sign-in-options');
    await refused(key.get(tenants.body as Question));
    // Nor is this answer a second step.
    const passkey = key.get(await ask());
    const second = { email: CLERK, password: DEMO_PASSWORD, passkey };
    expect((await post('sign-in', second)).status).toBe(401);
  });

  test('by a tenant’s passkey', async () => {
    const { token } = await signInTenant(api, 'lee@example.com');
    const phone = newAuthenticator(ORIGIN);
    const asked = (await api.call('POST', '/users/passkeys/options', { token })).body as Creation;
    const body = { name: 'A phone', credential: phone.create(asked) };
    expect((await api.call('POST', '/users/passkeys', { token, body })).status).toBe(200);
    await refused(phone.get(await ask()));
  });
});

test('many answers of passkeys from one network wait', async () => {
  api.ctx.config.limits['staff-passkeys-a-minute'] = { most: 1, seconds: 60 };
  expect((await signIn(key.get(await ask()))).status).toBe(200);
  expect((await signIn(key.get(await ask()))).status).toBe(429);
  expect((await signIn(key.get(await ask()), { ip: '192.0.2.77' })).status).toBe(200);
  api.ctx.config.limits['staff-passkeys-a-minute'] = { most: 1000, seconds: 60 };
});
