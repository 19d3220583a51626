import { t } from '@gatehouse/language/t';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound, Refusal } from '#errors/refusal.ts';
import { refusals } from './routes.ts';

/** The methods of routes outside of the API: pages, their files, health. */
const PAGE_METHODS = ['GET', 'HEAD'];

/**
 * Answers 405 for each method that a path of these routes does not accept, with an `allow` header.
 * Register before the routes; its own routes end the list.
 */
export function refuseOtherMethods(api: FastifyInstance): () => void {
  const taken = new Map<string, Set<string>>();
  api.addHook('onRoute', ({ url, method }) => {
    const path = url.slice(api.prefix.length);
    taken.set(path, new Set([...(taken.get(path) ?? []), ...[method].flat()]));
  });
  return () => {
    for (const [url, methods] of [...taken]) {
      const others = api.supportedMethods.filter((method) => !methods.has(method));
      if (others.length > 0) refuse(api, url, others, [...methods]);
    }
  };
}

/**
 * The same for routes outside of the API. Methods that no route accepts end in the handler for
 * unknown routes.
 */
export function refusePageMethods(app: FastifyInstance): void {
  refuse(
    app,
    '/*',
    app.supportedMethods.filter((method) => !PAGE_METHODS.includes(method)),
    PAGE_METHODS,
  );
}

/**
 * The handler for unknown routes: a missing page, or a method that no route of the server accepts.
 */
export function refuseUnrouted(request: FastifyRequest, reply: FastifyReply): never {
  if (PAGE_METHODS.includes(request.method)) throw notFound();
  reply.header('allow', PAGE_METHODS.join(', '));
  throw notTaken();
}

function refuse(app: FastifyInstance, url: string, methods: string[], taken: string[]): void {
  app.route({
    method: methods,
    url,
    config: { access: 'public' },
    schema: { hide: true, response: refusals },
    // Before the body is read.
    onRequest: async (_request, reply) => {
      reply.header('allow', taken.toSorted().join(', '));
      throw notTaken();
    },
    handler: () => {
      throw notTaken();
    },
  });
}

function notTaken(): Refusal {
  return new Refusal(405, t('This address does not take requests of that kind.'));
}
