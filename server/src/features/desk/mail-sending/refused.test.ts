import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSmtpTransport } from '#adapters/mail/smtp.ts';
import type { Email } from '#emails/email.ts';
import type { MailKind } from '#features/base/mail/kinds.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { useTestApp } from '#test/app.ts';
import { callOffice, signInStaff } from '#test/office.ts';
import { openSmtpSink, type SmtpSink } from '#test/smtp.ts';
import { testClock } from '#test/test-day.ts';
import { giveUp } from './not-sent.ts';
import { sendMails } from './send.ts';
import { changeRows, findRows, getRow } from '#test/rows.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const email: Email = { subject: 'Hello', blocks: [{ kind: 'paragraph', text: 'It is open.' }] };

const api = useTestApp('demo_template', {
  clock: { now: () => new Date(testClock.now().getTime() + laterMs) },
});
let sink: SmtpSink;
let laterMs: number;
let tenantId: string;
let clerk: string;
beforeAll(async () => {
  laterMs = 0;
  clerk = await signInStaff(api, 'clerk');
  const { id } = await api.owner
    .selectFrom('tenants')
    .select('id')
    .where('email', '=', 'dana@example.com')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  tenantId = id;
});
beforeEach(async () => {
  laterMs = 0;
  await api.sql`TRUNCATE mails, alarms, limit_counts CASCADE`;
  await useServer();
  return () => sink.close();
});

async function useServer(options: { hasUtf8?: boolean } = {}, login = ''): Promise<void> {
  sink = await openSmtpSink(0, options);
  const url = sink.url.replace('//', `//${login}`);
  const from = { name: 'Gatehouse', address: 'no-reply@localhost' };
  api.ctx.mail = createSmtpTransport(url, from);
}

type Changes = { to?: string; kind?: MailKind; tenantId?: string | null; about?: string };
async function queue({ to = 'dana@example.com', kind = 'legal', ...more }: Changes = {}) {
  const mail = { to, kind, tenantId, ...more, email: () => email };
  const id = await api.ctx.db.transaction().execute((trx) => queueMail(api.ctx, trx, mail));
  return id!;
}
/** One try of the mail's job: whether it is tried again, and what the mail is then. */
async function tryToSend(id: string) {
  const isRetried = await sendMails(api.ctx, [id]).then(
    () => false,
    () => true,
  );
  const { sent_at, fault } = await getRow(api.owner, 'mails', ['sent_at', 'fault'], { id });
  return { isRetried, isSent: sent_at !== null, fault };
}
const alarms = () =>
  api.owner
    .selectFrom('alarms')
    .select(['kind', 'sentence', 'facts'])
    .orderBy('kind')
    .orderBy('raised_at')
    .execute();
const kinds = async () => (await alarms()).map(({ kind }) => kind);
const read = async <Body>(path: string) =>
  (await callOffice(api, 'GET', `/office/tenants/${tenantId}${path}`, { as: clerk })).body as Body;
const shownMails = async () => (await read<{ rows: unknown[] }>('/mails')).rows;
/** The tenant's page, as of the start: the session of staff ends when they do nothing. */
function file() {
  laterMs = 0;
  return read<{ mailFault: string | null }>('');
}

describe('a mail that is refused for good', () => {
  // spec 10.80
  test.each([
    ['RCPT', '550 5.1.1 no dana@example.com here', 'RCPT TO 550 5.1.1'],
    ['RCPT', '552 5.2.2 mailbox full', 'RCPT TO 552 5.2.2'],
    ['RCPT', '554 5.1.1 unknown', 'RCPT TO 554 5.1.1'],
    ['RCPT', '553 no such name', 'RCPT TO 553'],
    ['DATA', '552 5.3.4 too large', 'DATA 552 5.3.4'],
  ] as const)('is tried once and not deliverable: %s %s', async (command, reply, fault) => {
    sink.refuse(command, reply);
    const id = await queue();
    expect(await tryToSend(id)).toEqual({ isRetried: false, isSent: false, fault });
    sink.refuse(command, null);
    expect(await tryToSend(id)).toMatchObject({ isRetried: false, isSent: false });
    expect(sink.received).toEqual([]);
    expect(await shownMails()).toMatchObject([{ id, state: 'undeliverable', fault, sentAt: null }]);
    expect((await file()).mailFault).toBe(fault);
    const [alarm, ...others] = await alarms();
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({
      kind: 'mail_undeliverable',
      sentence: expect.stringContaining(fault),
      facts: { tenantId, mailId: id, fault },
    });
    expect(JSON.stringify(alarm)).not.toContain('dana@');
  });

  // spec 10.80
  test('for an address that needs SMTPUTF8, where the server has none', async () => {
    await sink.close();
    await useServer({ hasUtf8: false });
    const id = await queue({ to: 'jürgen@example.com' });
    const fault = 'RCPT TO 553 5.6.7';
    expect(await tryToSend(id)).toEqual({ isRetried: false, isSent: false, fault });
    const other = await queue();
    expect(await tryToSend(other)).toMatchObject({ isSent: true });
  });

  test('is forgotten at the tenant once a later one arrives', async () => {
    sink.refuse('RCPT', '550 5.1.1 unknown');
    await tryToSend(await queue());
    sink.refuse('RCPT', null);
    await tryToSend(await queue());
    expect((await file()).mailFault).toBeNull();
  });

  test('raises one alarm for a tenant until that is closed', async () => {
    sink.refuse('RCPT', '550 5.1.1 unknown');
    for (let times = 0; times < 3; times += 1) await tryToSend(await queue());
    expect(await kinds()).toEqual(['mail_undeliverable']);
    const closed = { closed_at: api.ctx.clock.now(), closed_by: 'June', closed_why: 'Called' };
    await changeRows(api.owner, 'alarms', closed);
    await tryToSend(await queue());
    expect(await kinds()).toEqual(['mail_undeliverable', 'mail_undeliverable']);
  });

  test('to staff names the mail, and raises no alarm about its own alarm', async () => {
    const config = api.ctx.config;
    api.ctx.config = { ...config, operatorEmail: 'operator@example.com' };
    sink.refuse('RCPT', '550 5.1.1 unknown');
    const id = await queue({ to: 'staff@example.com', kind: 'maintenance_request_form' });
    await tryToSend(id);
    const rows = await findRows(api.owner, 'mails', 'id', { kind: 'alarm' });
    for (const { id: alarmId } of rows) await tryToSend(alarmId);
    const last = await findRows(api.owner, 'mails', 'id', { fault: null });
    for (const { id: alarmId } of last) await tryToSend(alarmId);
    api.ctx.config = config;
    expect(await alarms()).toMatchObject([
      { kind: 'staff_mail_undeliverable', facts: { mailId: id, kind: 'maintenance_request_form' } },
      { kind: 'staff_mail_undeliverable', facts: { kind: 'alarm' } },
    ]);
    expect(await findRows(api.owner, 'mails', 'id', { fault: null })).toEqual([]);
  });

  test('to a stranger raises no alarm: an address that is typed is not one of ours', async () => {
    sink.refuse('RCPT', '550 5.1.1 unknown');
    for (const kind of ['not_on_file', 'security'] as const) {
      const id = await queue({ to: 'stranger@example.net', kind, tenantId: null });
      expect(await tryToSend(id)).toMatchObject({ isRetried: false, isSent: false });
    }
    expect(await alarms()).toEqual([]);
  });

  // spec 10.80
  test('with a code is shown to staff, and the lookup answers as always', async () => {
    const { corporationCode } = api.ctx.config;
    const lookup = async (email: string) => {
      const body = { corporationCode, locationCode: 'TXDFW03', email };
      const { status, body: answer } = await api.call('POST', '/users/register', { body });
      return { status, keys: Object.keys(answer as object) };
    };
    sink.refuse('RCPT', '550 5.1.1 unknown');
    const before = await lookup('dana@example.com');
    const [code] = await findRows(api.owner, 'mails', 'id');
    expect(await tryToSend(code!.id)).toMatchObject({ isRetried: false, isSent: false });
    expect(await kinds()).toEqual(['mail_undeliverable']);
    expect(await lookup('dana@example.com')).toEqual(before);
    expect(await lookup('stranger@example.net')).toEqual(before);
  });
});

describe('a mail that may be refused for its address, or because we are', () => {
  // spec 10.80
  test.each([
    ['RCPT', '550 relay not permitted', 'RCPT TO 550'],
    ['RCPT', '550 5.4.1 access denied', 'RCPT TO 550 5.4.1'],
    ['DATA', '550 not taken', 'DATA 550'],
  ] as const)('is tried for an hour: %s %s', async (command, reply, fault) => {
    sink.refuse(command, reply);
    const id = await queue();
    expect(await tryToSend(id)).toMatchObject({ isRetried: true, fault: null });
    laterMs = HOUR_MS - 1000;
    expect(await tryToSend(id)).toMatchObject({ isRetried: true });
    expect(await alarms()).toEqual([]);
    laterMs = HOUR_MS;
    expect(await tryToSend(id)).toEqual({ isRetried: false, isSent: false, fault });
    expect(await kinds()).toEqual(['mail_undeliverable']);
    expect((await file()).mailFault).toBe(fault);
  });
});

describe('a mail that is refused for now', () => {
  // spec 10.80
  test('is tried for a day, and is then not deliverable', async () => {
    sink.refuse('RCPT', '450 4.2.1 try again later');
    const id = await queue();
    // A worker that was away for days is no reason to try once only.
    laterMs = 3 * DAY_MS;
    expect(await tryToSend(id)).toEqual({ isRetried: true, isSent: false, fault: null });
    laterMs += DAY_MS - 1000;
    expect(await tryToSend(id)).toMatchObject({ isRetried: true });
    expect(await alarms()).toEqual([]);
    laterMs += 1000;
    const fault = 'RCPT TO 450 4.2.1';
    expect(await tryToSend(id)).toEqual({ isRetried: false, isSent: false, fault });
    expect(await kinds()).toEqual(['mail_undeliverable']);
  });

  test('is sent when the server takes it', async () => {
    sink.refuse('DATA', '451 busy');
    const id = await queue();
    expect(await tryToSend(id)).toMatchObject({ isRetried: true });
    sink.refuse('DATA', null);
    laterMs = 3_600_000;
    expect(await tryToSend(id)).toEqual({ isRetried: false, isSent: true, fault: null });
  });

  // spec 10.80
  test('is tried for a day of its own after an outage', async () => {
    const id = await queue();
    await sink.close();
    await tryToSend(id);
    laterMs = 25 * HOUR_MS;
    await useServer();
    sink.refuse('MAIL', '421 too many connections');
    expect(await tryToSend(id)).toMatchObject({ isRetried: true, fault: null });
    laterMs += DAY_MS - 1000;
    expect(await tryToSend(id)).toMatchObject({ isRetried: true, fault: null });
  });

  test('is given up where its text was deleted meanwhile, which blames no address', async () => {
    sink.refuse('RCPT', '450 4.2.1 try again later');
    const id = await queue({ kind: 'security', tenantId: null });
    await tryToSend(id);
    await changeRows(api.owner, 'mails', { text_body: '', html_body: '' });
    const fault = 'its text was deleted before it could be sent';
    expect(await tryToSend(id)).toEqual({ isRetried: false, isSent: false, fault });
    expect(await shownMails()).toMatchObject([{ id, state: 'undeliverable' }]);
    expect(await kinds()).toEqual(['mails_given_up']);
    expect((await file()).mailFault).toBeNull();
  });
});

describe('a mail server that refuses us', () => {
  // spec 10.80
  test.each([
    ['MAIL', '550 5.7.1 sender not allowed'],
    ['MAIL', '553 5.1.8 no such domain'],
    ['MAIL', '550 5.1.0 sender rejected'],
    ['RCPT', '554 5.7.1 relay access denied'],
    ['RCPT', '530 5.7.0 authentication required'],
    ['DATA', '554 your network is blocked'],
  ] as const)('raises an alarm at once, and mails wait: %s %s', async (command, reply) => {
    sink.refuse(command, reply);
    const id = await queue();
    expect(await tryToSend(id)).toEqual({ isRetried: true, isSent: false, fault: null });
    expect(await kinds()).toEqual(['mail_server_fails']);
    laterMs = 2 * DAY_MS;
    expect(await tryToSend(id)).toMatchObject({ isRetried: true });
    sink.refuse(command, null);
    expect(await tryToSend(id)).toEqual({ isRetried: false, isSent: true, fault: null });
  });

  test('by a wrong password', async () => {
    await sink.close();
    await useServer({}, 'us:wrong@');
    sink.refuse('AUTH', '535 5.7.8 authentication failed');
    const id = await queue();
    expect(await tryToSend(id)).toMatchObject({ isRetried: true });
    expect(await alarms()).toMatchObject([
      { kind: 'mail_server_fails', sentence: expect.stringContaining('535') },
    ]);
  });

  test('that cannot be reached raises it after a quarter of an hour', async () => {
    const id = await queue();
    await sink.close();
    expect(await tryToSend(id)).toMatchObject({ isRetried: true });
    expect(await alarms()).toEqual([]);
    laterMs = 15 * 60_000;
    expect(await tryToSend(id)).toMatchObject({ isRetried: true });
    expect(await kinds()).toEqual(['mail_server_fails']);
    await useServer();
    expect(await tryToSend(id)).toMatchObject({ isSent: true });
  });

  test('for a week loses its mails, which are then shown as not delivered', async () => {
    sink.refuse('MAIL', '550 5.7.1 sender not allowed');
    const id = await queue();
    await tryToSend(id);
    laterMs = 7 * DAY_MS;
    expect(await tryToSend(id)).toMatchObject({ isRetried: false, fault: 'MAIL FROM 550 5.7.1' });
    expect(await kinds()).toEqual(['mail_server_fails', 'mails_given_up']);
    expect((await file()).mailFault).toBeNull();
  });

  test('does not hide an address that was refused before', async () => {
    sink.refuse('RCPT', '550 5.1.1 unknown');
    await tryToSend(await queue());
    sink.refuse('RCPT', '550 5.7.1 relay access denied');
    const id = await queue();
    await tryToSend(id);
    laterMs = 7 * DAY_MS;
    expect(await tryToSend(id)).toMatchObject({ isRetried: false });
    expect((await file()).mailFault).toBe('RCPT TO 550 5.1.1');
  });
});

// spec 10.80
test('a mail whose paper cannot be drawn for a day is given up, and no address is blamed', async () => {
  const { mail } = api.ctx;
  api.ctx.mail = { send: () => Promise.reject(new Error('no such font')) };
  const id = await queue();
  expect(await tryToSend(id)).toMatchObject({ isRetried: true });
  laterMs = DAY_MS;
  const fault = 'an error of the server';
  expect(await tryToSend(id)).toEqual({ isRetried: false, isSent: false, fault });
  api.ctx.mail = mail;
  expect(await kinds()).toEqual(['mails_given_up']);
  expect((await file()).mailFault).toBeNull();
});

test('a mail that another worker sent meanwhile is not given up, and raises no alarm', async () => {
  const id = await queue();
  const mail = await api.owner
    .selectFrom('mails')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(await tryToSend(id)).toMatchObject({ isSent: true });
  await giveUp(api.ctx, mail, 'RCPT TO 550 5.1.1', 'mail');
  expect(await tryToSend(id)).toMatchObject({ isSent: true, fault: null });
  expect(await alarms()).toEqual([]);
});
