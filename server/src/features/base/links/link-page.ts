import { t } from '@gatehouse/language/t';
import { createHash } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { createElement as h, type ReactNode } from 'react';
import type { Refusal } from '#errors/refusal.ts';
import { renderDocument } from '#html/document.ts';
import { prepareRefusal } from '#http/errors.ts';
import { inLanguageOf } from '#http/language.ts';

/** The options of a page's routes: they query the database, so they are shed as reads are. */
export const LINK_ROUTE = { schema: { hide: true }, config: { urgency: 'usual' } } as const;

/** What a mail program's own button sends is short, and not read; a page's form sends nothing. */
const BODY_BYTES = 4096;

/**
 * Registers pages behind links in mails to tenants. A URL is a secret: routes are logged by
 * pattern, and the pages send no referrer. A GET must change nothing, because programs follow the
 * links in mails. `admit` limits how many run at once: one caller with a link could else take all
 * connections to the database.
 */
export function registerLinkPages(
  app: FastifyInstance,
  admit: (pages: FastifyInstance) => void,
  register: (pages: FastifyInstance) => void,
): void {
  void app.register((pages, _options, done) => {
    admit(pages);
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES },
      (_request, _body, parsed) => parsed(null),
    );
    pages.addHook('onSend', (_request, reply, _payload, sent) => {
      reply.headers({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
        'content-security-policy': policy,
      });
      sent();
    });
    pages.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
      const sentence = prepareRefusal(error, request, reply);
      return sendPage(
        reply,
        inLanguageOf(request, () => refusalPage(sentence)),
      );
    });
    register(pages);
    done();
  });
}

export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page);
}

function refusalPage(sentence: string): string {
  return document(
    'Gatehouse',
    h('h1', null, t('This did not work')),
    h('p', { className: 'card' }, sentence),
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
  --line: oklch(0.905 0.009 245); --text: oklch(0.235 0.022 250); --muted: oklch(0.44 0.022 250);
  --brand: oklch(0.42 0.105 245); --action: oklch(0.42 0.105 245); --good: oklch(0.42 0.105 155);
  --good-soft: oklch(0.955 0.035 155); }
@media (prefers-color-scheme: dark) {
  :root { --surface: oklch(0.185 0.016 250); --raised: oklch(0.232 0.019 250);
    --line: oklch(0.335 0.022 250); --text: oklch(0.95 0.006 245); --muted: oklch(0.77 0.016 245);
    --brand: oklch(0.79 0.095 240); --action: oklch(0.5 0.1 245); --good: oklch(0.82 0.125 155);
    --good-soft: oklch(0.295 0.045 158); }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--surface); color: var(--text); overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif; }
main { max-width: 42rem; margin: 0 auto; padding: 24px 16px 48px; }
h1 { margin: 4px 0 8px; font-size: 24px; line-height: 1.2; font-weight: 650; text-wrap: balance; }
p { margin: 0; }
.muted { color: var(--muted); }
.said { margin-top: 24px; padding: 12px 16px; border-radius: 8px; font-weight: 500; }
.said.good { background: var(--good-soft); color: var(--good); }
.card { margin: 24px 0 0; padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); }
button { min-height: 48px; width: 100%; margin-top: 16px; padding: 0 28px; border: 0; border-radius: 8px;
  background: var(--action); color: oklch(1 0 0); font: inherit; font-weight: 500; cursor: pointer; }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
@media (min-width: 640px) {
  .card { padding: 24px; }
  button { display: block; width: auto; margin-left: auto; }
}
`;

/** The page's policy: its style by its hash, and its form, nothing else. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
