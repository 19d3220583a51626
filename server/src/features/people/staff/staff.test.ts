import { MEMBER_HEADER, POLL_HEADER } from '@gatehouse/contract/office/office-endpoint';
import { generate } from 'otplib';
import { beforeEach, describe, expect, test } from 'vitest';
import { buildApp } from '#app/app.ts';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { useTestApp } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { callOffice, signInStaff, tokenIn } from '#test/office.ts';
import { WIDE_LIMITS } from '#test/wide-limits.ts';
import { readLimits } from '#config/limits.ts';
import { createMetrics } from '#telemetry/metrics.ts';
import { commandLine, actOnStaffMember, inviteStaffMember } from './members.ts';
import { forgetOldStaffSessions } from './sign-in.ts';
import { findRows } from '#test/rows.ts';

const START = new Date('2026-11-24T15:00:00Z');
let now = START;
const api = useTestApp('demo_template', { clock: { now: () => now } });
beforeEach(() => {
  now = START;
});

const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};
const CLERK = 'clerk@anchor-axle.example';
const signIn = (email: string, password = DEMO_PASSWORD, code?: string) =>
  callOffice(api, 'POST', '/office/sign-in', {
    body: { email, password, ...(code !== undefined && { code }) },
  });
const me = (as: string | null) => callOffice(api, 'GET', '/office/me', { as: as ?? '' });
const eventsOf = async (kind: string) =>
  api.owner.selectFrom('audit_events').selectAll().where('kind', '=', kind).execute();
const linkIn = async (to: string) => {
  const mails = (await readMails(api)).filter(({ to_address }) => to_address === to);
  return /\/office\/invitation#([\w-]+)/.exec(mails.at(-1)!.text)![1]!;
};

describe('a member of staff', () => {
  test('signs in with address and password, in any case, and gets a cookie for this host only', async () => {
    const answer = await signIn(' Clerk@Anchor-Axle.example ');
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-gatehouse-office=rot_[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
      expect.stringMatching(
        /^__Host-gatehouse-office-device=rdt_[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=15552000$/,
      ),
    ]);
    expect(answer.body).toMatchObject({
      state: 'signedIn',
      me: {
        name: 'Ana Flores',
        role: 'clerk',
        isForAllFacilities: false,
        facilities: [{ locationCode: 'TXDFW03' }, { locationCode: 'TXDFW03A' }],
        hasSecondStep: false,
        mustEnrol: false,
      },
    });
    expect((await me(tokenIn(answer))).body).toEqual(answer.body.me);
    const [event] = (await eventsOf('staff_signed_in')).slice(-1);
    expect(event!.details).toMatchObject({ by: 'Ana Flores' });
  });

  test('is refused alike for a wrong password, an unknown address and a disabled account', async () => {
    const before = (await eventsOf('staff_sign_in_failed')).length;
    const answers = [
      await signIn(CLERK, 'wrong password'),
      await signIn('stranger@anchor-axle.example'),
      await signIn('dana@example.com'),
    ];
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect((await eventsOf('staff_sign_in_failed')).length).toBe(before + 3);
  });

  test('may not try for ever', async () => {
    const limits = readLimits(`${WIDE_LIMITS},sign-ins-a-minute=3`)!;
    const app = await buildApp({
      ...api.ctx,
      config: { ...api.ctx.config, limits },
      metrics: createMetrics(),
    });
    const narrow = { ...api, app };
    later(5);
    const statuses: number[] = [];
    for (let tries = 0; tries < 4; tries++) {
      const body = { email: 'nobody@example.com', password: 'x' };
      statuses.push((await callOffice(narrow, 'POST', '/office/sign-in', { body })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    await app.close();
  });

  test('is signed out by the sign-out, after 30 minutes without a call and after 12 hours', async () => {
    const first = await signInStaff(api, 'clerk');
    const out = await callOffice(api, 'POST', '/office/sign-out', { as: first });
    expect(out.headers['set-cookie']).toMatch(/^__Host-gatehouse-office=; .*Max-Age=0$/);
    expect((await me(first)).status).toBe(401);

    const idle = await signInStaff(api, 'clerk');
    later(29);
    expect((await me(idle)).status).toBe(200);
    later(29);
    expect((await me(idle)).status).toBe(200);
    later(31);
    expect((await me(idle)).status).toBe(401);

    now = START;
    const long = await signInStaff(api, 'clerk');
    for (let passed = 0; passed < 12 * 60 - 20; passed += 20) {
      later(20);
      expect((await me(long)).status).toBe(200);
    }
    later(21);
    expect((await me(long)).status).toBe(401);
    await forgetOldStaffSessions(api.ctx);
    const left = await findRows(api.owner, 'staff_sessions', 'created_at');
    expect(left.every(({ created_at }) => created_at > START)).toBe(true);
  });

  test('is signed out after 30 minutes without a call of their own, however often a page polls', async () => {
    const as = await signInStaff(api, 'clerk');
    const poll = () =>
      callOffice(api, 'GET', '/office/today', { as, headers: { [POLL_HEADER]: '1' } });
    for (let passed = 0; passed < 30; passed += 5) {
      expect((await poll()).status).toBe(200);
      later(5);
    }
    expect((await poll()).status).toBe(401);
  });

  test('is not signed out by the page of another member, whose sign-out comes late', async () => {
    const [before, since] = [await signInStaff(api, 'clerk'), await signInStaff(api, 'manager')];
    const { id } = (await me(before)).body;
    const headers = { [MEMBER_HEADER]: id };
    const out = await callOffice(api, 'POST', '/office/sign-out', { as: since, headers });
    expect(out.status).toBe(409);
    expect(out.headers['set-cookie']).toBeUndefined();
    expect((await me(since)).status).toBe(200);
  });

  test('is not taken from a page of another origin, nor without JSON', async () => {
    const as = await signInStaff(api, 'clerk');
    const post = (headers: Record<string, string>) =>
      callOffice(api, 'POST', '/office/sign-out', { as, headers });
    const others: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'http://localhost:4000' },
      { origin: 'https://localhost' },
      { origin: 'http://localhost/' },
      { origin: 'null' },
      { origin: 'http://localhost', 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of others) expect((await post(headers)).status).toBe(403);
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/office/sign-in',
      headers: { host: 'localhost', 'content-type': 'application/json' },
      payload: JSON.stringify({ email: CLERK, password: DEMO_PASSWORD }),
    });
    expect(answer.statusCode).toBe(403);
    const form = await callOffice(api, 'POST', '/office/sign-in', {
      body: 'email=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.status).toBe(415);
    expect((await me(as)).status).toBe(200);
  });
});

describe('the second step', () => {
  test('is set up with a code of the app, demanded from then on, and each code counts once', async () => {
    const as = await signInStaff(api, 'manager');
    const other = await signInStaff(api, 'manager');
    const email = 'manager@anchor-axle.example';
    const begin = (password: string) =>
      callOffice(api, 'POST', '/office/me/second-step', { as, body: { password } });
    expect((await begin('wrong')).status).toBe(422);
    const { secret, uri } = (await begin(DEMO_PASSWORD)).body as { secret: string; uri: string };
    expect(uri).toContain(`secret=${secret}`);
    const codeNow = () => generate({ secret, epoch: Math.floor(now.getTime() / 1000) });
    const confirm = async (code: string) =>
      callOffice(api, 'POST', '/office/me/second-step/confirm', { as, body: { code } });
    expect((await signIn(email)).body.state).toBe('signedIn');
    const wrong = (await codeNow()) === '000000' ? '000001' : '000000';
    expect((await confirm(wrong)).status).toBe(422);
    expect((await confirm(await codeNow())).body).toMatchObject({ hasSecondStep: true });
    expect((await me(other)).status).toBe(401);

    const asked = await signIn(email);
    expect([asked.body, asked.headers['set-cookie']]).toEqual([
      { state: 'secondStepNeeded', me: null, secondStep: { hasApp: true, passkey: null } },
      undefined,
    ]);
    // The code that set it up is used.
    expect((await signIn(email, DEMO_PASSWORD, await codeNow())).status).toBe(401);
    later(1);
    const code = await codeNow();
    expect((await signIn(email, DEMO_PASSWORD, code)).body.state).toBe('signedIn');
    expect((await signIn(email, DEMO_PASSWORD, code)).status).toBe(401);
    const [row] = await findRows(api.owner, 'staff_members', ['id', 'totp_secret'], { email });
    expect(row!.totp_secret).toMatch(/^sealed:1:/);

    // A thief of the session and the password has no code of the app.
    const replace = (more: object) =>
      callOffice(api, 'POST', '/office/me/second-step', {
        as,
        body: { password: DEMO_PASSWORD, ...more },
      });
    expect((await replace({})).status).toBe(422);
    expect((await replace({ code })).status).toBe(422);
    later(1);
    expect((await replace({ code: await codeNow() })).status).toBe(200);
    const told = (await readMails(api)).filter(({ text }) => text.includes('authenticator app'));
    expect(told.map(({ to_address }) => to_address).toSorted()).toEqual([
      email,
      'owner@anchor-axle.example',
    ]);
    const asking = (await readMails(api)).filter(({ text }) => text.includes('has not given'));
    expect(asking.map(({ to_address }) => to_address)).toEqual([email]);
    expect((await eventsOf('staff_second_step_asked')).length).toBe(1);

    await actOnStaffMember(api.ctx, row!.id, 'resetSecondStep', commandLine('root'));
    expect((await me(as)).status).toBe(401);
    expect((await signIn(email)).body.state).toBe('signedIn');
    expect((await readMails(api)).at(-1)).toMatchObject({
      to_address: email,
      subject: 'Your account in the office has changed',
    });
  });

  // asvs 6.3.3
  test('has to be set up first in the live profile', async () => {
    const config = { ...api.ctx.config, profile: 'live' as const };
    const app = await buildApp({ ...api.ctx, config, metrics: createMetrics() });
    const live = { ...api, app };
    const as = await signInStaff(api, 'owner');
    expect((await callOffice(live, 'GET', '/office/me', { as })).body).toMatchObject({
      mustEnrol: true,
    });
    const refused = await callOffice(live, 'GET', '/office/staff', { as });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Please set up the second step of your sign-in first.',
    ]);
    await app.close();
  });
});

describe('an invitation', () => {
  const invited = { role: 'clerk' as const, isForAllFacilities: false, locationCodes: ['AZPHX01'] };

  test('is mailed by an owner, makes the account once, and ends after 72 hours', async () => {
    const as = await signInStaff(api, 'owner');
    const email = 'newhire@anchor-axle.example';
    const invite = (body: object) =>
      callOffice(api, 'POST', '/office/staff', { as, body: { email, ...invited, ...body } });
    expect((await invite({ locationCodes: ['NOWHERE'] })).status).toBe(422);
    expect((await invite({ role: 'owner' })).status).toBe(422);
    expect((await invite({})).body).toMatchObject({ state: 'invited', locationCodes: ['AZPHX01'] });
    expect((await invite({})).status).toBe(409);

    const token = await linkIn(email);
    const read = () => callOffice(api, 'POST', '/office/invitations/read', { body: { token } });
    const accept = (password: string) =>
      callOffice(api, 'POST', '/office/invitations/accept', {
        body: { token, name: 'Newt Hire', password },
      });
    expect((await read()).body).toEqual({ email, role: 'clerk', name: null });
    expect((await accept('short pass')).status).toBe(422);
    expect((await accept('passwordpassword')).status).toBe(422);
    expect((await accept('newhire-office')).status).toBe(422);
    const [one, two] = await Promise.all([
      accept('correct horse battery'),
      accept('correct horse battery'),
    ]);
    expect([one.status, two.status].toSorted()).toEqual([200, 404]);
    const done = one.status === 200 ? one : two;
    expect((await me(tokenIn(done))).body).toMatchObject({ name: 'Newt Hire', role: 'clerk' });
    expect((await signIn(email, 'correct horse battery')).status).toBe(200);
    expect((await read()).status).toBe(404);

    const again = await callOffice(api, 'POST', `/office/staff/${done.body.me.id}`, {
      as,
      body: { action: 'invite', why: 'Lost it', isPreview: false },
    });
    expect(again.status).toBe(200);
    const second = await linkIn(email);
    later(72 * 60 + 1);
    const late = await callOffice(api, 'POST', '/office/invitations/read', {
      body: { token: second },
    });
    expect(late.status).toBe(404);
  });

  test('of a disabled account is worth nothing', async () => {
    const email = 'gone@anchor-axle.example';
    const { id } = await inviteStaffMember(api.ctx, { email, ...invited }, commandLine('root'));
    const token = await linkIn(email);
    await actOnStaffMember(api.ctx, id, 'disable', commandLine('root'));
    const read = await callOffice(api, 'POST', '/office/invitations/read', { body: { token } });
    expect(read.status).toBe(404);
  });
});

describe('an owner', () => {
  const staffNamed = async (as: string, email: string) =>
    (
      (await callOffice(api, 'GET', '/office/staff', { as })).body.rows as {
        id: string;
        email: string;
      }[]
    ).find((row) => row.email === email)!;

  test('takes a role and facilities away, which counts from the next call on', async () => {
    const as = await signInStaff(api, 'owner');
    const clerk = await signInStaff(api, 'clerk');
    const { id } = await staffNamed(as, CLERK);
    const change = (body: object) =>
      callOffice(api, 'PATCH', `/office/staff/${id}`, {
        as,
        body: { why: 'Works elsewhere', isPreview: false, ...body },
      });
    const whole = { role: 'clerk', isForAllFacilities: false, locationCodes: ['TXDFW03A'] };
    expect((await change(whole)).body).toMatchObject({ locationCodes: ['TXDFW03A'] });
    expect((await me(clerk)).body.facilities).toMatchObject([{ locationCode: 'TXDFW03A' }]);
    await change({ ...whole, locationCodes: ['TXDFW03', 'TXDFW03A'] });
    const [raised, other] = [{ ...whole, role: 'manager' }, await signInStaff(api, 'clerk')];
    await change({ ...raised, locationCodes: ['TXDFW03', 'TXDFW03A'] });
    for (const token of [clerk, other]) expect((await me(token)).status).toBe(401);
    await change({ ...whole, locationCodes: ['TXDFW03', 'TXDFW03A'] });
    const act = (action: string) =>
      callOffice(api, 'POST', `/office/staff/${id}`, {
        as,
        body: { action, why: 'Left', isPreview: false },
      });
    expect((await act('disable')).body.state).toBe('disabled');
    expect((await me(clerk)).status).toBe(401);
    expect((await signIn(CLERK)).status).toBe(401);
    expect((await act('enable')).body.state).toBe('active');
    expect((await signIn(CLERK)).status).toBe(200);
  });

  test('reads before what an action does, which a preview does not do, and the reason is in the trail', async () => {
    const as = await signInStaff(api, 'owner');
    for (const _ of [1, 2]) await signInStaff(api, 'manager');
    const { id } = await staffNamed(as, 'manager@anchor-axle.example');
    const change = { why: 'Works at the other gate', isPreview: true };
    const whole = { role: 'clerk', isForAllFacilities: false, locationCodes: ['TXDFW03'] };
    const path = `/office/staff/${id}`;
    const role = (body: object) => callOffice(api, 'PATCH', path, { as, body });
    const act = (body: object) => callOffice(api, 'POST', path, { as, body });
    const state = async () => JSON.stringify(await staffNamed(as, 'manager@anchor-axle.example'));
    const before = await state();
    const sessions = async () =>
      (await findRows(api.owner, 'staff_sessions', 'token_hash', { staff_id: id })).length;
    const open = await sessions();
    const mails = (await readMails(api)).length;
    const seen = await role({ ...whole, ...change });
    expect(seen.body.effects).toEqual([
      'Marcus Webb can no longer waive, refund, reverse and credit, and change rents, gate codes, email addresses and settings.',
      'Marcus Webb can no longer open TXDFW03A.',
      'Marcus Webb is signed out everywhere, and signs in again.',
    ]);
    const disabled = await act({ action: 'disable', ...change });
    expect(disabled.body).toMatchObject({ state: 'disabled' });
    expect(disabled.body.effects).toEqual([
      `Marcus Webb is signed out at once: ${open} sessions end.`,
      expect.stringMatching(
        /^Marcus Webb can no longer sign in as manager of TXDFW03, TXDFW03A, and so can no longer take payments, .*; waive, /,
      ),
      'What was recorded under that name stays. An owner can enable the account again.',
      'It is mailed to manager@anchor-axle.example.',
    ]);
    expect([await state(), await sessions(), (await readMails(api)).length]).toEqual([
      before,
      open,
      mails,
    ]);
    for (const why of ['', '  ', undefined])
      expect((await act({ action: 'disable', isPreview: false, why })).status).toBe(422);
    expect((await role({ ...whole, isPreview: false })).status).toBe(422);
    const done = await act({ action: 'disable', ...change, isPreview: false });
    expect(done.body.effects).toEqual(disabled.body.effects);
    expect(await sessions()).toBe(0);
    const event = await api.owner
      .selectFrom('audit_events')
      .select('details')
      .where('kind', '=', 'staff_account_changed')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(event.details).toEqual({
      by: 'June Park',
      staff: id,
      change: 'disabled',
      why: change.why,
    });
    await act({ action: 'enable', why: 'Back', isPreview: false });
  });

  test('stays: neither the last one’s role nor account can be taken', async () => {
    const as = await signInStaff(api, 'owner');
    const { id } = await staffNamed(as, 'owner@anchor-axle.example');
    const change = { why: 'A test', isPreview: true };
    const body = { role: 'clerk', isForAllFacilities: true, locationCodes: [], ...change };
    expect((await callOffice(api, 'PATCH', `/office/staff/${id}`, { as, body })).status).toBe(409);
    expect(
      (
        await callOffice(api, 'POST', `/office/staff/${id}`, {
          as,
          body: { action: 'disable', ...change },
        })
      ).status,
    ).toBe(409);
    await expect(
      actOnStaffMember(api.ctx, id, 'disable', commandLine('root')),
    ).rejects.toMatchObject({ status: 409 });
    expect((await me(as)).status).toBe(200);
  });
});
