import { formatPhone } from '@gatehouse/contract/phone';
import { createElement as h, type ReactElement } from 'react';
import type { TextState } from '#db/tables.ts';
import { renderDocument } from '#html/document.ts';
import { pageStyle } from '#html/page-style.ts';

/**
 * A mail in the mailbox; `sentAt` is when it was queued, and `heldUntil` until when it is held, ISO
 * instants; `attachments` are the paths of its PDFs.
 */
export type MailboxMail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  sentAt: string;
  heldUntil: string | null;
  attachments: string[];
};

/** A text message in the mailbox; `to` in ten digits, `sentAt` is when it was queued. */
export type MailboxText = {
  id: string;
  to: string;
  text: string;
  sentAt: string;
  state: TextState;
};

/** Where a text message is answered, as its recipient would. */
const TEXTS = '/mailbox/texts';

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
  attachments,
}: MailboxMail): ReactElement {
  return h(
    'article',
    { className: 'card', key: id },
    h('h2', null, subject),
    h(
      'p',
      { className: 'muted' },
      `To ${to} · `,
      h('time', { dateTime: sentAt }, time.format(new Date(sentAt))),
    ),
    heldUntil === null
      ? null
      : h(
          'p',
          { className: 'muted' },
          'Held until ',
          h('time', { dateTime: heldUntil }, time.format(new Date(heldUntil))),
          ', to go with others like it',
        ),
    h('pre', null, text),
    h(
      'details',
      null,
      h('summary', null, 'As it looks'),
      h('iframe', {
        src: `${MAILS}/${id}`,
        title: `${subject}, to ${to}`,
        sandbox: '',
        loading: 'lazy',
      }),
    ),
    h('a', { href: `${MAILS}/${id}` }, 'Open it by itself'),
    attachments.map((href) => h('a', { key: href, href }, 'Download the attached PDF')),
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

function textArticle({ id, to, text, sentAt, state }: MailboxText): ReactElement {
  return h(
    'article',
    { className: 'card', key: id },
    h('h2', null, `Text message to ${formatPhone(to)}`),
    h(
      'p',
      { className: 'muted' },
      h('time', { dateTime: sentAt }, time.format(new Date(sentAt))),
      states[state] ?? '',
    ),
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

const time = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'long',
  timeZone: 'UTC',
});

const { style, source } = pageStyle(`
form { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; margin: 24px 0; }
label { flex: 1 0 100%; font-weight: 500; }
input, button { min-height: 48px; padding: 0 12px; border-radius: 8px; font: inherit; font-size: 16px; }
input { flex: 1 1 12rem; min-width: 0; border: 1px solid var(--control); background: var(--raised); color: inherit; }
button { border: 0; background: var(--action); color: oklch(1 0 0); padding: 0 24px; font-weight: 500; }
a { display: inline-flex; align-items: center; min-height: 48px; color: var(--brand); font-weight: 500; }
.card { margin: 0 0 16px; }
summary { min-height: 48px; padding: 12px 0; color: var(--brand); font-weight: 500; cursor: pointer; }
iframe { width: 100%; height: 36rem; border: 1px solid var(--line); border-radius: 8px; }
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
  'sandbox',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');
