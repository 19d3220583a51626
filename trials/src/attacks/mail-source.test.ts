import { expect, test } from 'vitest';
import { headerOf, readMail } from './mail-source.ts';

const raw = [
  'To: a@example.com',
  'Subject: one',
  ' and more',
  'Content-Type: multipart/mixed; boundary="b1"',
  '',
  '--b1',
  'Content-Type: multipart/alternative; boundary="b2"',
  '',
  '--b2',
  'Content-Type: text/plain',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'caf=C3=A9 =',
  'closed',
  '--b2',
  'Content-Type: text/html',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('<b>hello</b>').toString('base64'),
  '--b2--',
  '--b1--',
  '',
].join('\r\n');

test('a mail is read with its folded headers and all its parts', () => {
  const { headers, parts } = readMail(raw);
  expect(headerOf(headers, 'subject')).toBe('one and more');
  expect(parts.map(({ type, text }) => [type, text.trim()])).toEqual([
    ['text/plain', 'café closed'],
    ['text/html', '<b>hello</b>'],
  ]);
});

test('a header that was slipped in is one more', () => {
  expect(
    readMail(raw.replace('a@example.com', 'a@example.com\r\nBcc: thief@example.com')).headers,
  ).toContainEqual(['bcc', 'thief@example.com']);
});
