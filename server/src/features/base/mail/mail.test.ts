import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSmtpTransport } from '#adapters/mail/smtp.ts';
import type { MailTransport } from '#adapters/mail/transport.ts';
import type { Email } from '#emails/email.ts';
import { openTestApp, type TestApp } from '#test/app.ts';
import { openSmtpSink, type SmtpSink } from '#test/smtp.ts';
import { patience } from '#test/patience.ts';
import { sendMails } from '#features/desk/mail-sending/send.ts';
import { queueMail } from './mail.ts';
import { changeRows } from '#test/rows.ts';

const email: Email = { subject: 'Hello', blocks: [{ kind: 'paragraph', text: 'It is open.' }] };

let sink: SmtpSink;
let api: TestApp;
beforeEach(async () => {
  sink = await openSmtpSink();
  api = await openTestApp('demo_template', { mail: transportTo(sink.url) });
});
afterEach(async () => {
  await api.close();
  await sink.close();
});

function transportTo(url: string): MailTransport {
  return createSmtpTransport(url, { name: 'Gatehouse', address: 'no-reply@localhost' });
}

const queue = (to: string) =>
  api.ctx.db
    .transaction()
    .execute((trx) =>
      queueMail(api.ctx, trx, { to, email: () => email, kind: 'legal', tenantId: null }),
    );
const rows = () => api.owner.selectFrom('mails').selectAll().orderBy('position').execute();
const jobs = async () => {
  const found = await api.sql<{ state: string; retries: number; output: unknown }>`
    SELECT state, retry_count AS retries, output FROM pgboss.job WHERE name = 'deliver-mail'`;
  return found;
};
const received = () => sink.received.flatMap(({ to }) => to);

/** Makes waiting retries due at once. */
const hurry = () =>
  sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'deliver-mail'`.execute(api.owner);

describe('a queued mail', () => {
  test('is sent by its job, once, under the operator’s name', async () => {
    await queue('dana@example.com');
    await api.queue.work(api.ctx);
    await vi.waitFor(async () => expect((await rows())[0]?.sent_at).toBeInstanceOf(Date), patience);
    await sendMails(
      api.ctx,
      (await rows()).map(({ id }) => id),
    );
    expect(received()).toEqual(['dana@example.com']);
    const mail = await PostalMime.parse(sink.received[0]!.raw);
    expect(mail).toMatchObject({ subject: 'Hello', text: expect.stringContaining('It is open.') });
    expect(mail.text).toContain('Anchor & Axle RV & Boat Storage');
    expect(mail.html).toContain('It is open.');
  });

  test('to a tenant who was imported without an email is none', async () => {
    expect(await queue('no-email+0a1b2c3d4e5f@example.invalid')).toBeNull();
    expect(await rows()).toEqual([]);
  });

  test('that is urgent is sent before earlier ones, each in a job of its own', async () => {
    for (const to of ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'])
      await queue(to);
    await api.ctx.db.transaction().execute((trx) =>
      queueMail(api.ctx, trx, {
        to: 'waits@example.com',
        email: () => email,
        kind: 'security',
        tenantId: null,
        isUrgent: true,
      }),
    );
    let atOnce = 0;
    const { mail } = api.ctx;
    const order: string[] = [];
    api.ctx.mail = {
      async send(one) {
        order.push(one.to);
        atOnce += 1;
        expect(atOnce).toBe(1);
        await mail.send(one);
        atOnce -= 1;
      },
    };
    await api.queue.work(api.ctx);
    await vi.waitFor(() => expect(order).toHaveLength(5), patience);
    expect(order.slice(0, 3)).toContain('waits@example.com');
    api.ctx.mail = mail;
  });

  test('waits for none to another domain, however many there are and however long they take', async () => {
    const { mail } = api.ctx;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let slow = 0;
    api.ctx.mail = {
      async send(one) {
        if (!one.to.endsWith('@slow.example')) return mail.send(one);
        slow += 1;
        return released;
      },
    };
    for (let nth = 0; nth < 20; nth += 1) await queue('many@slow.example');
    await queue('dana@example.com');
    await api.queue.work(api.ctx);
    await vi.waitFor(() => expect(received()).toEqual(['dana@example.com']), patience);
    expect(slow).toBe(1);
    release();
  });

  test('is neither stored nor sent where its transaction does not commit', async () => {
    const transaction = api.ctx.db.transaction().execute(async (trx) => {
      await queueMail(api.ctx, trx, {
        to: 'dana@example.com',
        email: () => email,
        kind: 'legal',
        tenantId: null,
      });
      throw new Error('no');
    });
    await expect(transaction).rejects.toThrow('no');
    expect([await rows(), await jobs()]).toEqual([[], []]);
  });

  test('has exactly one plain address: else it is neither stored nor sent, and the transaction continues', async () => {
    const hostile = [
      'a@example.com,b@example.com',
      'a@example.com\r\nBcc: b@example.com',
      'A <a@example.com>',
    ];
    for (const to of ['', 'no address', ...hostile]) await queue(to);
    expect([await rows(), await jobs()]).toEqual([[], []]);
  });

  // asvs 14.2.4
  test('is stored with its body sealed, and sent as it was written', async () => {
    const link = 'http://localhost/pay/rpt_x';
    const linked: Email = {
      subject: 'Hello',
      blocks: [{ kind: 'link', label: 'Open', url: link }],
    };
    await api.ctx.db.transaction().execute((trx) =>
      queueMail(api.ctx, trx, {
        to: 'dana@example.com',
        email: () => linked,
        kind: 'legal',
        tenantId: null,
      }),
    );
    const [row] = await rows();
    expect(row).toMatchObject({
      subject: 'Hello',
      text_body: expect.stringMatching(/^sealed:1:/),
      html_body: expect.stringMatching(/^sealed:1:/),
    });
    await sendMails(api.ctx, [row!.id]);
    const mail = await PostalMime.parse(sink.received[0]!.raw);
    expect(mail.text).toContain(link);
    expect(mail.html).toContain(link);
  });

  test('can be marked as sent by the server, and not changed or deleted', async () => {
    await queue('dana@example.com');
    const change = changeRows(api.ctx.db, 'mails', { to_address: 'thief@example.com' });
    await expect(change).rejects.toThrow('permission denied');
    await expect(api.ctx.db.deleteFrom('mails').execute()).rejects.toThrow('permission denied');
  });
});

describe('a mail server that is unavailable', () => {
  test('fails no request: the mails wait, and each is sent once when it is back', async () => {
    const { port } = sink;
    await sink.close();
    const to = Array.from({ length: 12 }, (_, index) => `tenant${index}@example.com`);
    for (const address of to) await queue(address);
    await api.queue.work(api.ctx);
    await vi.waitFor(async () => {
      const states = await jobs();
      expect(states.map(({ state }) => state)).toEqual(Array(12).fill('retry'));
    }, patience);
    for (const { output } of await jobs())
      expect(JSON.stringify(output)).not.toContain('@example.com');
    sink = await openSmtpSink(port);
    await hurry();
    await vi.waitFor(
      async () =>
        expect((await jobs()).map(({ state }) => state)).toEqual(Array(12).fill('completed')),
      patience,
    );
    expect(received().toSorted()).toEqual(to.toSorted());
  });

  test('does not delay other mails, and sends none of them twice', async () => {
    sink.refuseNext(1, 'try again');
    for (const to of ['a@example.com', 'b@example.com', 'c@example.com']) await queue(to);
    const ids = (await rows()).map(({ id }) => id);
    await expect(sendMails(api.ctx, ids)).rejects.toThrow('1 mails could not be sent');
    expect(received()).toHaveLength(2);
    await sendMails(api.ctx, ids);
    expect(received().toSorted()).toEqual(['a@example.com', 'b@example.com', 'c@example.com']);
  });

  test('sends a mail again whose mark was lost, under the same Message-ID', async () => {
    await queue('dana@example.com');
    const { id } = (await rows())[0]!;
    await sendMails(api.ctx, [id]);
    await changeRows(api.owner, 'mails', { sent_at: null });
    await sendMails(api.ctx, [id]);
    const mails = await Promise.all(sink.received.map(({ raw }) => PostalMime.parse(raw)));
    expect(mails.map(({ messageId }) => messageId)).toEqual([
      `<${id}@localhost>`,
      `<${id}@localhost>`,
    ]);
  });
});
