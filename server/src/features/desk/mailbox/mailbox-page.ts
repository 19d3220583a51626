import { formatPhone } from '@gatehouse/contract/phone';
import { createElement as h, type ReactElement } from 'react';
import type { TextState } from '#db/tables.ts';
import { renderDocument } from '#html/document.ts';
import { pageStyle } from '#html/page-style.ts';

/**
 * A mail in the mailbox; `sentAt` is when it was queued, and `heldUntil` until when it is held, ISO
 * instants; `timeZone` is that of the facility that it is about; `attachments` are the paths of its
 * PDFs.
 */
export type MailboxMail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  sentAt: string;
  heldUntil: string | null;
  timeZone: string;
  attachments: string[];
};

/** A text message in the mailbox; `to` in ten digits, `sentAt` is when it was queued. */
export type MailboxText = {
  id: string;
  to: string;
  text: string;
  sentAt: string;
  timeZone: string;
  state: TextState;
};

/** Where a text message is answered, as its recipient would. */
const TEXTS = '/mailbox/texts';

/** A frame runs nothing; a press of a link opens a page of its own. */
const FRAME = 'allow-popups allow-popups-to-escape-sandbox';

/** Where each mail is, as it looks. */
const MAILS = '/mailbox/mails';

/** What the page shows; `said` is what became of an answer. */
type Mailbox = { mails: MailboxMail[]; texts: MailboxText[]; to: string; said?: string };

/**
 * The mailbox as an HTML page, without scripts and with one style, which its policy allows by its
 * hash.
 */
export function renderMailbox({ mails, texts, to, said }: Mailbox): string {
  const shown = [
    ...mails.map((mail) => ({ at: mail.sentAt, article: article(mail) })),
    ...texts.map((text) => ({ at: text.sentAt, article: textArticle(text) })),
  ].toSorted((one, other) => (one.at < other.at ? 1 : -1));
  return renderDocument(
    { title: 'Mailbox', style },
    h(
      'main',
      null,
      h('h1', null, 'Mailbox'),
      h(
        'p',
        { className: 'muted' },
        'Every email and text message that this sandbox sends, the newest first.',
      ),
      said === undefined ? null : h('p', { className: 'card', role: 'status' }, said),
      search(to),
      shown.length === 0
        ? h('p', { className: 'card' }, emptyText(to))
        : shown.map(({ article: one }) => one),
    ),
  );
}

function search(to: string): ReactElement {
  return h(
    'form',
    { action: '/mailbox', role: 'search' },
    h('label', { htmlFor: 'to' }, 'Show what was sent to'),
    h('input', {
      id: 'to',
      name: 'to',
      type: 'search',
      defaultValue: to,
      autoComplete: 'off',
    }),
    h('button', null, 'Show'),
    h('a', { href: to === '' ? '/mailbox' : `/mailbox?to=${encodeURIComponent(to)}` }, 'Refresh'),
    to === '' ? null : h('a', { href: '/mailbox' }, 'Show all'),
  );
}

function emptyText(to: string): string {
  return to === '' ? 'Nothing has been sent yet.' : `Nothing has been sent to ${to} yet.`;
}

function article({
  id,
  to,
  subject,
  text,
  sentAt,
  heldUntil,
  timeZone,
  attachments,
}: MailboxMail): ReactElement {
  return h(
    'article',
    { className: 'card mail', key: id },
    h('h2', null, subject),
    h('p', { className: 'muted' }, `To ${to} · `, timeOf(sentAt, timeZone)),
    heldUntil === null
      ? null
      : h(
          'p',
          { className: 'muted' },
          'Held until ',
          timeOf(heldUntil, timeZone),
          ', to go with others like it',
        ),
    h(
      'fieldset',
      { 'aria-label': `What is shown of ${subject}` },
      tab('as-looks', id, 'As it looks', true),
      tab('as-text', id, 'Text', false),
    ),
    h('iframe', {
      src: `${MAILS}/${id}`,
      title: `${subject}, to ${to}`,
      sandbox: FRAME,
      loading: 'lazy',
    }),
    h('pre', null, text),
    h('a', { href: `${MAILS}/${id}` }, 'Open it by itself'),
    attachments.map((href) => h('a', { key: href, href }, 'Download the attached PDF')),
  );
}

/** One of the two ways to see a mail; the style shows what is chosen. */
function tab(className: string, id: string, label: string, isFirst: boolean): ReactElement {
  return h(
    'label',
    null,
    h('input', { type: 'radio', name: `view-${id}`, className, defaultChecked: isFirst }),
    label,
  );
}

/** What is said of a text that was not just sent. */
const states: Partial<Record<TextState, string>> = {
  waiting: ' · waits to be sent',
  sending: ' · is being sent',
  refused: ' · refused by the provider',
  unknown: ' · it is not known whether it was sent',
  dropped: ' · not sent',
};

function textArticle({ id, to, text, sentAt, timeZone, state }: MailboxText): ReactElement {
  return h(
    'article',
    { className: 'card', key: id },
    h('h2', null, `Text message to ${formatPhone(to)}`),
    h('p', { className: 'muted' }, timeOf(sentAt, timeZone), states[state] ?? ''),
    h('pre', null, text),
    h(
      'form',
      { method: 'post', action: `${TEXTS}/${id}` },
      h('label', { htmlFor: `answer-${id}` }, `Answer from ${formatPhone(to)}`),
      h('input', {
        id: `answer-${id}`,
        name: 'body',
        defaultValue: 'STOP',
        autoComplete: 'off',
        maxLength: 160,
      }),
      h('button', null, 'Send answer'),
    ),
  );
}

function timeOf(instant: string, timeZone: string): ReactElement {
  const said = new Intl.DateTimeFormat('en-US', {
    ...{ year: 'numeric', month: 'short', day: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone },
  });
  return h('time', { dateTime: instant }, said.format(new Date(instant)));
}

const { style, source } = pageStyle(`
form { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; margin: 24px 0; }
label { flex: 1 0 100%; font-weight: 500; }
input, button { min-height: 48px; padding: 0 12px; border-radius: 8px; font: inherit; font-size: 16px; }
input { flex: 1 1 12rem; min-width: 0; border: 1px solid var(--control); background: var(--raised); color: inherit; }
button { border: 0; background: var(--action); color: oklch(1 0 0); padding: 0 24px; font-weight: 500; }
a { display: inline-flex; align-items: center; min-height: 48px; color: var(--brand); font-weight: 500; }
.card { margin: 0 0 16px; }
fieldset { display: flex; margin: 16px 0; padding: 0; border: 0; border-bottom: 1px solid var(--line); }
fieldset label { position: relative; display: inline-flex; flex: none; align-items: center; min-height: 48px;
  padding: 0 16px; border-bottom: 2px solid transparent; color: var(--muted); cursor: pointer; }
fieldset input { position: absolute; inset: 0; min-height: 0; margin: 0; opacity: 0; cursor: pointer; }
fieldset label:has(:checked) { border-color: var(--brand); color: var(--brand); }
fieldset label:has(:focus-visible) { outline: 2px solid var(--brand); outline-offset: -2px; }
iframe { display: block; width: 100%; height: 40rem; border: 1px solid var(--line); border-radius: 8px; }
@media (max-width: 639px) { iframe { width: calc(100% + 32px); margin: 0 -16px; border-width: 1px 0; border-radius: 0; } }
.mail:has(.as-text:checked) iframe, .mail:has(.as-looks:checked) pre { display: none; }
.mail pre { margin: 0; padding: 0; border: 0; }
a + a { margin-left: 24px; }
pre { margin: 16px 0 0; padding: 16px 0 0; border-top: 1px solid var(--line); white-space: pre-wrap; font: inherit; }
`);

/** The page's policy: its style by its hash, its form, and the mails in frames. */
export const MAILBOX_POLICY = [
  "default-src 'none'",
  `style-src ${source}`,
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The policy of a mail: its own styles, which are inline because mail programs want them so. */
export const MAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `sandbox ${FRAME}`,
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** A mail as it goes out, but that its links open pages of their own. */
export function framedMail(html: string): string {
  return html.replace('<head>', '<head><base target="_blank">');
}
