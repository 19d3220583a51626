import { t } from '@gatehouse/language/t';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { createElement as h, type ReactNode } from 'react';
import type { Refusal } from '#errors/refusal.ts';
import { renderDocument } from '#html/document.ts';
import { pageStyle } from '#html/page-style.ts';
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

const { style, source } = pageStyle(`
.said { margin-top: 24px; padding: 12px 16px; border-radius: 8px; font-weight: 500; }
.said.good { background: var(--good-soft); color: var(--good); }
.card { margin: 24px 0 0; }
button { min-height: 48px; width: 100%; margin-top: 16px; padding: 0 28px; border: 0; border-radius: 8px;
  background: var(--action); color: oklch(1 0 0); font: inherit; font-weight: 500; cursor: pointer; }
@media (min-width: 640px) { button { display: block; width: auto; margin-left: auto; } }
`);

/** The page's policy: its style by its hash, and its form, nothing else. */
const policy = [
  "default-src 'none'",
  `style-src ${source}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
