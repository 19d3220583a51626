import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSmtpSink, type SmtpSink } from '#test/smtp.ts';
import { createSmtpTransport } from './smtp.ts';
import type { MailMessage } from './transport.ts';

const from = { name: 'Anchor & Axle', address: 'no-reply@anchor-axle.example' };

let sink: SmtpSink;
beforeAll(async () => {
  sink = await openSmtpSink();
});
beforeEach(() => {
  sink.received.length = 0;
});
afterAll(() => sink.close());

const message = (changes: Partial<MailMessage> = {}): MailMessage => ({
  id: randomUUID(),
  to: 'dana@example.com',
  subject: 'Your verification code',
  text: 'Your code is:\n\n01234567\n',
  html: '<!doctype html><p>01234567</p>',
  at: new Date('2026-03-04T05:06:07Z'),
  attachments: [],
  ...changes,
});
const send = (changes?: Partial<MailMessage>) =>
  createSmtpTransport(sink.url, from).send(message(changes));

const headersOf = ({ headers }: { headers: { key: string; value: string }[] }) =>
  headers.map(({ key, value }): [string, string] => [key, value]);

describe('a mail that is sent', () => {
  test('has a text part and an HTML part, one recipient, a sender and a date', async () => {
    const asked = message();
    await createSmtpTransport(sink.url, from).send(asked);
    expect(sink.received).toHaveLength(1);
    const { to, raw, ...envelope } = sink.received[0]!;
    expect([envelope.from, to]).toEqual([from.address, ['dana@example.com']]);
    const mail = await PostalMime.parse(raw);
    expect(raw).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(mail).toMatchObject({
      from,
      to: [{ address: 'dana@example.com' }],
      subject: 'Your verification code',
      messageId: `<${asked.id}@anchor-axle.example>`,
      date: '2026-03-04T05:06:07.000Z',
      text: expect.stringMatching(/^01234567$/m),
      html: expect.stringContaining('<p>01234567</p>'),
    });
    expect(mail.cc ?? mail.bcc).toBeUndefined();
  });

  // asvs 5.4.2
  test('carries its attachment', async () => {
    await send({
      attachments: [
        () =>
          Promise.resolve({
            fileName: 'receipt-1000042.pdf',
            contentType: 'application/pdf',
            content: Buffer.from('%PDF-1.3'),
          }),
      ],
    });
    const { attachments, text } = await PostalMime.parse(sink.received[0]!.raw, {
      attachmentEncoding: 'utf8',
    });
    expect(attachments).toMatchObject([
      {
        filename: 'receipt-1000042.pdf',
        mimeType: 'application/pdf',
        disposition: 'attachment',
        content: '%PDF-1.3',
      },
    ]);
    expect(text).toMatch(/^01234567$/m);
  });

  // spec 10.30
  test('says where a mail program stops mails of its kind with one click', async () => {
    const url = `https://portal.example/reminders/rmd_${'x'.repeat(71)}`;
    await send({ unsubscribeUrl: url });
    await send();
    const [stoppable, other] = await Promise.all(
      sink.received.map(async ({ raw }) => new Map(headersOf(await PostalMime.parse(raw)))),
    );
    expect(stoppable!.get('list-unsubscribe')).toBe(`<${url}>`);
    expect(stoppable!.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(other!.has('list-unsubscribe')).toBe(false);
  });

  test('keeps letters beyond ASCII in subject and text', async () => {
    await send({ subject: 'Größe – 12 ′', text: 'Žluťoučký 🚤\n' });
    const mail = await PostalMime.parse(sink.received[0]!.raw);
    expect([mail.subject, mail.text?.trim()]).toEqual(['Größe – 12 ′', 'Žluťoučký 🚤']);
  });

  const attacks = [
    'x\r\nBcc: thief@example.com',
    'x\nBcc: thief@example.com',
    'x\rBcc: thief@example.com',
    'x\r\n\r\n<script>alert(1)</script>',
    'x\0y',
  ];

  // asvs 1.3.11
  test.each(attacks)('takes no further header from its subject: %j', async (subject) => {
    await send();
    await send({ subject });
    const [plain, attacked] = await Promise.all(
      sink.received.map(({ raw }) => PostalMime.parse(raw)),
    );
    expect(attacked!.headers.map(({ key }) => key)).toEqual(plain!.headers.map(({ key }) => key));
    expect(sink.received[1]!.to).toEqual(['dana@example.com']);
  });

  // asvs 1.3.11
  test.each([
    'dana@example.com, thief@example.com',
    'dana@example.com;thief@example.com',
    'dana@example.com>\r\nRCPT TO:<thief@example.com',
    '"thief@example.com x"@example.com',
    'Dana <dana@example.com>, thief@example.com',
  ])('never goes to a second recipient: %j', async (to) => {
    await expect(send({ to })).rejects.toThrow();
    expect(sink.received).toEqual([]);
  });
});

describe('a mail that is not accepted', () => {
  test('is an error that names neither the address nor the mail', async () => {
    sink.refuseNext(1, 'mailbox of dana@example.com is busy, try again');
    const error = await send().catch((fault: unknown) => fault);
    expect(error).toMatchObject({ name: 'MailNotSent', message: expect.stringContaining('451') });
    expect(`${(error as Error).stack} ${JSON.stringify(error)}`).not.toContain('dana@');
    expect((error as Error).cause).toBeUndefined();
  });

  test('is an error where no mail server is listening', async () => {
    const gone = await openSmtpSink();
    await gone.close();
    await expect(createSmtpTransport(gone.url, from).send(message())).rejects.toThrow(
      'did not take a mail',
    );
  });

  // asvs 13.2.6
  test.each([
    ['silence', { connectMs: 3000, silenceMs: 100, totalMs: 20_000 }],
    ['time in all', { connectMs: 3000, silenceMs: 20_000, totalMs: 100 }],
  ])('is an error where the mail server does not answer: limit of %s', async (_, limits) => {
    const silent = createServer().listen(0, '127.0.0.1');
    const closed: Promise<unknown>[] = [];
    silent.on('connection', (socket) => closed.push(once(socket, 'close')));
    await once(silent, 'listening');
    const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await expect(createSmtpTransport(url, from, limits).send(message())).rejects.toThrow(
      'did not take a mail',
    );
    await Promise.all(closed);
    silent.close();
  });
});

test('a mail server from which STARTTLS was stripped gets no mail where TLS is required', async () => {
  const sent = createSmtpTransport(`${sink.url}?requireTLS=true`, from).send(message());
  await expect(sent).rejects.toThrow(/the mail server did not take a mail ETLS/);
  expect(sink.received).toEqual([]);
});
