import { language } from '@gatehouse/language/language';
import { createElement as h, type CSSProperties, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

type Document = {
  title: string;
  /** The only style sheet; what serves a page names its hash in the policy. */
  style: string;
  /** What the head says besides, by name. */
  metas?: Record<string, string>;
  body?: { className: string; style: CSSProperties };
};

/**
 * A whole HTML document of the server's own, a page or a mail, in the current language: no script,
 * in light and dark colours.
 */
export function renderDocument(
  { title, style, metas = {}, body }: Document,
  ...children: ReactNode[]
): string {
  const said = {
    viewport: 'width=device-width, initial-scale=1',
    'color-scheme': 'light dark',
    ...metas,
  };
  const page = h(
    'html',
    { lang: language() },
    h(
      'head',
      null,
      h('meta', { charSet: 'utf-8' }),
      ...Object.entries(said).map(([name, content]) => h('meta', { name, content })),
      h('title', null, title),
      h('style', null, style),
    ),
    h('body', body ?? null, ...children),
  );
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}
