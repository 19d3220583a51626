import { beforeEach, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '#seeds/demo.ts';
import { DEVICE_COOKIE } from '#http/staff-guard.ts';
import { answerOf, useTestApp } from '#test/app.ts';
import { readMails } from '#test/mails.ts';
import { OFFICE_PAGE, deviceIn } from '#test/office.ts';
import { changeRows, findRows } from '#test/rows.ts';
import { commandLine, getStaffId, unlockStaffMember } from './members.ts';

const START = new Date('2026-11-24T15:00:00Z');
const CLERK = 'clerk@anchor-axle.example';
let now = START;
const api = useTestApp('demo_template', { clock: { now: () => now } });
beforeEach(async () => {
  now = START;
  for (const table of ['sign_in_tries', 'known_networks', 'limit_counts'] as const)
    await api.owner.deleteFrom(table).execute();
});

type From = { ip?: string; device?: string | null; code?: string };
const signIn = async (password: string, { ip = '198.51.100.7', device = null, code }: From = {}) =>
  answerOf(
    await api.app.inject({
      method: 'POST',
      url: '/api/office/sign-in',
      remoteAddress: ip,
      headers: {
        ...OFFICE_PAGE,
        ...(device !== null && { cookie: `${DEVICE_COOKIE}=${device}` }),
      },
      payload: { email: CLERK, password, ...(code !== undefined && { code }) },
    }),
  );
/** Wrong passwords from strangers' networks, each as soon as the one before lets it. */
async function attack(times: number): Promise<number[]> {
  const waits: number[] = [];
  for (let made = 0; made < times;) {
    const answer = await signIn('a wrong password', { ip: `203.0.${made % 250}.9` });
    if (answer.status === 401) made++;
    else {
      expect(answer.status).toBe(429);
      const wait = Number(answer.headers['retry-after']);
      waits.push(wait);
      now = new Date(now.getTime() + wait * 1000);
    }
  }
  return waits;
}
const mailsOf = async () =>
  (await readMails(api)).filter(
    ({ to_address, subject }) =>
      to_address === CLERK && subject === 'A sign-in to your account in the office',
  );

describe('wrong passwords of strangers', () => {
  test.each([5, 34, 100])(
    '%i of them keep no member out of a browser in which the member signed in before',
    async (times) => {
      const device = deviceIn(await signIn(DEMO_PASSWORD));
      await attack(times);
      expect((await signIn(DEMO_PASSWORD)).status).toBe(429);
      const right = await signIn(DEMO_PASSWORD, { device });
      expect([right.status, deviceIn(right)]).toEqual([200, device]);
    },
  );

  test('delay a sign-in by an hour at most, and one of a known browser by 15 minutes', async () => {
    expect(Math.max(...(await attack(105)))).toBe(3600);
    now = new Date(now.getTime() + 3600_000);
    const device = deviceIn(await signIn(DEMO_PASSWORD));
    const waits: number[] = [];
    for (let tries = 0; tries < 60; tries++) {
      const answer = await signIn('a wrong password', { device });
      const wait = Number(answer.headers['retry-after'] ?? 0);
      waits.push(wait);
      now = new Date(now.getTime() + wait * 1000);
    }
    expect(Math.max(...waits)).toBe(900);
  });

  test('are mailed to the member once a day, at the third lock', async () => {
    // The attacks of the other tests took days.
    now = new Date(START.getTime() + 60 * 86_400_000);
    const before = (await mailsOf()).length;
    await attack(6);
    expect((await mailsOf()).length).toBe(before);
    await attack(6);
    const mails = await mailsOf();
    expect(mails.length).toBe(before + 1);
    expect(mails.at(-1)!.text).toContain('wrong passwords');
  });

  test('are mailed again each day that they last', async () => {
    const start = new Date(START.getTime() + 70 * 86_400_000);
    now = start;
    const before = (await mailsOf()).length;
    const days = () => (now.getTime() - start.getTime()) / 86_400_000;
    while (days() < 2.5) await attack(5);
    expect((await mailsOf()).length - before).toBe(3);
  });

  test('are mailed with the waits of a known browser too, where they were typed in one', async () => {
    now = new Date(START.getTime() + 90 * 86_400_000);
    const device = deviceIn(await signIn(DEMO_PASSWORD));
    const before = (await mailsOf()).length;
    for (let tries = 0; tries < 9; tries++) {
      const { status, headers } = await signIn('a wrong password', { device });
      if (status === 429) now = new Date(now.getTime() + Number(headers['retry-after']) * 1000);
    }
    const mails = await mailsOf();
    expect(mails.length).toBe(before + 1);
    expect(mails.at(-1)!.text).toContain('up to 15 minutes');
    expect(mails.at(-1)!.text).not.toContain('not affected');
  });

  test('are forgotten by `staff unlock`, which the trail has', async () => {
    await attack(7);
    expect((await signIn(DEMO_PASSWORD)).status).toBe(429);
    const id = await getStaffId(api.ctx, CLERK);
    expect(await unlockStaffMember(api.ctx, id, commandLine('root'))).toBe(1);
    expect((await signIn(DEMO_PASSWORD)).status).toBe(200);
    const rows = await findRows(api.owner, 'audit_events', 'details', {
      kind: 'staff_account_changed',
    });
    expect(rows.at(-1)!.details).toMatchObject({ by: 'root', change: 'unlocked' });
  });
});

test('a sign-in from a new network is mailed, and a device of another member counts for nothing', async () => {
  const before = (await mailsOf()).length;
  const device = deviceIn(await signIn(DEMO_PASSWORD));
  expect((await mailsOf()).length).toBe(before);
  await signIn(DEMO_PASSWORD, { ip: '192.0.2.77', device });
  expect((await mailsOf()).at(-1)!.text).toContain('from a network that was not used');
  expect((await mailsOf()).length).toBe(before + 1);
  await changeRows(api.owner, 'staff_devices', {
    staff_id: await getStaffId(api.ctx, 'manager@anchor-axle.example'),
  });
  await attack(5);
  expect((await signIn(DEMO_PASSWORD, { device })).status).toBe(429);
});

test('a right password with a wrong code in an unknown browser is mailed once an hour, as without a code', async () => {
  now = new Date(START.getTime() + 120 * 86_400_000);
  const device = deviceIn(await signIn(DEMO_PASSWORD));
  const id = await getStaffId(api.ctx, CLERK);
  const totp_secret = api.ctx.vault.seal('totpSecret', id, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');
  await changeRows(api.owner, 'staff_members', { totp_secret }, { id });
  const before = (await mailsOf()).length;
  expect((await signIn('a wrong password', { code: '000000' })).status).toBe(401);
  expect((await signIn(DEMO_PASSWORD, { code: '000000', device })).status).toBe(401);
  expect((await mailsOf()).length).toBe(before);
  expect((await signIn(DEMO_PASSWORD, { code: '000000' })).status).toBe(401);
  expect((await mailsOf()).at(-1)!.text).toContain('gave the right password');
  expect((await signIn(DEMO_PASSWORD, { code: '000000' })).status).toBe(401);
  expect((await signIn(DEMO_PASSWORD)).status).toBe(200);
  expect((await mailsOf()).length).toBe(before + 1);
});
