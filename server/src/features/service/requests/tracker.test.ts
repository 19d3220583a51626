import { randomUUID } from 'node:crypto';
import { calendarDateIn } from '@gatehouse/contract/dates';
import { LANGUAGE_HEADER } from '@gatehouse/language/header';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildApp } from '#app/app.ts';
import { createMetrics } from '#telemetry/metrics.ts';
import { cardToAchNoticeEmail } from '#emails/staff/card-to-ach-notice.ts';
import { useTestApp, signIn, type SignedIn } from '#test/app.ts';
import { mailsTo } from '#test/mails.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { noisePng } from '#test/photos.ts';
import { testClock } from '#test/test-day.ts';
import { actOnRequest } from './act.ts';
import { addRecipients, listRecipients, removeRecipients } from './recipients.ts';
import { getRequester } from './requester.ts';
import { fileRequest } from './requests.ts';
import { addRows, changeRows, findRows, getRow } from '#test/rows.ts';

const EAGLE_MOUNTAIN = 'eagle-mountain@anchor-axle.example';
const CLERK = 'Ana Flores';
const HOSTILE = '<script>alert(1)</script> & "quotes"';

const api = useTestApp('demo_template');
let dana: SignedIn;
let lee: SignedIn;
let clerk: string;
let ledgerId: string;
let facilityId: string;

beforeAll(async () => {
  ({ id: facilityId } = await getRow(api.owner, 'facilities', 'id', { location_code: 'TXDFW03' }));
});
beforeEach(async () => {
  await api.owner.deleteFrom('requests').execute();
  await api.owner.deleteFrom('mails').execute();
  await api.owner.deleteFrom('facility_recipients').execute();
  await api.sql`TRUNCATE limit_counts`;
  dana = await signIn(api, 'dana@example.com');
  clerk = await signInStaff(api, 'clerk');
  lee = await signIn(api, 'lee@example.com');
  const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/ledgers`;
  ledgerId = (await api.call('GET', path, dana)).body[0].id;
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

const events = () =>
  api.owner.selectFrom('request_events').selectAll().orderBy('position').execute();
const requests = () => api.owner.selectFrom('requests').selectAll().execute();
const own = async (who: SignedIn, tenantId = who.tenantIds[0]!) =>
  api.call('GET', `${who.prefix}/tenants/${tenantId}/requests`, who);

type Act = { key?: string; version?: number; reply?: string | null; status?: string | null };

/** What a clerk does in the office about the newest request, as it is or at the version given. */
async function act({ reply = null, status = null, ...given }: Act) {
  const request = (await requests()).at(-1)!;
  const body = { key: randomUUID(), version: request.version, ...given, reply, status };
  return callOffice(api, 'POST', `/office/requests/${request.id}`, { as: clerk, body });
}

/** All rows that an act could change, as one text. */
const footprint = async () =>
  JSON.stringify([
    await requests(),
    await events(),
    await findRows(api.owner, 'mails', 'id'),
    await api.owner
      .selectFrom('audit_events')
      .select('kind')
      .where('kind', 'like', 'request_%')
      .execute(),
  ]);

describe('what staff do about a request', () => {
  test('has its photo, as the tenant sent it', async () => {
    const imageData = `data:image/png;base64,${(await noisePng()).toString('base64')}`;
    await ask('The keypad is dark.', imageData);
    const { id, image_id: imageId } = (await requests())[0]!;
    const photo = await callOffice(api, 'GET', `/office/requests/${id}/photo`, { as: clerk });
    const path = `${dana.prefix}/tenants/${dana.tenantIds[0]}/images/${imageId}`;
    const own = (await api.call('GET', path, dana)).body.imageData as string;
    expect(own).toBe(`data:image/jpeg;base64,${photo.body.data}`);
  });

  // spec 10.8
  test('starts with a reply: tenant, history, audit trail and a mail show it', async () => {
    const reference = await ask();
    expect((await act({ reply: `On it.\r\n${HOSTILE}` })).status).toBe(200);
    expect(await events()).toMatchObject([
      { kind: 'created', status: 'new', via: 'portal', author: null },
      {
        kind: 'replied',
        status: 'new',
        via: 'office',
        author: CLERK,
        text: `On it.\n${HOSTILE}`,
      },
      { kind: 'status_changed', status: 'in_progress', via: 'office' },
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
    expect(mail!.text).not.toContain('/office/');
    const trail = await api.owner
      .selectFrom('audit_events')
      .select(['kind', 'details', 'tenant_id', 'ledger_id'])
      .where('kind', 'like', 'request_%')
      .orderBy('id')
      .execute();
    const whose = { tenant_id: dana.tenantIds[0], ledger_id: ledgerId };
    const details = { reference, via: 'office', by: CLERK };
    expect(trail.slice(-2)).toEqual([
      { kind: 'request_replied', ...whose, details },
      { kind: 'request_status_changed', ...whose, details: { ...details, status: 'in_progress' } },
    ]);
  });

  test('sets the status only, and opens a request that was done again', async () => {
    const reference = await ask();
    await act({ status: 'done' });
    expect((await mailsTo(api, 'dana@example.com'))[0]!.subject).toBe(
      `Your request ${reference}: Done`,
    );
    await act({ status: 'in_progress', reply: 'Not yet, after all.' });
    expect((await events()).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'created new',
      'status_changed done',
      'replied done',
      'status_changed in_progress',
    ]);
  });

  test('is done once under a key, also when it is sent eight times at once', async () => {
    await ask();
    const once = { key: randomUUID(), version: 0, reply: 'Once.', status: 'done' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => act(once)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await events()).map(({ kind }) => kind)).toEqual([
      'created',
      'replied',
      'status_changed',
    ]);
    expect(await mailsTo(api, 'dana@example.com')).toHaveLength(1);
  });

  test('is refused where the request was changed since', async () => {
    await ask();
    await act({ version: 0, reply: 'Theirs.' });
    const before = await footprint();
    const { status, body } = await act({ version: 0, reply: 'Mine.' });
    expect([status, body.message]).toEqual([
      409,
      expect.stringContaining('Somebody else changed this request meanwhile.'),
    ]);
    expect(await footprint()).toBe(before);
  });

  test.each<[string, Act, string]>([
    ['nothing', { reply: ' \r\n ' }, 'Please write a reply or choose another status.'],
    [
      'a text that is too long',
      { reply: 'x'.repeat(2001) },
      'it has 2001 of at most 2000 characters.',
    ],
    ['a status that there is not', { status: 'new' }, 'Status must be in_progress or done.'],
  ])('with %s is refused in a sentence, and changes nothing', async (_, given, sentence) => {
    await ask();
    const before = await footprint();
    const { status, body } = await act(given);
    expect([status, body.message]).toEqual([422, expect.stringContaining(sentence)]);
    expect(await footprint()).toBe(before);
  });

  test('has no invisible characters in a reply, and at most forty events', async () => {
    await ask();
    await act({ reply: 'ab\u0007c\u2028d\te' });
    expect((await events())[1]!.text).toBe('abc\nd\te');
    for (let count = (await events()).length; count < 40; count += 1) await act({ reply: 'More.' });
    const { status, body } = await act({ reply: 'Still more.' });
    expect([status, body.message]).toEqual([
      409,
      expect.stringContaining('Please call the tenant.'),
    ]);
    expect(await events()).toHaveLength(40);
  });
});

describe('the mail to staff', () => {
  const CLERKS = 'clerk@anchor-axle.example';
  const textTo = async (address: string) => (await mailsTo(api, address)).at(-1)!.text;
  const member = (values: { disabled_at?: Date | null; is_for_all?: boolean }) =>
    changeRows(api.owner, 'staff_members', values, { email: CLERKS });

  test('leads an account of staff to the request in the office, and others nowhere', async () => {
    await addRecipients(api.ctx.db, facilityId, [
      { kind: null, address: 'Clerk@Anchor-Axle.example' },
      { kind: null, address: 'repairs@example.com' },
    ]);
    const reference = await ask(HOSTILE);
    const { id } = (await requests())[0]!;
    expect(await textTo('Clerk@Anchor-Axle.example')).toContain(`/office/requests/${id}/show`);
    const text = await textTo('repairs@example.com');
    expect(text).toContain(reference);
    expect(text).toContain('alert(1)');
    expect(text).not.toContain(id);
  });

  test.each([
    ['is disabled', { disabled_at: testClock.now() }],
    ['is of other facilities', { is_for_all: false }],
  ])('has no link for an account that %s', async (_, values) => {
    await api.owner.deleteFrom('staff_facilities').execute();
    await addRecipients(api.ctx.db, facilityId, [{ kind: null, address: CLERKS }]);
    await member({ disabled_at: null, is_for_all: true });
    await ask();
    expect(await textTo(CLERKS)).toContain('/office/requests/');
    await member(values);
    await ask();
    expect(await textTo(CLERKS)).not.toContain('/office/');
    await member({ disabled_at: null, is_for_all: true });
  });
});

describe('the recipients of a request', () => {
  const recipients = ['repairs@example.com', 'boss@example.com'];

  test('are those of its kind and those of every kind', async () => {
    await addRecipients(api.ctx.db, facilityId, [
      { kind: 'maintenance_request_form', address: recipients[0]! },
      { kind: 'move_out', address: 'leaving@example.com' },
      { kind: null, address: recipients[1]! },
      { kind: 'maintenance_request_form', address: 'Boss@Example.com' },
    ]);
    await ask();
    const all = await findRows(api.owner, 'mails', 'to_address');
    expect(all.map(({ to_address }) => to_address.toLowerCase()).toSorted()).toEqual(
      recipients.toSorted(),
    );
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
    await addRows(api.owner, 'requests', many);
    const notice = {
      ...row,
      kind: 'notifyAchPayment' as const,
      reference: 'R-notice',
      status: 'done' as const,
    };
    await addRows(api.owner, 'requests', notice);
    await addRows(api.owner, 'requests', {
      ...row,
      kind: 'move_out',
      reference: 'R-other',
      tenant_id: dana.tenantIds[1]!,
    });
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

  test('says which fields a contact update asks to change, in the tenant’s language', async () => {
    const body = {
      formType: 'request_tenant_update',
      ...{ firstName: 'Dana', lastName: 'Reyes', phone: '8175550199', city: 'Azle' },
      ...{ emailAddress: 'dana@example.com', address1: '1 Dock Rd', state: 'TX', postal: '76020' },
    };
    const { prefix, tenantIds } = dana;
    const path = `${prefix}/tenants/${tenantIds[0]!}/update/request`;
    expect((await api.call('POST', path, { ...dana, body })).status).toBe(200);
    expect((await own(dana)).body).toMatchObject([{ asked: 'Phone, Street 1' }]);
    const headers = { [LANGUAGE_HEADER]: 'es' };
    const spanish = await api.call('GET', `${prefix}/tenants/${tenantIds[0]!}/requests`, {
      ...dana,
      headers,
    });
    expect(spanish.body).toMatchObject([{ asked: 'Teléfono, Dirección 1' }]);
  });

  test('does not show which member of staff replied', async () => {
    await ask();
    await act({ reply: 'x' });
    expect((await own(dana)).text).not.toContain(CLERK);
  });
});

describe('an answer of the tenant', () => {
  /** Dana's request with a reply of staff, and its path. */
  async function askAndReply(status?: 'done'): Promise<{ reference: string; path: string }> {
    const reference = await ask();
    await act({ reply: 'Does Tuesday fit?', status: status ?? null });
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
  test('is a step of the request, goes to staff, and opens what was done', async () => {
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
    const { moved_out_on: before } = await getRow(api.owner, 'ledgers', 'moved_out_on', {
      id: ledgerId,
    });
    const setEnd = (moved_out_on: string | null) =>
      changeRows(api.owner, 'ledgers', { moved_out_on }, { id: ledgerId });
    await setEnd('2026-01-31');
    expect((await answer(path)).status).toBe(200);
    await setEnd(before);
    expect((await mailsTo(api, EAGLE_MOUNTAIN)).at(-1)!.subject).toContain('unit A101');
  });

  test('makes what staff read before it stale', async () => {
    const { path } = await askAndReply();
    const { version } = (await requests())[0]!;
    await answer(path);
    const { status, body } = await act({ version, status: 'done' });
    expect(status).toBe(409);
    expect(body.message).toContain('Somebody else changed this request meanwhile.');
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
    expect(await footprint()).toBe(before);
    await act({ reply: 'x' });
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
    await addRows(
      api.owner,
      'request_events',
      Array.from({ length: 15 }, () => ({
        request_id: request!.id,
        kind: 'answered' as const,
        status: 'in_progress' as const,
        text: 'x',
        via: 'portal' as const,
        created_at: testClock.now(),
      })),
    );
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
  expect((await mailsTo(api, EAGLE_MOUNTAIN))[0]!.text).not.toContain('/office/');
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
  await expect(changeRows(api.ctx.db, 'request_events', { text: 'x' })).rejects.toThrow(
    'permission denied',
  );
  await expect(api.ctx.db.deleteFrom('request_events').execute()).rejects.toThrow(
    'permission denied',
  );
});
