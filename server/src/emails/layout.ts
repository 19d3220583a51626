import { createElement as h, type CSSProperties, type ReactElement } from 'react';
import { renderDocument } from '#html/document.ts';
import type { Block, Brand, Email, Fact } from './email.ts';

/**
 * The layout of all mails as an HTML document: no images, nothing loaded, and links to the portal
 * only.
 */
export function layOut({ subject, blocks }: Email, brand: Brand): string {
  // Prevents mail programs from making links and calendar entries of a tenant's text.
  const metas = { 'format-detection': 'telephone=no, date=no, address=no, email=no, url=no' };
  return renderDocument(
    { title: subject, style: darkMode, metas, body: { className: 'page', style: styles.page } },
    h(
      'div',
      { className: 'card', style: styles.card },
      h('p', { className: 'brand', style: styles.brand }, brand.name),
      ...blocks.map(elementOf),
    ),
    h(
      'p',
      { className: 'muted', style: styles.foot },
      brand.name,
      h('br'),
      h('a', { href: brand.url, className: 'muted', style: styles.link }, brand.url),
    ),
  );
}

function elementOf(block: Block): ReactElement {
  switch (block.kind) {
    case 'paragraph':
      return h('p', { style: styles.paragraph }, block.text);
    case 'heading':
      return h('h2', { style: styles.heading }, block.text);
    case 'notice':
      return h('p', { className: 'notice', style: styles.notice }, block.text);
    case 'code':
      return h('p', { className: 'code', style: styles.code }, block.text);
    case 'quote':
      return h('blockquote', { className: 'quote', style: styles.quote }, block.text);
    case 'facts':
      return h(
        'table',
        { style: styles.facts, role: 'presentation' },
        h('tbody', null, ...block.facts.map(rowOf)),
      );
    case 'link':
      return h(
        'p',
        { style: styles.paragraph },
        block.isQuiet
          ? h('a', { href: block.url, className: 'muted', style: styles.link }, block.label)
          : h('a', { href: block.url, className: 'button', style: styles.button }, block.label),
      );
  }
}

function rowOf([label, value]: Fact): ReactElement {
  return h(
    'tr',
    null,
    h('td', { className: 'muted', style: styles.label }, label),
    h('td', { style: styles.value }, value),
  );
}

const family = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

// Inline, because some mail programs drop the style element, which only sets the dark colours.
const styles = {
  page: {
    margin: 0,
    padding: '24px 16px',
    background: '#f3f6fa',
    color: '#16202c',
    fontFamily: family,
  },
  card: {
    maxWidth: 520,
    margin: '0 auto',
    padding: 24,
    background: '#ffffff',
    border: '1px solid #d8e0ea',
    borderRadius: 12,
    fontSize: 16,
    lineHeight: 1.5,
  },
  brand: { margin: '0 0 24px', fontSize: 17, fontWeight: 650, color: '#174a7c' },
  paragraph: { margin: '0 0 16px', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  quote: {
    margin: '0 0 16px',
    padding: '0 0 0 12px',
    borderLeft: '3px solid #d8e0ea',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  notice: {
    margin: '0 0 16px',
    padding: '12px 16px',
    background: '#fdf1dc',
    borderRadius: 8,
    color: '#6a3f00',
    fontWeight: 500,
    overflowWrap: 'anywhere',
  },
  heading: { margin: '32px 0 16px', fontSize: 17, fontWeight: 650, overflowWrap: 'anywhere' },
  code: {
    margin: '0 0 16px',
    padding: '16px 8px',
    background: '#eaf1f8',
    borderRadius: 8,
    fontSize: 32,
    fontWeight: 650,
    letterSpacing: 4,
    lineHeight: 1.2,
    textAlign: 'center',
  },
  button: {
    display: 'inline-block',
    padding: '12px 24px',
    background: '#174a7c',
    borderRadius: 8,
    color: '#ffffff',
    fontWeight: 500,
    textDecoration: 'none',
  },
  facts: { width: '100%', margin: '0 0 16px', borderCollapse: 'collapse' },
  label: { padding: '8px 16px 8px 0', width: '35%', verticalAlign: 'top', color: '#566476' },
  value: {
    padding: '8px 0',
    verticalAlign: 'top',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  foot: {
    maxWidth: 520,
    margin: '16px auto 0',
    padding: '0 24px',
    fontSize: 13,
    lineHeight: 1.5,
    color: '#566476',
  },
  link: { color: '#566476' },
} satisfies Record<string, CSSProperties>;

const darkMode = `@media (prefers-color-scheme: dark) {
  .page { background: #0f1620 !important; color: #e8eef5 !important; }
  .card { background: #172230 !important; border-color: #2c3a4c !important; }
  .quote { border-color: #2c3a4c !important; }
  .brand { color: #8fc1f0 !important; }
  .button { background: #8fc1f0 !important; color: #0f1f30 !important; }
  .notice { background: #3d2d12 !important; color: #f5c97f !important; }
  .code { background: #1f3044 !important; }
  .muted { color: #a3b1c2 !important; }
}`;
