import sanitizeHtml from 'sanitize-html';

/**
 * The HTML of a mail as Gmail shows it, by the strictest of what is known of it: body and head are
 * gone, of attributes there are `style`, `href` and what makes tables, of styles these properties
 * with no address in them, of links only those to the web, a mailbox or a phone. The style element
 * is kept whole or not at all (`hasSheet`); it never is where the reader's provider is another one.
 */
export function asMailClientShows(html: string, hasSheet: boolean): string {
  const content = sanitizeHtml(html, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags],
    nonTextTags: ['script', 'style', 'textarea', 'option', 'title'],
    allowedAttributes: {
      '*': ['style', 'class', 'width', 'align', 'role'],
      a: ['href'],
    },
    allowedSchemes: ['https', 'http', 'mailto', 'tel'],
    allowedStyles: { '*': Object.fromEntries(properties.map((name) => [name, [HARMLESS]])) },
  });
  const [, sheet = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
  return hasSheet && faultsOfSheet(sheet).length === 0
    ? `<style>${sheet}</style><div>${content}</div>`
    : `<div>${content}</div>`;
}

/** Neither an address nor an expression. */
const HARMLESS = /^(?!.*(url\(|expression|@import|javascript:)).*$/is;

/** Those of ours that Gmail keeps (caniemail.com); not `overflow-wrap`, nor of any position. */
const properties = [
  'background',
  'border',
  'border-bottom',
  'border-collapse',
  'border-left',
  'border-radius',
  'border-top',
  'color',
  'display',
  'font-family',
  'font-size',
  'font-weight',
  'letter-spacing',
  'line-height',
  'margin',
  'max-width',
  'padding',
  'text-align',
  'text-decoration',
  'vertical-align',
  'white-space',
  'width',
  'word-break',
];

/** Why Gmail drops a style element; it drops all of one with a fault. */
export function faultsOfSheet(sheet: string): string[] {
  const selectors = [...sheet.matchAll(/^\s*([^@{}]+)\{/gm)].flatMap(([, list]) =>
    list!.split(',').map((selector) => selector.trim()),
  );
  return [
    ...(sheet.match(/url\(|@import|@font-face|position\s*:|expression|<|\\/gi) ?? []),
    ...selectors.filter((selector) => !/^\.[\w-]+$/.test(selector)),
    ...(sheet.length > 16_384 ? ['too long'] : []),
  ];
}
