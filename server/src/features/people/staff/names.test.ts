import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestApp } from '#test/app.ts';
import { untilLockWait } from '#test/lock-wait.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { findRows, getRow } from '#test/rows.ts';
import { lockStaff, looksOf } from './names.ts';

const api = useTestApp('demo_template');
const PASSWORD = 'correct horse battery';
let owner: string;
let june: string;
beforeAll(async () => {
  owner = await signInStaff(api, 'owner');
  june = (await getRow(api.owner, 'staff_members', 'id', { name: 'June Park' })).id;
});

/** A new clerk, who has not accepted yet. */
async function invite(): Promise<{ id: string; email: string }> {
  const email = `${randomUUID()}@anchor-axle.example`;
  const body = { email, role: 'clerk', isForAllFacilities: false, locationCodes: ['TXDFW03'] };
  const { body: made } = await callOffice(api, 'POST', '/office/staff', { as: owner, body });
  return { id: made.id, email };
}
async function accept(email: string, name: string) {
  const [mail] = (await mailsTo(api, email))
    .filter(({ text }) => text.includes('invitation#'))
    .slice(-1);
  const token = /\/office\/invitation#([\w-]+)/.exec(mail!.text)![1]!;
  const body = { token, name, password: PASSWORD };
  return callOffice(api, 'POST', '/office/invitations/accept', { body });
}
const act = (id: string, action: string) =>
  callOffice(api, 'POST', `/office/staff/${id}`, {
    as: owner,
    body: { action, why: 'test', isPreview: false },
  });

describe('a name that looks like another active member’s', () => {
  test.each([
    ['the same', 'June Park'],
    ['in another case', 'JUNE PARK'],
    ['with an accent', 'Júne Pärk'],
    ['with combined accents', 'Ju\u0301ne Park'],
    ['with Cyrillic letters', 'Јunе Раrk'],
    ['in full width', 'Ｊｕｎｅ Ｐａｒｋ'],
    ['in mathematical letters', '𝐉une 𝐏ark'],
    ['with other spaces', 'June  Park'],
    ['without the space', 'JunePark'],
    ['with a hyphen', 'June-Park'],
    ['with a full stop', 'June Park.'],
  ])('is refused: %s', async (_, name) => {
    const { email } = await invite();
    const { status, body } = await accept(email, name);
    expect([status, body.message]).toEqual([
      409,
      `Another member of staff has a name that looks like “${name.normalize()}”. Add a middle name or what the work is.`,
    ]);
    expect((await accept(email, `June Park ${randomUUID()}`)).status).toBe(200);
  });

  test.each([
    ['Alice Bell', 'AIice Be11'],
    ['Warner', 'Warner'.replace('rn', 'm')],
    ['Noor', 'N00r'],
    ['Ivan', 'lvan'],
    ['Straße', 'Strasse'.toUpperCase().replace('SS', 'ẞ')],
    ['İpek', 'ipek'],
  ])('%s and %s look alike', (one, other) => {
    expect(looksOf(one)).toBe(looksOf(other));
  });

  test.each([
    ['June Park', 'June Clark'],
    ['Ana Flores', 'Anna Flores'],
    ['Kim Ode', 'Kim Odell'],
    ['张伟', '张薇'],
  ])('%s and %s do not', (one, other) => {
    expect(looksOf(one)).not.toBe(looksOf(other));
  });

  test('is free again once that member is disabled, and is then not enabled next to the new one', async () => {
    const [first, second] = [await invite(), await invite()];
    expect((await accept(first.email, 'Remy Lux')).status).toBe(200);
    expect((await accept(second.email, 'Rémy Lux')).status).toBe(409);
    expect((await act(first.id, 'disable')).status).toBe(200);
    expect((await accept(second.email, 'Rémy Lux')).status).toBe(200);
    const { status, body } = await act(first.id, 'enable');
    expect([status, body.message]).toEqual([
      409,
      'Another member of staff has a name that looks like “Remy Lux”. Add a middle name or what the work is.',
    ]);
  });

  test('is given to one of two who take it at once', async () => {
    const [first, second] = [await invite(), await invite()];
    const done = await Promise.all([first, second].map(({ email }) => accept(email, 'Noa Berg')));
    expect(done.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('does not hinder its own member to keep it with a new password', async () => {
    expect((await act(june, 'invite')).status).toBe(200);
    expect((await accept('owner@anchor-axle.example', 'June Park')).status).toBe(200);
    owner = await signInStaff(api, 'owner');
  });
});

test('a name is kept without invisible characters and turns of the direction', async () => {
  const { email } = await invite();
  expect((await accept(email, 'Bea\u200b \u202eOrtega')).status).toBe(200);
  const { name } = await getRow(api.owner, 'staff_members', 'name', { email });
  expect(name).toBe('Bea Ortega');
});

test.each([
  ['a formula', '=HYPERLINK("http://x")', 422],
  ['a plus', '+Ana', 422],
  ['a minus', '-Ana', 422],
  ['an at sign', '@Ana', 422],
  ['a full-width equals sign', '＝Ana', 422],
  ['an address', 'Ana evil.example', 422],
  ['no letter', '...', 422],
  ['a title', 'Dr. Ana O’Neil-Lopez Jr.', 200],
])('a name with %s: %s', async (_, name, expected) => {
  const { email } = await invite();
  expect((await accept(email, name)).status).toBe(expected);
});

test('a changed name is an event with both names, by the member’s account', async () => {
  const { id, email } = await invite();
  await accept(email, 'Sol Reed');
  await act(id, 'invite');
  expect((await accept(email, 'Sol Marsh')).status).toBe(200);
  const events = (await findRows(api.owner, 'audit_events', ['staff_id', 'ip', 'details'], {
    kind: 'staff_account_changed',
    staff_id: id,
  })) as unknown[];
  expect(events).toContainEqual({
    staff_id: id,
    ip: '127.0.0.1',
    details: {
      by: 'Sol Marsh',
      staff: id,
      change: 'name changed',
      from: 'Sol Reed',
      to: 'Sol Marsh',
    },
  });
});

test('an invitation that ends while it is accepted is not valid, and no deadlock decides it', async () => {
  const { id, email } = await invite();
  let accepted: ReturnType<typeof accept> | undefined;
  await api.ctx.db.transaction().execute(async (trx) => {
    await lockStaff(trx);
    accepted = accept(email, `Kim Reyes ${randomUUID()}`);
    await untilLockWait(trx);
    await trx.deleteFrom('staff_invitations').where('staff_id', '=', id).execute();
  });
  expect((await accepted!).status).toBe(404);
});
