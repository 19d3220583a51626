import { beforeEach, describe, expect, test } from 'vitest';
import type { StaffSession } from '@gatehouse/contract/office/sessions';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { answerOf, useTestApp } from '#test/app.ts';
import { callOffice, OFFICE_PAGE, signInStaff, tokenIn } from '#test/office.ts';
import { findRows } from '#test/rows.ts';

const START = new Date('2026-11-24T15:00:00Z');
let now = START;
const api = useTestApp('demo_template', { clock: { now: () => now } });
beforeEach(async () => {
  now = START;
  await api.owner.deleteFrom('staff_sessions').execute();
});
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
/** Signs in by password; returns the token of the session. */
const signIn = async (ip: string, userAgent = CHROME) =>
  tokenIn(
    answerOf(
      await api.app.inject({
        method: 'POST',
        url: '/api/office/sign-in',
        remoteAddress: ip,
        headers: { ...OFFICE_PAGE, 'user-agent': userAgent },
        payload: { email: 'clerk@anchor-axle.example', password: DEMO_PASSWORD },
      }),
    ),
  )!;
const sessions = async (as: string) =>
  (await callOffice(api, 'GET', '/office/me/sessions', { as })).body as StaffSession[];
const end = (as: string, session: string | null) =>
  callOffice(api, 'POST', '/office/me/sessions/end', { as, body: { session } });
const isLive = async (as: string) =>
  (await callOffice(api, 'GET', '/office/me', { as })).status === 200;

// spec 10.47; asvs 7.5.2
describe('the sessions of a member of staff', () => {
  test('are listed with browser, network, begin and last use, the own one first', async () => {
    const first = await signIn('198.51.100.7');
    later(5);
    const own = await signIn('2001:db8::7', '');
    later(2);
    expect(await isLive(first)).toBe(true);
    const rows = await sessions(own);
    const id = expect.stringMatching(/^[\w-]{22}$/) as string;
    expect(rows).toEqual([
      {
        id,
        browser: null,
        network: '2001:db8::7',
        createdAt: '2026-11-24T15:05:00.000Z',
        lastSeenAt: '2026-11-24T15:07:00.000Z',
        isCurrent: true,
      },
      {
        id,
        browser: 'Chrome on Windows',
        network: '198.51.100.7',
        createdAt: '2026-11-24T15:00:00.000Z',
        lastSeenAt: '2026-11-24T15:07:00.000Z',
        isCurrent: false,
      },
    ]);
    // One that has idled away is listed no longer.
    later(20);
    await isLive(own);
    later(20);
    expect(await sessions(own)).toMatchObject([{ isCurrent: true }]);
  });

  test('are ended one by one, which the trail has', async () => {
    const own = await signIn('198.51.100.7');
    const [other, third] = [await signInStaff(api, 'clerk'), await signInStaff(api, 'clerk')];
    const { id } = (await sessions(own))[1]!;
    expect((await end(own, id)).body).toEqual({ success: true });
    expect((await end(own, id)).status).toBe(404);
    const live = [await isLive(other), await isLive(third)];
    expect(live.toSorted()).toEqual([false, true]);
    expect(await isLive(own)).toBe(true);
    const events = await findRows(api.owner, 'audit_events', ['details', 'staff_id'], {
      kind: 'staff_session_ended',
    });
    expect(events).toEqual([
      {
        staff_id: expect.any(String) as string,
        details: { by: 'Ana Flores', staff: events[0]!.staff_id, sessions: 'one' },
      },
    ]);
  });

  test('are ended all but the own', async () => {
    const own = await signIn('198.51.100.7');
    const others = [await signInStaff(api, 'clerk'), await signInStaff(api, 'clerk')];
    const manager = await signInStaff(api, 'manager');
    expect((await end(own, null)).status).toBe(200);
    for (const other of others) expect(await isLive(other)).toBe(false);
    expect([await isLive(own), await isLive(manager)]).toEqual([true, true]);
    expect((await end(own, null)).status).toBe(200);
  });

  test('of another member are neither listed nor ended', async () => {
    const own = await signIn('198.51.100.7');
    const manager = await signInStaff(api, 'manager');
    const owner = await signInStaff(api, 'owner');
    const { id } = (await sessions(manager))[0]!;
    for (const as of [own, owner]) {
      expect((await end(as, id)).status).toBe(404);
      expect((await sessions(as)).map((one) => one.id)).not.toContain(id);
    }
    expect(await isLive(manager)).toBe(true);
  });

  test('end each other at once: the first wins', async () => {
    const [one, two] = [await signInStaff(api, 'clerk'), await signInStaff(api, 'clerk')];
    const answers = await Promise.all([end(one, null), end(two, null)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect([await isLive(one), await isLive(two)].toSorted()).toEqual([false, true]);
  });
});
