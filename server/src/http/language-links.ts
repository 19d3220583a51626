import { languages } from '@gatehouse/language/language';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LANGUAGE_COOKIE } from './language.ts';

const COOKIE_SECONDS = 365 * 86_400;

/**
 * The links that change the language of the pages in this browser, a page's address behind the
 * language: keep the choice for a year and lead to the page.
 */
export function registerLanguageLinks(app: FastifyInstance, isHttps: boolean): void {
  for (const language of languages) {
    const cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${COOKIE_SECONDS}; SameSite=Lax`;
    app.get(`/${language}/*`, { schema: { hide: true } }, (request, reply) =>
      reply
        .header('set-cookie', isHttps ? `${cookie}; Secure` : cookie)
        .header('cache-control', 'no-store')
        .redirect(pageOf((request.params as { '*': string })['*']) + queryOf(request), 303),
    );
  }
}

/** The query of a page, such as `?ledger=` of Billing Info; nothing but names and ids. */
function queryOf({ raw: { url = '' } }: FastifyRequest): string {
  return /\?[\w=&-]+$/.exec(url)?.[0] ?? '';
}

/** A page of ours, never another site's: names only, because dots and `//` lead elsewhere. */
function pageOf(asked: string): string {
  return /^([\w-]+\/)*[\w-]*$/.test(asked) ? `/${asked}` : '/';
}
