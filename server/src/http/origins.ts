import type { FastifyInstance } from 'fastify';

const HSTS = 'max-age=31536000; includeSubDomains';

/** What a page of another origin may send beside what every page may, and read of an answer beside its body. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PATCH',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  'access-control-max-age': '600',
};
const READABLE = 'retry-after';

/** Tells browsers to come by https alone from now on, for a year and with all subdomains (D34). */
export function keepToHttps(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('strict-transport-security', HSTS);
  });
}

/**
 * Lets pages of exactly these origins call the API and read its answers, without credentials: the token is a header (D34).
 * With none, a browser lets the portal's own origin alone.
 */
export function allowOrigins(api: FastifyInstance, origins: string[]): void {
  if (origins.length === 0) return;
  api.addHook('onRequest', async (request, reply) => {
    // What is kept for one origin must not be given to another.
    reply.header('vary', 'origin');
    const { origin, 'access-control-request-method': asked } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return;
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': READABLE });
    if (request.method === 'OPTIONS' && asked !== undefined) return reply.headers(PREFLIGHT).status(204).send();
  });
}
