import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildApp } from '#app/app.ts';
import { createMetrics } from '#telemetry/metrics.ts';
import { cardToAchNoticeEmail } from '#emails/staff/card-to-ach-notice.ts';
import { openLog } from '#telemetry/log.ts';
import { openTestApp, signIn, type SignedIn, type TestApp } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { noisePng } from '#test/photos.ts';
import { fromNow, testClock } from '#test/test-day.ts';
import { actOnRequest } from './act.ts';
import { addRecipients, listRecipients, removeRecipients } from './recipients.ts';
import { getRequester } from './requester.ts';
import { fileRequest } from './requests.ts';
import { makeStaffLink } from './staff-links.ts';

const EAGLE_MOUNTAIN = 'eagle-mountain@anchor-axle.example';
const HOSTILE = '<script>alert(1)</script> & "quotes"';

let api: TestApp;
let dana: SignedIn;
let lee: SignedIn;
let ledgerId: string;
let facilityId: string;
/** The time of the test, in days. */
let later = 0;

beforeAll(async () => {
  api = await openTestApp('demo_template', {
    clock: { now: () => fromNow(later * 86_400_000) },
  });
  ({ id: facilityId } = await api.owner
    .selectFrom('facilities')
    .select('id')
    .where('location_code', '=', 'TXDFW03')
    .executeTakeFirstOrThrow());
});
afterAll(() => api.close());
beforeEach(async () => {
  later = 0;
  await api.owner.deleteFrom('requests').execute();
  await api.owner.deleteFrom('mails').execute();
  await api.owner.deleteFrom('facility_recipients').execute();
  await sql`TRUNCATE limit_counts`.execute(api.owner);
  dana = await signIn(api, 'dana@example.com');
  lee = await signIn(api, 'lee@example.com');
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers`;
  ledgerId = (await api.call('GET', path, { token: dana.token })).body[0].id;
});

/** Dana asks for a repair of A101. Returns the reference. */
async function ask(issueDescription = 'The keypad is dark.', imageData?: string): Promise<string> {
  const body = { ledgerId, issueType: 'gate', issueDescription, imageData };
  const answer = await api.call('POST', `${dana.prefix}/maintenance-requests`, {
    token: dana.token,
    body,
  });
  return answer.body.reference as string;
}

/** The path of the link in the newest mail to an address. */
async function linkTo(address = EAGLE_MOUNTAIN): Promise<string> {
  const text = (await mailsTo(api, address)).at(-1)?.text ?? '';
  return /\/staff\/requests\/\S+/.exec(text)![0];
}
const events = () =>
  api.owner.selectFrom('request_events').selectAll().orderBy('position').execute();
const requests = () => api.owner.selectFrom('requests').selectAll().execute();
const open = (url: string) => api.app.inject({ url });
const own = async (who: SignedIn, tenantId = who.tenantIds[0]!) =>
  api.call('GET', `${who.prefix}/tenants/${tenantId}/requests`, { token: who.token });

/** The initial fields of a page's form. */
async function formOf(url: string): Promise<{ form: string; version: string }> {
  const { body } = await open(url);
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(body)![1]!;
  return { form: field('form'), version: field('version') };
}

const send = (url: string, fields: Record<string, string>) =>
  api.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });

/** All rows that a page could change, as one text. */
const footprint = async () =>
  JSON.stringify([
    await requests(),
    await events(),
    await api.owner.selectFrom('mails').select('id').execute(),
    await api.owner
      .selectFrom('audit_events')
      .select('kind')
      .where('kind', 'like', 'request_%')
      .execute(),
  ]);

describe('the page behind the link in the mail', () => {
  test('shows the request as text, uncached and without a referrer, and changes nothing however often it is read', async () => {
    const reference = await ask(HOSTILE);
    const url = await linkTo();
    const before = await footprint();
    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      const { statusCode, headers, body } = await api.app.inject({ method, url });
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
        ),
      });
      if (method === 'HEAD') continue;
      for (const text of [
        reference,
        'unit A101',
        'Dana Reyes',
        '(817) 555-0142',
        '&lt;script&gt;alert(1)',
      ])
        expect(body).toContain(text);
      expect(body).not.toMatch(/<script| style=| on\w+=/);
    }
    expect(await footprint()).toBe(before);
  });

  test('shows the photo of the request under the same link', async () => {
    const imageData = `data:image/png;base64,${(await noisePng()).toString('base64')}`;
    await ask('The keypad is dark.', imageData);
    const url = await linkTo();
    const address = /<img src="([^"]+)"/.exec((await open(url)).body)![1]!;
    const photo = await open(new URL(address, `http://localhost${url}`).pathname);
    expect(photo.statusCode).toBe(200);
    expect(photo.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
    });
    expect(photo.headers['content-security-policy']).toMatch(
      /^default-src 'none'; .*; frame-ancestors 'none'$/,
    );
    expect(photo.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    const { image_id: imageId } = (await requests())[0]!;
    const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/images/${imageId}`;
    const own = (await api.call('GET', path, { token: dana.token })).body.imageData as string;
    expect(own).toBe(`data:image/jpeg;base64,${photo.rawPayload.toString('base64')}`);

    await ask('And the lamp is out.');
    const without = await linkTo();
    expect((await open(without)).body).not.toContain('<img');
    const none = await open(`${without}/photo`);
    expect([none.statusCode, none.body]).toEqual([
      404,
      expect.stringContaining('This request has no photo.'),
    ]);
    expect((await open(`${url.slice(0, -1)}~/photo`)).statusCode).toBe(404);
    later = 31;
    expect((await open(`${url}/photo`)).statusCode).toBe(410);
  });

  // spec 10.8
  test('accepts a reply, which starts work on the request: tenant, history, audit trail and a mail show it', async () => {
    const reference = await ask();
    const url = await linkTo();
    const { statusCode, body } = await send(url, {
      ...(await formOf(url)),
      reply: `On it.\r\n${HOSTILE}`,
    });
    expect(statusCode).toBe(200);
    expect(body).toContain('Your reply is on its way to the tenant.');
    expect(body).toContain('On it.\n&lt;script&gt;');
    expect(await events()).toMatchObject([
      { kind: 'created', status: 'new', via: 'portal', author: null },
      {
        kind: 'replied',
        status: 'new',
        via: 'link',
        author: EAGLE_MOUNTAIN,
        text: `On it.\n${HOSTILE}`,
      },
      { kind: 'status_changed', status: 'in_progress', via: 'link' },
    ]);
    const today = calendarDateIn('America/Chicago', testClock.now());
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect((await own(dana)).body).toEqual([
      {
        reference,
        kind: 'maintenance_request_form',
        unitName: 'A101',
        askedOn: today,
        asked: 'The keypad is dark.',
        status: 'in_progress',
        timeZone: 'America/Chicago',
        id: (await requests())[0]!.id,
        steps: [
          { kind: 'created', status: 'new', at: instant, text: null },
          { kind: 'replied', status: 'new', at: instant, text: `On it.\n${HOSTILE}` },
          { kind: 'status_changed', status: 'in_progress', at: instant, text: null },
        ],
      },
    ]);
    const [mail, ...others] = await mailsTo(api, 'dana@example.com');
    expect(others).toEqual([]);
    expect(mail!.subject).toBe(`Reply to your request ${reference}`);
    expect(mail!.text).toContain(
      `(Maintenance request, unit A101):\n\nOn it.\n${HOSTILE}\n\nStatus: In progress`,
    );
    expect(mail!.html).not.toContain('<script>');
    expect(mail!.text).not.toContain('/staff/');
    const trail = await api.owner
      .selectFrom('audit_events')
      .select(['kind', 'details', 'tenant_id', 'ledger_id'])
      .where('kind', 'like', 'request_%')
      .orderBy('id')
      .execute();
    const whose = { tenant_id: dana.tenantIds[0], ledger_id: ledgerId };
    expect(trail.slice(-2)).toEqual([
      { kind: 'request_replied', ...whose, details: { reference, via: 'link' } },
      {
        kind: 'request_status_changed',
        ...whose,
        details: { reference, via: 'link', status: 'in_progress' },
      },
    ]);
  });

  test('sets the status alone, and opens a request that was done again', async () => {
    const reference = await ask();
    const url = await linkTo();
    expect((await send(url, { ...(await formOf(url)), status: 'done' })).body).toContain(
      'The status is set, and the tenant is notified.',
    );
    expect((await mailsTo(api, 'dana@example.com'))[0]!.subject).toBe(
      `Your request ${reference}: Done`,
    );
    await send(url, {
      ...(await formOf(url)),
      status: 'in_progress',
      reply: 'Not yet, after all.',
    });
    expect((await events()).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'created new',
      'status_changed done',
      'replied done',
      'status_changed in_progress',
    ]);
  });

  test('accepts a form once, also when it is sent twice at once or again later', async () => {
    await ask();
    const url = await linkTo();
    const fields = { ...(await formOf(url)), reply: 'Once.', status: 'done' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(url, fields)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      200,
      ...Array<number>(7).fill(409),
    ]);
    const again = await send(url, { ...fields, reply: 'Twice?' });
    expect([again.statusCode, again.body]).toEqual([
      409,
      expect.stringContaining('This form was sent already. Nothing was done a second time.'),
    ]);
    expect((await events()).map(({ kind }) => kind)).toEqual([
      'created',
      'replied',
      'status_changed',
    ]);
    expect(await mailsTo(api, 'dana@example.com')).toHaveLength(1);
  });

  test('refuses a form whose request was changed since, and keeps the input', async () => {
    await ask();
    const url = await linkTo();
    const [mine, theirs] = [await formOf(url), await formOf(url)];
    await send(url, { ...theirs, reply: 'Theirs.' });
    const before = await footprint();
    const { statusCode, body } = await send(url, { ...mine, reply: 'Mine & mine.' });
    expect(statusCode).toBe(409);
    expect(body).toContain('Somebody else changed this request meanwhile.');
    expect(body).toContain('Mine &amp; mine.</textarea>');
    expect(await footprint()).toBe(before);
  });

  test.each([
    ['nothing', { reply: ' \r\n ' }, 'Please write a reply or choose another status.'],
    [
      'a text that is too long',
      { reply: 'x'.repeat(2001) },
      'it has 2001 of at most 2000 characters.',
    ],
    [
      'a status that there is not',
      { status: 'new', reply: 'x' },
      'The form is not as this page made it.',
    ],
    ['no form of ours', { form: 'x', reply: 'x' }, 'The form is not as this page made it.'],
    ['no version', { version: '', reply: 'x' }, 'The form is not as this page made it.'],
  ])('refuses %s in a sentence, and changes nothing', async (_, fields, sentence) => {
    await ask();
    const url = await linkTo();
    const form = await formOf(url);
    const before = await footprint();
    const { statusCode, body } = await send(url, { ...form, ...fields });
    expect([statusCode, body]).toEqual([422, expect.stringContaining(sentence)]);
    expect(await footprint()).toBe(before);
  });

  test('accepts no body but a form’s, and no other method', async () => {
    await ask();
    const url = await linkTo();
    const before = await footprint();
    const json = await api.app.inject({ method: 'POST', url, payload: { reply: 'x' } });
    expect([json.statusCode, json.headers['content-type']]).toEqual([
      415,
      'text/html; charset=utf-8',
    ]);
    expect((await send(url, {})).statusCode).toBe(422);
    expect((await send(url, { reply: 'x'.repeat(70_000) })).statusCode).toBe(413);
    expect((await api.app.inject({ method: 'DELETE', url })).statusCode).toBe(405);
    expect(await footprint()).toBe(before);
  });

  test('removes invisible characters from a reply, and refuses more than forty events', async () => {
    await ask();
    const url = await linkTo();
    await send(url, { ...(await formOf(url)), reply: 'a\0b\u0007c\u2028d\te' });
    expect((await events())[1]!.text).toBe('abc\nd\te');
    for (let count = (await events()).length; count < 40; count += 1)
      await send(url, { ...(await formOf(url)), reply: 'More.' });
    const { statusCode, body } = await send(url, { ...(await formOf(url)), reply: 'Still more.' });
    expect([statusCode, body]).toEqual([409, expect.stringContaining('Please call the tenant.')]);
    expect(await events()).toHaveLength(40);
  });
});

describe('a link', () => {
  /** GET and POST answer a sentence, and nothing is written. */
  async function expectDead(
    url: string,
    status: number,
    sentence: string,
    form: { form: string; version: string } = { form: randomUUID(), version: '0' },
  ) {
    const before = await footprint();
    for (const answer of [
      await open(url),
      await send(url, { ...form, reply: 'x', status: 'done' }),
    ]) {
      expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(sentence)]);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
      });
      expect(answer.body).not.toContain('Dana');
    }
    expect(await footprint()).toBe(before);
  }

  test('that is old is refused, also with a form that was opened in time', async () => {
    await ask();
    const url = await linkTo();
    const form = await formOf(url);
    later = 29.9;
    expect((await open(url)).statusCode).toBe(200);
    later = 30.1;
    await expectDead(url, 410, 'This link is too old: it worked for 30 days.', form);
  });

  test('that is altered, truncated or forged is refused', async () => {
    await ask();
    const url = await linkTo();
    const forged = makeStaffLink(
      { ...api.ctx, config: { ...api.ctx.config, secret: Buffer.alloc(32, 8) } },
      { requestId: (await requests())[0]!.id, facilityId, address: EAGLE_MOUNTAIN },
    );
    for (const one of [
      url.slice(0, -1),
      `${url}A`,
      url.replace('rqt_', 'rvt_'),
      new URL(forged).pathname,
    ])
      await expectDead(one, 404, 'This link is not whole.');
    expect((await open('/staff/requests/')).statusCode).not.toBe(500);
  });

  test('of an address that is no longer a recipient is refused', async () => {
    await ask();
    const url = await linkTo();
    await addRecipients(api.ctx.db, facilityId, [
      { kind: 'maintenance_request_form', address: 'new@example.com' },
    ]);
    await expectDead(url, 410, 'This link works no more');
  });

  test('of a request that was deleted is refused', async () => {
    await ask();
    const url = await linkTo();
    await api.owner.deleteFrom('requests').execute();
    await expectDead(url, 410, 'This link works no more');
  });

  test('opens its own request and no other', async () => {
    const first = await ask();
    const url = await linkTo();
    const second = await ask();
    const { body } = await open(url);
    expect(body).toContain(first);
    expect(body).not.toContain(second);
    await send(url, { ...(await formOf(url)), reply: 'To the first.' });
    expect((await requests()).map(({ status }) => status).toSorted()).toEqual([
      'in_progress',
      'new',
    ]);
  });
});

describe('the recipients of a request', () => {
  const recipients = ['repairs@example.com', 'boss@example.com'];

  test('are those of its kind and those of every kind, each with a link of its own', async () => {
    await addRecipients(api.ctx.db, facilityId, [
      { kind: 'maintenance_request_form', address: recipients[0]! },
      { kind: 'move_out', address: 'leaving@example.com' },
      { kind: null, address: recipients[1]! },
      { kind: 'maintenance_request_form', address: 'Boss@Example.com' },
    ]);
    await ask();
    const all = await api.owner.selectFrom('mails').select('to_address').execute();
    expect(all.map(({ to_address }) => to_address.toLowerCase()).toSorted()).toEqual(
      recipients.toSorted(),
    );
    const [one, other] = [
      await linkTo(recipients[0]),
      await linkTo(all.find((m) => /boss/i.test(m.to_address))!.to_address),
    ];
    expect(one).not.toBe(other);
    await send(one, { ...(await formOf(one)), reply: 'x' });
    expect((await events())[1]).toMatchObject({ author: recipients[0] });
  });

  test('are kept in NFC, and removed in any form', async () => {
    const typed = { kind: null, address: ' Zoe\u0308@example.com' };
    await addRecipients(api.ctx.db, facilityId, [typed]);
    expect(await listRecipients(api.ctx.db, facilityId)).toEqual([
      { kind: null, address: 'Zo\u00EB@example.com' },
    ]);
    expect(await removeRecipients(api.ctx.db, facilityId, [typed])).toBe(1);
  });

  test('are added once, removed by address, and limited to fifty', async () => {
    const { db } = api.ctx;
    const desk = { kind: null, address: 'desk@example.com' };
    expect(
      await addRecipients(db, facilityId, [desk, { ...desk, address: 'DESK@example.com' }]),
    ).toBe(1);
    expect(await addRecipients(db, facilityId, [desk])).toBe(0);
    await expect(
      addRecipients(db, facilityId, [{ kind: null, address: 'a@b.com, c@d.com' }]),
    ).rejects.toThrow('no mail address');
    const many = Array.from({ length: 50 }, (_, index) => ({
      kind: null,
      address: `desk${index}@example.com`,
    }));
    await expect(addRecipients(db, facilityId, many)).rejects.toThrow('at most 50');
    expect(
      await removeRecipients(db, facilityId, [{ kind: 'move_out', address: desk.address }]),
    ).toBe(0);
    expect(
      await removeRecipients(db, facilityId, [{ kind: null, address: 'Desk@Example.com' }]),
    ).toBe(1);
    expect(await listRecipients(db, facilityId)).toEqual([]);
  });
});

describe('the tenant’s list', () => {
  // spec 7.78
  test('has the newest first, at most fifty, none of another record and no notice', async () => {
    const row = {
      facility_id: facilityId,
      tenant_id: dana.tenantIds[0]!,
      details: JSON.stringify({ unitNames: [] }),
    };
    const many = Array.from({ length: 55 }, (_, index) => ({
      ...row,
      kind: 'request_tenant_update' as const,
      reference: `R-${index}`,
      created_at: new Date(Date.UTC(2026, 0, 1, 0, index)),
    }));
    await api.owner.insertInto('requests').values(many).execute();
    const notice = {
      ...row,
      kind: 'notifyAchPayment' as const,
      reference: 'R-notice',
      status: 'done' as const,
    };
    await api.owner.insertInto('requests').values(notice).execute();
    await api.owner
      .insertInto('requests')
      .values({ ...row, kind: 'move_out', reference: 'R-other', tenant_id: dana.tenantIds[1]! })
      .execute();
    const listed = (await own(dana)).body as { reference: string }[];
    expect(listed.map(({ reference }) => reference)).toEqual(
      Array.from({ length: 50 }, (_, index) => `R-${54 - index}`),
    );
    expect((await own(dana, dana.tenantIds[1])).body).toMatchObject([
      { reference: 'R-other', unitName: null, steps: [] },
    ]);
    expect((await own(lee)).body).toEqual([]);
    expect((await own(lee, dana.tenantIds[0])).status).toBe(404);
  });

  test('does not show which member of staff replied', async () => {
    await ask();
    const url = await linkTo();
    await send(url, { ...(await formOf(url)), reply: 'x' });
    expect((await own(dana)).text).not.toContain(EAGLE_MOUNTAIN);
  });
});

describe('an answer of the tenant', () => {
  /** Dana's request with a reply of staff, and its path. */
  async function askAndReply(status?: 'done'): Promise<{ reference: string; path: string }> {
    const reference = await ask();
    const url = await linkTo();
    await send(url, {
      ...(await formOf(url)),
      reply: 'Does Tuesday fit?',
      ...(status && { status }),
    });
    const [request] = await requests();
    return { reference, path: pathOf(dana, request!.id) };
  }
  const pathOf = (who: SignedIn, requestId: string, tenantId = dana.tenantIds[0]!) =>
    `${who.prefix}/tenants/${tenantId}/requests/${requestId}/answers`;
  const answer = (path: string, { who = dana, text = 'Yes.', key = '' } = {}) =>
    api.call('POST', path, {
      token: who.token,
      body: { text },
      headers: key === '' ? {} : { 'idempotency-key': key },
    });

  // spec 10.9
  test('is a step of the request, goes to staff with their link, and opens what was done', async () => {
    const { reference, path } = await askAndReply('done');
    const { status, body } = await answer(path, { text: ` Tuesday fits.\n${HOSTILE} ` });
    expect([status, body]).toEqual([200, { success: true, reference }]);
    const [listed] = (await own(dana)).body as { status: string; steps: object[] }[];
    expect(listed!.status).toBe('in_progress');
    expect(listed!.steps.at(-1)).toMatchObject({
      kind: 'answered',
      status: 'in_progress',
      text: `Tuesday fits.\n${HOSTILE}`,
    });
    expect((await events()).at(-1)).toMatchObject({ via: 'portal', author: null });
    const mail = (await mailsTo(api, EAGLE_MOUNTAIN)).at(-1)!;
    expect(mail.subject).toBe(`${reference}: Answer: Maintenance request, unit A101`);
    expect(mail.text).toContain('Tuesday fits.');
    expect(mail.html).not.toContain('<script>');
    const page = (await open(await linkTo())).body;
    expect(page).toContain('Tuesday fits.\n&lt;script&gt;');
    expect(page).toMatch(/Answer · .*Tenant/);
  });

  // spec 10.9
  test('is taken once under one key, also ten times at once', async () => {
    const { path } = await askAndReply();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => answer(path, { key: 'one' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await events()).filter(({ kind }) => kind === 'answered')).toHaveLength(1);
    expect(await mailsTo(api, EAGLE_MOUNTAIN)).toHaveLength(2);
    const other = await answer(path, { key: 'one', text: 'No.' });
    expect([other.status, other.body.message]).toEqual([
      422,
      'This Idempotency-Key was already used for another request.',
    ]);
    expect((await answer(path, { key: 'two' })).status).toBe(200);
    expect((await events()).filter(({ kind }) => kind === 'answered')).toHaveLength(2);
  });

  test('is taken where the rental has ended', async () => {
    const { path } = await askAndReply();
    const { moved_out_on: before } = await api.owner
      .selectFrom('ledgers')
      .select('moved_out_on')
      .where('id', '=', ledgerId)
      .executeTakeFirstOrThrow();
    const setEnd = (moved_out_on: string | null) =>
      api.owner.updateTable('ledgers').set({ moved_out_on }).where('id', '=', ledgerId).execute();
    await setEnd('2026-01-31');
    expect((await answer(path)).status).toBe(200);
    await setEnd(before);
    expect((await mailsTo(api, EAGLE_MOUNTAIN)).at(-1)!.subject).toContain('unit A101');
  });

  test('makes a page that staff opened before it stale', async () => {
    const { path } = await askAndReply();
    const url = await linkTo();
    const form = await formOf(url);
    await answer(path);
    const { statusCode, body } = await send(url, { ...form, status: 'done' });
    expect(statusCode).toBe(409);
    expect(body).toContain('Somebody else changed this request meanwhile.');
  });

  // spec 10.9
  test('is refused before there is a reply, after fifteen, without a text, and of another’s request; nothing changes', async () => {
    await ask();
    const [request] = await requests();
    const path = pathOf(dana, request!.id);
    const before = await footprint();
    const early = await answer(path);
    expect([early.status, early.body.message]).toEqual([
      409,
      'The facility has not replied to this request yet. Please call it if something has changed.',
    ]);
    const url = await linkTo();
    expect(await footprint()).toBe(before);
    await send(url, { ...(await formOf(url)), reply: 'x' });
    const replied = await footprint();
    const empty = await answer(path, { text: ' \n ' });
    expect([empty.status, empty.body.message]).toEqual([422, 'Answer is required.']);
    expect((await answer(path, { text: 'x'.repeat(2001) })).body.message).toBe(
      'Answer is too long.',
    );
    const others = [
      await answer(pathOf(lee, request!.id, lee.tenantIds[0]), { who: lee }),
      await answer(path, { who: lee }),
      await answer(pathOf(dana, request!.id, dana.tenantIds[1])),
      await answer(pathOf(dana, randomUUID())),
      await answer(pathOf(dana, 'x')),
    ];
    expect(others.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(await footprint()).toBe(replied);
    await api.owner
      .insertInto('request_events')
      .values(
        Array.from({ length: 15 }, () => ({
          request_id: request!.id,
          kind: 'answered' as const,
          status: 'in_progress' as const,
          text: 'x',
          via: 'portal' as const,
          created_at: testClock.now(),
        })),
      )
      .execute();
    const late = await answer(path);
    expect([late.status, late.body.message]).toEqual([
      409,
      'This request has had too many answers. Please call the facility.',
    ]);
  });

  test('that is the sixth within an hour is refused', async () => {
    const { path } = await askAndReply();
    const { config } = api.ctx;
    const limits = { ...config.limits, 'requests-an-hour': { most: 5, seconds: 3600 } };
    const narrow = await buildApp({
      ...api.ctx,
      config: { ...config, limits },
      metrics: createMetrics(),
    });
    const statuses = [];
    for (let count = 0; count < 6; count += 1) {
      const { statusCode } = await narrow.inject({
        method: 'POST',
        url: `/api${path}`,
        headers: { authorization: `Bearer ${dana.token}` },
        payload: { text: 'Yes.' },
      });
      statuses.push(statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await events()).filter(({ kind }) => kind === 'answered')).toHaveLength(5);
    await narrow.close();
  });
});

test('a notice has no task: it is done, has no link, and cannot be replied to', async () => {
  await api.ctx.db.transaction().execute(async (trx) =>
    fileRequest(api.ctx, trx, {
      kind: 'autopayCreditCardToAch',
      requester: await getRequester(trx, [dana.tenantIds[0]!], ledgerId),
      asker: null,
      facts: { from: 'Visa ending in 4242', to: 'ACH ending in 6789' },
      email: cardToAchNoticeEmail,
    }),
  );
  const [request] = await requests();
  expect(request).toMatchObject({ status: 'done' });
  expect((await mailsTo(api, EAGLE_MOUNTAIN))[0]!.text).not.toContain('/staff/');
  const origin = { ip: '', requestId: randomUUID() };
  const reply = actOnRequest(
    api.ctx,
    request!.id,
    { reply: 'x', status: null },
    { staff: { via: 'cli', author: 'x' }, origin },
  );
  await expect(reply).rejects.toThrow('is a notice');
});

test('the server cannot change or delete a request or its events', async () => {
  await ask();
  await expect(
    api.ctx.db.updateTable('request_events').set({ text: 'x' }).execute(),
  ).rejects.toThrow('permission denied');
  await expect(api.ctx.db.deleteFrom('request_events').execute()).rejects.toThrow(
    'permission denied',
  );
});

test('no log line contains the link', async () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  await ask();
  const url = await linkTo();
  const log = openLog('debug', sink);
  const app = await buildApp({ ...api.ctx, log, metrics: createMetrics() });
  await app.inject({ url });
  log.error({ err: new Error(`cannot read ${url}`) }, 'a fault');
  await app.close();
  expect(lines.join('')).toContain('/staff/requests/:token');
  expect(lines.join('')).toContain('[token]');
  expect(lines.join('')).not.toContain(url.slice(-40));
});
