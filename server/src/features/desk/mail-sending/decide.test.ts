import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { MailMessage } from '#adapters/mail/transport.ts';
import { limits } from '#config/limits.ts';
import { inLanguage } from '#context/language.ts';
import type { Email } from '#emails/email.ts';
import { sealBody } from '#features/base/mail/bodies.ts';
import type { MailKind } from '#features/base/mail/kinds.ts';
import { queueMail } from '#features/base/mail/mail.ts';
import { useTestApp } from '#test/app.ts';
import { releaseHeldMails } from './release.ts';
import { sendMails } from './send.ts';
import { addRows, findRows, getRow } from '#test/rows.ts';

const START = new Date('2026-11-21T12:00:00Z');
const TENANT = '6f1d7c1e-43a0-4a2e-9a5c-0c9b7a1f2e3d';
const OTHER_TENANT = '6f1d7c1e-43a0-4a2e-9a5c-0c9b7a1f2e3e';

let now: Date;
const api = useTestApp('empty_template', {
  clock: { now: () => now },
  mail: {
    async send(message) {
      if (isDown) throw new Error('the mail server is down');
      sent.push(message);
      return Promise.resolve();
    },
  },
});
let sent: MailMessage[];
let isDown: boolean;
beforeEach(async () => {
  [now, sent, isDown] = [START, [], false];
  api.ctx.config = { ...api.ctx.config, limits, operatorEmail: 'operator@example.com' };
  for (const table of ['mails', 'limit_counts', 'alarms'] as const)
    await api.owner.deleteFrom(table).execute();
});

const after = (minutes: number) => {
  now = new Date(START.getTime() + minutes * 60_000);
};

let number = 0;
type Changes = { to?: string; about?: string; tenantId?: string; subject?: string };
async function queue(kind: MailKind, changes: Changes = {}): Promise<string> {
  const { to = 'dana@example.com', subject = `${kind} ${++number}`, ...rest } = changes;
  const { tenantId = null } = rest;
  const email: Email = {
    subject,
    blocks: [
      { kind: 'paragraph', text: 'Hello Dana,' },
      { kind: 'paragraph', text: `This is ${subject}.` },
    ],
  };
  const id = await api.ctx.db
    .transaction()
    .execute((trx) => queueMail(api.ctx, trx, { to, email: () => email, kind, ...rest, tenantId }));
  return id!;
}
const unsent = async () => {
  const rows = await api.owner
    .selectFrom('mails')
    .select('id')
    .where('sent_at', 'is', null)
    .orderBy('position')
    .execute();
  return rows.map(({ id }) => id);
};
/** What the jobs do once. */
async function work(): Promise<void> {
  await releaseHeldMails(api.ctx);
  const ids = await unsent();
  if (ids.length > 0) await sendMails(api.ctx, ids);
}
const subjects = () => sent.splice(0).map(({ subject }) => subject);

describe('mails of one kind to one address within ten minutes', () => {
  test('are one at once and one later, which has each of them in full', async () => {
    for (const subject of ['First', 'Second', 'Third']) await queue('autopay', { subject });
    await work();
    expect(subjects()).toEqual(['First']);
    after(10);
    await work();
    expect(sent).toHaveLength(1);
    expect(sent[0]!.subject).toBe('2 changes to your autopay');
    expect(sent[0]!.text).toMatch(
      /^Hello Dana,\n\nThese came [^]*\n\nSecond\n\nThis is Second\.\n\nThird\n\nThis is Third\.\n\n/,
    );
    expect(sent[0]!.html).toMatch(/<h2[^>]*>Second<\/h2>/);
  });

  test('that is alone when its time has come is sent as it is', async () => {
    for (const subject of ['First', 'Second']) await queue('autopay', { subject });
    await work();
    after(10);
    await work();
    expect(subjects()).toEqual(['First', 'Second']);
  });

  test('to two spellings of an address are to one', async () => {
    await queue('autopay', { to: 'Dana@Example.com' });
    await queue('autopay');
    await work();
    expect(sent).toHaveLength(1);
  });

  test('are apart by address, kind and facility', async () => {
    await queue('autopay');
    await queue('receipt');
    await queue('autopay', { to: 'lee@example.com' });
    const desk = { to: 'desk@example.com', tenantId: TENANT };
    await queue('move_out', { ...desk, about: 'one facility' });
    await queue('move_out', { ...desk, about: 'another facility' });
    await work();
    expect(sent).toHaveLength(5);
  });

  // spec 10.71
  test('are merged in the language of the last', async () => {
    for (let nth = 0; nth < 3; nth++) await inLanguage('es', () => queue('autopay'));
    await work();
    after(10);
    await work();
    const { language } = await getRow(api.owner, 'mails', 'language', { kind: 'merged' });
    expect(language).toBe('es');
  });

  test('are held by several processes at once as by one, and merged once', async () => {
    const ids: string[] = [];
    for (let nth = 0; nth < 10; nth++) ids.push(await queue('autopay'));
    await Promise.all(ids.map((id) => sendMails(api.ctx, [id])));
    expect(sent).toHaveLength(1);
    after(10);
    await Promise.all([1, 2, 3].map(() => releaseHeldMails(api.ctx)));
    await work();
    expect(subjects().slice(1)).toEqual(['9 changes to your autopay']);
    expect(await unsent()).toEqual([]);
  });

  test('are at most 50 in one, and the others in the next', async () => {
    for (let nth = 0; nth < 53; nth++) await queue('autopay');
    await work();
    for (const minutes of [10, 20]) {
      after(minutes);
      await work();
    }
    expect(subjects().slice(1)).toEqual([
      '50 changes to your autopay',
      '2 changes to your autopay',
    ]);
  });
});

describe('a mail that could not be sent', () => {
  test('counts once however often it is tried', async () => {
    const id = await queue('autopay');
    isDown = true;
    for (let nth = 0; nth < 3; nth++)
      await expect(sendMails(api.ctx, [id])).rejects.toThrow('could not be sent');
    isDown = false;
    await sendMails(api.ctx, [id]);
    expect(sent).toHaveLength(1);
  });

  test('is merged with nothing, and counts nothing, where that does not commit', async () => {
    for (let nth = 0; nth < 4; nth++) await queue('autopay');
    await work();
    after(10);
    const { enqueue } = api.ctx;
    api.ctx.enqueue = () => Promise.reject(new Error('the process was killed'));
    await expect(releaseHeldMails(api.ctx)).rejects.toThrow('could not be released');
    api.ctx.enqueue = enqueue;
    expect(await unsent()).toHaveLength(3);
    await work();
    expect(subjects().slice(1)).toEqual(['3 changes to your autopay']);
  });

  test('of several in one is sent again under the same id', async () => {
    for (let nth = 0; nth < 3; nth++) await queue('autopay');
    await work();
    after(10);
    isDown = true;
    await expect(work()).rejects.toThrow('could not be sent');
    const [id, ...others] = await unsent();
    expect(others).toEqual([]);
    isDown = false;
    await work();
    expect(sent[1]).toMatchObject({ id, subject: '2 changes to your autopay' });
  });

  test('is released by a job of its own once it is held no more', async () => {
    await queue('autopay');
    const id = await queue('autopay');
    await work();
    after(10);
    const jobs: unknown[] = [];
    const { enqueue } = api.ctx;
    api.ctx.enqueue = (_trx, job) => {
      jobs.push(job);
      return Promise.resolve();
    };
    await releaseHeldMails(api.ctx);
    api.ctx.enqueue = enqueue;
    expect(jobs).toEqual([
      { name: 'deliver-mail', group: 'example.com', data: { mailId: id }, priority: 0 },
    ]);
  });
});

describe('a budget', () => {
  test('of a tenant holds what is over it, and no other tenant’s mail to the same staff', async () => {
    api.ctx.config.limits = { ...limits, 'mails-of-a-tenant-an-hour': { most: 2, seconds: 3600 } };
    const desk = { to: 'desk@example.com', about: 'a facility' };
    for (const kind of ['move_out', 'insurance_request', 'maintenance_request_form'] as const)
      await queue(kind, { ...desk, tenantId: TENANT });
    await work();
    expect(sent).toHaveLength(2);
    await queue('request_gate_access_form', { ...desk, tenantId: OTHER_TENANT });
    await work();
    expect(sent).toHaveLength(3);
    after(60);
    await work();
    expect(sent).toHaveLength(4);
  });

  test('of an address is one for all facilities and kinds', async () => {
    api.ctx.config.limits = {
      ...limits,
      'mails-to-an-address-a-day': { most: 2, seconds: 86_400 },
    };
    for (const kind of ['autopay', 'card_expires', 'payment_changed'] as const) await queue(kind);
    await work();
    expect(sent).toHaveLength(2);
    after(24 * 60);
    await work();
    expect(sent).toHaveLength(3);
  });

  test('of the sum holds the rest and raises one alarm, which is mailed at once', async () => {
    api.ctx.config.limits = { ...limits, 'mails-by-tenants-an-hour': { most: 3, seconds: 3600 } };
    for (let nth = 0; nth < 6; nth++) await queue('autopay', { to: `tenant${nth}@example.com` });
    await work();
    await work();
    expect(sent.filter(({ to }) => to.startsWith('tenant'))).toHaveLength(3);
    expect(sent.filter(({ to }) => to === 'operator@example.com')).toMatchObject([
      { subject: expect.stringContaining('What tenants do has caused 3 mails within an hour') },
    ]);
    const alarms = await findRows(api.owner, 'alarms', 'kind');
    expect(alarms).toEqual([{ kind: 'mail_flood' }]);
    after(60);
    await work();
    expect(sent.filter(({ to }) => to.startsWith('tenant'))).toHaveLength(6);
  });

  test('of lookups by strangers in sum is apart from that of tenants', async () => {
    api.ctx.config.limits = { ...limits, 'not-on-file-mails-an-hour': { most: 2, seconds: 3600 } };
    for (let nth = 0; nth < 4; nth++)
      await queue('not_on_file', { to: `stranger${nth}@example.com` });
    await queue('autopay');
    await work();
    await work();
    expect(sent.map(({ to }) => to)).toEqual([
      'stranger0@example.com',
      'stranger1@example.com',
      'dana@example.com',
      'operator@example.com',
    ]);
  });

  test('that is used up holds neither what protects an account nor a bill', async () => {
    const none = Object.fromEntries(
      Object.entries(limits).map(([name, limit]) => [name, { ...limit, most: 0 }]),
    ) as unknown as typeof limits;
    api.ctx.config.limits = { ...none, 'mails-alike-in-ten-minutes': { most: 1, seconds: 600 } };
    for (let nth = 0; nth < 3; nth++) {
      await queue('security', { subject: `Code ${nth}` });
      await queue('legal', { subject: `Bill ${nth}` });
    }
    await queue('autopay');
    await work();
    expect(subjects()).toEqual(['Code 0', 'Bill 0', 'Code 1', 'Bill 1', 'Code 2', 'Bill 2']);
    const held = await api.owner
      .selectFrom('mails')
      .select('kind')
      .where('held_until', 'is not', null)
      .execute();
    expect(held).toEqual([{ kind: 'autopay' }]);
  });
});

test('a mail that another release queued is sent as it is', async () => {
  const id = randomUUID();
  const body = sealBody(api.ctx.vault, id, { text: 'x', html: 'x' });
  await addRows(api.owner, 'mails', {
    id,
    to_address: 'dana@example.com',
    subject: 'Of a later one',
    kind: 'unheard_of',
    language: 'en',
    ...body,
  });
  await work();
  expect(sent).toHaveLength(1);
});
