import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reminderKinds, type ReminderChoices } from '@gatehouse/contract/reminders';
import { limits } from '#config/limits.ts';
import { signIn, type SignedIn, useTestApp } from '#test/app.ts';
import { stopUrl } from './stop-links.ts';

let dana: SignedIn;
let lee: SignedIn;
const api = useTestApp('demo_template');
beforeAll(async () => {
  dana = await signIn(api, 'dana@example.com');
  lee = await signIn(api, 'lee@example.com');
});
beforeEach(async () => {
  await api.owner.deleteFrom('reminder_stops').execute();
});

const pathOf = (by: SignedIn, tenantId = by.tenantIds[0]!) =>
  `${by.prefix}/tenants/${tenantId}/reminders`;
const read = async (by = dana) =>
  (await api.call('GET', pathOf(by), { token: by.token })).body as ReminderChoices;
const change = (kind: string, isOn: boolean, by = dana, tenantId = by.tenantIds[0]!) =>
  api.call('POST', pathOf(by, tenantId), { token: by.token, body: { kind, isOn } });
const link = (kind: ReminderChoices['stopped'][number] = 'rent_soon', by = dana) =>
  new URL(stopUrl(api.ctx, by.tenantIds[0]!, kind)).pathname;
const get = (url: string) => api.app.inject({ url });
const post = (url: string, type = 'application/x-www-form-urlencoded', payload = '') =>
  api.app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });
const events = async () => {
  const rows = await api.owner
    .selectFrom('audit_events')
    .select(['kind', 'user_id', 'tenant_id'])
    .where('kind', 'like', 'reminders_%')
    .orderBy('id')
    .execute();
  return rows.map(({ kind, user_id }) => [kind, user_id !== null]);
};

describe('a tenant', () => {
  // spec 7.88
  test('gets every kind of reminders, stops one and gets it again', async () => {
    expect(await read()).toMatchObject({ isOffered: true, stopped: [] });
    for (const kind of reminderKinds)
      expect((await change(kind, false)).body.stopped).toContain(kind);
    expect((await change('gate_soon', false)).body.stopped).toHaveLength(3);
    expect((await change('rent_today', true)).body).toMatchObject({
      isOffered: true,
      stopped: ['gate_soon', 'rent_soon'],
    });
    expect((await change('rent_today', true)).status).toBe(200);
    expect(await read()).toMatchObject({ isOffered: true, stopped: ['gate_soon', 'rent_soon'] });
    expect(await events()).toEqual([
      ...reminderKinds.map(() => ['reminders_stopped', true]),
      ['reminders_resumed', true],
    ]);
  });

  // spec 7.88
  test('sees and changes those of own records only', async () => {
    const foreign = lee.tenantIds[0]!;
    const { status } = await api.call('GET', pathOf(dana, foreign), { token: dana.token });
    expect([status, (await change('rent_soon', false, dana, foreign)).status]).toEqual([404, 404]);
    expect((await read(lee)).stopped).toEqual([]);
  });
});

describe('the link in a reminder', () => {
  // spec 10.30
  test('shows what it stops and changes nothing when it is opened, however often', async () => {
    for (let nth = 0; nth < 2; nth += 1) {
      const { statusCode, body, headers } = await get(link());
      expect([statusCode, body]).toEqual([200, expect.stringContaining('Stop these reminders')]);
      expect(body).not.toMatch(/Dana|Reyes|dana@|A101/);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['x-robots-tag']).toBe('noindex, nofollow');
    }
    expect((await read()).stopped).toEqual([]);
  });

  test('speaks the language of the browser, also where it is refused', async () => {
    const headers = { 'accept-language': 'es-MX,es;q=0.9' };
    const inSpanish = (url: string, method: 'GET' | 'POST' = 'GET') =>
      api.app.inject({ method, url, headers });
    const { body } = await inSpanish(link('gate_soon'));
    expect(body).toContain('<html lang="es">');
    expect(body).toContain('¿Detener estos recordatorios?');
    expect(body).toContain('Ya no recibirá correos sobre el portón que está por cerrarse.');
    expect((await inSpanish(link('gate_soon'), 'POST')).body).toContain(
      'Estos recordatorios se detuvieron',
    );
    const refused = await inSpanish('/reminders/rmd_');
    expect([refused.statusCode, refused.body]).toEqual([
      404,
      expect.stringMatching(/lang="es".*Esto no funcionó.*Este enlace no está completo/s),
    ]);
  });

  // spec 10.30
  test.each([
    ['the page’s form', 'application/x-www-form-urlencoded', ''],
    [
      'the button of a mail program',
      'application/x-www-form-urlencoded',
      'List-Unsubscribe=One-Click',
    ],
    [
      'one that sends parts',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ])('stops that kind alone, signed in nowhere, by %s', async (_, type, payload) => {
    const { statusCode, body } = await post(link('rent_today'), type, payload);
    expect([statusCode, body]).toEqual([200, expect.stringContaining('are stopped')]);
    expect((await read()).stopped).toEqual(['rent_today']);
    expect((await read(lee)).stopped).toEqual([]);
    expect((await get(link('rent_today'))).body).toContain('are stopped');
    expect((await post(link('rent_today'), type, payload)).statusCode).toBe(200);
  });

  test('what it stopped is switched on again after a sign-in', async () => {
    await post(link('gate_soon'));
    expect((await change('gate_soon', true)).body.stopped).toEqual([]);
  });

  // spec 10.30
  test('that is forged, cut, of another purpose or of no record is refused alike', async () => {
    const token = link().split('/').at(-1)!;
    const foreign = new URL(stopUrl(api.ctx, '00000000-0000-4000-8000-000000000000', 'rent_soon'))
      .pathname;
    const other = Buffer.from(token.slice(4), 'base64url');
    other[20] = 1;
    const dead = [
      foreign,
      `/reminders/rmd_${other.toString('base64url')}`,
      `/reminders/${token.slice(0, -2)}AA`,
      `/reminders/${token.slice(0, -1)}`,
      `/reminders/${token.replace('rmd_', 'rpt_')}`,
      '/reminders/rmd_',
    ];
    const answers = await Promise.all(dead.flatMap((url) => [get(url), post(url)]));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([404]));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await api.owner.selectFrom('reminder_stops').selectAll().execute()).toEqual([]);
  });

  test('is opened by one network so often a minute', async () => {
    api.ctx.config.limits = { ...limits, 'stop-link-calls-a-minute': { most: 2, seconds: 60 } };
    await api.owner.deleteFrom('limit_counts').execute();
    const codes = [];
    for (let nth = 0; nth < 3; nth += 1) codes.push((await get(link())).statusCode);
    expect(codes).toEqual([200, 200, 429]);
  });
});
