import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound, Refusal } from '#refusal.ts';
import { refusals } from './routes.ts';

/** The methods of what is no call: pages, their files, health. */
const PAGE_METHODS = ['GET', 'HEAD'];

/**
 * Answers 405 for each method that a path of these routes does not take, and names those that it does (D34). Before the
 * routes; what it answers ends their list.
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

/** The same for all that is no call of the API. Methods that no route has at all end at the answer for what is not found. */
export function refusePageMethods(app: FastifyInstance): void {
  refuse(
    app,
    '/*',
    app.supportedMethods.filter((method) => !PAGE_METHODS.includes(method)),
    PAGE_METHODS,
  );
}

/** What no route takes on: a page that is not there, or a method that the whole server has no use for. */
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
    // Before anything of a body is read.
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
  return new Refusal(405, 'This address does not take requests of that kind.');
}
