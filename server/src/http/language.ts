import type { IncomingHttpHeaders } from 'node:http';
import { LANGUAGE_HEADER } from '@gatehouse/language/header';
import { type Language, languages } from '@gatehouse/language/language';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { inLanguage } from '#context/language.ts';
import { isOfficeRoute } from './access.ts';
import { readCookie } from './cookies.ts';

/** Where the choice of a language is kept, for the pages only: no call reads a cookie. */
export const LANGUAGE_COOKIE = 'language';

/** The language of a page: what was chosen in this browser, else what the browser asks for. */
export function pageLanguage(request: FastifyRequest): Language {
  const cookie = readCookie(request, LANGUAGE_COOKIE);
  const chosen = languages.find((language) => language === cookie);
  if (chosen !== undefined) return chosen;
  const [preferred] = new Negotiator(request.raw).languages([...languages]);
  return preferred === 'es' ? 'es' : 'en';
}

/** The language of an answer: that of the page which calls, and of the reader of a page. */
function languageOf(request: FastifyRequest): Language {
  // What a call of staff describes is stored in the books, which are English.
  if (isOfficeRoute(request)) return 'en';
  if (request.url.startsWith('/api/')) return languageOfCall(request);
  return pagesOfTenants.test(request.url) ? pageLanguage(request) : 'en';
}

/** The language of the page that calls the API. */
export function languageOfCall({ headers }: { headers: IncomingHttpHeaders }): Language {
  return headers[LANGUAGE_HEADER] === 'es' ? 'es' : 'en';
}

/** The pages that the server writes for tenants; those of staff are English. */
const pagesOfTenants = /^\/(reminders|objections)\//;

/** Answers each request in its language. */
export function answerInLanguage(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => inLanguage(languageOf(request), done));
  // The events of a body arrive outside of the asynchronous context of `onRequest`.
  app.addHook('preValidation', (request, _reply, done) => inLanguage(languageOf(request), done));
}

/** Runs `act` in the language of a request, for code outside of its asynchronous context. */
export function inLanguageOf<Made>(request: FastifyRequest, act: () => Made): Made {
  return inLanguage(languageOf(request), act);
}
