import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeVehiclePaper } from '#seeds/builders.ts';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { testClock } from '#test/test-day.ts';
import { changeRows } from '#test/rows.ts';

let dana: SignedIn;
const api = useTestApp('demo_template');
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
});

type By = Pick<SignedIn, 'token' | 'prefix' | 'tenantIds'>;
const call = (method: 'GET' | 'POST', part: string, { token, prefix, tenantIds }: By = dana) =>
  api.call(method, `${prefix}/tenants/${tenantIds[0]}/calendar-feed${part}`, { token });
const make = async (by?: By) => (await call('POST', '', by)).body.url as string;
const remove = (by?: By) => call('POST', '-removal', by);
/** What a calendar app gets, which is signed in nowhere. */
const read = (url: string) => api.app.inject({ url: new URL(url).pathname });
/** The lines of a calendar, with the folded ones whole (RFC 5545, 3.1). */
const linesOf = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');

describe('a tenant’s private calendar', () => {
  // spec 7.82
  test('is made once, mailed about, and read without a sign-in', async () => {
    expect((await call('GET', '')).body).toEqual({ url: null });
    const [url, again] = [await make(), await make()];
    expect(again).toBe(url);
    expect((await call('GET', '')).body).toEqual({ url });
    const mails = await mailsTo(api, 'dana@example.com');
    expect(
      mails.filter(({ subject }) => subject === 'Your private calendar was made'),
    ).toHaveLength(1);
    const { statusCode, headers, body } = await read(url);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const lines = linesOf(body);
    expect(lines[0]).toBe('BEGIN:VCALENDAR');
    expect(lines.at(-1)).toBe('END:VCALENDAR');
    for (const line of body.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  });

  // spec 10.100
  test('is mailed about with a link that names its record, for a person who has several', async () => {
    await make();
    const [about] = (await mailsTo(api, 'dana@example.com')).filter(
      ({ subject }) => subject === 'Your private calendar was made',
    );
    expect(about!.text).toContain(`/account?record=${dana.tenantIds[0]}#calendar`);
    const lee = await signIn(api, 'lee@example.com');
    await make(lee);
    const mails = await mailsTo(api, 'lee@example.com');
    const [one] = mails.filter(({ subject }) => subject === 'Your private calendar was made');
    expect(one!.text).toContain('/account#calendar');
  });

  // spec 10.10
  test('has what the portal says is due, as whole days of the facility, and never a gate code', async () => {
    const { body } = await read(await make());
    const { token, prefix, tenantIds } = dana;
    const get = (path: string) =>
      api.call('GET', `${prefix}/tenants/${tenantIds[0]}${path}`, { token });
    const { body: autopays } = await get('/autopays');
    const { body: ledgers } = await get('/ledgers');
    const lines = linesOf(body);
    const days = lines.filter((line) => line.startsWith('DTSTART'));
    expect(days.length).toBeGreaterThan(ledgers.length * 10);
    for (const day of days) expect(day).toMatch(/^DTSTART;VALUE=DATE:\d{8}$/);
    for (const { id, unitName, balance } of ledgers) {
      const { nextCharge } = autopays.find((one: { ledgerId: string }) => one.ledgerId === id);
      if (nextCharge !== null) {
        const title = lines.indexOf(
          `SUMMARY:Autopay $${nextCharge.amount.toFixed(2)}\\, ${unitName}`,
        );
        expect(lines.slice(0, title).findLast((line) => line.startsWith('DTSTART'))).toBe(
          `DTSTART;VALUE=DATE:${nextCharge.date.replaceAll('-', '')}`,
        );
      } else if (balance > 0)
        expect(lines).toContain(`SUMMARY:Unpaid $${balance.toFixed(2)}\\, ${unitName}`);
    }
    const codes = await api.call('GET', `${prefix}/gate-access`, { token });
    for (const { accessCode } of codes.body as { accessCode?: string }[])
      if (accessCode !== undefined) expect(body).not.toContain(accessCode);
  });

  test('is in the language of the account', async () => {
    const write = (language: 'es' | null) =>
      changeRows(api.owner, 'users', { language }, { email: 'dana@example.com' });
    await write('es');
    const lines = linesOf((await read(await make())).body);
    await write(null);
    expect(lines).toContainEqual(expect.stringMatching(/^SUMMARY:Pago automático \$/));
    expect(lines).not.toContainEqual(expect.stringMatching(/Autopay|Rent due|is known/));
  });

  // spec 10.11
  test('ends when it is removed, and a new one has another address', async () => {
    const url = await make();
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(200);
    expect((await call('GET', '')).body).toEqual({ url: null });
    expect((await read(url)).statusCode).toBe(404);
    const next = await make();
    expect(next).not.toBe(url);
    expect((await read(url)).statusCode).toBe(404);
    expect((await read(next)).statusCode).toBe(200);
    const { rows } = await api.owner.executeQuery<{ kind: string }>(
      api.owner
        .selectFrom('audit_events')
        .select('kind')
        .where('tenant_id', '=', dana.tenantIds[0]!)
        .where('kind', 'in', ['calendar_feed_made', 'calendar_feed_removed'])
        .orderBy('id')
        .compile(),
    );
    expect(rows.map(({ kind }) => kind)).toEqual([
      'calendar_feed_made',
      'calendar_feed_removed',
      'calendar_feed_made',
    ]);
  });

  test('is one, ten times at once', async () => {
    await remove();
    const urls = await Promise.all(Array.from({ length: 10 }, () => make()));
    expect(new Set(urls).size).toBe(1);
  });

  // spec 10.11
  test('has no address but its own: altered, cut, of another kind of link, all alike', async () => {
    const url = await make();
    const [, token = ''] = /\/calendar\/(.+)\.ics$/.exec(url)!;
    const last = token.at(-1) === 'A' ? 'B' : 'A';
    const answers = await Promise.all(
      [
        token.slice(0, -1) + last,
        token.slice(0, -4),
        token.replace('cal_', 'rpt_'),
        `${token}A`,
        'cal_',
        'x',
        '..%2f..%2fetc%2fpasswd',
      ].map((one) => api.app.inject({ url: `/calendar/${one}.ics` })),
    );
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(
      new Set(['404 There is no calendar here. It may have been removed.']),
    );
  });

  test('is neither seen, made nor removed by another tenant or without a session', async () => {
    const url = await make();
    const lee = await signIn(api, 'lee@example.com');
    const { body: before } = await call('GET', '', lee);
    const asLee = { ...dana, token: lee.token };
    const signedOut = { prefix: dana.prefix, tenantIds: dana.tenantIds };
    for (const [method, part] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '-removal'],
    ] as const) {
      expect((await call(method, part, asLee)).status).toBe(404);
      const path = `${signedOut.prefix}/tenants/${signedOut.tenantIds[0]}/calendar-feed${part}`;
      expect((await api.call(method, path)).status).toBe(401);
    }
    expect((await call('GET', '', lee)).body).toEqual(before);
    expect((await read(url)).statusCode).toBe(200);
  });

  test('is not read while its sign-in is disabled, or where the record has another address', async () => {
    const url = await make();
    const users = api.owner.updateTable('users').where('email', '=', 'dana@example.com');
    await users.set({ disabled_at: testClock.now() }).execute();
    expect((await read(url)).statusCode).toBe(404);
    await users.set({ disabled_at: null }).execute();
    const record = api.owner.updateTable('tenants').where('id', '=', dana.tenantIds[0]!);
    await record.set({ email: 'elsewhere@example.com' }).execute();
    expect((await read(url)).statusCode).toBe(404);
    await record.set({ email: 'dana@example.com' }).execute();
    expect((await read(url)).statusCode).toBe(200);
  });

  test('has the last days of the papers on file, and not of one that was replaced', async () => {
    const { rows } = await sql<{ id: string }>`
      SELECT l.id FROM ledgers l JOIN units u ON u.id = l.unit_id
      WHERE u.name = 'A101' AND l.tenant_id = ${dana.tenantIds[0]}`.execute(api.owner);
    const ledger_id = rows[0]!.id;
    const paper = (more: { expires_on: string; replaced_at?: Date; kind?: 'insurance' }) =>
      makeVehiclePaper(api.owner, api.ctx.vault, {
        ledger_id,
        created_at: testClock.now(),
        ...more,
      });
    await paper({ expires_on: '2027-05-31' });
    await paper({ expires_on: '2027-06-30', kind: 'insurance' });
    await paper({ expires_on: '2027-07-31', replaced_at: testClock.now() });
    const lines = linesOf((await read(await make())).body);
    expect(lines).toContain('SUMMARY:Registration expires\\, A101');
    expect(lines).toContain('SUMMARY:Vehicle insurance expires\\, A101');
    expect(lines).toContain('DTSTART;VALUE=DATE:20270531');
    expect(lines.join()).not.toContain('20270731');
    expect(lines.join()).not.toContain('88120042');
  });

  test('is limited: ten a sign-in and hour are made, sixty reads an hour answered', async () => {
    const { limits } = api.ctx.config;
    api.ctx.config.limits = {
      ...limits,
      'calendar-feeds-an-hour': { most: 1, seconds: 3600 },
      'calendar-reads-an-hour': { most: 2, seconds: 3600 },
    };
    try {
      const lee = await signIn(api, 'lee@example.com');
      const url = await make(lee);
      expect([(await read(url)).statusCode, (await read(url)).statusCode]).toEqual([200, 200]);
      const third = await read(url);
      expect(third.statusCode).toBe(429);
      expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
      expect(third.body).toBe('This calendar was read too often. Please try again later.');
      await remove(lee);
      expect((await call('POST', '', lee)).status).toBe(429);
      expect((await call('GET', '', lee)).body).toEqual({ url: null });
    } finally {
      api.ctx.config.limits = limits;
    }
  });
});
