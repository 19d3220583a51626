import { mustBe, mustBeAtLeast, reported, type Proof } from '../harness/proof.ts';
import { attackMails } from './mail-attack.ts';

/** Part of every payload, by which it is found again in any context. */
const MARK = 'zq7x';

const payloads = [
  `<script>${MARK}()</script>`,
  `<img src=x onerror=${MARK}()>`,
  `"><svg/onload=${MARK}()>`,
  `'><iframe srcdoc=${MARK}>`,
  `</p></td></table><style>*{background:url(${MARK})}</style>`,
  `<a href="javascript:${MARK}()">here</a>`,
  `<!--${MARK}`,
  `]]><b>${MARK}`,
  `<form action=//e.example/${MARK}>`,
  `<BODY ONLOAD=${MARK}()>`,
  `＜script＞<${MARK}`,
  `%3Cscript%3E<${MARK}>`,
  `&lt;script&gt;<u ${MARK}>`,
  `<meta http-equiv=refresh content="0;url=//${MARK}">`,
  `<${MARK}@example.com>`,
];

/** T16: markup in every field, and the mails that come of it. */
export const storedScript: Proof<{ payloads: number }> = {
  name: 'T16',
  title:
    'Markup in every place for text of every call, and the HTML of every mail that comes of it',
  sizes: { small: { payloads: 1 }, full: { payloads: payloads.length } },
  async run(size, _seed, stage) {
    const { sent, taken, statuses, mails, deaths } = await attackMails(
      stage,
      payloads,
      size.payloads,
    );
    const html = mails.flatMap(({ parts }) =>
      parts.filter(({ type }) => type.startsWith('text/html')),
    );
    const raw = html.filter(({ text }) => new RegExp(`<[^<>]*${MARK}`, 'i').test(text));
    for (const { text } of raw.slice(0, 5))
      stage.say(`  ${text.slice(Math.max(0, text.indexOf(MARK) - 80)).slice(0, 200)}`);
    const carrying = html.filter(({ text }) => text.includes(MARK));
    return [
      reported('texts sent', sent),
      reported('calls that were taken', taken),
      mustBe(
        'answers of 500 and above',
        [...statuses].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0),
        0,
      ),
      reported('mails', mails.length),
      mustBe('mails without exactly one part of HTML', mails.length - html.length, 0),
      // Else nothing of what was sent would have been looked at.
      mustBeAtLeast('mails whose HTML has a text of ours', carrying.length, 10),
      mustBe('mails whose HTML has a raw “<” of ours', raw.length, 0),
      mustBe('servers that ended by themselves', deaths, 0),
    ];
  },
};
