import { t } from '@gatehouse/language/t';
import { createHash } from 'node:crypto';
import { createElement as h, type ReactElement, type ReactNode } from 'react';
import { renderDocument } from '#html/document.ts';

/** The options of a page's routes: they query the database, so they are shed as reads are (D32). */
export const LINK_ROUTE = { schema: { hide: true }, config: { urgency: 'usual' } } as const;

/** The headers of a page behind a link: its URL is a secret. */
export const LINK_HEADERS = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
} as const;

/** The page shown where a link or a form is refused, in the current language as its sentence. */
export function renderLinkRefusal(sentence: string): string {
  return document(
    'Gatehouse',
    h('h1', null, t('This did not work')),
    h('p', { className: 'card' }, sentence),
  );
}

/** A section of a page, with its title. */
export function card(title: string, ...children: ReactNode[]): ReactElement {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return h(
    'section',
    { className: 'card', 'aria-labelledby': id },
    h('h2', { id }, title),
    ...children,
  );
}

/** A page behind a mailed link, without scripts and with one style. */
export function document(title: string, ...children: ReactNode[]): string {
  const metas = {
    robots: 'noindex, nofollow',
    'format-detection': 'telephone=no, date=no, address=no, email=no',
  };
  return renderDocument({ title, style, metas }, h('main', null, ...children));
}

const style = `
:root { color-scheme: light dark; --surface: oklch(0.974 0.005 245); --raised: oklch(1 0 0);
  --line: oklch(0.905 0.009 245); --control: oklch(0.6 0.02 245); --text: oklch(0.235 0.022 250);
  --muted: oklch(0.44 0.022 250); --brand: oklch(0.42 0.105 245); --action: oklch(0.42 0.105 245);
  --good: oklch(0.42 0.105 155); --good-soft: oklch(0.955 0.035 155); --bad: oklch(0.445 0.175 27);
  --bad-soft: oklch(0.964 0.018 22); --warn: oklch(0.45 0.095 65); --warn-soft: oklch(0.962 0.045 85); }
@media (prefers-color-scheme: dark) {
  :root { --surface: oklch(0.185 0.016 250); --raised: oklch(0.232 0.019 250); --line: oklch(0.335 0.022 250);
    --control: oklch(0.6 0.022 250); --text: oklch(0.95 0.006 245); --muted: oklch(0.77 0.016 245);
    --brand: oklch(0.79 0.095 240); --action: oklch(0.5 0.1 245); --good: oklch(0.82 0.125 155);
    --good-soft: oklch(0.295 0.045 158); --bad: oklch(0.815 0.11 24); --bad-soft: oklch(0.295 0.06 22);
    --warn: oklch(0.85 0.115 80); --warn-soft: oklch(0.305 0.045 75); }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--surface); color: var(--text); overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif; }
main { max-width: 42rem; margin: 0 auto; padding: 24px 16px 48px; }
h1 { margin: 4px 0 8px; font-size: 24px; line-height: 1.2; font-weight: 650; text-wrap: balance; }
h2 { margin: 0 0 16px; font-size: 17px; line-height: 1.3; font-weight: 650; }
p { margin: 0; }
.muted { color: var(--muted); }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; }
.chip { padding: 2px 10px; border-radius: 999px; font-size: 13px; font-weight: 500; }
.chip.new { background: var(--warn-soft); color: var(--warn); }
.chip.in_progress { box-shadow: inset 0 0 0 1px var(--line); color: var(--muted); }
.chip.done { background: var(--good-soft); color: var(--good); }
.said { margin-top: 24px; padding: 12px 16px; border-radius: 8px; font-weight: 500; }
.said.good { background: var(--good-soft); color: var(--good); }
.said.bad { background: var(--bad-soft); color: var(--bad); }
.card { margin: 24px 0 0; padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); }
.text { margin-top: 16px; white-space: pre-wrap; }
blockquote { margin: 0; padding-left: 12px; border-left: 3px solid var(--line); }
blockquote.text { margin-top: 8px; }
h2 + .text { margin-top: 0; }
dl { margin: 0; }
dl + dl, .text + dl { margin-top: 16px; }
dl div { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 0 16px; padding: 8px 0;
  border-top: 1px solid var(--line); }
dl div:first-child { border-top: 0; padding-top: 0; }
dl + dl div:first-child { border-top: 1px solid var(--line); padding-top: 8px; }
dl + dl { margin-top: 0; }
dt { color: var(--muted); }
dd { margin: 0; font-weight: 500; }
.photo { display: block; margin-top: 16px; }
.photo img { display: block; max-width: 100%; max-height: 70vh; margin: 0 auto; border-radius: 8px; }
ol { margin: 0; padding: 0; list-style: none; }
li { padding: 12px 0; border-top: 1px solid var(--line); }
li:first-child { border-top: 0; padding-top: 0; }
li:last-child { padding-bottom: 0; }
li .text { margin-top: 4px; }
label, legend { font-weight: 500; padding: 0; }
textarea { display: block; width: 100%; margin-top: 8px; padding: 12px; border: 1px solid var(--control); border-radius: 8px;
  background: var(--raised); color: inherit; font: inherit; font-size: 16px; resize: vertical; }
fieldset { margin: 16px 0 0; padding: 0; border: 0; }
.choice { display: flex; align-items: center; gap: 12px; min-height: 48px; font-weight: 400; cursor: pointer; }
input[type='radio'] { width: 20px; height: 20px; margin: 0; accent-color: var(--brand); }
button { min-height: 48px; width: 100%; margin-top: 16px; padding: 0 28px; border: 0; border-radius: 8px;
  background: var(--action); color: oklch(1 0 0); font: inherit; font-weight: 500; cursor: pointer; }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
@media (min-width: 640px) {
  .card { padding: 24px; }
  dl div { grid-template-columns: 12rem minmax(0, 1fr); }
  button { display: block; width: auto; margin-left: auto; }
}
`;

/** The page's policy: its style by its hash, its photo and its form, nothing else. */
export const LINK_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
