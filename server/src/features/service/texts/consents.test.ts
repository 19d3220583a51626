import { createHash } from 'node:crypto';
import type { ReminderChoices } from '@gatehouse/contract/reminders';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '#config/limits.ts';
import { APP_ROLE, WORK_ROLE } from '#db/reach.ts';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { setLimits } from '#test/limits.ts';
import { testClock } from '#test/test-day.ts';
import { makeTextConsent, textsTo } from '#test/texts.ts';
import { addRows, changeRows, getRow } from '#test/rows.ts';

const NUMBER = '+18175550142';

let now = testClock.now();
const api = useTestApp('demo_template', { clock: { now: () => now } });
let dana: SignedIn;
let tenantId: string;
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  tenantId = dana.tenantIds[0]!;
});
beforeEach(async () => {
  for (const table of [
    'text_consent_ends',
    'text_consents',
    'text_codes',
    'texts',
    'text_replies',
    'limit_counts',
  ] as const)
    await api.owner.deleteFrom(table).execute();
  await changeRows(api.owner, 'facilities', { sends_texts: true });
  await changeRows(api.owner, 'tenants', { phone: '8175550142' }, { id: tenantId });
});

const pathOf = (part: string, by = dana) => `${by.prefix}/tenants/${by.tenantIds[0]!}/${part}`;
const read = async () =>
  ((await api.call('GET', pathOf('reminders'), dana)).body as ReminderChoices).texts;
const post = (part: string, body?: object, headers = {}) =>
  api.call('POST', pathOf(part), { token: dana.token, headers, ...(body && { body }) });
const ask = async (consent?: string) =>
  post('text-messages', { consent: consent ?? (await read())!.consent }, { 'user-agent': 'Phone' });
const confirm = (code: string) => post('text-messages-code', { code });
const codes = async () =>
  (await textsTo(api, NUMBER))
    .filter(({ kind }) => kind === 'code')
    .map(({ body }) => /\b\d{8}\b/.exec(body)![0]);
test.each(['+4532123456', '8175550142 ext. 12', '45 12 34 56 78 9', '5550142'])(
  'goes to no number but a US one: %s gets none',
  async (phone) => {
    const { rows } = await sql<{ number: string | null }>`
      SELECT text_phone(${phone}) AS number`.execute(api.owner);
    expect(rows).toEqual([{ number: null }]);
  },
);

const agree = async () => {
  await ask();
  return confirm((await codes()).at(-1)!);
};
const consents = () =>
  api.owner
    .selectFrom('text_consents as c')
    .leftJoin('text_consent_ends as e', 'e.consent_id', 'c.id')
    .selectAll('c')
    .select('e.reason')
    .orderBy('c.confirmed_at')
    .execute();

describe('text messages', () => {
  // spec 10.61
  test('are off, and what a tenant would agree to says who, what, how often, that it may cost, how it ends and that it is no condition', async () => {
    const texts = await read();
    expect(texts).toMatchObject({ phone: '8175550142', state: 'off' });
    for (const part of [
      /^I agree that Anchor & Axle RV & Boat Storage sends automated reminders/,
      /by text message to \(817\) 555-0142/,
      /up to 3 a month for each unit/,
      /Message and data rates may apply/,
      /Reply STOP to end, HELP for help/,
      /My consent is not a condition of renting or of paying/,
    ])
      expect(texts!.consent).toMatch(part);
    expect(await consents()).toEqual([]);
  });

  // spec 7.88, 10.62
  test('are on once the code is confirmed, which goes to the phone on file only', async () => {
    expect((await ask()).status).toBe(200);
    expect(await read()).toMatchObject({ state: 'code' });
    const [code] = await codes();
    const wrong = code === '00000000' ? '00000001' : '00000000';
    expect((await confirm(wrong)).body).toEqual({ success: false });
    expect(await read()).toMatchObject({ state: 'code' });
    const spaced = `${code!.slice(0, 4)} ${code!.slice(4)}`;
    expect((await confirm(spaced)).body).toEqual({ success: true });
    expect(await read()).toMatchObject({ state: 'on' });
    expect((await confirm(code!)).body).toEqual({ success: false });
    const [first, welcome, ...others] = await textsTo(api, NUMBER);
    expect([first!.kind, welcome!.kind, others]).toEqual(['code', 'welcome', []]);
    for (const { body } of [first!, welcome!]) {
      expect(body.length).toBeLessThanOrEqual(160);
      expect(body).toMatch(/STOP to end$/);
    }
  });

  // spec 10.61
  test('keep the consent word for word, with its digest, number, times, sign-in and origin', async () => {
    const { consent } = (await read())!;
    const asked = now;
    await ask();
    now = new Date(now.getTime() + 60_000);
    await confirm((await codes())[0]!);
    const [row, ...others] = await consents();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      tenant_id: tenantId,
      phone: NUMBER,
      text: consent,
      reason: null,
      text_hash: createHash('sha256').update(consent).digest(),
      agreed_at: asked,
      confirmed_at: now,
      ip: '127.0.0.1',
      user_agent: 'Phone',
    });
  });

  // spec 10.61
  test('cannot be changed or taken back in what is kept', async () => {
    await agree();
    for (const role of [APP_ROLE, WORK_ROLE])
      for (const table of ['text_consents', 'text_consent_ends'])
        for (const change of ['UPDATE', 'DELETE', 'TRUNCATE']) {
          const rows = await api.sql<{ may: boolean }>`
            SELECT has_table_privilege(${role}, ${table}, ${change}) AS may`;
          expect(rows[0]!.may, `${role} ${change} ${table}`).toBe(false);
        }
  });

  test('are switched off by the tenant, and the consent keeps its end', async () => {
    await agree();
    expect((await post('text-messages-stop')).status).toBe(200);
    expect((await post('text-messages-stop')).status).toBe(200);
    expect(await read()).toMatchObject({ state: 'off' });
    expect(await consents()).toMatchObject([{ reason: 'switched_off' }]);
    await agree();
    expect((await consents()).map(({ reason }) => reason)).toEqual(['switched_off', null]);
  });

  // spec 10.63
  test('end with another phone on file, no matter who changes it, and stay off when it comes back', async () => {
    await agree();
    const setPhone = (phone: string | null) =>
      sql`UPDATE tenants SET phone = ${phone} WHERE id = ${tenantId}`.execute(api.owner);
    await setPhone('(817) 555-0142');
    expect(await read()).toMatchObject({ state: 'on' });
    await setPhone('8175550199');
    expect(await read()).toMatchObject({ phone: '8175550199', state: 'off' });
    await setPhone('8175550142');
    expect(await read()).toMatchObject({ state: 'off' });
    expect(await consents()).toMatchObject([{ reason: 'phone_changed' }]);
  });

  test('are of each record by itself', async () => {
    const { id: other } = await getRow(api.owner, 'tenants', 'id', { email: 'lee@example.com' });
    await makeTextConsent(api.owner, other);
    expect(await read()).toMatchObject({ state: 'off' });
  });
});

describe('a code', () => {
  test('is good for ten minutes', async () => {
    await ask();
    const [code] = await codes();
    now = new Date(now.getTime() + 10 * 60_000);
    expect(await read()).toMatchObject({ state: 'off' });
    expect((await confirm(code!)).body).toEqual({ success: false });
    expect(await consents()).toEqual([]);
  });

  test('is good for five tries', async () => {
    await ask();
    const [code] = await codes();
    const wrong = code === '00000000' ? '00000001' : '00000000';
    for (let tries = 0; tries < 5; tries += 1) await confirm(wrong);
    expect((await confirm(code!)).body).toEqual({ success: false });
    expect(await read()).toMatchObject({ state: 'off' });
  });

  test('of an earlier text works no more', async () => {
    await ask();
    await ask();
    const [first, second] = await codes();
    if (first !== second) expect((await confirm(first!)).body).toEqual({ success: false });
    expect((await confirm(second!)).body).toEqual({ success: true });
  });

  test('works for the sign-in that asked for it only', async () => {
    await ask();
    await api.sql`UPDATE text_codes SET user_id = (SELECT id FROM users WHERE email = 'lee@example.com')`;
    expect((await confirm((await codes())[0]!)).body).toEqual({ success: false });
  });

  // spec 10.62
  test('goes to a number three times in ten minutes, no matter who asks', async () => {
    await setLimits(api, { 'codes-in-ten-minutes': limits['codes-in-ten-minutes'] });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await ask()).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await codes()).toHaveLength(3);
  });
});

describe('asking for text messages is refused, and sends nothing,', () => {
  test.each<[string, () => unknown, string]>([
    [
      'where the facility sends none',
      () => changeRows(api.owner, 'facilities', { sends_texts: false }),
      'Your facility sends no text messages.',
    ],
    [
      'without a phone on file',
      () => sql`UPDATE tenants SET phone = NULL WHERE id = ${tenantId}`.execute(api.owner),
      'There is no phone number on file that gets text messages.',
    ],
    [
      'after STOP from the number',
      () =>
        addRows(api.owner, 'text_replies', {
          id: 'SM1',
          from_phone: NUMBER,
          word: 'stop',
          body: 'STOP',
          received_at: now,
        }),
      'STOP was texted from this number. Text START to where the texts came from, and try again.',
    ],
  ])('%s', async (_, change, sentence) => {
    const { consent } = (await read())!;
    await change();
    const { status, body } = await ask(consent);
    expect([status, body.message]).toEqual([409, sentence]);
    expect(await textsTo(api, NUMBER)).toEqual([]);
  });

  test('with other words than those that are shown', async () => {
    const { status, body } = await ask(`${(await read())!.consent} Not.`);
    expect([status, body.message]).toEqual([
      409,
      'What you agree to has changed. Please load this page again and read it.',
    ]);
    expect(await textsTo(api, NUMBER)).toEqual([]);
  });

  // spec 10.60
  test('where no provider is set up, and then none are offered', async () => {
    const { consent } = (await read())!;
    const { texts } = api.ctx;
    api.ctx.texts = null;
    expect(await read()).toBeNull();
    expect((await ask(consent)).status).toBe(409);
    api.ctx.texts = texts;
    expect(await textsTo(api, NUMBER)).toEqual([]);
  });
});
