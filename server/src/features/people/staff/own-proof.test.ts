import { beforeEach, describe, expect, test } from 'vitest';
import { newAuthenticator } from '#features/people/passkeys/authenticator.fixture.ts';
import { useTestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { signInStaff } from '#test/office.ts';
import { ORIGIN, staffKeys } from './staff-keys.fixture.ts';
import { changeRows } from '#test/rows.ts';

const START = new Date('2026-11-24T15:00:00Z');
let now = START;
const api = useTestApp('demo_template', { clock: { now: () => now } });
const { steps, askOptions, options, addMade, remove, beginApp, confirmApp, ...keys } =
  staffKeys(api);
const { add, proofBy, setUpApp, codeOf } = keys;
const addressOf = (who: string) => `${who}@anchor-axle.example`;
beforeEach(async () => {
  now = new Date(now.getTime() + 3600_000);
  await api.owner.deleteFrom('staff_passkeys').execute();
  await changeRows(api.owner, 'staff_members', { totp_secret: null, new_totp_secret: null });
});
const aMinuteLater = () => {
  now = new Date(now.getTime() + 60_000);
};
const countMails = async (who: string) => (await mailsTo(api, addressOf(who))).length;
const lastMail = async (who: string) => (await mailsTo(api, addressOf(who))).at(-1)!.text;

const REFUSED = [
  422,
  'Please prove your present second step: enter the code that your authenticator app shows now, or use a passkey. If you lost it, an owner can reset the second step.',
];

// spec 10.25; asvs 7.5.1
describe('a thief of a session just begun, and of its password', () => {
  test('adds and removes no passkey where a passkey is the second step', async () => {
    const as = await signInStaff(api, 'clerk');
    const { id } = await add(as);
    for (const thief of [{}, { code: '123456' }]) {
      const asked = await askOptions(as, thief);
      expect([asked.status, asked.body.message]).toEqual(REFUSED);
      const removed = await remove(as, id, thief);
      expect([removed.status, removed.body.message]).toEqual(REFUSED);
      expect((await beginApp(as, thief)).status).toBe(422);
    }
    expect(await steps(as)).toMatchObject({ hasApp: false, passkeys: [{ id }] });
  });

  test('adds no passkey where an authenticator app is the second step, nor replaces it', async () => {
    const as = await signInStaff(api, 'clerk');
    const secret = await setUpApp(as);
    const used = await codeOf(secret);
    for (const thief of [{}, { code: used }, { code: used === '000000' ? '000001' : '000000' }]) {
      const asked = await askOptions(as, thief);
      expect([asked.status, asked.body.message]).toEqual(REFUSED);
      expect((await beginApp(as, thief)).status).toBe(422);
    }
    expect(await steps(as)).toMatchObject({ hasApp: true, passkeys: [] });
  });

  test('proves nothing by another member’s passkey, by an answer that was used, or to another question', async () => {
    const as = await signInStaff(api, 'clerk');
    const { key } = await add(as);
    const manager = await signInStaff(api, 'manager');
    const { key: managers } = await add(manager);
    const answer = await proofBy(as, key);
    for (const thief of [await proofBy(as, managers), await proofBy(manager, managers)])
      expect((await askOptions(as, thief)).status).toBe(422);
    expect((await askOptions(as, answer)).status).toBe(200);
    expect((await askOptions(as, answer)).status).toBe(422);
    const forNew = { challenge: (await options(as, await proofBy(as, key))).challenge };
    const passkey = key.get({ ...forNew, rpId: 'localhost' });
    expect((await askOptions(as, { passkey })).status).toBe(422);
  });

  test('does not add what was begun before there was a second step', async () => {
    const as = await signInStaff(api, 'clerk');
    const begunKey = newAuthenticator(ORIGIN).create(await options(as));
    const { secret } = (await beginApp(as)).body as { secret: string };
    await add(as);
    expect((await addMade(as, begunKey)).status).toBe(422);
    expect((await confirmApp(as, await codeOf(secret))).status).toBe(422);
    expect(await steps(as)).toMatchObject({ hasApp: false, passkeys: [{}] });
  });
});

// spec 10.25
describe('the present second step lets a member', () => {
  test('add and remove a passkey by another one, and set up an app', async () => {
    const as = await signInStaff(api, 'clerk');
    const { key, id } = await add(as);
    await add(as, 'Another', await proofBy(as, key));
    expect((await beginApp(as, await proofBy(as, key))).status).toBe(200);
    expect((await remove(as, id, await proofBy(as, key))).body).toMatchObject({
      hasSecondStep: true,
    });
    expect((await steps(as)).passkeys).toMatchObject([{ name: 'Another' }]);
  });

  test('add and remove a passkey by a code of the app, which counts once, and replace the app by the passkey', async () => {
    const as = await signInStaff(api, 'clerk');
    const secret = await setUpApp(as);
    aMinuteLater();
    const code = await codeOf(secret);
    const { key, id } = await add(as, 'A key', { code });
    expect((await remove(as, id, { code })).status).toBe(422);
    const begun = await beginApp(as, await proofBy(as, key));
    expect((await confirmApp(as, await codeOf(begun.body.secret))).status).toBe(200);
    aMinuteLater();
    expect((await remove(as, id, { code: await codeOf(secret) })).status).toBe(422);
    expect((await remove(as, id, { code: await codeOf(begun.body.secret) })).status).toBe(200);
  });
});

// spec 10.25
test('each change is mailed to the member and to every owner, and an owner’s own once', async () => {
  const as = await signInStaff(api, 'clerk');
  const [members, owners, others] = [
    await countMails('clerk'),
    await countMails('owner'),
    await countMails('manager'),
  ];
  const { key, id } = await add(as, 'The office key');
  expect(await lastMail('clerk')).toContain('The passkey “The office key” was added');
  expect(await lastMail('owner')).toContain(
    `Ana Flores (${addressOf('clerk')}) added a passkey for signing in`,
  );
  expect(await lastMail('owner')).not.toContain('The office key');
  const begun = await beginApp(as, await proofBy(as, key));
  await confirmApp(as, await codeOf(begun.body.secret));
  expect(await lastMail('owner')).toContain('set up an authenticator app');
  await remove(as, id, await proofBy(as, key));
  expect(await lastMail('owner')).toContain('removed a passkey');
  expect(await countMails('clerk')).toBe(members + 3);
  expect(await countMails('owner')).toBe(owners + 3);
  expect(await countMails('manager')).toBe(others);
  await add(await signInStaff(api, 'owner'));
  expect(await countMails('owner')).toBe(owners + 4);
});
