import { t } from '@gatehouse/language/t';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#errors/refusal.ts';

const HSTS = 'max-age=31536000; includeSubDomains';

/**
 * The request headers that a page of another origin may send and the answer headers that it may
 * read, besides the default ones.
 */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PATCH',
  'access-control-allow-headers':
    'authorization, content-type, gatehouse-language, idempotency-key, session-proof',
  'access-control-max-age': '600',
};
const READABLE = 'retry-after';

/** Makes browsers use https only, for a year and with all subdomains. */
export function keepToHttps(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('strict-transport-security', HSTS);
  });
}

/**
 * Refuses with 403 a call that the trusted proxy got over plain HTTP, as it says in
 * `X-Forwarded-Proto`: the call's token has crossed the network, and a redirect would hide that.
 */
export function refuseUnencrypted(api: FastifyInstance): void {
  api.addHook('onRequest', (request, _reply, done) => {
    const proto = request.headers['x-forwarded-proto'];
    // Of several values the last is the trusted proxy's.
    const isPlain = typeof proto === 'string' && /(^|,)\s*http\s*$/.test(proto);
    done(isPlain ? new Refusal(403, t('This API is served over HTTPS alone.')) : undefined);
  });
}

/**
 * Allows pages of exactly these origins to call the API and read its answers, without credentials:
 * the token is a header. Without origins, a browser allows the portal's own only.
 */
export function allowOrigins(api: FastifyInstance, origins: string[]): void {
  if (origins.length === 0) return;
  api.addHook('onRequest', async (request, reply) => {
    // A cached answer for one origin must not be used for another.
    reply.header('vary', 'origin');
    const { origin, 'access-control-request-method': asked } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': READABLE,
    });
    if (request.method === 'OPTIONS' && asked !== undefined)
      return reply.headers(PREFLIGHT).status(204).send();
  });
}
