import { createElement as h, type CSSProperties, type ReactElement } from 'react';
import { renderDocument } from '#html/document.ts';
import type { Block, Brand, Email, Fact } from './email.ts';

/**
 * The layout of all mails as an HTML document: no images, nothing loaded, and links to the portal
 * or the office, or to call a facility, only.
 */
export function layOut({ subject, blocks }: Email, brand: Brand): string {
  const metas = {
    // Prevents mail programs from making links and calendar entries of a tenant's text.
    'format-detection': 'telephone=no, date=no, address=no, email=no, url=no',
    'supported-color-schemes': 'light dark',
  };
  return renderDocument(
    { title: subject, style: sheet, metas, body: { className: 'page', style: styles.body } },
    // Mail programs take the content of the body out of it.
    h(
      'div',
      { className: 'page', style: styles.page },
      h(
        'div',
        { className: 'card', style: styles.card },
        h('p', { className: 'brand', style: styles.brand }, brand.name),
        h('div', { className: 'content', style: styles.content }, ...blocks.map(elementOf)),
      ),
      h(
        'p',
        { className: 'muted', style: styles.foot },
        brand.name,
        h('br'),
        h('a', { href: brand.url, className: 'muted', style: styles.link }, brand.url),
      ),
    ),
  );
}

function elementOf(block: Block): ReactElement {
  switch (block.kind) {
    case 'paragraph':
      return h('p', { style: styles.paragraph }, block.text);
    case 'heading':
      return h('h2', { className: 'heading', style: styles.heading }, block.text);
    case 'notice':
      return h('p', { className: 'notice', style: styles.notice }, block.text);
    case 'code':
      return h('p', { className: 'code', style: styles.code }, block.text);
    case 'quote':
      return h('blockquote', { className: 'quote', style: styles.quote }, block.text);
    case 'facts':
      return h(
        'table',
        { style: styles.facts, role: 'presentation', width: '100%' },
        h('tbody', null, ...rowsOf(block.facts)),
      );
    case 'link':
      return block.isQuiet
        ? h(
            'p',
            { style: styles.paragraph },
            h('a', { href: block.url, className: 'quiet', style: styles.quiet }, block.label),
          )
        : h(
            'p',
            { style: styles.action },
            h('a', { href: block.url, className: 'button', style: styles.button }, block.label),
          );
  }
}

/** A value of as many characters, such as a sum or a day, is one line. */
const UNBROKEN = 14;

function rowsOf(facts: Fact[]): ReactElement[] {
  const isShort = ([, value]: Fact) => value.length <= UNBROKEN;
  // Labels have the room that short values leave.
  const label = facts.every(isShort) ? styles.label : { ...styles.label, width: '36%' };
  return facts.map((fact, index) =>
    h(
      'tr',
      { key: index },
      h('td', { className: 'label', style: label }, fact[0]),
      h('td', { className: 'value', style: isShort(fact) ? styles.sum : styles.value }, fact[1]),
    ),
  );
}

const family =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif";
const wrap = { overflowWrap: 'anywhere', wordBreak: 'break-word' } as const;

const value = {
  padding: '8px 0',
  borderBottom: '1px solid #dbe0e5',
  verticalAlign: 'top',
  textAlign: 'right',
  fontVariantNumeric: 'tabular-nums',
} as const;

// The portal's colours (web/src/ui/tokens.css and brand.css) in sRGB. Inline, because some mail
// programs drop the style element, which sets dark colours and narrow screens only. Each colour of
// text is beside its background's, so that programs which invert colours invert both.
const styles = {
  body: { margin: 0, padding: 0, background: '#f4f7fa' },
  page: {
    padding: '24px 16px 32px',
    background: '#f4f7fa',
    color: '#161f28',
    fontFamily: family,
    fontSize: 16,
    lineHeight: 1.5,
  },
  card: {
    maxWidth: 520,
    margin: '0 auto',
    background: '#ffffff',
    color: '#161f28',
    border: '1px solid #dbe0e5',
    borderRadius: 12,
  },
  brand: {
    margin: 0,
    padding: '16px 24px',
    borderBottom: '1px solid #dbe0e5',
    fontSize: 17,
    lineHeight: 1.3,
    fontWeight: 650,
    color: '#015182',
    ...wrap,
  },
  content: { padding: '24px 24px 8px' },
  paragraph: { margin: '0 0 16px', whiteSpace: 'pre-wrap', ...wrap },
  quote: {
    margin: '0 0 16px',
    padding: '0 0 0 12px',
    borderLeft: '3px solid #dbe0e5',
    whiteSpace: 'pre-wrap',
    ...wrap,
  },
  notice: {
    margin: '0 0 16px',
    padding: '12px 16px',
    background: '#fff1d1',
    borderRadius: 8,
    color: '#79480c',
    fontWeight: 500,
    ...wrap,
  },
  heading: {
    margin: '24px 0 16px',
    padding: '24px 0 0',
    borderTop: '1px solid #dbe0e5',
    fontSize: 17,
    lineHeight: 1.3,
    fontWeight: 650,
    ...wrap,
  },
  code: {
    margin: '0 0 16px',
    padding: '16px 8px',
    background: '#e1f0fd',
    borderRadius: 8,
    color: '#161f28',
    fontSize: 32,
    fontWeight: 650,
    letterSpacing: 4,
    lineHeight: 1.2,
    textAlign: 'center',
  },
  action: { margin: '24px 0', lineHeight: 1.5 },
  button: {
    display: 'inline-block',
    padding: '12px 24px',
    background: '#015182',
    borderRadius: 8,
    color: '#ffffff',
    fontWeight: 500,
    textAlign: 'center',
    textDecoration: 'none',
    ...wrap,
  },
  quiet: { color: '#015182', ...wrap },
  facts: { width: '100%', margin: '0 0 16px', borderCollapse: 'collapse' },
  label: {
    padding: '8px 16px 8px 0',
    borderBottom: '1px solid #dbe0e5',
    verticalAlign: 'top',
    color: '#4a545f',
    overflowWrap: 'break-word',
  },
  value: { ...value, whiteSpace: 'pre-wrap', ...wrap },
  sum: { ...value, whiteSpace: 'nowrap' },
  foot: {
    maxWidth: 520,
    margin: '16px auto 0',
    fontSize: 15,
    lineHeight: 1.5,
    textAlign: 'center',
    color: '#4a545f',
    ...wrap,
  },
  link: { color: '#4a545f' },
} satisfies Record<string, CSSProperties>;

const sheet = `@media (max-width: 480px) {
  .button { display: block !important; }
  .brand { padding: 16px !important; }
  .content { padding: 16px 16px 0 !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background: #0d131a !important; color: #ebeff2 !important; }
  .card { background: #171e26 !important; border-color: #2e3842 !important; color: #ebeff2 !important; }
  .quote, .heading { border-color: #2e3842 !important; }
  .brand { border-color: #2e3842 !important; color: #80c3f2 !important; }
  .quiet { color: #80c3f2 !important; }
  .button { background: #296898 !important; color: #ffffff !important; }
  .notice { background: #3c2c13 !important; color: #f5c572 !important; }
  .code { background: #1b3145 !important; color: #ebeff2 !important; }
  .label { border-color: #2e3842 !important; color: #acb6be !important; }
  .value { border-color: #2e3842 !important; }
  .muted { color: #acb6be !important; }
}`;
